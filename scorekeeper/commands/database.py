"""What commands that need the database share: an app, and a session that ends with the command."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from flask import Flask
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from scorekeeper.app import create_app
from scorekeeper.config import BadSetting
from scorekeeper.extensions import db, is_up_to_date


@contextmanager
def opened() -> Iterator[tuple[Flask, Session]]:
    """Open the database of this installation; ends the program where there is none that can be read."""
    try:
        app = create_app()
    except BadSetting as fault:
        give_up(str(fault))
    with app.app_context():
        try:
            if not _is_up_to_date(app):
                give_up("the database is not up to date; run scorekeeper migrate first.")
            yield app, db.session
        finally:
            db.session.close()
            db.engine.dispose()


def _is_up_to_date(app: Flask) -> bool:
    try:
        return is_up_to_date(app)
    except OperationalError as error:
        give_up(f"the database cannot be reached: {error.orig}")


def give_up(why: str) -> NoReturn:
    """Print why a command cannot be done, and end with exit status 1."""
    print(f"scorekeeper: {why}", file=sys.stderr)
    raise SystemExit(1)
