"""The extensions of the app: the database, its migrations and htmx.

SQLite does not notice when its file is deleted or replaced, and goes on writing to the old one. So a commit raises
`FileMoved` if the file is no longer at its path.
"""

import logging
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from inspect import iscoroutinefunction
from pathlib import Path
from threading import Lock
from typing import Any

import sqlalchemy as sa
import sqlmodel
from flask import Flask
from flask_alembic import Alembic
from flask_htmx import HTMX
from flask_sqlalchemy_lite import SQLAlchemy

from scorekeeper.config import SECRET_KEY_FILE_NAME, BadSetting
from scorekeeper.database.backup import JOURNAL_ENDINGS, copy_open_database
from scorekeeper.database.faults import FileLost, FileMoved, is_read_only, is_unavailable
from scorekeeper.database.tables import metadata
from scorekeeper.paths import MIGRATIONS
from scorekeeper.pitch.rules.phrases import digits

db = SQLAlchemy(session_options={"class_": sqlmodel.Session})
alembic = Alembic(run_mkdir=False, metadatas=metadata)
htmx = HTMX()

_UNKNOWN_OPTION_MESSAGE = (
    "SCOREKEEPER_DATABASE_URL ends in options that the database does not have. Leave out what follows its “?”."
)
MIGRATING_KEY, _WATCHED_FILE_KEY = "scorekeeper-migrating", "scorekeeper-watched-file"
"""The keys in `app.extensions` of the flag for a running migration, and of the watched file."""


log = logging.getLogger(__name__)

FileIdentity = tuple[int, int]
"""The device and the inode of a file."""


_MIN_KEY_LEAD_S = 600
"""Seconds by which the key must be older than an empty file to prove that the file was a database.

If they are of about the same age, a killed first start may have left both.
"""


@dataclass(slots=True)
class WatchedFile:
    """The file of a SQLite database, watched while open in case it is moved, deleted or replaced."""

    path: Path
    rescue_folder: Path
    """The folder of backups, where the content is saved if the file was moved, deleted or replaced."""
    key_file: Path
    may_create_anew: bool = False
    """Whether a missing database may be created although traces of one exist, such as backups."""
    _identity: FileIdentity | None = None
    _is_replaced: bool = False
    _is_rescue_tried: bool = False
    _lock: Lock = field(default_factory=Lock)

    def open(self, connect: Callable[[type[sqlite3.Connection]], Any], *, may_create: bool) -> object:
        """Return a connection to the file; `may_create` creates a missing file.

        Raises `FileMoved` for a missing or replaced file, `FileLost` for an emptied one. `connect` has to return a
        `WatchedConnection`.
        """
        found = identity_of(self.path)
        if self._is_replaced or (self._identity and found != self._identity) or not (found or may_create):
            raise FileMoved(self._describe_problem(found))
        if not found:
            with suppress(FileExistsError):
                self.path.touch(0o600, exist_ok=False)  # SQLite gives its journals the rights of the file
        elif not self._identity:
            # Before SQLite sees it, which removes the journal of a file that is empty.
            self._check_not_emptied()
        _widen_journal_permissions(self.path)
        connection: WatchedConnection = connect(WatchedConnection)
        # Nothing is read yet: a file that was replaced meanwhile does no harm, and is noticed at the first commit.
        connection.watched = self
        connection.identity = self._identity = found or identity_of(self.path)
        return connection

    def _check_not_emptied(self) -> None:
        """Raise `FileLost` if the file is empty, but traces such as a backup show that it was a database."""
        status = self.path.stat()
        if status.st_size:
            return
        has_key = self.key_file.exists() and self.key_file.stat().st_mtime < status.st_mtime - _MIN_KEY_LEAD_S
        self._raise_if_traces_exist("is empty", [self.key_file] if has_key else [], ["remove the empty file"])

    def check_not_lost(self) -> None:
        """Raise `FileLost` if the file is missing, but traces such as a backup show that it existed.

        Does nothing with `may_create_anew`.
        """
        if not self.may_create_anew and not self.path.exists():
            self._raise_if_traces_exist("is not there", [], [])

    def _raise_if_traces_exist(self, problem: str, other_traces: Sequence[Path], first_steps: Sequence[str]) -> None:
        """Raise `FileLost` if a journal, a backup or one of `other_traces` exists.

        `problem` completes a sentence about the file: "is empty". `first_steps` open the message's steps for starting
        without the lost content.
        """
        backups = sorted(self.rescue_folder.glob("*.sqlite3"), key=lambda backup: backup.stat().st_mtime)
        possible_journals = (Path(f"{self.path}{ending}") for ending in JOURNAL_ENDINGS)
        journals = [file for file in possible_journals if file.exists() and file.stat().st_size]
        if not (traces := [*journals, *backups[-1:], *other_traces]):
            return
        restore_sentence = (
            f"Go back to the newest backup: scorekeeper restore {backups[-1]}" if backups else "There is no backup."
        )
        files_to_move = [*journals, *([self.rescue_folder] if backups else [])]
        steps_text = " and ".join(
            [*first_steps, *([f"move {' and '.join(map(str, files_to_move))} elsewhere"] if files_to_move else [])]
        )
        raise FileLost(
            f"{self.path} {problem}, and {traces[0]} shows that it was not always. {restore_sentence} "
            f"To begin without what was in it, {steps_text}"
        )

    def forget_identity(self) -> None:
        """Forget which file is watched, so that the next connection accepts another file at the path."""
        self._identity, self._is_replaced, self._is_rescue_tried = None, False, False

    def check_same_file(self, connection: "WatchedConnection") -> None:
        """Raise `FileMoved` if a connection's file is no longer at the path.

        The first time, the file's content is rescued, and the journal set aside if another file is at the path.
        """
        found = identity_of(self.path)
        if found == connection.identity and not self._is_replaced:
            return
        with self._lock:
            if not self._is_rescue_tried:
                self._is_rescue_tried = True
                self._rescue(connection)
            if found and not self._is_replaced:
                self._is_replaced = True
                set_aside_journal(self.path)
        raise FileMoved(self._describe_problem(found))

    def _rescue(self, connection: "WatchedConnection") -> None:
        """Copy the database of an open connection to the rescue folder, and log where, or the failure."""
        copy = self.rescue_folder / f"rescued-{datetime.now():%Y-%m-%d-%H%M%S}.sqlite3"
        try:
            self.rescue_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            copy_open_database(connection, copy)
        except (OSError, sqlite3.Error) as error:
            log.error("%s was deleted or replaced while in use, and could not be copied: %s", self.path, error)
            return
        log.error(
            "%s was deleted or replaced while in use. All that it held is in %s. Stop the server, then: "
            "scorekeeper restore %s",
            *(self.path, copy, copy),
        )

    def _describe_problem(self, found: FileIdentity | None) -> str:
        """Return in words that the file was replaced, or if `found` is `None`, that it is missing."""
        return f"{self.path} {'was replaced' if found else 'is not there'}"


