"""Faults of a database that are not faults of the program, and the messages about them."""

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
"""SQLite's result codes for errors that pass by themselves, or that the operator can mend."""
_DAMAGE_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""SQLite's result codes for a damaged file."""
_READ_ONLY_SQLSTATE = "25006"
"""The error code of PostgreSQL for a write to a server that only allows reading."""


class FileMoved(sqlite3.OperationalError):
    """The file of the database is missing, or another file than the one that was opened first is at its path."""

    sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED


class FileLost(FileMoved):
    """The file of the database is missing or empty, but a trace such as a backup shows that it had content."""


class UnusableDatabase(OperatorError):
    """The database cannot be used, at least for now. The message says why, and what to do."""


class IncompleteDatabase(UnusableDatabase):
    """The database has no revision, or lacks a table or a column that its revision should have.

    `missing_part` names it: "the table match".
    """

    def __init__(self, file: Path | None, missing_part: str) -> None:
        self.problem = f"{file or 'The database'} has lost {missing_part}"
        super().__init__(f"{self.problem}. Go back to a backup{': scorekeeper restore FILE' if file else ''}.")


def is_unavailable(error: Exception) -> bool:
    """Return whether an error means that the database cannot be used now, so that a later try may succeed.

    A damaged file counts, since a backup may be restored.
    """
    if isinstance(error, TimeoutError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return _primary_code(error.orig) in _TEMPORARY_CODES | _DAMAGE_CODES
    # For a database server, operational errors are those that the client program did not cause.
    is_operational = any(base_class.__name__ == "OperationalError" for base_class in type(error.orig).__mro__)
    return is_operational or error.connection_invalidated or getattr(error.orig, "sqlstate", "") == _READ_ONLY_SQLSTATE


def is_read_only(error: BaseException | None) -> bool:
    """Return whether an error means that its connection can only read, and has to be closed."""
    if isinstance(error, sqlite3.Error):
        return _primary_code(error) == sqlite3.SQLITE_READONLY and not isinstance(error, FileMoved)
    return getattr(error, "sqlstate", "") == _READ_ONLY_SQLSTATE


def describe_fault(error: Exception, file: Path | None) -> str:
    """Return a message about an error of the database or the disk: "The disk is full. Free some space, then try again."

    `file` is the database file; `None` for PostgreSQL.
    """
    fault = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(fault, FileMoved):
        return f"{fault}."
    if isinstance(fault, OSError):
        file_name, reason = fault.filename or "A file", fault.strerror
        return f"{file_name} cannot be written ({reason}). Check the disk: it may be full or read-only."
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
    reason = normalize_spaces(str(fault)).rstrip(".")
    return f"The database cannot be reached: {reason}. Check that it is there, and SCOREKEEPER_DATABASE_URL."


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the database file is damaged, so that only a backup helps."""
    return _primary_code(error) in _DAMAGE_CODES


def damage_message(file: Path) -> str:
    """Return the message about a damaged database file, and what to do."""
    return f"{file} is damaged. Go back to a backup: scorekeeper restore FILE."


def _primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's result code for an error, without its extended part; 0 for an error of the driver."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
