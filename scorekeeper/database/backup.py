"""Backups of a SQLite database, and how to restore one.

A backup is a single checked file that only its owner may read. A backup of everything is an archive with the secret key
as well: without that key, no phone finds its lists of matches and books again.
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
"""What SQLite appends to the name of a database for its journals.

A journal may have hands that are not in the database's file yet.
"""
_DATABASE_ENDINGS = ("", *JOURNAL_ENDINGS)
"""The endings of all files of a database: none for the database itself, and those of its journals."""
MAX_COPIES = 14
"""The most copies of one kind that a folder of backups keeps."""
DAILY_KIND = "scorekeeper"
BEFORE_MIGRATION_KIND = "before-migration"
"""The other kind of automatic backup, beside `DAILY_KIND`.

The names of the files begin with the kind: "scorekeeper-2026-03-14.sqlite3".
"""
_COPY_ELSEWHERE_FILE_NAME = "copied-elsewhere"
"""The name of the file that notes when and where the last copy on another disk was made."""
_ARCHIVED_DATABASE_NAME, _ARCHIVED_KEY_NAME = "scorekeeper.sqlite3", "secret-key"
"""The names of the two files in an archive."""

log = logging.getLogger(__name__)


def copy_open_database(source: sqlite3.Connection, copy: Path) -> None:
    """Copy an open database to the new file `copy`, and check it; raises `OSError` or `sqlite3.Error`.

    If anything fails, no file is left.
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
    """Move all data from a database's journal into its file. Raises `sqlite3.Error` if the file is damaged."""
    # One file may be read where nothing can be written.
    connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    if (check_result := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged ({check_result})")


def _open_read_only(file: Path) -> closing[sqlite3.Connection]:
    """Return a connection that only reads a database file, without its journal.

    It is closed at the end of a `with` block.
    """
    return closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True))


def read_match_count_and_revision(file: Path) -> tuple[int, str] | None:
    """Return the number of matches in a Scorekeeper database, and its revision; `None` for any other file.

    Deleted matches count. Data that is in a journal only is not seen.
    """
    try:
        with _open_read_only(file) as connection:
            (match_count,) = connection.execute('SELECT count(*) FROM "match"').fetchone()
            (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError):
        return None
    return int(match_count), str(revision)


def is_archive_with_key(file: Path) -> bool:
    """Return whether a file is a ZIP archive with a database and a secret key, as `back_up` makes it."""
    try:
        if not (file.is_file() and is_zipfile(file)):
            return False
        with ZipFile(file) as archive:
            return {_ARCHIVED_DATABASE_NAME, _ARCHIVED_KEY_NAME} <= {*archive.namelist()}
    except (OSError, BadZipFile):
        return False


def _archive_with_key(copy: Path, secret_key: str) -> None:
    """Replace a copy of a database by a ZIP archive of the copy and the secret key."""
    with replace_private_file(copy) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.write(copy, _ARCHIVED_DATABASE_NAME)
        archive.writestr(_ARCHIVED_KEY_NAME, f"{secret_key}\n")


def replace_database(new_file: Path, database: Path) -> None:
    """Move a file to the path of a database, and remove the old database's journals.

    There may be no old database. On Windows, raises `OSError` and changes nothing while a program has the old one open.
    """
    for part in (Path(f"{database}{ending}") for ending in _DATABASE_ENDINGS):
        if part.exists():
            part.replace(part)  # on Windows this fails while a program has the file open
    _remove_journals(database)
    new_file.replace(database)


def remove_database(database: Path) -> None:
    """Remove a database file, if there is one, and its journals."""
    _remove_journals(database)
    database.unlink(missing_ok=True)


