"""The extensions of the app: the database, its migrations and htmx.

SQLite does not notice when its file is deleted or replaced, and goes on writing to the old file. So each commit checks
that the file is still at its path, and raises `FileMoved` if not.
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
"""The keys in `app.extensions` of two values: whether a migration is running, and the watched file."""


log = logging.getLogger(__name__)

FileIdentity = tuple[int, int]
"""What tells a file from all others: its device number and its inode number."""


_MIN_KEY_LEAD_S = 600
"""The seconds by which the file of the secret key must be older than an empty database file.

An older key proves that the empty file was a database. A first start that was killed leaves both at about the same
time.
"""


@dataclass(slots=True)
class WatchedFile:
    """The file of a SQLite database, which is checked for having been moved, deleted or replaced while in use."""

    path: Path
    rescue_folder: Path
    """The folder of backups. The content of a file that was moved, deleted or replaced is saved in it."""
    key_file: Path
    may_create_anew: bool = False
    """Whether a missing database may be created even if traces show that there was one, such as backups."""
    _identity: FileIdentity | None = None
    _is_replaced: bool = False
    _is_rescue_tried: bool = False
    _lock: Lock = field(default_factory=Lock)

    def open(self, connect: Callable[[type[sqlite3.Connection]], Any], *, may_create: bool) -> object:
        """Return a connection to the file, by `connect`, which has to return a `WatchedConnection`.

        With `may_create`, a missing file is created. Raises `FileMoved` for a missing or replaced file, and `FileLost`
        for an emptied one.
        """
        identity = identity_of(self.path)
        if self._is_replaced or (self._identity and identity != self._identity) or not (identity or may_create):
            raise FileMoved(self._describe_problem(identity))
        if not identity:
            with suppress(FileExistsError):
                self.path.touch(0o600, exist_ok=False)  # SQLite gives its journals the rights of the file
        elif not self._identity:
            # Before SQLite sees it, which removes the journal of a file that is empty.
            self._check_not_emptied()
        _widen_journal_permissions(self.path)
        connection: WatchedConnection = connect(WatchedConnection)
        # Nothing is read yet: a file that was replaced meanwhile does no harm, and is noticed at the first commit.
        connection.watched_file = self
        connection.identity = self._identity = identity or identity_of(self.path)
        return connection

    def _check_not_emptied(self) -> None:
        """Raise `FileLost` if the file is empty, but a trace such as a backup shows that it was a database."""
        file_status = self.path.stat()
        if file_status.st_size:
            return
        has_key = self.key_file.exists() and self.key_file.stat().st_mtime < file_status.st_mtime - _MIN_KEY_LEAD_S
        self._raise_if_traces_exist("is empty", [self.key_file] if has_key else [], ["remove the empty file"])

    def check_not_lost(self) -> None:
        """Raise `FileLost` if the file is missing, but a trace such as a backup shows that there was one.

        With `may_create_anew`, nothing is raised.
        """
        if not self.may_create_anew and not self.path.exists():
            self._raise_if_traces_exist("is not there", [], [])

    def _raise_if_traces_exist(self, problem: str, other_traces: Sequence[Path], first_steps: Sequence[str]) -> None:
        """Raise `FileLost` if a journal, a backup or one of `other_traces` exists.

        `problem` is the rest of a sentence about the file: "is empty". `first_steps` are what to do first for starting
        without the lost content: ["remove the empty file"].
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
        """Forget which file is at the path, so that the next connection may open another one there."""
        self._identity, self._is_replaced, self._is_rescue_tried = None, False, False

    def check_same_file(self, connection: "WatchedConnection") -> None:
        """Raise `FileMoved` if the file of a connection is no longer at the path.

        The first time, the content of that file is rescued. If another file is at the path, the journal is set aside.
        """
        found_identity = identity_of(self.path)
        if found_identity == connection.identity and not self._is_replaced:
            return
        with self._lock:
            if not self._is_rescue_tried:
                self._is_rescue_tried = True
                self._rescue(connection)
            if found_identity and not self._is_replaced:
                self._is_replaced = True
                set_aside_journal(self.path)
        raise FileMoved(self._describe_problem(found_identity))

    def _rescue(self, connection: "WatchedConnection") -> None:
        """Copy the database of an open connection to the rescue folder.

        The log says where the copy is, or what failed.
        """
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

    def _describe_problem(self, found_identity: FileIdentity | None) -> str:
        """Return the path with "was replaced" or, if `found_identity` is `None`, with "is not there"."""
        return f"{self.path} {'was replaced' if found_identity else 'is not there'}"


