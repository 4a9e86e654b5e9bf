"""What commands that need the database share: an app, and a session that ends with the command."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.app import create_app
from scorekeeper.commands.terminal import print_text
from scorekeeper.config import BadSetting
from scorekeeper.database.faults import UnusableDatabase
from scorekeeper.extensions import db, is_up_to_date, locked_database, telling_faults
from scorekeeper.serving.network import base_url


@contextmanager
def opened() -> Iterator[tuple[Flask, Session]]:
    """Open the database of this installation; ends the program where there is none that can be read."""
    try:
        app = create_app(has_pages=False)
        with locked_database(app), app.app_context(), telling_faults(app):
            try:
                if not is_up_to_date(app):
                    give_up("the database is not up to date; run scorekeeper migrate first.")
                yield app, db.session
            finally:
                db.session.close()
                db.engine.dispose()
    except (BadSetting, UnusableDatabase) as fault:
        give_up(str(fault))


def give_up(why: str) -> NoReturn:
    """Print why a command cannot be done, and end with exit status 1."""
    print_text(f"scorekeeper: {why}", sys.stderr)
    raise SystemExit(1)


def address(app: Flask) -> str:
    """Return the address that phones use, without a slash at the end."""
    return base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])


def code_in(link: str) -> str:
    """Return the code of a link, of which the end is enough."""
    return link.rstrip("/").rpartition("/")[2]
