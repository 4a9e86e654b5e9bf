"""Backups of a SQLite database, each one checked file that only its owner may read, and their restoration.

A backup of everything is an archive that also has the secret key, without which no phone gets its lists back.
"""

import logging
import os
import secrets
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, is_zipfile

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper import OperatorError
from scorekeeper.database.file_lock import InUse, hold_file_lock
from scorekeeper.operating_system import UNFINISHED_ENDING, replace_private_file, sync_folder

JOURNAL_ENDINGS = ("-wal", "-journal")
"""The endings that SQLite adds to a database's name for its journals. They may have the newest hands."""
_DATABASE_ENDINGS = ("", *JOURNAL_ENDINGS)
"""The endings of a database's files: none for the database itself, and those of its journals."""
MAX_COPIES = 14
"""The number of copies of each kind that a folder of backups keeps."""
DAILY_KIND = "scorekeeper"
BEFORE_MIGRATION_KIND = "before-migration"
"""Like `DAILY_KIND`, a kind of automatic backup: the names of its files begin with it."""
_COPY_ELSEWHERE_FILE_NAME = "copied-elsewhere"
"""The name of the file that says when and where the last copy on another disk was made."""
_ARCHIVED_DATABASE, _ARCHIVED_KEY = "scorekeeper.sqlite3", "secret-key"
"""The names of the two files in an archive."""

log = logging.getLogger(__name__)


def copy_open_database(source: sqlite3.Connection, copy: Path) -> None:
    """Copy an open database to a new file and check it; raises `OSError` or `sqlite3.Error`.

    A failure leaves no copy.
    """
    copy.touch(0o600, exist_ok=False)
    try:
        with closing(sqlite3.connect(copy)) as target:
            # In one step: page by page, every write meanwhile would restart it.
            source.backup(target)
            merge_journal_and_check(target)
        sync_file(copy)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise


def merge_journal_and_check(connection: sqlite3.Connection) -> None:
    """Merge a database's journal into its file, and raise `sqlite3.Error` if the file is damaged."""
    # One file may be read where nothing can be written.
    connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    if (found := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged ({found})")


def _open_read_only(file: Path) -> closing[sqlite3.Connection]:
    """Open a database file only to read, without its journal, and return the connection for `with` to close."""
    return closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True))


def read_match_count_and_revision(file: Path) -> tuple[int, str] | None:
    """Return the number of matches and the revision of a Scorekeeper database; `None` for any other file.

    Deleted matches count; what is only in a journal does not.
    """
    try:
        with _open_read_only(file) as connection:
            (match_count,) = connection.execute('SELECT count(*) FROM "match"').fetchone()
            (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError):
        return None
    return int(match_count), str(revision)


def is_archive_with_key(file: Path) -> bool:
    """Return whether a file is an archive with a database and the secret key."""
    try:
        if not (file.is_file() and is_zipfile(file)):
            return False
        with ZipFile(file) as archive:
            return {_ARCHIVED_DATABASE, _ARCHIVED_KEY} <= {*archive.namelist()}
    except (OSError, BadZipFile):
        return False


def _archive_with_key(copy: Path, key: str) -> None:
    """Replace a copy of a database by an archive of the copy and the secret key."""
    with replace_private_file(copy) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.write(copy, _ARCHIVED_DATABASE)
        archive.writestr(_ARCHIVED_KEY, f"{key}\n")


def replace_database(file: Path, database: Path) -> None:
    """Move a file to the path of a database, and remove the database's journals.

    There may be no database yet. On Windows raises `OSError` while a program has it open; nothing is changed then.
    """
    for part in (Path(f"{database}{ending}") for ending in _DATABASE_ENDINGS):
        if part.exists():
            part.replace(part)  # on Windows this fails while a program has the file open
    _remove_journals(database)
    file.replace(database)


def remove_database(database: Path) -> None:
    """Remove a database file, if there is one, and its journals."""
    _remove_journals(database)
    database.unlink(missing_ok=True)


