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
from scorekeeper.extensions import db, is_up_to_date, locked_database, migrate, telling_faults
from scorekeeper.services.endings import look_up_open_endings
from scorekeeper.services.figures import count_all
from scorekeeper.services.unplaced import place_matches


@contextmanager
def opened() -> Iterator[tuple[Flask, Session]]:
    """Open the database of this installation; ends the program where there is none that can be read."""
    try:
        app = create_app()
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


def bring_up_to_date(app: Flask) -> bool:
    """Bring the database up to date, and do what a migration leaves to be done; return whether it migrated."""
    done = migrate(app)
    with app.app_context():
        look_up_open_endings(db.session)
        place_matches(db.session)
        count_all(db.session)
        # A server's processes open connections of their own.
        db.session.close()
        db.engine.dispose()
    return done


def give_up(why: str) -> NoReturn:
    """Print why a command cannot be done, and end with exit status 1."""
    print_text(f"scorekeeper: {why}", sys.stderr)
    raise SystemExit(1)
