"""An app and a session, which ends with the command, for commands that need the database."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.app import create_app
from scorekeeper.commands.terminal import CommandRefused
from scorekeeper.config import BadSetting
from scorekeeper.database.engine import db
from scorekeeper.database.faults import UnusableDatabase
from scorekeeper.database.migrating import is_up_to_date, locked_database, telling_faults
from scorekeeper.server.network import base_url


@contextmanager
def opened(*, alone: bool = False) -> Iterator[tuple[Flask, Session]]:
    """Open the database of this installation; ends the program where there is none that can be read.

    `alone` ends it too where a server or another command uses the database.
    """
    try:
        app = create_app(has_pages=False)
        timeout = 0 if alone else None
        with locked_database(app, alone=alone, timeout=timeout), app.app_context(), telling_faults(app):
            try:
                if not is_up_to_date(app):
                    give_up("The database is not up to date. Run scorekeeper migrate first.")
                yield app, db.session
            finally:
                db.session.close()
                db.engine.dispose()
    except (BadSetting, UnusableDatabase) as fault:
        give_up(str(fault))


@contextmanager
def naming(given: Mapping[str, str]) -> Iterator[None]:
    """Name in a refusal the option that was given, in place of the setting that it stands for."""
    try:
        yield
    except (BadSetting, UnusableDatabase) as fault:
        why = str(fault)
        for setting, option in given.items():
            why = why.replace(setting, option)
        raise CommandRefused(why) from fault


def give_up(why: str) -> NoReturn:
    """End a command that cannot be done with exit status 1; raises `CommandRefused`."""
    raise CommandRefused(why)


def address(app: Flask) -> str:
    """Return the address that phones use, without a slash at the end."""
    return base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])


def code_in(link: str) -> str:
    """Return the code of a link, given whole or by its end."""
    # The system passes bytes that are no text as surrogates, which no database accepts; PostgreSQL accepts no NUL.
    return link.rstrip("/").rpartition("/")[2].encode("utf-8", "replace").decode().replace("\x00", "?")
