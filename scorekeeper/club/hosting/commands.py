"""`scorekeeper move`: a whole database copied into another one."""

from argparse import Namespace
from contextlib import ExitStack
from typing import Any

import sqlalchemy as sa

from scorekeeper.commands.installation import _app_of, _check_source, _prepare_target
from scorekeeper.commands.terminal import (
    CommandRefused,
    add_command,
    matches_words,
    print_text,
    refusing,
)
from scorekeeper.config import BadSetting
from scorekeeper.database.engine import (
    engine_of,
    locked_database,
    telling_faults,
)
from scorekeeper.database.faults import UnusableDatabase


def _add_move(commands: Any) -> None:
    parser = add_command(
        commands,
        "move",
        _move,
        "Copy a whole database into another one.",
        "Stop the server first. The other database has to be empty; it gets everything or nothing, "
        "and then every match is scored in both. Links and phones stay as they are. An address is sqlite:///file or "
        "postgresql://user@host/name; that of the server is in SCOREKEEPER_DATABASE_URL.",
    )
    parser.add_argument("source", metavar="FROM_URL", help="the database to copy, which stays as it is")
    parser.add_argument("target", metavar="TO_URL", help="the empty one")


@refusing(BadSetting, UnusableDatabase)
def _move(args: Namespace) -> int:
    """Copy and prove it, and print how much it was."""
    from scorekeeper.club.hosting.moving import NotMoved, move

    try:
        source, target = _app_of(args.source, "FROM_URL"), _app_of(args.target, "TO_URL")
        if engine_of(source).url == engine_of(target).url:
            raise CommandRefused("FROM_URL and TO_URL are the same database. Name an empty one as TO_URL.")
        with ExitStack() as held:
            held.callback(engine_of(source).dispose)
            held.callback(engine_of(target).dispose)
            _check_source(source)
            held.enter_context(locked_database(source, alone=True))
            _prepare_target(target)
            held.enter_context(locked_database(target, alone=True))
            for app in (source, target):
                held.enter_context(telling_faults(app))
            moved = move(engine_of(source), engine_of(target))
    except NotMoved as fault:
        raise CommandRefused(str(fault)) from fault
    except (sa.exc.DataError, sa.exc.IntegrityError) as fault:
        raise CommandRefused(
            f"The other database does not take a row, so nothing was copied: {fault.orig}. Name another one."
        ) from fault
    print_text(f"{matches_words(moved.matches)} copied, {moved.rows} rows in all. Every match scores the same in both.")
    print_text("Set SCOREKEEPER_DATABASE_URL to the new address, then start the server.")
    return 0


PARSERS = {"move": _add_move}
