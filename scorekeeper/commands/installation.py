"""The installation and its database: `scorekeeper serve`, `doctor`, `migrate`, `backup`, `restore`, `move`.

What is imported where it is used is heavy, and one command's alone.
"""

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.commands.database import give_up, opened
from scorekeeper.commands.terminal import (
    CommandRefused,
    add_command,
    add_json,
    matches_words,
    print_json,
    print_text,
    refusing,
)
from scorekeeper.config import KEY_FILE, BadSetting, kept_secret_key, read_settings
from scorekeeper.database.backup import NoBackup, NotRestored, back_up, note_copy, restore
from scorekeeper.database.engine import (
    backup_folder,
    database_path,
    db,
    is_new,
    is_postgresql,
    is_up_to_date,
    known_revisions,
    locked_database,
    migrate,
    watched_file,
)
from scorekeeper.database.faults import UnusableDatabase
from scorekeeper.system import HAS_COPIES


def _add_serve(commands: Any) -> None:
    parser = add_command(commands, "serve", _serve, "Keep score for every phone on the network.", "")
    parser.add_argument("--host", help="the address to listen on; all of them by default (SCOREKEEPER_HOST)")
    parser.add_argument("--port", help="8000 by default (SCOREKEEPER_PORT)")
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="how many processes serve; more than one takes PostgreSQL"
    )
    parser.add_argument("--migrate", action="store_true", help="bring the database up to date first")


_OPTIONS = {"SCOREKEEPER_HOST": "--host", "SCOREKEEPER_PORT": "--port"}


@contextmanager
def naming(given: Mapping[str, str]) -> Iterator[None]:
    """Refuse a command by the option that was given, by the setting that it stands for, and not by that setting."""
    try:
        yield
    except (BadSetting, UnusableDatabase) as fault:
        why = str(fault)
        for setting, option in given.items():
            why = why.replace(setting, option)
        raise CommandRefused(why) from fault


@refusing(BadSetting, UnusableDatabase)
def _serve(args: Namespace) -> int:
    """Serve until stopped."""
    from scorekeeper.server.in_use import in_use
    from scorekeeper.server.server import leave, serve

    given = {"SCOREKEEPER_HOST": args.host, "SCOREKEEPER_PORT": args.port}
    given = {name: value for name, value in given.items() if value is not None}
    with naming({name: _OPTIONS[name] for name in given}):
        app = create_app(given, has_pages=args.workers == 1)  # several processes show them, and not this one
    serve_on = _workers(app, given, args.workers)
    with locked_database(app):  # another start may just make it
        is_first = is_new(app)
    if is_first:
        print_text(f"A new database is made: {database_path(app) or 'the tables in PostgreSQL'}.")
    if args.migrate or is_first:
        bring_up_to_date(app)
    elif not is_up_to_date(app):
        raise CommandRefused("The database is not up to date. Run scorekeeper migrate first, or serve --migrate.")
    with in_use(app):
        serve(app, serve_on)
    leave()


def _workers(app: Flask, given: dict[str, str], count: int) -> Callable[..., None] | None:
    """Return what serves with several processes, `None` for one; raises `CommandRefused` where they could not share."""
    if count == 1:
        return None
    if not HAS_COPIES:
        raise CommandRefused("Windows cannot share one address among several processes. Leave --workers out.")
    from scorekeeper.club.hosting.workers import MOST_WORKERS, serve_by_workers

    if not 1 < count <= MOST_WORKERS:
        raise CommandRefused(f"--workers is {count}. Set it to a number from 1 to {MOST_WORKERS}.")
    if not is_postgresql(app):
        raise CommandRefused(
            "Several processes need PostgreSQL, for SQLite is one file that they would keep each other waiting for. "
            "Set SCOREKEEPER_DATABASE_URL to a PostgreSQL database. Copy this one into it with scorekeeper move."
        )
    return partial(serve_by_workers, given, count)


def _add_migrate(commands: Any) -> None:
    does = "Bring the database up to date; nothing happens where it already is."
    add_command(commands, "migrate", _migrate, does, "")


@refusing(BadSetting, UnusableDatabase)
def _migrate(_args: Namespace) -> int:
    """Migrate, and print whether there was anything to do."""
    done = bring_up_to_date(create_app(has_pages=False))
    print_text("The database is up to date now." if done else "The database was up to date.")
    return 0


def bring_up_to_date(app: Flask) -> bool:
    """Bring the database up to date, and do what a migration leaves to be done; return whether it migrated."""
    from scorekeeper.book.book_matches import place_matches
    from scorekeeper.club.figures.counting import count_all
    from scorekeeper.matches.endings import look_up_open_endings

    done = migrate(app)
    with app.app_context():
        look_up_open_endings(db.session)
        place_matches(db.session)
        count_all(db.session)
        # A server's processes open connections of their own.
        db.session.close()
        db.engine.dispose()
    return done


