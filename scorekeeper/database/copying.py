"""Copies of a SQLite database: one file each, whole, checked and private."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

JOURNALS = ("-wal", "-journal")
"""The endings of files that hold the newest hands of the database beside them."""


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


def contents_of(file: Path) -> tuple[int, str] | None:
    """Return how many matches a database of Scorekeeper has, and which migration was its last; `None` for another file.

    Nothing is written, not even beside the file, whose journal is not read.
    """
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            (matches,) = connection.execute('SELECT count(*) FROM "match"').fetchone()
            (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError):
        return None
    return int(matches), str(revision)


def replace_database(file: Path, database: Path) -> None:
    """Move a database in one file to where another was, whose journals go: they would be taken for its own."""
    for ending in (*JOURNALS, "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)
    file.replace(database)


def sync(file: Path) -> None:
    """Wait until a file is on the disk."""
    with file.open("rb+") as open_file:
        os.fsync(open_file.fileno())
