"""An app and a database session for the duration of a command."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper import OperatorError
from scorekeeper.app import create_app
from scorekeeper.commands.terminal import CommandRefused
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import is_up_to_date, locked_database, telling_faults
from scorekeeper.server.network import base_url


@contextmanager
def opened(*, alone: bool = False) -> Iterator[tuple[Flask, Session]]:
    """Open the database of this installation; raises `OperatorError` if it cannot be read.

    `alone` also refuses while a server or another command uses the database.
    """
    app = create_app(has_pages=False)
    with locked_database(app, alone=alone, timeout=0 if alone else None), app.app_context(), telling_faults(app):
        try:
            if not is_up_to_date(app):
                raise CommandRefused("The database is not up to date. Run scorekeeper migrate first.")
            yield app, db.session
        finally:
            db.session.close()
            db.engine.dispose()


@contextmanager
def naming(given: Mapping[str, str]) -> Iterator[None]:
    """Replace the names of settings in a refusal by the command-line options in `given`."""
    try:
        yield
    except OperatorError as fault:
        why = str(fault)
        for setting, option in given.items():
            why = why.replace(setting, option)
        raise CommandRefused(why) from fault


def address(app: Flask) -> str:
    """Return the address for phones, without a slash at the end."""
    return base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])


def code_in(link: str) -> str:
    """Return the code in a link, given as a URL or as its end."""
    # The system passes bytes that are no text as surrogates, which no database accepts; PostgreSQL accepts no NUL.
    return link.rstrip("/").rpartition("/")[2].encode("utf-8", "replace").decode().replace("\x00", "?")
