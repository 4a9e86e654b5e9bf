"""Copies of a SQLite database: one file each, whole, checked and private; those of each day, and a way back to one."""

import logging
import os
import random
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from threading import Event, Thread

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.database.lock import InUse, locked

JOURNALS = ("-wal", "-journal")
"""The endings of files that hold the newest hands of the database beside them."""
_WITH_JOURNALS = ("", *JOURNALS)
MOST_KEPT = 14
"""Backups of each kind."""
DAILY = "scorekeeper"
BEFORE_MIGRATION = "before-migration"
FIRST_LOOK, NEXT_LOOK = (60, 300), (1800, 3600)
"""Seconds, of which a random number passes before a look whether today has its backup."""
_UNFINISHED = ".unfinished"

log = logging.getLogger(__name__)


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


class NotRestored(Exception):
    """The database is as it was; the message says why."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put in the place of the database."""

    matches: int
    replaced: Path | None
    """Where the database is kept that was there before."""
    is_up_to_date: bool


def restore(backup: Path, database: Path, revisions: frozenset[str], newest: str) -> Restored:
    """Put a backup in the database's place; raises `NotRestored`.

    `revisions` are the migrations that this version knows, of which the `newest` is the last.
    """
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            locked(database, alone=True),
            tempfile.TemporaryDirectory(prefix=".restore-", dir=database.parent) as folder,
        ):
            checked = _copied_whole(backup, Path(folder) / "database", database)
            found = contents_of(checked)
            if found is None:
                raise NotRestored(f"{backup} is not a database of Scorekeeper. Nothing was changed.")
            matches, revision = found
            if revision not in revisions:
                raise NotRestored(f"{backup} was made by a newer version of Scorekeeper. Install that version first.")
            replaced = _set_aside(database)
            put_in_place(checked, database)
    except InUse:
        raise NotRestored(
            "Scorekeeper is running and uses the database. Stop the server first, then restore again."
        ) from None
    except OSError as error:
        raise NotRestored(f"The database could not be replaced: {error}.") from error
    return Restored(matches, replaced, revision == newest)


def _copied_whole(backup: Path, copy: Path, database: Path) -> Path:
    if not backup.is_file():
        raise NotRestored(f"There is no file {backup}.")
    if database.exists() and backup.samefile(database):
        raise NotRestored("That is the database itself. Name a backup of it.")
    for ending in _WITH_JOURNALS:
        # What was copied by hand may have its newest hands in a journal beside it.
        if (part := backup.with_name(f"{backup.name}{ending}")).is_file():
            shutil.copyfile(part, f"{copy}{ending}")
    copy.chmod(0o600)
    try:
        with closing(sqlite3.connect(copy)) as connection:
            make_one_whole_file(connection)
    except sqlite3.Error as error:
        raise NotRestored(f"{backup} is damaged or not a database: {error}. Nothing was changed.") from None
    sync(copy)
    return copy


def _set_aside(database: Path) -> Path | None:
    """Keep the database beside itself under another name, journal and all, because it need not be whole."""
    if not database.exists():
        return None
    stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    kept = database.with_name(f"{database.stem}.replaced-{stamp}{database.suffix}")
    for ending in _WITH_JOURNALS:
        if (part := Path(f"{database}{ending}")).exists():
            _link(part, Path(f"{kept}{ending}"))
    return kept


def _link(file: Path, name: Path) -> None:
    try:
        os.link(file, name)
    except FileExistsError:
        raise
    except OSError:  # a memory stick that knows no links
        shutil.copy2(file, name)
    name.chmod(0o600)


def put_in_place(file: Path, database: Path) -> None:
    """Move a database in one file to where another was, and wait until that is on the disk."""
    replace_database(file, database)
    folder = os.open(database.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


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
