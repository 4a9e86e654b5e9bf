"""`scorekeeper serve`: keep score for every phone on the network."""

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any

from scorekeeper.commands.refused import Refused


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    does = "Keep score for every phone on the network."
    parser: ArgumentParser = commands.add_parser("serve", help=does, description=does)
    parser.add_argument("--host", help="the address to listen on; all of them by default (SCOREKEEPER_HOST)")
    parser.add_argument("--port", help="8000 by default (SCOREKEEPER_PORT)")
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="how many processes serve; more than one takes PostgreSQL"
    )
    parser.add_argument("--migrate", action="store_true", help="bring the database up to date first")


def run(args: Namespace) -> int:
    """Serve until stopped; raises `Refused` where a setting is wrong, or the database."""
    from scorekeeper.app import create_app
    from scorekeeper.commands.migrate import bring_up_to_date
    from scorekeeper.config import BadSetting
    from scorekeeper.database.faults import UnusableDatabase
    from scorekeeper.extensions import is_up_to_date
    from scorekeeper.serving.in_use import in_use
    from scorekeeper.serving.server import leave, serve

    said = {"SCOREKEEPER_HOST": args.host, "SCOREKEEPER_PORT": args.port}
    said = {name: value for name, value in said.items() if value is not None}
    try:
        app = create_app(said)
        serve_on = _workers(app, said, args.workers)
        if args.migrate:
            bring_up_to_date(app)
        elif not is_up_to_date(app):
            raise BadSetting("the database is not up to date; run scorekeeper migrate first, or serve --migrate.")
        with in_use(app):
            serve(app, serve_on)
    except (BadSetting, UnusableDatabase) as fault:
        raise Refused(str(fault)) from fault
    leave()


def _workers(app: Any, said: dict[str, str], count: int) -> Any:
    """Return what serves with several processes, `None` for one; raises `Refused` where they could not share."""
    if count == 1:
        return None
    from scorekeeper.extensions import is_postgresql
    from scorekeeper.serving.workers import MOST_WORKERS, serve_by_workers

    if not 1 < count <= MOST_WORKERS:
        raise Refused(f"--workers takes a number from 1 to {MOST_WORKERS}.")
    if not is_postgresql(app):
        raise Refused(
            "several processes need PostgreSQL: SQLite is one file that they would keep each other waiting for. "
            "Set SCOREKEEPER_DATABASE_URL to a PostgreSQL database; scorekeeper move copies this one into it."
        )
    return partial(serve_by_workers, said, count)
