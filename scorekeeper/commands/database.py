"""The app and the database session of a command."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper import OperatorError
from scorekeeper.app import create_app
from scorekeeper.commands.terminal import CommandRefused
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import convert_database_errors, hold_database_lock, is_up_to_date
from scorekeeper.server.network import base_url


@contextmanager
def open_database(*, exclusive: bool = False) -> Iterator[tuple[Flask, Session]]:
    """Yield an app without pages and a session of its database, under a lock; raises `OperatorError`.

    The database has to be up to date. With `exclusive`, nothing else may use a SQLite database; on PostgreSQL, only
    migrations have to wait.
    """
    app = create_app(has_pages=False)
    with (
        hold_database_lock(app, exclusive=exclusive, timeout_s=0 if exclusive else None),
        app.app_context(),
        convert_database_errors(app),
    ):
        try:
            if not is_up_to_date(app):
                raise CommandRefused("The database is not up to date. Run scorekeeper migrate first.")
            yield app, db.session
        finally:
            db.session.close()
            db.engine.dispose()


@contextmanager
def name_options_in_refusals(option_by_setting: Mapping[str, str]) -> Iterator[None]:
    """Convert any `OperatorError` in a block to `CommandRefused`, with options named in place of settings."""
    try:
        yield
    except OperatorError as fault:
        why = str(fault)
        for setting, option in option_by_setting.items():
            why = why.replace(setting, option)
        raise CommandRefused(why) from fault


def server_url(app: Flask) -> str:
    """Return the URL of the server for phones, without a slash at the end."""
    return base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])


def code_of_link(link: str) -> str:
    """Return the code of an access link, given its URL or only the last part of the path."""
    # The system passes bytes that are no text as surrogates, which no database accepts; PostgreSQL accepts no NUL.
    return link.rstrip("/").rpartition("/")[2].encode("utf-8", "replace").decode().replace("\x00", "?")
