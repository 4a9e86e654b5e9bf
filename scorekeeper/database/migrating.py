"""Migrations of a database, each done completely or not at all, and the locks that keep other processes out."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime

import sqlalchemy as sa
from alembic.util import CommandError
from flask import Flask

from scorekeeper.database.backup import BEFORE_MIGRATION_KIND, NoBackup, back_up_to_folder, remove_database
from scorekeeper.database.engine import (
    MIGRATING_KEY,
    alembic,
    backup_folder,
    database_path,
    db,
    engine_of,
    is_postgresql,
    watched_file,
)
from scorekeeper.database.faults import FileLost, IncompleteDatabase, UnusableDatabase, describe_fault, is_unavailable
from scorekeeper.database.file_lock import InUse, LockUnusable, hold_file_lock
from scorekeeper.database.tables import metadata
from scorekeeper.paths import MIGRATIONS

MIGRATION_TIMEOUT_S = 20.0
"""The seconds to wait for the lock of the database, as while another process migrates."""
_MIGRATION_LOCK_ID, _SINGLE_SERVER_LOCK_ID = 7_482_411, 7_482_412
"""The ids of two advisory locks on PostgreSQL: any numbers that nothing else in the database uses."""

# Which tables a migration changes is of no interest to the person who starts the server.
logging.getLogger("alembic").setLevel(logging.WARNING)


def is_up_to_date(app: Flask) -> bool:
    """Return whether the database exists and needs no migration; raises `UnusableDatabase`.

    If the database lacks a table, a column or its revision, the exception is an `IncompleteDatabase`.
    """
    if not _database_exists(app):
        return False
    with convert_database_errors(app), app.app_context():
        has_revision, is_behind = bool(alembic.current()), alembic.needs_upgrade()
        uses_own_migrations = app.config["ALEMBIC"]["script_location"] == str(MIGRATIONS)
        if uses_own_migrations and (missing_part := _missing_part(has_revision=has_revision, is_behind=is_behind)):
            if bool(alembic.current()) != has_revision:  # another start has brought it up to date meanwhile
                return is_up_to_date(app)
            raise IncompleteDatabase(database_path(app), missing_part)
        return not is_behind


def _database_exists(app: Flask) -> bool:
    """Return whether the database exists. Raises `UnusableDatabase` if it existed, but its file is gone or empty."""
    watched = watched_file(app)
    if watched is None:
        return True
    try:
        watched.check_not_lost()
    except FileLost as error:
        raise UnusableDatabase(describe_fault(error, watched.path)) from error
    return watched.path.exists()


def _missing_part(*, has_revision: bool, is_behind: bool) -> str:
    """Return what the database lacks: "the table match", or "the column seq of the table event"; empty for nothing.

    A database whose revision `is_behind` lacks nothing, as its migration may add what is missing.
    """
    if has_revision and is_behind:
        return ""
    columns_by_table = sa.inspect(db.engine).get_multi_columns()
    column_names_by_table = {
        name: {column["name"] for column in table_columns} for (_, name), table_columns in columns_by_table.items()
    }
    if not has_revision:
        return "the revision of its tables" if column_names_by_table.keys() & metadata.tables.keys() else ""
    for table in metadata.sorted_tables:
        if table.name not in column_names_by_table:
            return f"the table {table.name}"
        if missing_columns := [
            column.name for column in table.columns if column.name not in column_names_by_table[table.name]
        ]:
            return f"the column {missing_columns[0]} of the table {table.name}"
    return ""


def is_database_new(app: Flask) -> bool:
    """Return whether there is no database, or one without tables and revision; raises `UnusableDatabase`."""
    if not _database_exists(app):
        return True
    with convert_database_errors(app), app.app_context():
        return not alembic.current() and not sa.inspect(db.engine).get_table_names()


def known_revisions(app: Flask) -> tuple[str, ...]:
    """Return the revisions of all migrations in this program, the newest first."""
    with app.app_context():
        return tuple(script.revision for script in alembic.script_directory.walk_revisions())


def migrate(app: Flask) -> bool:
    """Migrate the database if needed, and return whether it was.

    A SQLite database is backed up first. Raises `UnusableDatabase`, and changes nothing then.
    """
    with hold_database_lock(app):  # a database that another start is creating looks as if it had been emptied
        if is_up_to_date(app):
            return False
    with hold_database_lock(app, exclusive=True):
        if is_up_to_date(app):  # another start has done it meanwhile
            return False
        with _guard_migration(app), app.app_context():
            alembic.upgrade()
    return True


@contextmanager
def hold_database_lock(app: Flask, *, exclusive: bool = False, timeout_s: float | None = None) -> Iterator[None]:
    """Hold the database's lock for a block, shared unless `exclusive`; raises `UnusableDatabase`.

    A running server holds it shared. The default of `timeout_s` is `MIGRATION_TIMEOUT_S`. On PostgreSQL, a shared lock
    is skipped, and an exclusive one always has the default timeout.
    """
    timeout_s = MIGRATION_TIMEOUT_S if timeout_s is None else timeout_s
    path = database_path(app)
    if path is None:
        with _hold_migration_lock(app) if exclusive and is_postgresql(app) else nullcontext():
            yield
        return
    try:
        with hold_file_lock(path, exclusive=exclusive, timeout_s=timeout_s):
            yield
    except InUse:
        raise UnusableDatabase(
            "Scorekeeper is running and uses the database. Stop the server first."
            if exclusive
            else "The database is being restored or brought up to date. Try again when that has ended."
        ) from None
    except LockUnusable as error:
        raise UnusableDatabase(f"{path} cannot be opened: {error}. Check that its folder is there.") from None


@contextmanager
def _hold_migration_lock(app: Flask) -> Iterator[None]:
    """Hold PostgreSQL's lock of migrations for a block; raises `UnusableDatabase` after `MIGRATION_TIMEOUT_S`.

    Errors of an unavailable database in the block are converted to `UnusableDatabase` as well.
    """
    with convert_database_errors(app), engine_of(app).connect() as connection:
        connection.exec_driver_sql(f"SET lock_timeout = '{MIGRATION_TIMEOUT_S:.0f}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_MIGRATION_LOCK_ID})")
        # The lock is this connection's until that is closed; detached, it does not go back to the pool.
        connection.commit()
        connection.detach()
        yield


@contextmanager
def try_single_server_lock(app: Flask) -> Iterator[bool]:
    """Yield whether this server got the lock that only one server of a PostgreSQL database can hold.

    On SQLite, yield true without a lock.
    """
    if not is_postgresql(app):
        yield True
        return
    with engine_of(app).connect() as connection:
        yield bool(connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_SINGLE_SERVER_LOCK_ID})").scalar())


@contextmanager
def convert_database_errors(app: Flask) -> Iterator[None]:
    """Convert errors in a block to `UnusableDatabase` if the database is unavailable, or newer than this program."""
    try:
        yield
    except CommandError as error:
        raise UnusableDatabase(
            "The database was made by a newer version of Scorekeeper. Install that version, or go back to a backup of "
            "this one: scorekeeper restore FILE."
        ) from error
    except sa.exc.DBAPIError as error:
        if not is_unavailable(error):
            raise
        raise UnusableDatabase(describe_fault(error, database_path(app))) from error


@contextmanager
def _guard_migration(app: Flask) -> Iterator[None]:
    """Let the block migrate the database in a transaction; raises `UnusableDatabase` if anything fails.

    A SQLite database is backed up first. Without that backup, the block is not run.
    """
    # SQLite changes a table by dropping and creating it, which would cascade to every row that refers to it.
    # So its foreign keys are off meanwhile, on new connections, which look for violations before they commit.
    engine, path = engine_of(app), database_path(app)
    existed_before = path is None or path.exists()
    _back_up_before_migration(app, engine)
    engine.dispose()
    app.extensions[MIGRATING_KEY] = True
    try:
        yield
    except Exception as error:
        engine.dispose()
        if path and not existed_before:
            remove_database(path)
        reason = describe_fault(error, path) if isinstance(error, sa.exc.DBAPIError) else f"Report this: {error}"
        raise UnusableDatabase(f"The database was not brought up to date, and is as it was before. {reason}") from error
    finally:
        app.extensions[MIGRATING_KEY] = False
        engine.dispose()


def _back_up_before_migration(app: Flask, engine: sa.Engine) -> None:
    """Back up a SQLite database, unless it is new. Raises `UnusableDatabase` if there can be no backup."""
    if is_postgresql(app) or is_database_new(app):
        return
    try:
        back_up_to_folder(engine, backup_folder(app), BEFORE_MIGRATION_KIND, f"{datetime.now():%Y-%m-%d-%H%M%S}")
    except NoBackup as failure:
        raise UnusableDatabase(
            f"The database was not brought up to date, because it has no backup. {failure}"
        ) from None
