"""The command `scorekeeper move`, which copies a whole database into another, and the option `serve --workers`."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial

import click
import sqlalchemy as sa
from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.commands.database import name_options_in_refusals
from scorekeeper.commands.terminal import CommandRefused, convert_to_refusal, print_text
from scorekeeper.config import BadSetting
from scorekeeper.database.engine import database_path, engine_of, is_postgresql, watched_file
from scorekeeper.database.faults import UnusableDatabase
from scorekeeper.database.migrating import (
    convert_database_errors,
    hold_database_lock,
    is_database_new,
    is_up_to_date,
    migrate,
)
from scorekeeper.operating_system import HAS_FORK_SERVER
from scorekeeper.pitch.rules.phrases import digits


def make_server_of_processes(app: Flask, settings: Mapping[str, str], process_count: int) -> Callable[..., None]:
    """Return a function that serves with `process_count` processes, once called with sockets.

    The function is `serve_by_workers` with its first two parameters filled in. Raises `CommandRefused` on Windows,
    without PostgreSQL, and for a number out of bounds.
    """
    if not HAS_FORK_SERVER:
        raise CommandRefused("Windows cannot share one address among several processes. Leave --workers out.")
    from scorekeeper.club.hosting.workers import MAX_WORKERS, serve_by_workers

    if not 1 < process_count <= MAX_WORKERS:
        raise CommandRefused(f"--workers is {process_count}. Set it to a number from 1 to {MAX_WORKERS}.")
    if not is_postgresql(app):
        raise CommandRefused(
            "Several processes need PostgreSQL, for SQLite is one file that they would keep each other waiting for. "
            "Set SCOREKEEPER_DATABASE_URL to a PostgreSQL database. Copy this one into it with scorekeeper move."
        )
    return partial(serve_by_workers, settings, process_count)


@click.command()
@click.argument("source", metavar="FROM_URL", help="the database to copy, which stays as it is")
@click.argument("target", metavar="TO_URL", help="the database to copy to, which must be empty")
@convert_to_refusal(BadSetting, UnusableDatabase)
def move_command(source: str, target: str) -> None:
    """Copy a whole database into another one.

    Stop the server first. The other database has to be empty; it gets everything or nothing, and then every match is
    scored in both. Links and phones stay as they are. An address is sqlite:///file or postgresql://user@host/name;
    that of the server is in SCOREKEEPER_DATABASE_URL.
    """
    from scorekeeper.club.hosting.moving import NotMoved, copy_database

    try:
        source_app, target_app = _create_app_on(source, "FROM_URL"), _create_app_on(target, "TO_URL")
        source_engine, target_engine = engine_of(source_app), engine_of(target_app)
        if source_engine.url == target_engine.url:
            raise CommandRefused("FROM_URL and TO_URL are the same database. Name an empty one as TO_URL.")
        with ExitStack() as exit_stack:
            exit_stack.callback(source_engine.dispose)
            exit_stack.callback(target_engine.dispose)
            _check_source(source_app)
            exit_stack.enter_context(hold_database_lock(source_app, exclusive=True))
            _prepare_target(target_app)
            exit_stack.enter_context(hold_database_lock(target_app, exclusive=True))
            for app in (source_app, target_app):
                exit_stack.enter_context(convert_database_errors(app))
            match_count, row_count = copy_database(source_engine, target_engine)
    except NotMoved as error:
        raise CommandRefused(str(error)) from error
    except (sa.exc.DataError, sa.exc.IntegrityError) as error:
        raise CommandRefused(
            f"The other database does not take a row, so nothing was copied: {error.orig}. Name another one."
        ) from error
    print_text(f"{digits(match_count, 'match')} copied, {row_count} rows in all. Every match scores the same in both.")
    print_text("Set SCOREKEEPER_DATABASE_URL to the new address, then start the server.")


def _create_app_on(url: str, argument: str) -> Flask:
    """Return an app on the database with a URL.

    An error about the URL names the command's `argument`, "FROM_URL" or "TO_URL", in place of the setting.
    """
    with name_options_in_refusals({"SCOREKEEPER_DATABASE_URL": argument}):
        return create_app({"SCOREKEEPER_DATABASE_URL": url})


def _check_source(app: Flask) -> None:
    """Raise `CommandRefused` if the database to copy is missing or not up to date.

    Raises `UnusableDatabase` if the database cannot be read.
    """
    path = database_path(app)
    if path and not path.exists():
        raise CommandRefused(f"There is no database {path}. Check FROM_URL.")
    if not is_up_to_date(app):
        raise CommandRefused("The database to copy is not up to date. Run scorekeeper migrate with its address first.")


def _prepare_target(app: Flask) -> None:
    """Create the tables of the database to copy to if it is new; raises `CommandRefused` if it is not up to date.

    Raises `UnusableDatabase` if the database cannot be read or created.
    """
    if database_file := watched_file(app):
        database_file.may_create_anew = True
    if is_database_new(app):
        migrate(app)
    elif not is_up_to_date(app):
        raise CommandRefused(
            "The database to move to is not up to date. Run scorekeeper migrate with its address first."
        )
