"""The database while a server runs.

It is locked, private and backed up daily, and in the end all data is in one file.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa
from flask import Flask

from scorekeeper import hooks
from scorekeeper.database.backup import back_up_today
from scorekeeper.database.engine import WatchedFile, backup_folder, engine_of, set_aside_journal, watched_file
from scorekeeper.database.faults import FileMoved, UnusableDatabase, damage_message
from scorekeeper.database.migrating import convert_database_errors, hold_database_lock
from scorekeeper.paths import instance_folder
from scorekeeper.server.hourly import run_repeatedly


@contextmanager
def hold_database(app: Flask) -> Iterator[None]:
    """Lock the SQLite database for a block, check it, keep it private, and back it up daily; raises `UnusableDatabase`.

    During the block, the contexts of the hook `serving_contexts` are entered. PostgreSQL gets only these contexts.
    """
    watched = watched_file(app)
    if watched is None:
        with _run_serving_contexts(app):
            yield
        return
    engine = engine_of(app)
    with hold_database_lock(app):
        with convert_database_errors(app):
            _check_database(engine, watched.path)
        _make_files_private(app, watched.path)
        try:
            with (
                run_repeatedly(lambda: back_up_today(engine, backup_folder(app)), "daily backups"),
                _run_serving_contexts(app),
            ):
                yield
        finally:
            _close_database(engine, watched)


@contextmanager
def _run_serving_contexts(app: Flask) -> Iterator[None]:
    """Enter the context managers of the hook `serving_contexts` for a block."""
    with ExitStack() as stack:
        for run in hooks.serving_contexts:
            stack.enter_context(run(app))
        yield


def _check_database(engine: sa.Engine, path: Path) -> None:
    """Raise `UnusableDatabase` if SQLite's quick check finds damage."""
    with engine.connect() as connection:
        check_result = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        # The connection is closed, as no forked process may use it.
        connection.detach()
    if check_result != "ok":
        raise UnusableDatabase(damage_message(path))


def _make_files_private(app: Flask, path: Path) -> None:
    """Let only the owner read the database and its journals, and the instance folder if it is the default one.

    Files of another user stay as they are.
    """
    folder = Path(app.instance_path)
    with suppress(OSError):  # the files belong to another user, who gave access
        # A folder that was set by the operator may have files for other users.
        if folder == instance_folder({}):
            folder.chmod(0o700)
        for ending in ("", "-wal", "-shm"):
            if (part := Path(f"{path}{ending}")).exists():
                part.chmod(0o600)


def _close_database(engine: sa.Engine, watched: WatchedFile) -> None:
    """Merge the journal into the database, and close all connections.

    If the file of the database was replaced, its journal is renamed instead, as it does not fit the new file.
    """
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    except sa.exc.DBAPIError as error:
        # Otherwise the journal stays, and the next start merges it.
        if isinstance(error.orig, FileMoved) and watched.path.exists():
            set_aside_journal(watched.path)
    finally:
        engine.dispose()
