"""`scorekeeper export`: write matches as records."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper.commands.terminal import print_json

DOES = "Write matches as records."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "export",
        help=DOES,
        description=f"{DOES} One record a line, which scorekeeper import and scorekeeper score --lines read. Deleted "
        "matches are left out.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("code", nargs="?", metavar="CODE", help="a match's link, or the end of it")
    which.add_argument("--all", action="store_true", help="every match")
    parser.add_argument("-o", metavar="FILE", dest="file", type=Path, help="where to; standard output by default")


def run(args: Namespace) -> int:
    """Write one match, or all of them; exit status 1 where there is no such match."""
    from scorekeeper import paths
    from scorekeeper.commands.database import give_up, opened
    from scorekeeper.commands.files import open_private
    from scorekeeper.rules.library import read_library
    from scorekeeper.services.import_export import export_all, export_match
    from scorekeeper.services.load import UnknownMatch

    library = read_library(paths.RULESETS)
    with opened() as (_, session):
        try:
            if args.all:
                records = list(export_all(session, library))
            else:
                records = [export_match(session, library, args.code.rstrip("/").rpartition("/")[2])]
        except UnknownMatch:
            give_up("no link ends like that; scorekeeper matches lists them.")
        if args.file is None:
            for record in records:
                print_json(record)
            return 0
        try:
            with open_private(args.file) as file:
                file.writelines(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
        except OSError as error:
            give_up(f"{args.file} cannot be written: {error.strerror}.")
    return 0
