"""The app of a command, and the session of its database."""

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
    """Yield an app without pages and a session of its database, which is locked for the block; raises `OperatorError`.

    The database has to be up to date. With `exclusive`, nothing else may use a SQLite database meanwhile; on
    PostgreSQL, only migrations wait.
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
    """Convert any `OperatorError` in a block to `CommandRefused`, and name options in its message in place of settings.

    `option_by_setting` says which: {"SCOREKEEPER_PORT": "--port"}.
    """
    try:
        yield
    except OperatorError as error:
        message = str(error)
        for setting, option in option_by_setting.items():
            message = message.replace(setting, option)
        raise CommandRefused(message) from error


def server_url(app: Flask) -> str:
    """Return the URL at which phones reach the server, without a slash at the end: "http://192.168.1.20:8000"."""
    return base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])


def code_of_link(link_or_code: str) -> str:
    """Return the code of an access link. The text is the URL of the link, or the code itself."""
    # The system passes bytes that are no text as surrogates, which no database accepts; PostgreSQL accepts no NUL.
    return link_or_code.rstrip("/").rpartition("/")[2].encode("utf-8", "replace").decode().replace("\x00", "?")
