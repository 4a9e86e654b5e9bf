"""Copies of a SQLite database: one file each, whole, checked and private."""

import os
import sqlite3
from pathlib import Path


def copy_pages(source: sqlite3.Connection, copy: Path) -> None:
    """Copy a database in use to a new file; raises `OSError` or `sqlite3.Error`, and leaves none that is unfinished."""
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        target = sqlite3.connect(copy)
        try:
            # In one step: page by page, every write meanwhile would restart it.
            source.backup(target)
            make_one_whole_file(target)
        finally:
            target.close()
        sync(copy)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise


def make_one_whole_file(connection: sqlite3.Connection) -> None:
    """Take in the journal of a database, and check it; raises `sqlite3.Error` where it is damaged."""
    # One file may be read where nothing can be written.
    connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    if (found := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged ({found})")


def sync(file: Path) -> None:
    """Wait until a file is on the disk."""
    with file.open("rb+") as open_file:
        os.fsync(open_file.fileno())
