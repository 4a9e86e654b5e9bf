"""Copies of the database while it is in use: those that somebody asks for, and one a day."""

import logging
import os
import random
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from threading import Event, Thread

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.database.copying import JOURNALS, contents_of, copy_pages, replace_database

MOST_KEPT = 14
"""Backups of each kind."""
DAILY = "scorekeeper"
BEFORE_MIGRATION = "before-migration"
FIRST_LOOK, NEXT_LOOK = (60, 300), (1800, 3600)
"""Seconds, of which a random number passes before a look whether today has its backup."""
_UNFINISHED = ".unfinished"

log = logging.getLogger(__name__)


class NoBackup(Exception):
    """No copy was made; the message says why, and what to do instead."""


def back_up(engine: sa.Engine, copy: Path, *, force: bool = False) -> int:
    """Write a consistent copy to a file, whole or not at all, and return its size in bytes; raises `NoBackup`.

    It takes the place of an older backup, or by `force` of any other regular file.
    """
    if engine.dialect.name != "sqlite":
        raise NoBackup(
            "This database is PostgreSQL, which has its own way: pg_dump, with the same address. "
            "scorekeeper export --all -o FILE writes every match as a record, whatever the database."
        )
    kept = engine.url.database
    if not kept or not Path(kept).is_file():
        raise NoBackup("There is no database yet.")
    # Where a link leads to: the link stays.
    place = Path(os.path.realpath(copy))
    # Under another name first: an unfinished copy must not take the place of last week's.
    unfinished = Path(f"{place}.{secrets.token_hex(4)}{_UNFINISHED}")
    try:
        if copy.exists() and copy.samefile(kept):
            raise NoBackup("That is the database itself. Name another file.")
        if fault := _not_replaced(copy, place, force=force):
            raise NoBackup(f"{copy} {fault}")
        with engine.connect() as connection:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            copy_pages(source, unfinished)
        replace_database(unfinished, place)
        return place.stat().st_size
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        raise NoBackup(f"The copy could not be written: {getattr(error, 'orig', error)}.") from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _not_replaced(copy: Path, place: Path, *, force: bool) -> str:
    """Return why a copy does not take the place of what is there; nothing where it may."""
    if copy.exists() and not copy.is_file():
        return "is not a file that can be replaced. Name another one."
    if force:
        return ""
    if any(Path(f"{place}{ending}").exists() for ending in JOURNALS):
        return "has a journal beside it, so it may be in use. Name another file, or replace it with --force."
    if place.exists() and contents_of(place) is None:
        return "is not a database of Scorekeeper. Name another file, or replace it with --force."
    return ""


def keep_copy(engine: sa.Engine, folder: Path, kind: str, stamp: str) -> Path:
    """Add a copy to a folder, of which the last ones are kept, and return it; raises `NoBackup`."""
    copy = folder / f"{kind}-{stamp}.sqlite3"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NoBackup(f"The copy could not be written: {error}.") from None
    back_up(engine, copy, force=True)  # whatever has such a name here is one of ours
    # By name, not by time: a machine without a clock of its own may say that the newest is the oldest.
    for old in [it for it in copies(folder, kind) if it != copy][: -(MOST_KEPT - 1)]:
        old.unlink(missing_ok=True)
    for left in folder.glob(f"*{_UNFINISHED}"):  # of a server that was killed meanwhile
        left.unlink(missing_ok=True)
    return copy


def copies(folder: Path, kind: str = DAILY) -> list[Path]:
    """Return the copies of a kind in a folder, the oldest first."""
    return sorted(folder.glob(f"{kind}-[0-9]*.sqlite3"))


def back_up_today(engine: sa.Engine, folder: Path) -> None:
    """Make the backup of this day, unless it is there; what is wrong is logged, because nobody waits for it."""
    today = date.today().isoformat()
    if (folder / f"{DAILY}-{today}.sqlite3").exists():
        return
    try:
        keep_copy(engine, folder, DAILY, today)
    except NoBackup as refused:
        log.error("No backup was made today. %s", refused)


@contextmanager
def daily_backups(engine: sa.Engine, folder: Path) -> Iterator[None]:
    """Make a backup each day, beside whatever else is done."""
    stopped = Event()

    def look() -> None:
        wait = FIRST_LOOK
        while not stopped.wait(random.uniform(*wait)):
            back_up_today(engine, folder)
            wait = NEXT_LOOK

    thread = Thread(target=look, name="daily backups", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join(timeout=10)