class WatchedConnection(sqlite3.Connection):
    """A connection whose commit raises an error if its file was moved, deleted or replaced."""

    watched: WatchedFile
    identity: FileIdentity | None = None

    def commit(self) -> None:
        """Commit; raises `FileMoved` if data was written to a file that is no longer at its path."""
        has_written = self.in_transaction
        super().commit()
        if has_written:
            self.watched.check_same_file(self)


def identity_of(path: Path) -> FileIdentity | None:
    """Return the identity of the file at a path; `None` without a file."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def set_aside_journal(database: Path) -> None:
    """Set a replaced database's journal aside, so that SQLite does not apply it to the new file."""
    journal = database.with_name(f"{database.name}-wal")
    with suppress(FileNotFoundError):
        journal.replace(journal.with_name(f"{journal.name}.replaced-{datetime.now():%Y-%m-%d-%H%M%S}"))
    database.with_name(f"{database.name}-shm").unlink(missing_ok=True)


def _widen_journal_permissions(path: Path) -> None:
    """Add the permissions of a database's file to its journal and the journal's index, where they lack any."""
    with suppress(OSError):  # they are not there, or another user's
        granted = path.stat().st_mode
        for journal in (Path(f"{path}-wal"), Path(f"{path}-shm")):
            if granted & ~(found := journal.stat().st_mode) & 0o777:
                journal.chmod((found | granted) & 0o777)


def init_extensions(app: Flask) -> None:
    """Add database, migrations and htmx to an app; raises `BadSetting` for a database URL that cannot be used."""
    try:
        db.init_app(app)
    except (ValueError, sa.exc.ArgumentError) as error:
        raise BadSetting(_UNKNOWN_OPTION_MESSAGE) from error
    _ignore_unavailable_at_teardown(app)
    app.config["ALEMBIC"] = {"script_location": str(MIGRATIONS)}
    app.config["ALEMBIC_CONTEXT"] = {
        "compare_type": True,
        "compare_server_default": True,
        "transactional_ddl": True,
    }
    alembic.init_app(app)
    htmx.init_app(app)
    app.extensions[MIGRATING_KEY] = False
    app.extensions[_WATCHED_FILE_KEY] = None
    engine = engine_of(app)
    _close_read_only_connections(engine)
    if engine.dialect.name == "sqlite":
        _prepare_sqlite(app, engine)
    else:
        _check_postgresql_options(engine)