def _remove_journals(database: Path) -> None:
    """Remove the journals of a database and the index to them, if there are any."""
    for ending in (*JOURNAL_ENDINGS, "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)


def sync_file(file: Path) -> None:
    """Wait until the content of a file is on the disk."""
    with file.open("rb+") as open_file:
        os.fsync(open_file.fileno())


def purge_deleted_data(engine: sa.Engine) -> None:
    """Overwrite the deleted data in a SQLite database and its journal, so that nobody can read it.

    Does nothing for PostgreSQL.
    """
    if engine.dialect.name != "sqlite":
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def copies_with_uids(folder: Path, database: Path, uids_by_table: Mapping[str, Sequence[str]]) -> list[Path]:
    """Return the backups in `folder` and the former databases beside `database` that have a row with one of these uids.

    `uids_by_table` has the uids of rows, keyed by table. Files that cannot be searched, such as archives, are returned
    as well.
    """
    former_databases = database.parent.glob(f"{database.stem}*.replaced-[0-9]*")
    return [
        copy for copy in [*sorted(folder.glob("*.*")), *sorted(former_databases)] if _may_have_uids(copy, uids_by_table)
    ]


def _may_have_uids(copy: Path, uids_by_table: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a copy has a row with one of these uids, keyed by table; true if the copy cannot be searched."""
    try:
        with _open_read_only(copy) as connection:
            return any(
                connection.execute(f'SELECT 1 FROM "{table}" WHERE uid = ?', (uid,)).fetchone()
                for table, table_uids in uids_by_table.items()
                for uid in table_uids
            )
    except sqlite3.Error:
        return True


def note_copy_elsewhere(folder: Path, copy: Path) -> None:
    """If a copy is on another disk than the folder of backups, note its date and path in that folder."""
    if _disk_id(copy) == _disk_id(folder.parent):
        return
    folder.mkdir(mode=0o700, exist_ok=True)
    note_file = folder / _COPY_ELSEWHERE_FILE_NAME
    note_file.write_text(f"{date.today()}, {copy.absolute()}\n", encoding="utf-8", errors="replace")
    note_file.chmod(0o600)


def _disk_id(file: Path) -> int:
    """Return a number that is the same for all files on one disk."""
    return file.stat().st_dev


def last_copy_elsewhere(folder: Path) -> str:
    """Return the date and path of the last copy on another disk; empty if none is noted.

    As text: "2026-03-14, /media/stick/all.zip".
    """
    try:
        return (folder / _COPY_ELSEWHERE_FILE_NAME).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def day_of_daily_backup(copy: Path) -> date | None:
    """Return the day in the name of a daily backup; `None` for the name of any other file."""
    try:
        return date.fromisoformat(copy.stem.removeprefix(f"{DAILY_KIND}-"))
    except ValueError:
        return None


class NotRestored(OperatorError):
    """A backup, or its secret key, could not be restored. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What restoring a backup did."""

    match_count: int
    """The number of matches in the restored database. Deleted matches count."""
    former_database: Path | None
    """The path to which the former database was moved; `None` if there was none."""
    is_up_to_date: bool
    """Whether the restored database needs no migration."""
    has_key: bool
    """Whether the secret key was restored as well, from an archive."""


def restore(backup: Path, database: Path, known_revisions: Sequence[str], key_file: Path) -> RestoreResult:
    """Replace the database by a checked backup. If the backup has a secret key, replace the key's file as well.

    The former database and the former key stay under other names. `known_revisions` are those of all migrations, the
    newest first. Raises `NotRestored`.
    """
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            hold_file_lock(database, exclusive=True),
            tempfile.TemporaryDirectory(prefix=".restore-", dir=database.parent) as folder,
        ):
            checked_copy = _copy_and_check(backup, Path(folder) / "database", database)
            match_count_and_revision = read_match_count_and_revision(checked_copy)
            if match_count_and_revision is None:
                raise NotRestored(f"{backup} is not a database of Scorekeeper. Name a backup of it.")
            match_count, revision = match_count_and_revision
            if revision not in known_revisions:
                raise NotRestored(f"{backup} was made by a newer version of Scorekeeper. Install that version first.")
            secret_key = _read_archived_key(backup)
            former_database = _keep_former_database(database)
            replace_database(checked_copy, database)
            sync_folder(database.parent)
            try:
                if secret_key:
                    _write_key(secret_key, key_file, keeps_former=former_database is not None)
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
    return RestoreResult(match_count, former_database, revision == known_revisions[0], bool(secret_key))


def _read_archived_key(backup: Path) -> str:
    """Return the secret key in a backup; empty if it has none. Raises `NotRestored` if the key is damaged."""
    if not is_archive_with_key(backup):
        return ""
    try:
        with ZipFile(backup) as archive:
            return archive.read(_ARCHIVED_KEY_NAME).decode("ascii").strip()
    except (BadZipFile, zlib.error, UnicodeDecodeError):
        raise NotRestored(f"The secret key in {backup} is damaged. Name another backup.") from None


def _write_key(secret_key: str, key_file: Path, *, keeps_former: bool) -> None:
    """Write a secret key to its file. With `keeps_former`, a different key in the file stays under another name."""
    former_key = key_file.read_text(encoding="ascii", errors="replace").strip() if key_file.is_file() else None
    if former_key == secret_key:
        return
    key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replace_private_file(key_file) as new_file:
        new_file.write(f"{secret_key}\n".encode("ascii"))
        if former_key is not None and keeps_former:
            _hard_link_or_copy(
                key_file, key_file.with_name(f"{key_file.name}.replaced-{datetime.now():%Y-%m-%d-%H%M%S}")
            )
    sync_folder(key_file.parent)


def _copy_and_check(backup: Path, copy: Path, database: Path) -> Path:
    """Copy the database in a backup to the path `copy`, check the copy, and return its path.

    Raises `NotRestored` if the backup is missing or damaged, or if it is the `database` that it should replace.
    """
    if not backup.is_file():
        raise NotRestored(f"There is no file {backup}. Name a backup. Daily ones are in the instance folder.")
    if database.exists() and backup.samefile(database):
        raise NotRestored("That is the database itself. Name a backup of it.")
    try:
        if is_archive_with_key(backup):
            with ZipFile(backup) as archive, archive.open(_ARCHIVED_DATABASE_NAME) as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target)
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
    """Give the database and its journals second names, and return the new path; `None` without a database.

    The name has the time: "scorekeeper.replaced-2026-03-14-201500.sqlite3".
    """
    if not database.exists():
        return None
    time_text = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    former_path = database.with_name(f"{database.stem}.replaced-{time_text}{database.suffix}")
    for ending in _DATABASE_ENDINGS:
        if (part := Path(f"{database}{ending}")).exists():
            _hard_link_or_copy(part, Path(f"{former_path}{ending}"))
    return former_path


def _hard_link_or_copy(file: Path, second_path: Path) -> None:
    """Give a file a second name, or copy it if the disk has no hard links.

    The file gets permissions that let only its owner read it.
    """
    try:
        os.link(file, second_path)
    except FileExistsError:
        raise
    except OSError:  # a memory stick that knows no links
        shutil.copy2(file, second_path)
    second_path.chmod(0o600)


class NoBackup(OperatorError):
    """No backup was made. The message says why, and what to do instead."""


def back_up(engine: sa.Engine, copy: Path, *, force: bool = False, secret_key: str = "") -> int:
    """Write a consistent copy of a SQLite database to the file `copy`, and return its size in bytes.

    An old file at `copy` has to be a backup; with `force`, any file but the database itself. With `secret_key`, the
    copy is an archive that has the key too. Raises `NoBackup`, and the old file stays then.
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
        if secret_key:
            _archive_with_key(unfinished, secret_key)
        replace_database(unfinished, target)
        return target.stat().st_size
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        raise NoBackup(f"The copy could not be written: {getattr(error, 'orig', error)}. Name another file.") from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _replacement_fault(copy: Path, target: Path, *, force: bool) -> str:
    """Return why a backup may not replace `copy`, as the rest of a sentence: "is not a file that …". Empty if it may.

    `target` is the path of `copy` after symbolic links.
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


def back_up_to_folder(engine: sa.Engine, folder: Path, kind: str, name_suffix: str) -> Path:
    """Back up to a folder, delete all but the last `MAX_COPIES` of the same kind there, and return the new copy.

    The name of the copy has `kind` and `name_suffix`, such as a day: "scorekeeper-2026-03-14.sqlite3". A later suffix
    has to sort after an earlier one. Raises `NoBackup`.
    """
    copy = folder / f"{kind}-{name_suffix}.sqlite3"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NoBackup(
            f"The copy could not be written: {error}. Check the disk, and the rights of its folder."
        ) from None
    back_up(engine, copy, force=True)  # a file with such a name here is one of ours
    # By name, not by time: on a machine without a clock of its own the newest may have the oldest time.
    old_copies = [file for file in copies_of_kind(folder, kind) if file != copy][: -(MAX_COPIES - 1)]
    # An unfinished copy of this kind is from a server that was killed; any other may be one that a command is writing.
    for file in (*old_copies, *folder.glob(f"{kind}-[0-9]*{UNFINISHED_ENDING}")):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            log.error("An old copy stays: %s. Check the rights of its folder.", error)
    return copy


def copies_of_kind(folder: Path, kind: str = DAILY_KIND) -> list[Path]:
    """Return the backups of one kind in a folder, the oldest first by name."""
    return sorted(folder.glob(f"{kind}-[0-9]*.sqlite3"))


def back_up_today(engine: sa.Engine, folder: Path) -> None:
    """Make today's daily backup, unless there is one. A failure is only logged."""
    today = date.today().isoformat()
    if (folder / f"{DAILY_KIND}-{today}.sqlite3").exists():
        return
    try:
        back_up_to_folder(engine, folder, DAILY_KIND, today)
    except NoBackup as failure:
        log.error("No backup was made today. %s", failure)
