"""What nobody has used for long, removed for good where the settings say so: each as a file first, for a while.

A match goes with its book and its night, and with the others of its money night: as long as one of them is used, all
of it stays.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access import phones
from scorekeeper.access.roles import Kind
from scorekeeper.book import store as books
from scorekeeper.club.book_files.service import write_file
from scorekeeper.club.hosting import erasing_store
from scorekeeper.club.hosting import unused_store as store
from scorekeeper.club.hosting.serving import removed_folder
from scorekeeper.club.hosting.unused_store import Unused
from scorekeeper.club.nights.book_nights import write_night_csv
from scorekeeper.club.nights.roles import NightLink
from scorekeeper.club.nights.service import night_of_link
from scorekeeper.database.backup import UNFINISHED, private_file
from scorekeeper.database.engine import db, only_one
from scorekeeper.database.rows import in_parts
from scorekeeper.eventlog.cache import clear_all
from scorekeeper.eventlog.codec import UnreadableEvent
from scorekeeper.eventlog.roles import OWNER
from scorekeeper.matches import store as matches
from scorekeeper.matches.files.import_export import export_record, record_file
from scorekeeper.matches.fold import UnscorableMatch
from scorekeeper.matches.load import readable_ruleset_of
from scorekeeper.matches.log import fold
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.house_rules import Variants
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.pitch.rules.phrases import listed
from scorekeeper.server.error_log import print_error
from scorekeeper.system import sync_folder

FILES_KEPT = timedelta(days=30)
LOOKS, LOOK_INTERVAL = 48, timedelta(hours=1)
"""How often, and how far apart, what is removed was found unused before: no clock that is wrong for a day decides."""
_LOOKS = "looks"
"""The file of when the last looks were."""
_NAME = re.compile(r"(?:match|book|night)-(\d{4}-\d\d-\d\d)-.+")
_AT_ONCE = 500
_KINDS: tuple[Kind, ...] = ("night", "match", "book")
_WORDS: Mapping[Kind, str] = {"match": "matches", "book": "books", "night": "nights"}
Write = Callable[[IO[bytes]], object]

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Removed:
    """The result of a removal."""

    places: Counter[Kind] = field(default_factory=Counter)
    """How many matches, books and nights were removed."""
    unreadable: int = 0
    """How many groups stay because no file could be made of them."""


def remove_what_is_unused(app: Flask) -> None:
    """Remove what nobody has used for the days in the settings; errors are logged, for nobody waits for an answer."""
    folder, days = removed_folder(app), app.config["KEEP_UNUSED"]
    try:
        with app.app_context(), only_one(app) as is_one:
            if not is_one:  # what another server writes is not finished yet
                return
            delete_old_files(folder)
            if days:
                _look_and_remove(folder, timedelta(days=days))
    except OSError as fault:
        log.error("What nobody uses stays: %s. Check the disk, and the rights of %s.", fault.strerror, folder)
    except Exception as error:
        print_error(error, "removing what nobody uses")


def _look_and_remove(folder: Path, kept: timedelta) -> None:
    look = note_look(folder, datetime.now(UTC))
    if look is None:
        return
    done = remove_unused(db.session, read_library(RULESETS), folder, look - kept)
    if done.unreadable:
        log.error("Of %d that nobody uses no file could be made, so they stay.", done.unreadable)
    if counts := [f"{_WORDS[kind]} {count}" for kind, count in done.places.items() if count]:
        until = date.today() + FILES_KEPT
        print(f"Removed what nobody uses: {listed(counts)}. Until {until} the files are in {folder}.", flush=True)


def note_look(folder: Path, now: datetime) -> datetime | None:
    """Store a look, and return by the clock of the earliest of the last ones when it was; `None` before the last one.

    Raises `OSError`.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file, looks = folder / _LOOKS, list[datetime]()
    with suppress(FileNotFoundError, ValueError):
        looks = [datetime.fromisoformat(line) for line in file.read_text().split()]
    if not looks or not timedelta() <= now - looks[-1] < LOOK_INTERVAL:
        looks = [*looks, now][-LOOKS:]
        fresh = folder / f"{_LOOKS}{UNFINISHED}"
        fresh.write_text("".join(f"{at.isoformat()}\n" for at in looks))
        fresh.replace(file)
    return min(looks) if len(looks) == LOOKS else None


