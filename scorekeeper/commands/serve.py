"""`scorekeeper serve`: keep score for every phone on the network."""

from argparse import ArgumentParser, Namespace
from typing import Any

from scorekeeper.commands.refused import Refused


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    does = "Keep score for every phone on the network."
    parser: ArgumentParser = commands.add_parser("serve", help=does, description=does)
    parser.add_argument("--host", help="the address to listen on; all of them by default (SCOREKEEPER_HOST)")
    parser.add_argument("--port", help="8000 by default (SCOREKEEPER_PORT)")
    parser.add_argument("--migrate", action="store_true", help="bring the database up to date first")


def run(args: Namespace) -> int:
    """Serve until stopped; raises `Refused` where a setting is wrong, or the database."""
    from scorekeeper.app import create_app
    from scorekeeper.commands.database import bring_up_to_date
    from scorekeeper.config import BadSetting
    from scorekeeper.database.faults import UnusableDatabase
    from scorekeeper.extensions import is_up_to_date
    from scorekeeper.in_use import in_use
    from scorekeeper.server import leave, serve

    said = {"SCOREKEEPER_HOST": args.host, "SCOREKEEPER_PORT": args.port}
    try:
        app = create_app({name: value for name, value in said.items() if value is not None})
        if args.migrate:
            bring_up_to_date(app)
        elif not is_up_to_date(app):
            raise BadSetting("the database is not up to date; run scorekeeper migrate first, or serve --migrate.")
        with in_use(app):
            serve(app)
    except (BadSetting, UnusableDatabase) as fault:
        raise Refused(str(fault)) from fault
    leave()