def _add_doctor(commands: Any) -> None:
    parser = add_command(
        commands,
        "doctor",
        _examine,
        "Check this installation: the database, its backups, the disk, the clock, printing and the address.",
        "Each line is ok or says what to do. Nothing is changed. Exit status 1 if there is anything.",
    )
    add_json(parser)


@refusing(BadSetting)
def _examine(args: Namespace) -> int:
    """Print what each check finds; exit status 1 where there is something to do."""
    from scorekeeper.server.doctor import examine

    to_do = 0
    if args.json:
        checks = [{"about": about, **asdict(found)} for about, found in examine(create_app(), read_settings())]
        print_json({"checks": checks})
        return 1 if any(check["to_do"] for check in checks) else 0
    for about, found in examine(create_app(), read_settings()):
        print_text(f"{'to do' if found.to_do else 'ok':5}  {about}: {found.says}")
        if found.to_do:
            to_do += 1
            print_text(f"       {found.to_do}")
    print_text(f"To do: {to_do}." if to_do else "Everything is fine.")
    return 1 if to_do else 0


def _add_backup(commands: Any) -> None:
    parser = add_command(
        commands,
        "backup",
        _back_up,
        "Copy the database while it is in use.",
        "The copy is whole or is not made. It takes the place of an older one of the same name, "
        "and of no other file. To go back to it, stop the server and run scorekeeper restore FILE. On PostgreSQL use "
        "pg_dump.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="where to")
    parser.add_argument(
        "--everything",
        action="store_true",
        help="with the secret key, without which no phone finds its lists again: to move to another computer",
    )
    parser.add_argument("--force", action="store_true", help="replace FILE even if it is no database of Scorekeeper")


def _back_up(args: Namespace) -> int:
    """Write the copy and print its size; exit status 1 where none was written."""
    with opened() as (app, session):
        if args.file.parent == backup_folder(app):  # where doctor asks for one
            args.file.parent.mkdir(mode=0o700, exist_ok=True)
        settings = read_settings()
        if args.everything and settings.secret_key:
            give_up(
                "SCOREKEEPER_SECRET_KEY is set here, so the key is no file to take along. Copy that setting yourself, "
                "and the database without --everything."
            )
        key = kept_secret_key(settings.instance) if args.everything else ""
        try:
            size = back_up(session.get_bind().engine, args.file, force=args.force, key=key)
        except NoBackup as refused:
            give_up(str(refused))
        note_copy(backup_folder(app), args.file)
    print_text(f"{args.file}: {size:,} bytes.")
    if args.everything:
        print_text("It holds every match and the secret key: keep it where nobody else can read it.")
    return 0


def _add_restore(commands: Any) -> None:
    parser = add_command(
        commands,
        "restore",
        _restore,
        "Put a backup in the place of the database.",
        "Stop the server first. The backup is checked, and stays where it is; the database that "
        "it replaces is kept beside it under another name. On PostgreSQL use pg_restore or psql.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the backup; daily ones are in the instance folder")


@refusing(BadSetting, NotRestored)
def _restore(args: Namespace) -> int:
    """Replace the database, and print what is in it now."""
    app = create_app()
    path = database_path(app)
    if path is None:
        raise CommandRefused(
            "This database is PostgreSQL, which has its own way. Use pg_restore or psql, with the same address."
        )
    revisions = known_revisions(app)
    settings = read_settings()
    restored = restore(args.file, path, frozenset(revisions), revisions[0], settings.instance / KEY_FILE)
    print_text(f"{args.file} is the database now: {matches_words(restored.matches)}.")
    if restored.replaced:
        print_text(f"The one before is kept as {restored.replaced}.")
    if restored.has_key:
        print_text(
            "Its secret key came along, but SCOREKEEPER_SECRET_KEY is set and holds instead. Remove that setting, or "
            "no phone finds its lists again."
            if settings.secret_key
            else "Its secret key came along: phones that open the old address find their lists again."
        )
    if not restored.is_up_to_date:
        print_text("It comes from an older version: run scorekeeper migrate.")
    return 0


def _app_of(url: str, argument: str) -> Flask:
    with naming({"SCOREKEEPER_DATABASE_URL": argument}):
        return create_app({"SCOREKEEPER_DATABASE_URL": url})


def _check_source(app: Flask) -> None:
    path = database_path(app)
    if path and not path.exists():
        raise CommandRefused(f"There is no database {path}. Check FROM_URL.")
    if not is_up_to_date(app):
        raise CommandRefused("The database to copy is not up to date. Run scorekeeper migrate with its address first.")


def _prepare_target(app: Flask) -> None:
    """Make the tables of a database that has none yet; an older one is not touched."""
    if watched := watched_file(app):
        watched.may_begin = True
    if is_new(app):
        migrate(app)
    elif not is_up_to_date(app):
        raise CommandRefused(
            "The database to move to is not up to date. Run scorekeeper migrate with its address first."
        )


PARSERS = {
    "serve": _add_serve,
    "migrate": _add_migrate,
    "doctor": _add_doctor,
    "backup": _add_backup,
    "restore": _add_restore,
}
