"""Migrating a database, completely or not at all, and the locks that keep other processes out."""

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
"""Seconds to wait for the lock of the database, such as while another process migrates."""
_MIGRATION_LOCK_ID, _SINGLE_SERVER_LOCK_ID = 7_482_411, 7_482_412
"""The arbitrary ids of two advisory locks on PostgreSQL, used for nothing else in the database."""

# Which tables a migration changes is of no interest to the person who starts the server.
logging.getLogger("alembic").setLevel(logging.WARNING)


def is_up_to_date(app: Flask) -> bool:
    """Return whether the database exists and needs no migration; raises `UnusableDatabase`.

    If a table, a column or the revision is missing, that is its subclass `IncompleteDatabase`.
    """
    if not _database_exists(app):
        return False
    with convert_database_errors(app), app.app_context():
        has_revision, is_behind = bool(alembic.current()), alembic.needs_upgrade()
        migrations_make_tables = app.config["ALEMBIC"]["script_location"] == str(MIGRATIONS)
        if migrations_make_tables and (missing := _missing_part(has_revision=has_revision, is_behind=is_behind)):
            if bool(alembic.current()) != has_revision:  # another start has brought it up to date meanwhile
                return is_up_to_date(app)
            raise IncompleteDatabase(database_path(app), missing)
        return not is_behind


def _database_exists(app: Flask) -> bool:
    """Return whether the database exists; raises `UnusableDatabase` if its file was lost."""
    watched = watched_file(app)
    if watched is None:
        return True
    try:
        watched.check_not_lost()
    except FileLost as lost:
        raise UnusableDatabase(describe_fault(lost, watched.path)) from lost
    return watched.path.exists()


def _missing_part(*, has_revision: bool, is_behind: bool) -> str:
    """Return in words what the database lacks: a table, a column or its revision; empty for nothing.

    With a revision that `is_behind`, nothing counts as missing: a migration may add it.
    """
    if has_revision and is_behind:
        return ""
    columns = sa.inspect(db.engine).get_multi_columns()
    stored_columns = {
        name: {column["name"] for column in table_columns} for (_, name), table_columns in columns.items()
    }
    if not has_revision:
        return "the revision of its tables" if stored_columns.keys() & metadata.tables.keys() else ""
    for table in metadata.sorted_tables:
        if table.name not in stored_columns:
            return f"the table {table.name}"
        if missing := [column.name for column in table.columns if column.name not in stored_columns[table.name]]:
            return f"the column {missing[0]} of the table {table.name}"
    return ""


def is_new(app: Flask) -> bool:
    """Return whether the database is missing, or has neither tables nor a revision; raises `UnusableDatabase`."""
    if not _database_exists(app):
        return True
    with convert_database_errors(app), app.app_context():
        return not alembic.current() and not sa.inspect(db.engine).get_table_names()


def known_revisions(app: Flask) -> tuple[str, ...]:
    """Return the revisions of all migrations that this program has, newest first."""
    with app.app_context():
        return tuple(script.revision for script in alembic.script_directory.walk_revisions())


def migrate(app: Flask) -> bool:
    """Migrate the database, and return whether that was needed.

    Raises `UnusableDatabase`, and changes nothing then. A SQLite database is backed up first.
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
def hold_database_lock(app: Flask, *, exclusive: bool = False, timeout: float | None = None) -> Iterator[None]:
    """Hold the database's lock in a block, shared unless `exclusive`; raises `UnusableDatabase`.

    A running server holds the lock shared. `timeout` is in seconds, by default `MIGRATION_TIMEOUT_S`. On PostgreSQL,
    only an exclusive lock is taken, always with the default timeout.
    """
    timeout = MIGRATION_TIMEOUT_S if timeout is None else timeout
    path = database_path(app)
    if path is None:
        with _hold_migration_lock(app) if exclusive and is_postgresql(app) else nullcontext():
            yield
        return
    try:
        with hold_file_lock(path, exclusive=exclusive, timeout=timeout):
            yield
    except InUse:
        raise UnusableDatabase(
            "Scorekeeper is running and uses the database. Stop the server first."
            if exclusive
            else "The database is being restored or brought up to date. Try again when that has ended."
        ) from None
    except LockUnusable as fault:
        raise UnusableDatabase(f"{path} cannot be opened: {fault}. Check that its folder is there.") from None


@contextmanager
def _hold_migration_lock(app: Flask) -> Iterator[None]:
    """Hold PostgreSQL's lock of migrations in a block; raises `UnusableDatabase` after `MIGRATION_TIMEOUT_S`.

    It is also raised if the database becomes unavailable during the block.
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
    """Yield whether this server gets the lock that only one server of a database can hold; true on SQLite."""
    if not is_postgresql(app):
        yield True
        return
    with engine_of(app).connect() as connection:
        yield bool(connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_SINGLE_SERVER_LOCK_ID})").scalar())


@contextmanager
def convert_database_errors(app: Flask) -> Iterator[None]:
    """Convert errors of an unavailable or newer database in a block to `UnusableDatabase` with a message."""
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
    """Let a block migrate the database in a transaction; raises `UnusableDatabase` if the block fails.

    A SQLite database is backed up first; if that fails, the block is not run.
    """
    # SQLite changes a table by dropping and creating it, which would cascade to every row that refers to it.
    # So its foreign keys are off meanwhile, on new connections, which look for violations before they commit.
    engine, path = engine_of(app), database_path(app)
    existed = path is None or path.exists()
    _back_up_before_migration(app, engine)
    engine.dispose()
    app.extensions[MIGRATING_KEY] = True
    try:
        yield
    except Exception as error:
        engine.dispose()
        if path and not existed:
            remove_database(path)
        why = describe_fault(error, path) if isinstance(error, sa.exc.DBAPIError) else f"Report this: {error}"
        raise UnusableDatabase(f"The database was not brought up to date, and is as it was before. {why}") from error
    finally:
        app.extensions[MIGRATING_KEY] = False
        engine.dispose()


def _back_up_before_migration(app: Flask, engine: sa.Engine) -> None:
    """Back up a SQLite database, unless it is empty; raises `UnusableDatabase`."""
    if is_postgresql(app) or is_new(app):
        return
    try:
        back_up_to_folder(engine, backup_folder(app), BEFORE_MIGRATION_KIND, f"{datetime.now():%Y-%m-%d-%H%M%S}")
    except NoBackup as refused:
        raise UnusableDatabase(
            f"The database was not brought up to date, because it has no backup. {refused}"
        ) from None
