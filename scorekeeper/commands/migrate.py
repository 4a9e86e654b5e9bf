"""`scorekeeper migrate`: bring the database up to date."""

from argparse import Namespace
from typing import Any

from scorekeeper.app import create_app
from scorekeeper.commands.refused import Refused
from scorekeeper.config import BadSetting
from scorekeeper.extensions import migrate


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    does = "Bring the database up to date; nothing happens where it already is."
    commands.add_parser("migrate", help=does, description=does)


def run(_args: Namespace) -> int:
    """Migrate, and print whether there was anything to do; raises `Refused` where a setting is wrong."""
    try:
        done = migrate(create_app())
    except BadSetting as fault:
        raise Refused(str(fault)) from fault
    print("The database is up to date now." if done else "The database was up to date.")
    return 0
