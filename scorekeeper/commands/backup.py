"""`scorekeeper backup`: a consistent copy of the database while it is in use."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper.commands.terminal import print_text

DOES = "Copy the database while it is in use."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "backup",
        help=DOES,
        description=f"{DOES} The copy is whole or is not made. It takes the place of an older one of the same name, "
        "and of no other file. To go back to it, stop the server and run scorekeeper restore FILE. On PostgreSQL use "
        "pg_dump.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="where to")
    parser.add_argument("--force", action="store_true", help="replace FILE even if it is no database of Scorekeeper")


def run(args: Namespace) -> int:
    """Write the copy and print its size; exit status 1 where none was written."""
    from scorekeeper.commands.database import give_up, opened
    from scorekeeper.database.backup import NoBackup, back_up

    with opened() as (_, session):
        try:
            size = back_up(session.get_bind().engine, args.file, force=args.force)
        except NoBackup as refused:
            give_up(str(refused))
    print_text(f"{args.file}: {size:,} bytes.")
    return 0
