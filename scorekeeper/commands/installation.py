"""The installation and its database: `scorekeeper serve`, `migrate`, `doctor`, `backup` and `restore`.

Imports inside functions are heavy modules that only one command needs.
"""

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from pkgutil import resolve_name

import click
from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.commands.database import name_options_in_refusals, open_database
from scorekeeper.commands.registry import MULTI_PROCESS_SERVER, POST_MIGRATION_FUNCTIONS
from scorekeeper.commands.terminal import CommandRefused, json_option, print_json, print_text
from scorekeeper.config import SECRET_KEY_FILE_NAME, load_or_create_secret_key, read_settings
from scorekeeper.database.backup import back_up, note_copy_elsewhere, restore
from scorekeeper.database.engine import backup_folder, database_path, db
from scorekeeper.database.migrating import hold_database_lock, is_database_new, is_up_to_date, known_revisions, migrate
from scorekeeper.pitch.rules.phrases import digits

_OPTION_BY_SETTING = {"SCOREKEEPER_HOST": "--host", "SCOREKEEPER_PORT": "--port"}
"""The options of `serve` that take the place of settings, keyed by the setting."""


@click.command()
@click.option("--host", help="the address to listen on; all of them by default (SCOREKEEPER_HOST)")
@click.option("--port", help="8000 by default (SCOREKEEPER_PORT)")
@click.option(
    "--workers", type=int, default=1, metavar="N", help="how many processes serve; more than one needs PostgreSQL"
)
@click.option("--migrate", "migrates", is_flag=True, help="bring the database up to date first")
def serve_command(host: str | None, port: str | None, workers: int, migrates: bool) -> None:
    """Keep score for every phone on the network."""
    from scorekeeper.server.database_in_use import hold_database
    from scorekeeper.server.server import exit_process, serve

    value_by_setting = {"SCOREKEEPER_HOST": host, "SCOREKEEPER_PORT": port}
    given_settings = {name: value for name, value in value_by_setting.items() if value is not None}
    with name_options_in_refusals({name: _OPTION_BY_SETTING[name] for name in given_settings}):
        app = create_app(given_settings, has_pages=workers == 1)  # with several processes, this one renders no pages
        serve_in_processes = None if workers == 1 else resolve_name(MULTI_PROCESS_SERVER)(app, given_settings, workers)
        with hold_database_lock(app):  # another process may be creating the database
            makes_database = is_database_new(app)
        if makes_database:
            print_text(f"A new database is made: {database_path(app) or 'the tables in PostgreSQL'}.")
        if migrates or makes_database:
            bring_up_to_date(app)
        elif not is_up_to_date(app):
            raise CommandRefused("The database is not up to date. Run scorekeeper migrate first, or serve --migrate.")
        with hold_database(app):
            serve(app, serve_in_processes)
    exit_process()


@click.command()
def migrate_command() -> None:
    """Bring the database up to date, if it is not."""
    was_needed = bring_up_to_date(create_app(has_pages=False))
    print_text("The database is up to date now." if was_needed else "The database was up to date.")


def bring_up_to_date(app: Flask) -> bool:
    """Migrate the database if needed, and return whether it was.

    In any case, call `POST_MIGRATION_FUNCTIONS` afterwards.
    """
    was_needed = migrate(app)
    with app.app_context():
        for name in POST_MIGRATION_FUNCTIONS:
            resolve_name(name)(db.session)
        # A server's processes open connections of their own.
        db.session.close()
        db.engine.dispose()
    return was_needed


@click.command()
@json_option
def doctor(as_json: bool) -> bool:
    """Check this installation: the database, its backups, the disk, the clock, printing and the address.

    Each line is ok or says what to do. Nothing is changed. Exit status 1 if a line says what to do.
    """
    from scorekeeper.server.doctor import run_checks

    check_entries = []
    for check_name, finding in run_checks(create_app(), read_settings()):
        check_entries.append({"about": check_name, **asdict(finding)})
        if not as_json:
            print_text(f"{'to do' if finding.to_do else 'ok':5}  {check_name}: {finding.says}")
            if finding.to_do:
                print_text(f"       {finding.to_do}")
    to_do_count = sum(bool(check["to_do"]) for check in check_entries)
    if as_json:
        print_json({"checks": check_entries})
    else:
        print_text(f"To do: {to_do_count}." if to_do_count else "Everything is fine.")
    return to_do_count > 0


@click.command()
@click.argument("file", type=Path, help="the copy to write")
@click.option(
    "--everything",
    is_flag=True,
    help="with the secret key, without which no phone finds its lists again: to move to another computer",
)
@click.option("--force", is_flag=True, help="replace FILE even if it is no database of Scorekeeper")
def backup(file: Path, everything: bool, force: bool) -> None:
    """Copy the database while it is in use.

    The copy is whole or is not made. It takes the place of an older one of the same name, and of no other file. To go
    back to it, stop the server and run scorekeeper restore FILE. On PostgreSQL use pg_dump.
    """
    with open_database() as (app, session):
        if file.absolute().parent == backup_folder(app):  # where `doctor` looks for backups
            with suppress(OSError):  # then `back_up` says what is wrong
                file.parent.mkdir(mode=0o700, exist_ok=True)
        settings = read_settings()
        if everything and settings.secret_key:
            raise CommandRefused(
                "SCOREKEEPER_SECRET_KEY is set here, so the key is no file to take along. Copy that setting yourself, "
                "and the database without --everything."
            )
        secret_key = load_or_create_secret_key(settings.instance) if everything else ""
        byte_count = back_up(session.get_bind().engine, file, force=force, secret_key=secret_key)
        with suppress(OSError):  # the copy is whole; only `doctor` does not know of it
            note_copy_elsewhere(backup_folder(app), file)
    print_text(f"{file}: {byte_count:,} bytes.")
    if everything:
        print_text("It holds every match and the secret key: keep it where nobody else can read it.")


@click.command()
@click.argument("file", type=Path, help="the backup; daily ones are in the instance folder")
def restore_command(file: Path) -> None:
    """Put a backup in the place of the database.

    Stop the server first. The backup is checked, and stays where it is; the database that it replaces is kept beside
    it under another name. On PostgreSQL use pg_restore or psql.
    """
    app = create_app()
    path = database_path(app)
    if path is None:
        raise CommandRefused(
            "This database is PostgreSQL, which has its own way. Use pg_restore or psql, with the same address."
        )
    settings = read_settings()
    restore_result = restore(file, path, known_revisions(app), settings.instance / SECRET_KEY_FILE_NAME)
    print_text(f"{file} is the database now: {digits(restore_result.match_count, 'match')}.")
    if restore_result.former_database:
        print_text(f"The one before is kept as {restore_result.former_database}.")
    if restore_result.has_key:
        print_text(
            "Its secret key came along, but SCOREKEEPER_SECRET_KEY is set and holds instead. Remove that setting, or "
            "no phone finds its lists again."
            if settings.secret_key
            else "Its secret key came along: phones that open the old address find their lists again."
        )
    if not restore_result.is_up_to_date:
        print_text("It comes from an older version: run scorekeeper migrate.")
