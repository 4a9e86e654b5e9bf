"""The extensions of the app: the database, its migrations and htmx."""

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa
import sqlmodel
from alembic.util import CommandError
from flask import Flask
from flask_alembic import Alembic
from flask_htmx import HTMX
from flask_sqlalchemy_lite import SQLAlchemy
from sqlmodel.sql.sqltypes import AutoString

from scorekeeper.config import KEY_FILE, BadSetting
from scorekeeper.database.backup import BEFORE_MIGRATION, NoBackup, keep_copy, put_in_place, remove_database
from scorekeeper.database.faults import IncompleteDatabase, UnusableDatabase, described, is_read_only, is_unavailable
from scorekeeper.database.file_lock import InUse, LockUnusable, locked
from scorekeeper.database.tables import metadata
from scorekeeper.database.watched_file import FileLost, WatchedConnection, WatchedFile
from scorekeeper.paths import MIGRATIONS

db = SQLAlchemy(session_options={"class_": sqlmodel.Session})
alembic = Alembic(run_mkdir=False, metadatas=metadata)
htmx = HTMX()

MIGRATION_TIMEOUT_S = 20.0
"""Seconds that a start waits for another one's migration."""
_ADVISORY_LOCK, _LOCK_OF_ONE = 7_482_411, 7_482_412
"""Arbitrary numbers that nothing else in the database locks."""
_NO_SUCH_OPTION = (
    "SCOREKEEPER_DATABASE_URL ends in options that the database does not have. Leave out what follows its “?”."
)
_MIGRATING, _WATCHED = "scorekeeper-migrating", "scorekeeper-watched-file"

# Which tables a migration changes is of no interest to the person who starts the server.
logging.getLogger("alembic").setLevel(logging.WARNING)


def init_extensions(app: Flask) -> None:
    """Add the extensions to an app; raises `BadSetting` where the database has no such options."""
    try:
        db.init_app(app)
    except (ValueError, sa.exc.ArgumentError) as error:
        raise BadSetting(_NO_SUCH_OPTION) from error
    _close_sessions_quietly(app)
    app.config["ALEMBIC"] = {"script_location": str(MIGRATIONS)}
    app.config["ALEMBIC_CONTEXT"] = {
        "render_as_batch": True,
        "render_item": _render_item,
        "compare_type": True,
        "compare_server_default": True,
        "transactional_ddl": True,
    }
    alembic.init_app(app)
    htmx.init_app(app)
    app.extensions[_MIGRATING] = False
    app.extensions[_WATCHED] = None
    engine = engine_of(app)
    _close_what_only_reads(engine)
    if engine.dialect.name == "sqlite":
        _prepare_sqlite(app, engine)
    else:
        _check_options(engine)


def _close_sessions_quietly(app: Flask) -> None:
    # There are no async ones, and looking for them would start a thread and an event loop at the end of every request.
    ends = app.teardown_appcontext_funcs
    ends[:] = [_quiet(end) for end in ends if not iscoroutinefunction(end)]


def _quiet(end: Callable[..., object]) -> Callable[..., None]:
    """Return a teardown function that ignores an unavailable database: the response is made already."""

    def end_quietly(error: BaseException | None) -> None:
        try:
            end(error)
        except sa.exc.SQLAlchemyError as failed:
            if not is_unavailable(failed):
                raise

    return end_quietly


def engine_of(app: Flask) -> sa.Engine:
    """Return the engine of an app's database."""
    with app.app_context():
        return db.engine


def watched_file(app: Flask) -> WatchedFile | None:
    """Return the file of the database; `None` where it has none of its own, as with PostgreSQL."""
    watched: WatchedFile | None = app.extensions[_WATCHED]
    return watched


def database_path(app: Flask) -> Path | None:
    """Return the path of the database's file; `None` where it has none."""
    watched = watched_file(app)
    return watched.path if watched else None


def is_postgresql(app: Flask) -> bool:
    """Return whether the database is a server of its own, which several processes can share."""
    return engine_of(app).dialect.name == "postgresql"


def backup_folder(app: Flask) -> Path:
    """Return the folder of the automatic backups."""
    return Path(app.instance_path) / "backups"