class WatchedConnection(sqlite3.Connection):
    """A connection to a SQLite database that checks after a commit whether its file is still at its path."""

    watched_file: WatchedFile
    identity: FileIdentity | None = None

    def commit(self) -> None:
        """Commit. Raises `FileMoved` if data was written to a file that is no longer at its path."""
        has_written = self.in_transaction
        super().commit()
        if has_written:
            self.watched_file.check_same_file(self)


def identity_of(path: Path) -> FileIdentity | None:
    """Return the identity of the file at a path; `None` if there is no file."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def set_aside_journal(database: Path) -> None:
    """Rename the journal of a database file that was replaced, so that SQLite does not apply it to the new file."""
    journal = database.with_name(f"{database.name}-wal")
    with suppress(FileNotFoundError):
        journal.replace(journal.with_name(f"{journal.name}.replaced-{datetime.now():%Y-%m-%d-%H%M%S}"))
    database.with_name(f"{database.name}-shm").unlink(missing_ok=True)


def _widen_journal_permissions(path: Path) -> None:
    """Give a database's journal, and the index to it, the permissions of the database file in addition to their own."""
    with suppress(OSError):  # they are not there, or another user's
        file_mode = path.stat().st_mode
        for journal in (Path(f"{path}-wal"), Path(f"{path}-shm")):
            if file_mode & ~(journal_mode := journal.stat().st_mode) & 0o777:
                journal.chmod((journal_mode | file_mode) & 0o777)


def init_extensions(app: Flask) -> None:
    """Add the database, its migrations and htmx to an app.

    Raises `BadSetting` for a database URL that cannot be used.
    """
    try:
        db.init_app(app)
    except (ValueError, sa.exc.ArgumentError) as error:
        raise BadSetting(_UNKNOWN_OPTION_MESSAGE) from error
    _ignore_unavailable_at_teardown(app)
    app.config["ALEMBIC"] = {"script_location": str(MIGRATIONS)}
    app.config["ALEMBIC_CONTEXT"] = {"compare_type": True, "compare_server_default": True, "transactional_ddl": True}
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
    """Make the app's teardown functions ignore an unavailable database, and remove the asynchronous ones."""
    # There are no async ones, and looking for them would start a thread and an event loop at the end of every request.
    teardowns = app.teardown_appcontext_funcs
    teardowns[:] = [_without_unavailable_error(teardown) for teardown in teardowns if not iscoroutinefunction(teardown)]


def _without_unavailable_error(teardown: Callable[..., object]) -> Callable[..., None]:
    """Return a function that calls `teardown`, but ignores an unavailable database.

    At a teardown the response is complete, so the visitor needs no error page.
    """

    def tear_down(error: BaseException | None) -> None:
        try:
            teardown(error)
        except sa.exc.SQLAlchemyError as database_error:
            if not is_unavailable(database_error):
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
    """Return whether the database is PostgreSQL, which several server processes can share."""
    return engine_of(app).dialect.name == "postgresql"


def backup_folder(app: Flask) -> Path:
    """Return the folder of the automatic backups."""
    return Path(app.instance_path) / "backups"


def _check_postgresql_options(engine: sa.Engine) -> None:
    """Raise `BadSetting` if the database's URL has options that PostgreSQL's driver does not know."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import make_conninfo

    option_texts = {
        name: option if isinstance(option, str) else ",".join(option) for name, option in engine.url.query.items()
    }
    try:
        make_conninfo(**option_texts)
    except ProgrammingError as error:
        raise BadSetting(_UNKNOWN_OPTION_MESSAGE) from error


def _close_read_only_connections(engine: sa.Engine) -> None:
    """Make an engine close all its connections as soon as one of them can only read."""

    @sa.event.listens_for(engine, "handle_error")
    def close_connections(error_context: sa.engine.ExceptionContext) -> None:
        # Kept for the next request, the connection would refuse to write for as long as the server runs. Connections to
        # one file share what they know of it, so none may be left.
        if is_read_only(error_context.original_exception):
            error_context.is_disconnect = True
            # A connection is open for as long as any of its cursors, and this cursor for as long as its error is kept.
            if error_context.execution_context and error_context.execution_context.cursor:
                error_context.execution_context.cursor.close()
            engine.pool.dispose()


def _prepare_sqlite(app: Flask, engine: sa.Engine) -> None:
    """Prepare an engine for SQLite: watch its file, set pragmas, and run each migration in a transaction.

    Committing a migration raises `RuntimeError` if a row refers to a missing one.
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
    """Return the absolute path of the database file `name`; raises `BadSetting` if that cannot be a file."""
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
    """Make an engine connect through a `WatchedFile`, and store that in the app's extensions.

    Each connection that is taken from the pool is checked. Only a migration creates a missing file.
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
