"""Faults of a database that are not the program's own, and the messages for them."""

import sqlite3
from pathlib import Path

from sqlalchemy.exc import DBAPIError, TimeoutError

from scorekeeper import OperatorError
from scorekeeper.pitch.rules.entered_text import normalize_spaces

_TEMPORARY_CODES = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
}
"""SQLite's result codes for errors that pass, or that the operator can mend."""
_DAMAGE_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""The result codes of SQLite for a damaged file."""
_READ_ONLY_SQLSTATE = "25006"
"""The error code of a PostgreSQL server that can only be read."""


class FileMoved(sqlite3.OperationalError):
    """The database file is missing, or is another file than the one first opened."""

    sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED


class FileLost(FileMoved):
    """The database file is missing or empty, but traces such as a backup show that it was a database."""


class UnusableDatabase(OperatorError):
    """The database cannot be used, at least for now; the message has the reason and what to do."""


class IncompleteDatabase(UnusableDatabase):
    """The database has no revision, or lacks a table or a column of its revision."""

    def __init__(self, file: Path | None, missing: str) -> None:
        self.problem = f"{file or 'The database'} has lost {missing}"
        super().__init__(f"{self.problem}. Go back to a backup{': scorekeeper restore FILE' if file else ''}.")


def is_unavailable(error: Exception) -> bool:
    """Return whether the database cannot be used at the moment, so that a retry may succeed later.

    A damaged file counts as unavailable, since a backup may be restored.
    """
    if isinstance(error, TimeoutError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return _primary_code(error.orig) in _TEMPORARY_CODES | _DAMAGE_CODES
    # For a database server, operational errors are those that the client program did not cause.
    is_operational = any(kind.__name__ == "OperationalError" for kind in type(error.orig).__mro__)
    return is_operational or error.connection_invalidated or getattr(error.orig, "sqlstate", "") == _READ_ONLY_SQLSTATE


def is_read_only(error: BaseException | None) -> bool:
    """Return whether an error means that its connection can only read, and so has to be closed."""
    if isinstance(error, sqlite3.Error):
        return _primary_code(error) == sqlite3.SQLITE_READONLY and not isinstance(error, FileMoved)
    return getattr(error, "sqlstate", "") == _READ_ONLY_SQLSTATE


def describe_fault(error: Exception, file: Path | None) -> str:
    """Return a message on a database or disk error, with what to do; `file` is `None` for PostgreSQL."""
    fault = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(fault, FileMoved):
        return f"{fault}."
    if isinstance(fault, OSError):
        where, why = fault.filename or "A file", fault.strerror
        return f"{where} cannot be written ({why}). Check the disk: it may be full or read-only."
    if file and isinstance(fault, sqlite3.Error):
        match _primary_code(fault):
            case sqlite3.SQLITE_FULL:
                return "The disk is full. Free some space, then try again."
            case sqlite3.SQLITE_IOERR:
                return f"{file} cannot be read or written ({fault}). Check the disk: it may be full or failing."
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
                return f"{file} cannot be written. Check the rights of the file and its folder."
            case sqlite3.SQLITE_CANTOPEN:
                return f"{file} cannot be opened. Check that its folder is there and may be written."
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return f"Another program is writing to {file}. Try again when it has ended."
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return damage_message(file)
    why = normalize_spaces(str(fault)).rstrip(".")
    return f"The database cannot be reached: {why}. Check that it is there, and SCOREKEEPER_DATABASE_URL."


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file is damaged, for which only a backup helps."""
    return _primary_code(error) in _DAMAGE_CODES


def damage_message(file: Path) -> str:
    """Return the message about a damaged file, with what to do."""
    return f"{file} is damaged. Go back to a backup: scorekeeper restore FILE."


def _primary_code(error: sqlite3.Error) -> int:
    """Return the primary result code of a SQLite error; 0 for an error of the driver."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