def is_up_to_date(app: Flask) -> bool:
    """Return whether the database is up to date; raises `UnusableDatabase`."""
    if not _is_there(app):
        return False
    with telling_faults(app), app.app_context():
        has_version, is_behind = bool(alembic.current()), alembic.needs_upgrade()
        makes_tables = app.config["ALEMBIC"]["script_location"] == str(MIGRATIONS)
        if makes_tables and (lacks := _lacking(has_version=has_version, is_behind=is_behind)):
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

    `alone` is for the caller that does replace it, for which the server has to be stopped. By default it waits for as
    long as a migration may take.
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
    """Let one start at a time migrate, of all those on any machine that use a database server."""
    with telling_faults(app), engine_of(app).connect() as connection:
        connection.exec_driver_sql(f"SET lock_timeout = '{MIGRATION_TIMEOUT_S:.0f}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_ADVISORY_LOCK})")
        # The lock is this connection's until that is closed; detached, it does not go back to the pool.
        connection.commit()
        connection.detach()
        yield


@contextmanager
def only_one(app: Flask) -> Iterator[bool]:
    """Yield whether this is the only server on its database, of all those on any machine, that is in this block."""
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
    app.extensions[_MIGRATING] = True
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
        app.extensions[_MIGRATING] = False
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


def _check_options(engine: sa.Engine) -> None:
    from psycopg import ProgrammingError
    from psycopg.conninfo import make_conninfo

    options = {
        name: option if isinstance(option, str) else ",".join(option) for name, option in engine.url.query.items()
    }
    try:
        make_conninfo(**options)
    except ProgrammingError as error:
        raise BadSetting(_NO_SUCH_OPTION) from error


def _close_what_only_reads(engine: sa.Engine) -> None:
    @sa.event.listens_for(engine, "handle_error")
    def close(context: sa.engine.ExceptionContext) -> None:
        # Kept for the next request, the connection would refuse to write for as long as the server runs. Connections to
        # one file share what they know of it, so none may be left.
        if is_read_only(context.original_exception):
            context.is_disconnect = True
            # A connection is open for as long as any of its cursors, and this cursor for as long as its error is kept.
            if context.execution_context and context.execution_context.cursor:
                context.execution_context.cursor.close()
            engine.pool.dispose()


def _prepare_sqlite(app: Flask, engine: sa.Engine) -> None:
    _watch_file(app, engine, _regular_file(str(engine.url.database)))

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
        is_migrating = app.extensions[_MIGRATING]
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout=5000")
        cursor.execute("PRAGMA journal_mode=WAL")
        # In WAL a weaker setting may lose the last hands when the power goes.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute(f"PRAGMA foreign_keys={'OFF' if is_migrating else 'ON'}")
        cursor.close()
        if is_migrating:
            connection.isolation_level = None

    @sa.event.listens_for(engine, "begin")
    def begin_migration(connection: sa.Connection) -> None:
        # By itself the driver begins no transaction for a change of tables, and half of one would stay.
        if app.extensions[_MIGRATING]:
            connection.exec_driver_sql("BEGIN IMMEDIATE")


def _regular_file(name: str) -> Path:
    """Return the path of a database's file, which need not exist; raises `BadSetting` for a path that is no file."""
    try:
        name.encode()
        path = Path(name).resolve()
        if path.is_file() or not path.exists():
            return path
    except (OSError, RuntimeError, ValueError):  # a name that is too long, circular links, bytes that are no text, NUL
        pass
    raise BadSetting(
        f"{name[:100]} cannot be the file of the database. Set SCOREKEEPER_DATABASE_URL to sqlite:///file."
    )


def _watch_file(app: Flask, engine: sa.Engine, path: Path) -> None:
    app.extensions[_WATCHED] = watched = WatchedFile(path, backup_folder(app), Path(app.instance_path) / KEY_FILE)

    @sa.event.listens_for(engine, "do_connect")
    def connect(dialect: sa.Dialect, _record: object, words: Sequence[str], options: Mapping[str, Any]) -> object:
        # A missing file is not created anew by a connection that only reads.
        may_create = app.extensions[_MIGRATING]
        return watched.open(lambda kind: dialect.connect(*words, factory=kind, **options), may_create=may_create)

    @sa.event.listens_for(engine, "checkout")
    def look(connection: WatchedConnection, _record: object, _proxy: object) -> None:
        # A write that was not acknowledged must not count as saved when it is sent again.
        watched.check(connection)

    @sa.event.listens_for(engine, "engine_disposed")
    def forget(_engine: sa.Engine) -> None:
        watched.forget()


def _render_item(kind: str, item: object, _context: object) -> str | Literal[False]:
    # Migrations import sqlalchemy alone; SQLModel's string would need an import of its own.
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String(length={item.length})" if item.length else "sa.String()"
    return False