def _ignore_unavailable_at_teardown(app: Flask) -> None:
    """Remove asynchronous teardown functions of an app, and make the others ignore an unavailable database."""
    # There are no async ones, and looking for them would start a thread and an event loop at the end of every request.
    teardowns = app.teardown_appcontext_funcs
    teardowns[:] = [_ignore_unavailable(teardown) for teardown in teardowns if not iscoroutinefunction(teardown)]


def _ignore_unavailable(teardown: Callable[..., object]) -> Callable[..., None]:
    """Return a function that calls `teardown` and ignores an unavailable database: the response is complete."""

    def tear_down(error: BaseException | None) -> None:
        try:
            teardown(error)
        except sa.exc.SQLAlchemyError as failed:
            if not is_unavailable(failed):
                raise

    return tear_down


def engine_of(app: Flask) -> sa.Engine:
    """Return the engine of an app's database."""
    with app.app_context():
        return db.engine


def watched_file(app: Flask) -> WatchedFile | None:
    """Return the watched file of a SQLite database; `None` for PostgreSQL."""
    watched: WatchedFile | None = app.extensions[_WATCHED_FILE_KEY]
    return watched


def database_path(app: Flask) -> Path | None:
    """Return the path of a SQLite database's file; `None` for PostgreSQL."""
    watched = watched_file(app)
    return watched.path if watched else None


def is_postgresql(app: Flask) -> bool:
    """Return whether the database is PostgreSQL, which several processes can share."""
    return engine_of(app).dialect.name == "postgresql"


def backup_folder(app: Flask) -> Path:
    """Return the folder of the automatic backups."""
    return Path(app.instance_path) / "backups"


def _check_postgresql_options(engine: sa.Engine) -> None:
    """Raise `BadSetting` if the database's URL has options that PostgreSQL's driver does not know."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import make_conninfo

    options = {
        name: option if isinstance(option, str) else ",".join(option) for name, option in engine.url.query.items()
    }
    try:
        make_conninfo(**options)
    except ProgrammingError as error:
        raise BadSetting(_UNKNOWN_OPTION_MESSAGE) from error


def _close_read_only_connections(engine: sa.Engine) -> None:
    """Make an engine close all connections as soon as one turns out to be read-only."""

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
    """Prepare an engine for SQLite: watch its file, set pragmas, and run migrations in transactions.

    The commit of a migration raises `RuntimeError` if rows refer to missing ones.
    """
    _watch_file(app, engine, _database_file(str(engine.url.database)))

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
        is_migrating = app.extensions[MIGRATING_KEY]
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
        if app.extensions[MIGRATING_KEY]:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    @sa.event.listens_for(engine, "commit")
    def check_migration(connection: sa.Connection) -> None:
        is_migrating = app.extensions[MIGRATING_KEY]
        if is_migrating and (violations := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
            raise RuntimeError(f"{digits(len(violations), 'reference')} to missing rows after the migration.")


def _database_file(name: str) -> Path:
    """Return the absolute path of a database's file; raises `BadSetting` if no file can have it."""
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
    """Make an engine connect through a `WatchedFile`, which checks each connection taken from the pool.

    The app's extensions get it as well. Only a migration creates a missing file.
    """
    app.extensions[_WATCHED_FILE_KEY] = watched = WatchedFile(
        path, backup_folder(app), Path(app.instance_path) / SECRET_KEY_FILE_NAME
    )

    @sa.event.listens_for(engine, "do_connect")
    def connect(dialect: sa.Dialect, _record: object, arguments: Sequence[str], options: Mapping[str, Any]) -> object:
        # Only a migration creates a missing file: made by any other connection, it would have no tables.
        may_create = app.extensions[MIGRATING_KEY]
        return watched.open(
            lambda connection_class: dialect.connect(*arguments, factory=connection_class, **options),
            may_create=may_create,
        )

    @sa.event.listens_for(engine, "checkout")
    def check_file(connection: WatchedConnection, _record: object, _proxy: object) -> None:
        # A write that was not acknowledged must not count as saved when it is sent again.
        watched.check_same_file(connection)

    @sa.event.listens_for(engine, "engine_disposed")
    def forget_file(_engine: sa.Engine) -> None:
        watched.forget_identity()