def remove_unused(session: Session, rulesets: Variants, folder: Path, before: datetime) -> Removed:
    """Remove what was not used since some moment, each once its files are in the folder, and commit.

    Raises `OSError` where a file cannot be written; then what it was to be of stays.
    """
    removed = Removed()
    found = store.unused(session, before)
    session.rollback()
    for unused in found:
        try:
            _write_files(session, rulesets, folder, unused)
        except (UnreadableEvent, UnscorableMatch):
            removed.unreadable += 1
            continue
        finally:
            session.rollback()
        if _remove(session, unused, before):
            removed.places.update({kind: len(ids) for kind, ids in unused.ids.items()})
    return removed


def _remove(session: Session, found: Unused, before: datetime) -> bool:
    """Remove what was found, and commit, unless somebody has used it since its files were written."""
    store.lock(session, found)
    is_here = phones.is_any_here(store.codes_of(session, found))
    if is_here or store.unused(session, before, found) != [found]:
        session.rollback()
        return False
    for kind in _KINDS:
        for some in in_parts(found.ids[kind], _AT_ONCE):
            erasing_store.erase(session, kind, some)
    session.commit()
    # SQLite reuses the id of the last match for the next one, which must not get what is cached of the removed one.
    clear_all()
    return True


def delete_old_files(folder: Path) -> None:
    """Delete the files of what was removed a while ago, and what was not finished of others."""
    today = date.today()
    for file in [*folder.glob("*")]:
        name = _NAME.fullmatch(file.name)
        day = date.min
        if name:
            with suppress(ValueError):
                day = date.fromisoformat(name[1])
        if file.name.endswith(UNFINISHED) or (name and today - day > FILES_KEPT):
            file.unlink(missing_ok=True)


def _write_files(session: Session, rulesets: Variants, folder: Path, found: Unused) -> None:
    """Write what is to be removed into files, and wait until they are on the disk; raises `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for kind, uid, ending, write in _files(session, rulesets, found):
        fresh = folder / f"{token_hex(8)}{UNFINISHED}"
        try:
            with private_file(fresh) as file:
                write(file)
            fresh.replace(folder / f"{kind}-{date.today()}-{uid}.{ending}")
        finally:
            fresh.unlink(missing_ok=True)
    sync_folder(folder)


def _files(session: Session, rulesets: Variants, found: Unused) -> Iterator[tuple[Kind, str, str, Write]]:
    """Yield for each file its kind, its uid, how its name ends, and what writes it: the same file as a download."""
    in_books = {match_id for book_id in found.ids["book"] for match_id in books.match_ids_of(session, book_id)}
    for book_id in found.ids["book"]:
        uid, _ = books.began(session, book_id)
        yield "book", uid, "gz", partial(write_file, session, book_id)
    for some in in_parts(found.ids["match"], _AT_ONCE):
        for setup in matches.setups(session, some):
            # A book's file leaves out what nobody could import.
            if setup.id not in in_books or readable_ruleset_of(session, setup) is None:
                log = fold(MATCH_EVENTS.of(session, setup.id))
                yield "match", setup.uid, "json", partial(_write_record, export_record(session, rulesets, setup, log))
    for night_id in found.ids["night"]:
        night = night_of_link(session, NightLink(0, "", OWNER, night_id))
        if night.setup.book_id is None:
            yield "night", night.setup.uid, "csv", partial(write_night_csv, night.night)


def _write_record(record: dict[str, Any], file: IO[bytes]) -> None:
    file.write(record_file(record).encode())
