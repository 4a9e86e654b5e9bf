"""`scorekeeper migrate`: bring the database up to date."""

from argparse import Namespace
from typing import Any

from scorekeeper.app import create_app
from scorekeeper.commands.database import bring_up_to_date
from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_text
from scorekeeper.config import BadSetting
from scorekeeper.database.faults import UnusableDatabase


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    does = "Bring the database up to date; nothing happens where it already is."
    commands.add_parser("migrate", help=does, description=does)


def run(_args: Namespace) -> int:
    """Migrate, and print whether there was anything to do; raises `Refused` where it cannot be done."""
    try:
        done = bring_up_to_date(create_app())
    except (BadSetting, UnusableDatabase) as fault:
        raise Refused(str(fault)) from fault
    print_text("The database is up to date now." if done else "The database was up to date.")
    return 0