def _remove_journals(database: Path) -> None:
    """Remove the journals of a database, and the index that they share, if there are any."""
    for ending in (*JOURNAL_ENDINGS, "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)


def sync_file(file: Path) -> None:
    """Wait until the content of a file is on the disk."""
    with file.open("rb+") as open_file:
        os.fsync(open_file.fileno())


def purge_deleted_data(engine: sa.Engine) -> None:
    """Overwrite deleted data in a SQLite database and its journal; does nothing for PostgreSQL."""
    if engine.dialect.name != "sqlite":
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def copies_with_uids(folder: Path, database: Path, uids: Mapping[str, Sequence[str]]) -> list[Path]:
    """Return the backups, and the former databases beside `database`, that have one of these uids.

    The uids are given by table. Files that cannot be searched, such as archives, are returned as well.
    """
    replaced = database.parent.glob(f"{database.stem}*.replaced-[0-9]*")
    return [copy for copy in [*sorted(folder.glob("*.*")), *sorted(replaced)] if _may_have_uids(copy, uids)]


def _may_have_uids(copy: Path, uids: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a copy has one of these uids, given by table; `True` if it cannot be searched."""
    try:
        with _open_read_only(copy) as connection:
            return any(
                connection.execute(f'SELECT 1 FROM "{table}" WHERE uid = ?', (uid,)).fetchone()
                for table, table_uids in uids.items()
                for uid in table_uids
            )
    except sqlite3.Error:
        return True


def note_copy_elsewhere(folder: Path, copy: Path) -> None:
    """Write the date and path of a copy into the folder of backups, if the copy is on another disk."""
    if _disk_id(copy) == _disk_id(folder.parent):
        return
    folder.mkdir(mode=0o700, exist_ok=True)
    noted = folder / _COPY_ELSEWHERE_FILE_NAME
    noted.write_text(f"{date.today()}, {copy.absolute()}\n", encoding="utf-8", errors="replace")
    noted.chmod(0o600)


def _disk_id(file: Path) -> int:
    """Return a number that files on the same disk share."""
    return file.stat().st_dev


def last_copy_elsewhere(folder: Path) -> str:
    """Return the date and path of the last copy on another disk, as text; empty if none is noted."""
    try:
        return (folder / _COPY_ELSEWHERE_FILE_NAME).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def day_of_daily_backup(copy: Path) -> date | None:
    """Return the day in the name of a daily backup; `None` for any other file."""
    try:
        return date.fromisoformat(copy.stem.removeprefix(f"{DAILY_KIND}-"))
    except ValueError:
        return None


class NotRestored(OperatorError):
    """A backup was not restored, or its secret key was not; the message has the reason."""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The result of restoring a backup."""

    match_count: int
    """The number of matches in the restored database, deleted ones included."""
    former_database: Path | None
    """The path at which the former database is now; `None` if there was none."""
    is_up_to_date: bool
    """Whether the restored database needs no migration."""
    has_key: bool
    """Whether the backup contained the secret key."""


def restore(backup: Path, database: Path, revisions: Sequence[str], key_file: Path) -> RestoreResult:
    """Replace the database by a checked backup, and the key file by the backup's key, if it has one.

    The former database and the former key are kept under other names. `revisions` are the known migrations, newest
    first. Raises `NotRestored`.
    """
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            hold_file_lock(database, exclusive=True),
            tempfile.TemporaryDirectory(prefix=".restore-", dir=database.parent) as folder,
        ):
            checked = _copy_and_check(backup, Path(folder) / "database", database)
            found = read_match_count_and_revision(checked)
            if found is None:
                raise NotRestored(f"{backup} is not a database of Scorekeeper. Name a backup of it.")
            match_count, revision = found
            if revision not in revisions:
                raise NotRestored(f"{backup} was made by a newer version of Scorekeeper. Install that version first.")
            key = _read_archived_key(backup)
            former_database = _keep_former_database(database)
            replace_database(checked, database)
            sync_folder(database.parent)
            try:
                if key:
                    _write_key(key, key_file, keeps_former=former_database is not None)
            except OSError as error:
                raise NotRestored(
                    f"{backup} is the database now, but its secret key could not be written: {error}. Check the disk, "
                    f"and the rights of {key_file}, then restore again."
                ) from error
    except InUse:
        raise NotRestored(
            "Scorekeeper is running and uses the database. Stop the server first, then restore again."
        ) from None
    except OSError as error:
        raise NotRestored(
            f"The database could not be replaced: {error}. Check the disk, and the rights of its folder."
        ) from error
    return RestoreResult(match_count, former_database, revision == revisions[0], bool(key))


def _read_archived_key(backup: Path) -> str:
    """Return the secret key in a backup, or an empty text; raises `NotRestored` if the key is damaged."""
    if not is_archive_with_key(backup):
        return ""
    try:
        with ZipFile(backup) as archive:
            return archive.read(_ARCHIVED_KEY).decode("ascii").strip()
    except (BadZipFile, zlib.error, UnicodeDecodeError):
        raise NotRestored(f"The secret key in {backup} is damaged. Name another backup.") from None


def _write_key(key: str, file: Path, *, keeps_former: bool) -> None:
    """Write a secret key to its file; with `keeps_former`, keep another key that was there beside it."""
    former_key = file.read_text(encoding="ascii", errors="replace").strip() if file.is_file() else None
    if former_key == key:
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replace_private_file(file) as written:
        written.write(f"{key}\n".encode("ascii"))
        if former_key is not None and keeps_former:
            _hard_link_or_copy(file, file.with_name(f"{file.name}.replaced-{datetime.now():%Y-%m-%d-%H%M%S}"))
    sync_folder(file.parent)


def _copy_and_check(backup: Path, copy: Path, database: Path) -> Path:
    """Copy the database in a backup to the file `copy`, check it, and return its path.

    Raises `NotRestored` if the backup is missing or damaged, or is `database` itself.
    """
    if not backup.is_file():
        raise NotRestored(f"There is no file {backup}. Name a backup. Daily ones are in the instance folder.")
    if database.exists() and backup.samefile(database):
        raise NotRestored("That is the database itself. Name a backup of it.")
    try:
        if is_archive_with_key(backup):
            with ZipFile(backup) as archive, archive.open(_ARCHIVED_DATABASE) as archived, copy.open("wb") as extracted:
                shutil.copyfileobj(archived, extracted)
        else:
            for ending in _DATABASE_ENDINGS:
                # A copy that was made by hand may have its newest hands in a journal beside it.
                if (part := backup.with_name(f"{backup.name}{ending}")).is_file():
                    shutil.copyfile(part, f"{copy}{ending}")
        copy.chmod(0o600)
        with closing(sqlite3.connect(copy)) as connection:
            merge_journal_and_check(connection)
    except (sqlite3.Error, BadZipFile, zlib.error) as error:
        raise NotRestored(f"{backup} is damaged or not a database: {error}. Name another backup.") from None
    sync_file(copy)
    return copy


def _keep_former_database(database: Path) -> Path | None:
    """Give the database and its journals a second name, and return the new path; `None` without a database."""
    if not database.exists():
        return None
    stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    former = database.with_name(f"{database.stem}.replaced-{stamp}{database.suffix}")
    for ending in _DATABASE_ENDINGS:
        if (part := Path(f"{database}{ending}")).exists():
            _hard_link_or_copy(part, Path(f"{former}{ending}"))
    return former


def _hard_link_or_copy(file: Path, second_path: Path) -> None:
    """Give a file a second name, or copy it where a disk has no hard links.

    Only the owner may read the file.
    """
    try:
        os.link(file, second_path)
    except FileExistsError:
        raise
    except OSError:  # a memory stick that knows no links
        shutil.copy2(file, second_path)
    second_path.chmod(0o600)


class NoBackup(OperatorError):
    """No copy was made; the message has the reason and what to do instead."""


def back_up(engine: sa.Engine, copy: Path, *, force: bool = False, key: str = "") -> int:
    """Write a consistent copy of a SQLite database to a file, and return the file's size in bytes.

    Raises `NoBackup`, and then leaves an older file as it was. With `force`, any file but the database may be replaced,
    and not only a backup. With the secret key as `key`, the copy is an archive with the key.
    """
    if engine.dialect.name != "sqlite":
        raise NoBackup(
            "This database is PostgreSQL, which has its own way. Use pg_dump, with the same address. "
            "scorekeeper export --all -o FILE writes every match as a record, whatever the database."
        )
    database = engine.url.database
    if not database or not Path(database).is_file():
        raise NoBackup("There is no database yet. Make one with scorekeeper migrate.")
    # The target of a symbolic link: the link stays.
    target = Path(os.path.realpath(copy))
    # Under another name first: an unfinished copy must not take the place of last week's.
    unfinished = Path(f"{target}.{secrets.token_hex(4)}{UNFINISHED_ENDING}")
    try:
        if copy.exists() and copy.samefile(database):
            raise NoBackup("That is the database itself. Name another file.")
        if fault := _replacement_fault(copy, target, force=force):
            raise NoBackup(f"{copy} {fault}")
        with engine.connect() as connection:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            copy_open_database(source, unfinished)
        if key:
            _archive_with_key(unfinished, key)
        replace_database(unfinished, target)
        return target.stat().st_size
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        raise NoBackup(f"The copy could not be written: {getattr(error, 'orig', error)}. Name another file.") from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _replacement_fault(copy: Path, target: Path, *, force: bool) -> str:
    """Return why a backup may not replace `copy`, to follow the name of the file; empty if it may.

    `target` is the real path of `copy`.
    """
    if copy.exists() and not copy.is_file():
        return "is not a file that can be replaced. Name another one."
    if force:
        return ""
    if any(Path(f"{target}{ending}").exists() for ending in JOURNAL_ENDINGS):
        return "has a journal beside it, so it may be in use. Name another file, or replace it with --force."
    if target.exists() and read_match_count_and_revision(target) is None and not is_archive_with_key(target):
        return "is not a database of Scorekeeper. Name another file, or replace it with --force."
    return ""


def back_up_to_folder(engine: sa.Engine, folder: Path, kind: str, stamp: str) -> Path:
    """Back up to a folder, delete all but the last `MAX_COPIES` of the kind, and return the copy.

    The file is named after `kind` and `stamp`; a later stamp, such as a day, has to sort after an earlier one. Raises
    `NoBackup`.
    """
    copy = folder / f"{kind}-{stamp}.sqlite3"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NoBackup(
            f"The copy could not be written: {error}. Check the disk, and the rights of its folder."
        ) from None
    back_up(engine, copy, force=True)  # a file with such a name here is one of ours
    # By name, not by time: on a machine without a clock of its own the newest may have the oldest time.
    old = [file for file in copies_of_kind(folder, kind) if file != copy][: -(MAX_COPIES - 1)]
    # An unfinished copy of this kind is from a server that was killed; any other may be one that a command is writing.
    for file in (*old, *folder.glob(f"{kind}-[0-9]*{UNFINISHED_ENDING}")):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            log.error("An old copy stays: %s. Check the rights of its folder.", error)
    return copy


def copies_of_kind(folder: Path, kind: str = DAILY_KIND) -> list[Path]:
    """Return the copies of one kind in a folder, oldest first."""
    return sorted(folder.glob(f"{kind}-[0-9]*.sqlite3"))


def back_up_today(engine: sa.Engine, folder: Path) -> None:
    """Make today's backup, unless it exists; a failure is only logged."""
    today = date.today().isoformat()
    if (folder / f"{DAILY_KIND}-{today}.sqlite3").exists():
        return
    try:
        back_up_to_folder(engine, folder, DAILY_KIND, today)
    except NoBackup as refused:
        log.error("No backup was made today. %s", refused)
