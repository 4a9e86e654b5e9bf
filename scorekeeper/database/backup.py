"""Backups of a SQLite database: one file each, whole, checked and private, one a day; and restoring one.

A file with everything is an archive of such a copy and the secret key, without which no phone gets its lists back.
"""

import logging
import os
import random
import secrets
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from threading import Event, Thread
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, is_zipfile

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper import OperatorError
from scorekeeper.database.file_lock import InUse, locked
from scorekeeper.operating_system import create_private_file, sync_folder

JOURNALS = ("-wal", "-journal")
"""The endings of files that hold the newest hands of the database beside them."""
_WITH_JOURNALS = ("", *JOURNALS)
MAX_KEPT = 14
"""Backups of each kind."""
DAILY = "scorekeeper"
BEFORE_MIGRATION = "before-migration"
FIRST_LOOK, NEXT_LOOK = (60, 300), (1800, 3600)
"""Ranges in seconds, of which a random number passes before each check whether today has its backup."""
UNFINISHED = ".unfinished"
_ELSEWHERE = "copied-elsewhere"
"""The file beside the backups that notes when a copy was made on another disk."""
_PACKED_DATABASE, _PACKED_KEY = "scorekeeper.sqlite3", "secret-key"

log = logging.getLogger(__name__)


def copy_pages(source: sqlite3.Connection, copy: Path) -> None:
    """Copy a database in use to a new file; raises `OSError` or `sqlite3.Error`, and leaves none that is unfinished."""
    copy.touch(0o600, exist_ok=False)
    try:
        with closing(sqlite3.connect(copy)) as target:
            # In one step: page by page, every write meanwhile would restart it.
            source.backup(target)
            make_one_whole_file(target)
        sync(copy)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise


def make_one_whole_file(connection: sqlite3.Connection) -> None:
    """Merge the journal of a database into it, and check it; raises `sqlite3.Error` where it is damaged."""
    # One file may be read where nothing can be written.
    connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    if (found := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged ({found})")


def _opened(file: Path) -> closing[sqlite3.Connection]:
    """Open a database of which nothing is written, not even beside the file, and whose journal is not read."""
    return closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True))


def contents_of(file: Path) -> tuple[int, str] | None:
    """Return the number of matches in a database of Scorekeeper and its last migration; `None` for another file."""
    try:
        with _opened(file) as connection:
            (matches,) = connection.execute('SELECT count(*) FROM "match"').fetchone()
            (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError):
        return None
    return int(matches), str(revision)


def has_everything(file: Path) -> bool:
    """Return whether a file is an archive with a database and the secret key."""
    try:
        if not (file.is_file() and is_zipfile(file)):
            return False
        with ZipFile(file) as archive:
            return {_PACKED_DATABASE, _PACKED_KEY} <= {*archive.namelist()}
    except (OSError, BadZipFile):
        return False


def _pack(copy: Path, key: str) -> None:
    """Put a copy of a database into an archive of its own name, with the secret key."""
    packed = copy.with_name(f"{copy.name}.packed{UNFINISHED}")
    try:
        with create_private_file(packed) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
            archive.write(copy, _PACKED_DATABASE)
            archive.writestr(_PACKED_KEY, f"{key}\n")
        packed.replace(copy)
    finally:
        packed.unlink(missing_ok=True)


def replace_database(file: Path, database: Path) -> None:
    """Move a database file to the place of another, and remove the journals there, which SQLite would apply to it.

    Windows refuses to replace a file that a program has open; then nothing is removed.
    """
    for part in (Path(f"{database}{ending}") for ending in _WITH_JOURNALS):
        if part.exists():
            part.replace(part)  # on Windows this fails while a program has the file open
    _remove_journals(database)
    file.replace(database)


def remove_database(database: Path) -> None:
    """Remove an unfinished database and its journals."""
    _remove_journals(database)
    database.unlink(missing_ok=True)


