"""`scorekeeper move`: copy a whole database into another one, as from SQLite to PostgreSQL."""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from typing import Any

from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_text

DOES = "Copy a whole database into another one."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "move",
        help=DOES,
        description=f"{DOES} Stop the server first. The other database has to be empty; it gets everything or nothing, "
        "and then every match is scored in both. Links and phones stay as they are. An address is sqlite:///file or "
        "postgresql://user@host/name; that of the server is in SCOREKEEPER_DATABASE_URL.",
    )
    parser.add_argument("source", metavar="FROM_URL", help="the database to copy, which stays as it is")
    parser.add_argument("target", metavar="TO_URL", help="the empty one")


def run(args: Namespace) -> int:
    """Copy and prove it, and print how much it was; raises `Refused` where nothing was copied."""
    import sqlalchemy as sa

    from scorekeeper.app import create_app
    from scorekeeper.config import BadSetting
    from scorekeeper.database.faults import UnusableDatabase
    from scorekeeper.extensions import locked_database, telling_faults
    from scorekeeper.services.moving import NotMoved, move

    try:
        source, target = (create_app({"SCOREKEEPER_DATABASE_URL": url}) for url in (args.source, args.target))
        if _engine(source).url == _engine(target).url:
            raise Refused("FROM_URL and TO_URL are the same database.")
        with ExitStack() as held:
            held.callback(_engine(source).dispose)
            held.callback(_engine(target).dispose)
            _check_source(source)
            held.enter_context(locked_database(source, alone=True))
            _prepare_target(target)
            held.enter_context(locked_database(target, alone=True))
            for app in (source, target):
                held.enter_context(telling_faults(app))
            moved = move(_engine(source), _engine(target))
    except (BadSetting, UnusableDatabase, NotMoved) as fault:
        raise Refused(str(fault)) from fault
    except (sa.exc.DataError, sa.exc.IntegrityError) as fault:
        raise Refused(f"the other database does not take a row, so nothing was copied: {fault.orig}") from fault
    noun = "match" if moved.matches == 1 else "matches"
    print_text(f"{moved.matches} {noun} copied, {moved.rows} rows in all. Every match scores the same in both.")
    print_text("Set SCOREKEEPER_DATABASE_URL to the new address, then start the server.")
    return 0


def _engine(app: Any) -> Any:
    from scorekeeper.extensions import db

    with app.app_context():
        return db.engine


def _check_source(app: Any) -> None:
    from scorekeeper.extensions import database_path, is_up_to_date

    path = database_path(app)
    if path and not path.exists():
        raise Refused(f"there is no database {path}.")
    if not is_up_to_date(app):
        raise Refused("the database to copy is not up to date; run scorekeeper migrate with its address first.")


def _prepare_target(app: Any) -> None:
    """Make the tables of a database that has none yet; an older one is not touched."""
    from scorekeeper.extensions import is_new, is_up_to_date, migrate

    if is_new(app):
        migrate(app)
    elif not is_up_to_date(app):
        raise Refused("the database to move to is not up to date; run scorekeeper migrate with its address first.")
