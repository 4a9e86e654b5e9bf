"""`scorekeeper import`: make matches from records, all of a file's or none."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

DOES = "Import matches from records."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "import",
        help=DOES,
        description=f"{DOES} A file is one record, a list of records, or one record a line. If a file has an "
        "error, nothing in it is imported.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="- is standard input")


def run(args: Namespace) -> int:
    """Import each file; exit status 2 where one was refused, 1 where one could not be read at all."""
    from scorekeeper import paths
    from scorekeeper.commands.database import opened
    from scorekeeper.commands.files import read_input
    from scorekeeper.network import base_url
    from scorekeeper.rules.library import read_library
    from scorekeeper.services.import_export import RecordsRefused, import_records, read_records

    library = read_library(paths.RULESETS)
    statuses = {0}
    with opened() as (app, session):
        base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
        for file in args.files:
            try:
                text = read_input(file)
                matches = import_records(session, library, read_records(text))
            except OSError as error:
                print(f"{file} cannot be read: {error.strerror}.", file=sys.stderr)
                statuses.add(1)
            except RecordsRefused as refused:
                print(f"{file} has an error, so nothing was imported:\n{refused}", file=sys.stderr)
                statuses.add(2)
            else:
                for match in matches:
                    print(f"{base}/matches/{match.code}/")
    return 1 if 1 in statuses else max(statuses)
