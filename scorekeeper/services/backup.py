"""A copy of the database while it is in use."""

import os
import secrets
import sqlite3
from pathlib import Path

import sqlalchemy as sa


class NoBackup(Exception):
    """No copy was made; the message says why, and what to do instead."""


def back_up(engine: sa.Engine, copy: Path) -> int:
    """Write a consistent copy to a file, whole or not at all, and return its size in bytes; raises `NoBackup`."""
    if engine.dialect.name != "sqlite":
        raise NoBackup(
            "This database is PostgreSQL, which has its own way: pg_dump, with the same address. "
            "scorekeeper export --all -o FILE writes every match as a record, whatever the database."
        )
    kept = engine.url.database
    if not kept or not Path(kept).is_file():
        raise NoBackup("There is no database yet.")
    if copy.exists() and copy.samefile(kept):
        raise NoBackup("That is the database itself. Name another file.")
    return _copied(Path(kept), copy)


def _copied(kept: Path, copy: Path) -> int:
    # Under another name first: an unfinished copy must not take the place of last week's.
    unfinished = copy.with_name(f"{copy.name}.{secrets.token_hex(4)}")
    try:
        _copy_pages(kept, unfinished)
        unfinished.replace(copy)
    except (OSError, sqlite3.Error) as error:
        raise NoBackup(f"The copy could not be written: {error}.") from None
    finally:
        unfinished.unlink(missing_ok=True)
    return copy.stat().st_size


def _copy_pages(kept: Path, unfinished: Path) -> None:
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    source, target = sqlite3.connect(kept), sqlite3.connect(unfinished)
    try:
        # In one step: page by page, every write meanwhile would restart it.
        source.backup(target)
        # The copy is one file, and may be read where nothing can be written.
        target.execute("PRAGMA journal_mode=DELETE")
        if (found := target.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged ({found})")
    finally:
        target.close()
        source.close()
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
