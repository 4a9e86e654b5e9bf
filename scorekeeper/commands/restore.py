"""`scorekeeper restore`: put a backup in the place of the database."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_text

DOES = "Put a backup in the place of the database."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "restore",
        help=DOES,
        description=f"{DOES} Stop the server first. The backup is checked, and stays where it is; the database that it "
        "replaces is kept beside it under another name. On PostgreSQL use pg_restore or psql.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the backup; daily ones are in the instance folder")


def run(args: Namespace) -> int:
    """Replace the database, and print what is in it now; raises `Refused` where it stays as it is."""
    from scorekeeper.app import create_app
    from scorekeeper.config import BadSetting
    from scorekeeper.database.restore import NotRestored, restore
    from scorekeeper.extensions import database_path, known_revisions

    try:
        app = create_app()
        path = database_path(app)
        if path is None:
            raise Refused(
                "this database is PostgreSQL, which has its own way: pg_restore or psql, with the same address."
            )
        revisions = known_revisions(app)
        restored = restore(args.file, path, frozenset(revisions), revisions[0])
    except (BadSetting, NotRestored) as fault:
        raise Refused(str(fault)) from fault
    noun = "match" if restored.matches == 1 else "matches"
    print_text(f"{args.file} is the database now: {restored.matches} {noun}.")
    if restored.replaced:
        print_text(f"The one before is kept as {restored.replaced}.")
    if not restored.is_up_to_date:
        print_text("It comes from an older version: run scorekeeper migrate.")
    return 0
