"""`scorekeeper import`: make matches from records, all of a file's or none."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper.commands.terminal import print_text

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
    """Import each file; exit status 2 where one was refused, 1 where one could not be read or imported at all."""
    from scorekeeper import paths
    from scorekeeper.commands.database import opened
    from scorekeeper.commands.files import read_input
    from scorekeeper.rules.library import read_library
    from scorekeeper.services.import_export import MOST_BY_COMMAND, RecordsRefused, import_file
    from scorekeeper.services.import_run import ImportNotNow
    from scorekeeper.serving.network import base_url

    library = read_library(paths.RULESETS)
    statuses = {0}
    with opened() as (app, session):
        base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
        for file in args.files:
            try:
                codes = import_file(session, library, read_input(file, MOST_BY_COMMAND.size + 1))
            except OSError as error:
                print_text(f"{file} cannot be read: {error.strerror}.", sys.stderr)
                statuses.add(1)
            except ImportNotNow as not_now:
                print_text(f"{file} was not imported: {not_now}", sys.stderr)
                statuses.add(1)
            except RecordsRefused as refused:
                print_text(f"{file} has an error, so nothing was imported:\n{refused}", sys.stderr)
                statuses.add(2)
            else:
                for code in codes:
                    print_text(f"{base}/matches/{code}/")
    return 1 if 1 in statuses else max(statuses)
