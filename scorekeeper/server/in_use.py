"""The database while a server runs: locked, private, backed up each day, and in the end one whole file.

Where the settings say so, what nobody uses is removed from it every hour.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from flask import Flask

from scorekeeper.access.roles import Kind
from scorekeeper.club.hosting.unused import FILES_KEPT, delete_old_files, note_look, remove_unused
from scorekeeper.database.backup import daily_backups, every_hour
from scorekeeper.database.engine import (
    backup_folder,
    db,
    engine_of,
    locked_database,
    only_one,
    telling_faults,
    watched_file,
)
from scorekeeper.database.faults import UnusableDatabase, damaged
from scorekeeper.database.watched_file import FileMoved, WatchedFile, set_aside_journal
from scorekeeper.paths import RULESETS, instance_folder
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.pitch.rules.phrases import listed
from scorekeeper.server.error_log import print_error

_WORDS: Mapping[Kind, str] = {"match": "matches", "book": "books", "night": "nights"}

log = logging.getLogger(__name__)


@contextmanager
def in_use(app: Flask) -> Iterator[None]:
    """Hold the database for a server; raises `UnusableDatabase` before it begins. PostgreSQL looks after itself."""
    watched = watched_file(app)
    if watched is None:
        with _unused_removed(app):
            yield
        return
    engine = engine_of(app)
    with locked_database(app):
        with telling_faults(app):
            _check(engine, watched.path)
        _make_private(app, watched.path)
        try:
            with daily_backups(engine, backup_folder(app)), _unused_removed(app):
                yield
        finally:
            _close(engine, watched)


def removed_folder(app: Flask) -> Path:
    """Return the folder of the files of what was removed because nobody used it."""
    return Path(app.instance_path) / "removed"


@contextmanager
def _unused_removed(app: Flask) -> Iterator[None]:
    """Remove every hour what nobody uses, if anything ever is, and the old files of what was."""
    if not app.config["KEEP_UNUSED"] and not removed_folder(app).exists():
        yield
        return
    with every_hour(lambda: remove_what_is_unused(app), "unused"):
        yield


def remove_what_is_unused(app: Flask) -> None:
    """Remove what nobody has used for as long as the settings say; what is wrong is logged, for nobody waits for it."""
    folder, days = removed_folder(app), app.config["KEEP_UNUSED"]
    try:
        with app.app_context(), only_one(app) as is_one:
            if not is_one:  # what another server writes is not finished yet
                return
            delete_old_files(folder)
            if days:
                _remove(folder, timedelta(days=days))
    except OSError as fault:
        log.error("What nobody uses stays: %s. Check the disk, and the rights of %s.", fault.strerror, folder)
    except Exception as error:
        print_error(error, "removing what nobody uses")


def _remove(folder: Path, kept: timedelta) -> None:
    look = note_look(folder, datetime.now(UTC))
    if look is None:
        return
    done = remove_unused(db.session, read_library(RULESETS), folder, look - kept)
    if done.unreadable:
        log.error("Of %d that nobody uses no file could be made, so they stay.", done.unreadable)
    if counts := [f"{_WORDS[kind]} {count}" for kind, count in done.places.items() if count]:
        until = date.today() + FILES_KEPT
        print(f"Removed what nobody uses: {listed(counts)}. Until {until} the files are in {folder}.", flush=True)


def _check(engine: sa.Engine, path: Path) -> None:
    with engine.connect() as connection:
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        # It is closed, not kept: no other process that may come from this one can use it.
        connection.detach()
    if found != "ok":
        raise UnusableDatabase(damaged(path))


def _make_private(app: Flask, path: Path) -> None:
    folder = Path(app.instance_path)
    with suppress(OSError):  # another user's, who lets this one in
        # A folder that somebody chose may have other things in it, for others.
        if folder == instance_folder({}):
            folder.chmod(0o700)
        for ending in ("", "-wal", "-shm"):
            if (part := Path(f"{path}{ending}")).exists():
                part.chmod(0o600)


def _close(engine: sa.Engine, watched: WatchedFile) -> None:
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    except sa.exc.DBAPIError as error:
        # Otherwise the journal stays, and the next start takes it in.
        if isinstance(error.orig, FileMoved) and watched.path.exists():
            set_aside_journal(watched.path)
    finally:
        engine.dispose()
