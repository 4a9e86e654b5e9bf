"""A backup put in the place of the database: checked first, and with what it replaces kept."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from scorekeeper.database.copying import JOURNALS, contents_of, make_one_whole_file, replace_database, sync
from scorekeeper.database.lock import InUse, locked

_WITH_JOURNALS = ("", *JOURNALS)


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