def _remove_journals(database: Path) -> None:
    for ending in (*JOURNALS, "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)


def sync(file: Path) -> None:
    """Wait until a file is on the disk."""
    with file.open("rb+") as open_file:
        os.fsync(open_file.fileno())


def make_small(engine: sa.Engine) -> None:
    """Overwrite deleted data in a SQLite database and in its journal; other databases are left alone."""
    if engine.dialect.name != "sqlite":
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def kept_copies(folder: Path, database: Path) -> list[Path]:
    """Return every copy that was made of a database: backups, rescued ones and replaced ones."""
    replaced = database.parent.glob(f"{database.stem}.replaced-[0-9]*{database.suffix}")
    return [*sorted(folder.glob("*.sqlite3")), *sorted(replaced)]


def has_any(copy: Path, known_by: Sequence[tuple[str, str, Sequence[str]]]) -> bool:
    """Return whether a copy has any of some rows, given as a table, a column and the column's values.

    It returns true for a copy in which they cannot be searched, such as one of an earlier version.
    """
    try:
        with _opened(copy) as connection:
            return any(
                connection.execute(f'SELECT 1 FROM "{table}" WHERE "{column}" = ?', (value,)).fetchone()
                for table, column, values in known_by
                for value in values
            )
    except sqlite3.Error:
        return True


def note_copy(folder: Path, copy: Path) -> None:
    """Write down, beside the backups, that a copy was made on another disk than theirs."""
    if _disk(copy) == _disk(folder.parent):
        return
    folder.mkdir(mode=0o700, exist_ok=True)
    noted = folder / _ELSEWHERE
    noted.write_text(f"{date.today()}, {copy.absolute()}\n", encoding="utf-8", errors="replace")
    noted.chmod(0o600)


def _disk(file: Path) -> int:
    return file.stat().st_dev


def copied_elsewhere(folder: Path) -> str:
    """Return when a copy was last made on another disk, and where; empty where none was noted."""
    try:
        return (folder / _ELSEWHERE).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def day_of(copy: Path) -> date | None:
    """Return the day of a daily backup, which newer ones replace in time; `None` for a copy that stays."""
    try:
        return date.fromisoformat(copy.stem.removeprefix(f"{DAILY}-"))
    except ValueError:
        return None


class NotRestored(OperatorError):
    """Nothing was restored, and the database is as it was; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of restoring a backup."""

    matches: int
    replaced: Path | None
    """The file of the former database; `None` where there was none."""
    is_up_to_date: bool
    has_key: bool
    """Whether the backup had the secret key with it."""


def restore(backup: Path, database: Path, revisions: Sequence[str], key_file: Path) -> Restored:
    """Put a backup in the database's place, and its secret key, if it has one, into a file; raises `NotRestored`.

    `revisions` are the migrations that this version knows, the newest first.
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
                raise NotRestored(f"{backup} is not a database of Scorekeeper. Name a backup of it.")
            matches, revision = found
            if revision not in revisions:
                raise NotRestored(f"{backup} was made by a newer version of Scorekeeper. Install that version first.")
            key = _packed_key(backup)
            replaced = _set_aside(database)
            put_in_place(checked, database)
            if key:
                _replace_key(key, key_file, is_kept=replaced is not None)
    except InUse:
        raise NotRestored(
            "Scorekeeper is running and uses the database. Stop the server first, then restore again."
        ) from None
    except OSError as error:
        raise NotRestored(
            f"The database could not be replaced: {error}. Check the disk, and the rights of its folder."
        ) from error
    return Restored(matches, replaced, revision == revisions[0], bool(key))


def _packed_key(backup: Path) -> str:
    if not has_everything(backup):
        return ""
    try:
        with ZipFile(backup) as archive:
            return archive.read(_PACKED_KEY).decode("ascii").strip()
    except (BadZipFile, zlib.error, UnicodeDecodeError):
        raise NotRestored(f"The secret key in {backup} is damaged. Name another backup.") from None


def _replace_key(key: str, file: Path, *, is_kept: bool) -> None:
    """Write a secret key to its file; if `is_kept`, the former key is kept in another file beside it."""
    older = file.read_text(encoding="ascii", errors="replace").strip() if file.is_file() else None
    if older == key:
        return
    if older is not None and is_kept:
        file.replace(file.with_name(f"{file.name}.replaced-{datetime.now():%Y-%m-%d-%H%M%S}"))
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}{UNFINISHED}")
    with create_private_file(fresh) as written:
        written.write(f"{key}\n".encode("ascii"))
    fresh.replace(file)
    sync_folder(file.parent)


def _copied_whole(backup: Path, copy: Path, database: Path) -> Path:
    if not backup.is_file():
        raise NotRestored(f"There is no file {backup}. Name a backup. Daily ones are in the instance folder.")
    if database.exists() and backup.samefile(database):
        raise NotRestored("That is the database itself. Name a backup of it.")
    try:
        if has_everything(backup):
            with ZipFile(backup) as archive, archive.open(_PACKED_DATABASE) as packed, copy.open("wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
        else:
            for ending in _WITH_JOURNALS:
                # A copy that was made by hand may have its newest hands in a journal beside it.
                if (part := backup.with_name(f"{backup.name}{ending}")).is_file():
                    shutil.copyfile(part, f"{copy}{ending}")
        copy.chmod(0o600)
        with closing(sqlite3.connect(copy)) as connection:
            make_one_whole_file(connection)
    except (sqlite3.Error, BadZipFile, zlib.error) as error:
        raise NotRestored(f"{backup} is damaged or not a database: {error}. Name another backup.") from None
    sync(copy)
    return copy


def _set_aside(database: Path) -> Path | None:
    """Keep the database beside itself under another name, with its journals, which may have its newest hands."""
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
    """Move a database in one file to the place of another, and wait until that is on the disk."""
    replace_database(file, database)
    sync_folder(database.parent)


class NoBackup(OperatorError):
    """No copy was made; the message has the reason and what to do instead."""


def back_up(engine: sa.Engine, copy: Path, *, force: bool = False, key: str = "") -> int:
    """Write a consistent copy to a file, whole or not at all, and return its size in bytes; raises `NoBackup`.

    It takes the place of an older backup, or by `force` of any other regular file. With the secret key it is an
    archive of both.
    """
    if engine.dialect.name != "sqlite":
        raise NoBackup(
            "This database is PostgreSQL, which has its own way. Use pg_dump, with the same address. "
            "scorekeeper export --all -o FILE writes every match as a record, whatever the database."
        )
    kept = engine.url.database
    if not kept or not Path(kept).is_file():
        raise NoBackup("There is no database yet. Make one with scorekeeper migrate.")
    # The target of a symbolic link: the link stays.
    place = Path(os.path.realpath(copy))
    # Under another name first: an unfinished copy must not take the place of last week's.
    unfinished = Path(f"{place}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        if copy.exists() and copy.samefile(kept):
            raise NoBackup("That is the database itself. Name another file.")
        if fault := _not_replaced(copy, place, force=force):
            raise NoBackup(f"{copy} {fault}")
        with engine.connect() as connection:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            copy_pages(source, unfinished)
        if key:
            _pack(unfinished, key)
        replace_database(unfinished, place)
        return place.stat().st_size
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        raise NoBackup(f"The copy could not be written: {getattr(error, 'orig', error)}. Name another file.") from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _not_replaced(copy: Path, place: Path, *, force: bool) -> str:
    """Return why a copy may not replace the file that is there; empty where it may."""
    if copy.exists() and not copy.is_file():
        return "is not a file that can be replaced. Name another one."
    if force:
        return ""
    if any(Path(f"{place}{ending}").exists() for ending in JOURNALS):
        return "has a journal beside it, so it may be in use. Name another file, or replace it with --force."
    if place.exists() and contents_of(place) is None and not has_everything(place):
        return "is not a database of Scorekeeper. Name another file, or replace it with --force."
    return ""


def keep_copy(engine: sa.Engine, folder: Path, kind: str, stamp: str) -> Path:
    """Add a copy to a folder, of which the last ones are kept, and return it; raises `NoBackup`."""
    copy = folder / f"{kind}-{stamp}.sqlite3"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NoBackup(
            f"The copy could not be written: {error}. Check the disk, and the rights of its folder."
        ) from None
    back_up(engine, copy, force=True)  # a file with such a name here is one of ours
    # By name, not by time: on a machine without a clock of its own the newest may have the oldest time.
    for old in [kept for kept in copies(folder, kind) if kept != copy][: -(MAX_KEPT - 1)]:
        old.unlink(missing_ok=True)
    for left in folder.glob(f"*{UNFINISHED}"):  # of a server that was killed meanwhile
        left.unlink(missing_ok=True)
    return copy


def copies(folder: Path, kind: str = DAILY) -> list[Path]:
    """Return the copies of a kind in a folder, the oldest first."""
    return sorted(folder.glob(f"{kind}-[0-9]*.sqlite3"))


def back_up_today(engine: sa.Engine, folder: Path) -> None:
    """Make the backup of this day, unless it is there; a failure is logged, because nobody waits for it."""
    today = date.today().isoformat()
    if (folder / f"{DAILY}-{today}.sqlite3").exists():
        return
    try:
        keep_copy(engine, folder, DAILY, today)
    except NoBackup as refused:
        log.error("No backup was made today. %s", refused)


@contextmanager
def every_hour(work: Callable[[], object], name: str) -> Iterator[None]:
    """Call a function within minutes, and then every hour or sooner, in the background."""
    stopped = Event()

    def look() -> None:
        wait = FIRST_LOOK
        while not stopped.wait(random.uniform(*wait)):
            work()
            wait = NEXT_LOOK

    thread = Thread(target=look, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join(timeout=10)
