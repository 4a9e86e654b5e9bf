"""A SQLite file that may be deleted or replaced while it is open, which SQLite itself does not notice.

Writes then go into a file that nobody will find again. So each commit is acknowledged only after a check that the file
is still there.
"""

import logging
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from scorekeeper.database.backup import JOURNALS, copy_pages

log = logging.getLogger(__name__)

Identity = tuple[int, int]


class FileMoved(sqlite3.OperationalError):
    """The database file is missing, or is not the one that was opened."""

    sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED


class FileLost(FileMoved):
    """The database file is empty or missing, and a file beside it shows that it once was a database."""


_EARLIER = 600
"""Seconds by which a key must be older than an empty file: a killed first start leaves both, of the same time."""


class WatchedFile:
    """The file of a database, with its identity when it was first opened."""

    def __init__(self, path: Path, rescue_folder: Path, key: Path) -> None:
        self.path = path
        self._rescue_folder, self._key = rescue_folder, key
        self.may_begin = False
        """Whether a new database may be begun where there are backups, which may be those of another database."""
        self._identity: Identity | None = None
        self._is_replaced = False
        self._is_rescued = False
        self._lock = Lock()

    def open(self, connect: Callable[[type[sqlite3.Connection]], Any], *, may_create: bool) -> object:
        """Return a connection to the file; raises `FileMoved` where it is not the one that was opened before."""
        found = identity_of(self.path)
        if self._is_replaced or (self._identity and found != self._identity) or not (found or may_create):
            raise FileMoved(self._problem(found))
        if not found:
            _create_private(self.path)
        elif not self._identity:
            # Before SQLite sees it, which removes the journal of a file that is empty.
            self._refuse_emptied()
        _grant_journals(self.path)
        connection: WatchedConnection = connect(WatchedConnection)
        # Nothing is read yet: a file that was replaced meanwhile does no harm, and is noticed at the first commit.
        connection.watched = self
        connection.identity = self._identity = found or identity_of(self.path)
        return connection

    def _refuse_emptied(self) -> None:
        """Raise `FileLost` where an empty file was a database once: a new one must not be begun in its place."""
        status = self.path.stat()
        if status.st_size:
            return
        has_key = self._key.exists() and self._key.stat().st_mtime < status.st_mtime - _EARLIER
        self._refuse_lost("is empty", [self._key] if has_key else [], ["remove the empty file"])

    def refuse_lost(self) -> None:
        """Raise `FileLost` where the file is missing that was there once."""
        if not self.may_begin and not self.path.exists():
            self._refuse_lost("is not there", [], [])

    def _refuse_lost(self, how: str, others: Sequence[Path], to_begin: Sequence[str]) -> None:
        backups = sorted(self._rescue_folder.glob("*.sqlite3"), key=lambda backup: backup.stat().st_mtime)
        journals = [file for file in (Path(f"{self.path}{ending}") for ending in JOURNALS) if size_of(file)]
        if not (shows := [*journals, *backups[-1:], *others]):
            return
        back = f"Go back to the newest backup: scorekeeper restore {backups[-1]}" if backups else "There is no backup."
        kept = [*journals, *([self._rescue_folder] if backups else [])]
        begin = " and ".join([*to_begin, *([f"move {' and '.join(map(str, kept))} elsewhere"] if kept else [])])
        raise FileLost(
            f"{self.path} {how}, and {shows[0]} shows that it was not always. {back} "
            f"To begin without what was in it, {begin}"
        )

    def forget(self) -> None:
        """Accept the file that is there next, after every connection was closed."""
        self._identity, self._is_replaced, self._is_rescued = None, False, False

    def check(self, connection: "WatchedConnection") -> None:
        """Raise `FileMoved` where a connection has another file open than the one there, and save a copy of that."""
        found = identity_of(self.path)
        if found == connection.identity and not self._is_replaced:
            return
        with self._lock:
            if not self._is_rescued:
                self._is_rescued = True
                self._rescue(connection)
            if found and not self._is_replaced:
                self._is_replaced = True
                set_aside_journal(self.path)
        raise FileMoved(self._problem(found))

    def _rescue(self, connection: "WatchedConnection") -> None:
        copy = self._rescue_folder / f"rescued-{datetime.now():%Y-%m-%d-%H%M%S}.sqlite3"
        try:
            self._rescue_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            copy_pages(connection, copy)
        except (OSError, sqlite3.Error) as error:
            log.error("%s was deleted or replaced while in use, and could not be copied: %s", self.path, error)
            return
        log.error(
            "%s was deleted or replaced while in use. All that it held is in %s. Stop the server, then: "
            "scorekeeper restore %s",
            *(self.path, copy, copy),
        )

    def _problem(self, found: Identity | None) -> str:
        return f"{self.path} {'was replaced' if found else 'is not there'}"


class WatchedConnection(sqlite3.Connection):
    """A connection whose commit fails where its file was moved, deleted or replaced."""

    watched: WatchedFile
    identity: Identity | None = None

    def commit(self) -> None:
        """Commit; raises `FileMoved` where the commit was written into a file that nobody will find again."""
        has_written = self.in_transaction
        super().commit()
        if has_written:
            self.watched.check(self)


def identity_of(path: Path) -> Identity | None:
    """Return the identity of the file at a path; `None` where there is none."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def size_of(file: Path) -> int:
    """Return how many bytes a file has; 0 where there is none."""
    return file.stat().st_size if file.exists() else 0


def set_aside_journal(database: Path) -> None:
    """Rename the journal of a file that is gone, so that SQLite does not use it for the file there now."""
    journal = database.with_name(f"{database.name}-wal")
    with suppress(FileNotFoundError):
        journal.replace(journal.with_name(f"{journal.name}.replaced-{datetime.now():%Y-%m-%d-%H%M%S}"))
    database.with_name(f"{database.name}-shm").unlink(missing_ok=True)


def _create_private(path: Path) -> None:
    # SQLite gives its journals the rights of the file.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _grant_journals(path: Path) -> None:
    """Grant the journals of a file its own rights, which they lack where it could only be read when they were made."""
    with suppress(OSError):  # they are not there, or another user's
        granted = path.stat().st_mode
        for journal in (Path(f"{path}-wal"), Path(f"{path}-shm")):
            if granted & ~(found := journal.stat().st_mode) & 0o777:
                journal.chmod((found | granted) & 0o777)
