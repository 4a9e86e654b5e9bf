"""Bring a database up to date, whole or not at all, while nobody else uses it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
from alembic.util import CommandError
from flask import Flask

from scorekeeper.database.backup import BEFORE_MIGRATION, NoBackup, keep_copy, put_in_place, remove_database
from scorekeeper.database.engine import (
    MIGRATING,
    alembic,
    backup_folder,
    database_path,
    db,
    engine_of,
    is_postgresql,
    watched_file,
)
from scorekeeper.database.faults import FileLost, IncompleteDatabase, UnusableDatabase, described, is_unavailable
from scorekeeper.database.file_lock import InUse, LockUnusable, locked
from scorekeeper.database.tables import metadata
from scorekeeper.paths import MIGRATIONS

MIGRATION_TIMEOUT_S = 20.0
"""Seconds that a start waits for another one's migration."""
_ADVISORY_LOCK, _LOCK_OF_ONE = 7_482_411, 7_482_412
"""Arbitrary numbers that nothing else in the database locks."""

# Which tables a migration changes is of no interest to the person who starts the server.
logging.getLogger("alembic").setLevel(logging.WARNING)


def is_up_to_date(app: Flask) -> bool:
    """Return whether the database is up to date; raises `UnusableDatabase`."""
    if not _is_there(app):
        return False
    with telling_faults(app), app.app_context():
        has_version, is_behind = bool(alembic.current()), alembic.needs_upgrade()
        makes_tables = app.config["ALEMBIC"]["script_location"] == str(MIGRATIONS)
        if makes_tables and (lacks := _lacking(has_version=has_version, is_behind=is_behind)):
            if bool(alembic.current()) != has_version:  # another start has brought it up to date meanwhile
                return is_up_to_date(app)
            raise IncompleteDatabase(database_path(app), lacks)
        return not is_behind


def _is_there(app: Flask) -> bool:
    """Return whether the database has a file, where it should have one; raises `UnusableDatabase` for a lost one."""
    watched = watched_file(app)
    if watched is None:
        return True
    try:
        watched.refuse_lost()
    except FileLost as lost:
        raise UnusableDatabase(described(lost, watched.path)) from lost
    return watched.path.exists()


def _lacking(*, has_version: bool, is_behind: bool) -> str:
    """Return what is missing in the database; empty where nothing is, or where a migration may create it."""
    if has_version and is_behind:
        return ""
    columns = sa.inspect(db.engine).get_multi_columns()
    found = {name: {column["name"] for column in of_table} for (_, name), of_table in columns.items()}
    if not has_version:
        return "the revision of its tables" if found.keys() & metadata.tables.keys() else ""
    for table in metadata.sorted_tables:
        if table.name not in found:
            return f"the table {table.name}"
        if missing := [column.name for column in table.columns if column.name not in found[table.name]]:
            return f"the column {missing[0]} of the table {table.name}"
    return ""


def is_new(app: Flask) -> bool:
    """Return whether the database has no tables and no revision; raises `UnusableDatabase`."""
    if not _is_there(app):
        return True
    with telling_faults(app), app.app_context():
        return not alembic.current() and not sa.inspect(db.engine).get_table_names()


def known_revisions(app: Flask) -> tuple[str, ...]:
    """Return the revisions that a database may have, the newest first."""
    with app.app_context():
        return tuple(script.revision for script in alembic.script_directory.walk_revisions())


def migrate(app: Flask) -> bool:
    """Bring the database up to date, whole or not at all; return whether anything had to be done.

    Raises `UnusableDatabase`; then everything is as it was.
    """
    with locked_database(app):  # a database that another start is creating looks as if it had been emptied
        if is_up_to_date(app):
            return False
    with locked_database(app, alone=True):
        if is_up_to_date(app):  # another start has done it meanwhile
            return False
        with _migrating(app), app.app_context():
            alembic.upgrade()
    return True


@contextmanager
def locked_database(app: Flask, *, alone: bool = False, timeout: float | None = None) -> Iterator[None]:
    """Hold the lock of the database, so that nobody replaces it; raises `UnusableDatabase` after `timeout` seconds.

    `alone` is for replacing it, for which the server has to be stopped. By default it waits for as long as a migration
    may take.
    """
    timeout = MIGRATION_TIMEOUT_S if timeout is None else timeout
    path = database_path(app)
    if path is None:
        with _server_lock(app) if alone and is_postgresql(app) else nullcontext():
            yield
        return
    try:
        with locked(path, alone=alone, timeout=timeout):
            yield
    except InUse:
        raise UnusableDatabase(
            "Scorekeeper is running and uses the database. Stop the server first."
            if alone
            else "The database is being restored or brought up to date. Try again when that has ended."
        ) from None
    except LockUnusable as fault:
        raise UnusableDatabase(f"{path} cannot be opened: {fault}. Check that its folder is there.") from None


@contextmanager
def _server_lock(app: Flask) -> Iterator[None]:
    """Let one start at a time migrate, of all machines that use the same database server."""
    with telling_faults(app), engine_of(app).connect() as connection:
        connection.exec_driver_sql(f"SET lock_timeout = '{MIGRATION_TIMEOUT_S:.0f}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_ADVISORY_LOCK})")
        # The lock is this connection's until that is closed; detached, it does not go back to the pool.
        connection.commit()
        connection.detach()
        yield


@contextmanager
def only_one(app: Flask) -> Iterator[bool]:
    """Yield whether no other server of the same database, on any machine, is in this block."""
    if not is_postgresql(app):
        yield True
        return
    with engine_of(app).connect() as connection:
        yield bool(connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_LOCK_OF_ONE})").scalar())


@contextmanager
def telling_faults(app: Flask) -> Iterator[None]:
    """Turn errors of the database into an `UnusableDatabase` with a sentence about them."""
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
        raise UnusableDatabase(described(error, database_path(app))) from error


@contextmanager
def _migrating(app: Flask) -> Iterator[None]:
    # SQLite changes a table by dropping and creating it, which would cascade to every row that refers to it.
    # So its foreign keys are off meanwhile, on new connections, and violations of them are searched for afterwards.
    engine, path = engine_of(app), database_path(app)
    is_there = path is None or path.exists()
    copy = _copy_before_migration(app, engine)
    engine.dispose()
    app.extensions[MIGRATING] = True
    try:
        yield
        if engine.dialect.name == "sqlite":
            with engine.connect() as connection:
                if lost := connection.execute(sa.text("PRAGMA foreign_key_check")).all():
                    raise RuntimeError(f"{len(lost)} rows refer to nothing after the migration.")
    except Exception as error:
        engine.dispose()
        if copy and path:
            put_in_place(copy, path)
        if path and not is_there:
            remove_database(path)
        why = described(error, path) if isinstance(error, sa.exc.DBAPIError) else f"Report this: {error}"
        raise UnusableDatabase(f"The database was not brought up to date, and is as it was before. {why}") from error
    finally:
        app.extensions[MIGRATING] = False
        engine.dispose()


def _copy_before_migration(app: Flask, engine: sa.Engine) -> Path | None:
    path = database_path(app)
    if path is None or not path.exists():
        return None
    with telling_faults(app), app.app_context():
        if not alembic.current():  # nothing is in it yet
            return None
    try:
        return keep_copy(engine, backup_folder(app), BEFORE_MIGRATION, f"{datetime.now():%Y-%m-%d-%H%M%S}")
    except NoBackup as refused:
        raise UnusableDatabase(
            f"The database was not brought up to date, because it has no backup. {refused}"
        ) from None
