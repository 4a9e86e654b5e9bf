"""`scorekeeper migrate`: bring the database up to date."""

from argparse import Namespace
from typing import Any

from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_text
from scorekeeper.config import BadSetting
from scorekeeper.database.faults import UnusableDatabase
from scorekeeper.extensions import db, migrate
from scorekeeper.services.endings import look_up_open_endings
from scorekeeper.services.figures import count_all
from scorekeeper.services.unplaced import place_matches


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    does = "Bring the database up to date; nothing happens where it already is."
    commands.add_parser("migrate", help=does, description=does)


def run(_args: Namespace) -> int:
    """Migrate, and print whether there was anything to do; raises `Refused` where it cannot be done."""
    try:
        done = bring_up_to_date(create_app(has_pages=False))
    except (BadSetting, UnusableDatabase) as fault:
        raise Refused(str(fault)) from fault
    print_text("The database is up to date now." if done else "The database was up to date.")
    return 0


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
