"""Remove matches, books and nights that nobody has used for long, where the settings say so; keep files for a while.

A group is a match with its book, its night and the others of its money night: while one is used, all of it stays.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access import phones
from scorekeeper.access.roles import Kind
from scorekeeper.book import store as books
from scorekeeper.club.book_files.service import write_book_file
from scorekeeper.club.hosting.erasing import IDS_AT_ONCE, delete_and_commit
from scorekeeper.club.hosting.serving import folder_of_removed_files
from scorekeeper.club.nights.book_nights import write_night_csv
from scorekeeper.club.nights.service import night_of_link
from scorekeeper.club.nights.store import NightLink
from scorekeeper.database.backup import UNFINISHED_ENDING
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import try_single_server_lock
from scorekeeper.database.rows import split_into_chunks, utc
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.eventlog.store import UnreadableEvent
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches import store as matches
from scorekeeper.matches.files.import_export import export_record, record_file
from scorekeeper.matches.fold import UnscorableMatch
from scorekeeper.matches.log import fold
from scorekeeper.matches.service import readable_ruleset_of
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.operating_system import create_private_file, sync_folder
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.server.watch import print_error

_Stream = tuple[Kind, int]
_Column = tuple[Kind, Any]
_PLURALS: Mapping[Kind, str] = {"match": "matches", "book": "books", "night": "nights"}
"""The kinds of streams, each with its plural."""
_TIME_COLUMNS = ("created_at", "at", "last_seen")
"""The columns that say when a row was made, or when a phone was seen last."""
_NEVER, _JUST_NOW = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
Group = dict[Kind, list[int]]
"""The ids of matches, books and nights that are linked, by kind; removed together or not at all."""


def _id_columns(table: sa.Table) -> list[_Column]:
    """Return the columns of a table that have the id of a match, a book or a night."""
    columns = [(table, table.c.get("id")), *((key.column.table, key.parent) for key in table.foreign_keys)]
    return [(kind, column) for kind in _PLURALS for referred, column in columns if referred.name == kind]


_ID_COLUMNS_BY_TABLE = {table: _id_columns(table) for table in metadata.sorted_tables}
"""The columns of each table that have the id of a match, a book or a night."""


def find_unused(session: Session, before: datetime, among: Group | None = None) -> list[Group]:
    """Return the groups not used since `before`; with `among`, look only at the members of that group."""
    used: dict[_Stream, datetime] = {}
    for table, columns in _ID_COLUMNS_BY_TABLE.items():
        for time in [table.c[name] for name in _TIME_COLUMNS if name in table.c]:
            for kind, column in columns:
                latest = sa.select(column, sa.func.max(time)).where(column.is_not(None)).group_by(column)
                for stream_id, at in _rows_of_group(session, latest, [(kind, column)], among):
                    used[kind, stream_id] = max(used.get((kind, stream_id), _NEVER), utc(at))
    return [
        {wanted: sorted(stream_id for kind, stream_id in group if kind == wanted) for wanted in _PLURALS}
        for group in _linked_groups(session, used, among)
        if max(used.get(stream, _JUST_NOW) for stream in group) < before
    ]


def _linked_groups(session: Session, streams: Iterable[_Stream], among: Group | None) -> Iterable[set[_Stream]]:
    """Return the groups of matches, books and nights that are linked through a row of some table."""
    groups = {stream: {stream} for stream in streams}
    for columns in _ID_COLUMNS_BY_TABLE.values():
        for (kind, column), (other_kind, other) in pairwise(columns):
            tied = sa.select(column, other).where(column.is_not(None), other.is_not(None)).distinct()
            for one, another in _rows_of_group(session, tied, [(kind, column), (other_kind, other)], among):
                pair = (kind, one), (other_kind, another)
                smaller, larger = sorted((groups.setdefault(stream, {stream}) for stream in pair), key=len)
                larger |= smaller
                groups |= dict.fromkeys(smaller, larger)
    return {id(group): group for group in groups.values()}.values()


def _rows_of_group(session: Session, found: Any, columns: Sequence[_Column], among: Group | None) -> Iterator[Any]:
    """Yield the rows of a query; with `among`, only those where one of these columns has an id of that group."""
    if among is None:
        yield from session.execute(found)
        return
    for kind, column in columns:
        for part in split_into_chunks(among[kind], IDS_AT_ONCE):
            yield from session.execute(found.where(column.in_(part)))


def link_codes(session: Session, found: Group) -> Iterator[str]:
    """Yield the codes of all links to the members of a group, and of its invitations."""
    for table, columns in _ID_COLUMNS_BY_TABLE.items():
        if "code" in table.c:
            for codes in (_rows_of_group(session, sa.select(table.c.code), [column], found) for column in columns):
                yield from (code for (code,) in codes)


def lock_group(session: Session, found: Group) -> None:
    """Lock the rows of a group for other transactions until this one ends; call it before reading anything."""
    for kind in _PLURALS:
        column = metadata.tables[kind].c.id
        for part in split_into_chunks(found[kind], IDS_AT_ONCE):
            # SQLite waits for other transactions on a write, PostgreSQL on SELECT … FOR UPDATE.
            session.execute(sa.update(column.table).where(column.in_(part)).values(id=column))
            session.execute(sa.select(column).where(column.in_(part)).with_for_update())


FILES_KEPT_FOR = timedelta(days=30)
"""How long the files of what was removed are kept."""
CHECKS_NEEDED, CHECK_INTERVAL = 48, timedelta(hours=1)
"""How many checks must precede a removal, and how far apart: a clock wrong for a day removes nothing."""
_CHECKS_FILE = "looks"
"""The name of the file with the times of the last checks."""
_KEPT_FILE_NAME = re.compile(r"(?:match|book|night)-(\d{4}-\d\d-\d\d)-.+")
"""The name of a kept file: the kind, the day of removal, and the uid."""

log = logging.getLogger(__name__)


class RemovalResult(NamedTuple):
    """The result of a removal."""

    counts: Counter[Kind]
    """How many matches, books and nights were removed."""
    unreadable: int
    """How many groups stay because no file could be made of them."""


def check_and_remove_unused(app: Flask) -> None:
    """Remove what nobody has used for the days in the settings, and old files; errors are only logged."""
    folder, days = folder_of_removed_files(app), app.config["KEEP_UNUSED"]
    try:
        with app.app_context(), try_single_server_lock(app) as is_one:
            if not is_one:  # what another server writes is not finished yet
                return
            delete_old_files(folder)
            if days:
                _note_check_and_remove(folder, timedelta(days=days))
    except OSError as fault:
        log.error("What nobody uses stays: %s. Check the disk, and the rights of %s.", fault.strerror, folder)
    except Exception as error:
        print_error(error, "removing what nobody uses")


def _note_check_and_remove(folder: Path, kept: timedelta) -> None:
    """Note a check, and remove what is unused once there were enough checks; log and print the result."""
    look = note_check(folder, datetime.now(UTC))
    if look is None:
        return
    done = remove_unused(db.session, folder, look - kept)
    if done.unreadable:
        log.error("Of %d that nobody uses no file could be made, so they stay.", done.unreadable)
    if counts := [f"{_PLURALS[kind]} {count}" for kind, count in done.counts.items() if count]:
        until = date.today() + FILES_KEPT_FOR
        print(f"Removed what nobody uses: {join_words(counts)}. Until {until} the files are in {folder}.", flush=True)


def note_check(folder: Path, now: datetime) -> datetime | None:
    """Note a check, and return the earliest of the last `CHECKS_NEEDED`; `None` until there are so many.

    Raises `OSError`.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file, looks = folder / _CHECKS_FILE, list[datetime]()
    with suppress(FileNotFoundError, ValueError):
        looks = [datetime.fromisoformat(line) for line in file.read_text().split()]
    if not looks or not timedelta() <= now - looks[-1] < CHECK_INTERVAL:
        looks = [*looks, now][-CHECKS_NEEDED:]
        fresh = folder / f"{_CHECKS_FILE}{UNFINISHED_ENDING}"
        fresh.write_text("".join(f"{at.isoformat()}\n" for at in looks))
        fresh.replace(file)
    return min(looks) if len(looks) == CHECKS_NEEDED else None


def remove_unused(session: Session, folder: Path, before: datetime) -> RemovalResult:
    """Remove and commit the groups not used since `before`, each after writing its files into the folder.

    Raises `OSError` where a file cannot be written; then its group stays.
    """
    counts, unreadable = Counter[Kind](), 0
    found = find_unused(session, before)
    session.rollback()
    for unused in found:
        try:
            _write_group_files(session, folder, unused)
        except (UnreadableEvent, UnscorableMatch):
            unreadable += 1
            continue
        finally:
            session.rollback()
        if _remove_group(session, unused, before):
            counts.update({kind: len(ids) for kind, ids in unused.items()})
    return RemovalResult(counts, unreadable)


def _remove_group(session: Session, found: Group, before: datetime) -> bool:
    """Remove a group and commit, unless it was used since its files were written; return whether it was removed."""
    lock_group(session, found)
    is_here = phones.is_any_here(link_codes(session, found))
    if is_here or find_unused(session, before, found) != [found]:
        session.rollback()
        return False
    delete_and_commit(session, found)
    # SQLite reuses the id of the last match for the next one, which must not get what is cached of the removed one.
    clear_all_caches()
    return True


def delete_old_files(folder: Path) -> None:
    """Delete the files kept for longer than `FILES_KEPT_FOR`, and unfinished ones."""
    oldest = date.today() - FILES_KEPT_FOR
    for file in [*folder.glob("*")]:
        name = _KEPT_FILE_NAME.fullmatch(file.name)
        if file.name.endswith(UNFINISHED_ENDING) or (name and name[1] < oldest.isoformat()):
            file.unlink(missing_ok=True)


def _write_group_files(session: Session, folder: Path, found: Group) -> None:
    """Write the files of a group, and sync them to the disk; raises `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for kind, name, content in _group_files(session, found):
        fresh = folder / f"{token_hex(8)}{UNFINISHED_ENDING}"
        try:
            with create_private_file(fresh) as file:
                file.write(content)
            fresh.replace(folder / f"{kind}-{date.today()}-{name}")
        finally:
            fresh.unlink(missing_ok=True)
    sync_folder(folder)


def _group_files(session: Session, found: Group) -> Iterator[tuple[Kind, str, bytes]]:
    """Yield the files that keep what a group holds: for each its kind, its uid with an ending, and its content."""
    in_books = {match_id for book_id in found["book"] for match_id in books.match_ids_of(session, book_id)}
    for book_id in found["book"]:
        uid, _ = books.uid_and_start(session, book_id)
        write_book_file(session, book_id, packed := BytesIO())
        yield "book", f"{uid}.gz", packed.getvalue()
    for part in split_into_chunks(found["match"], IDS_AT_ONCE):
        for setup in matches.setups_by_ids(session, part):
            # A book's file leaves out what nobody could import.
            if setup.id not in in_books or readable_ruleset_of(session, setup) is None:
                log = fold(MATCH_EVENTS.load(session, setup.id))
                record = export_record(session, read_library(RULESETS), setup, log)
                yield "match", f"{setup.uid}.json", record_file(record).encode()
    for night_id in found["night"]:
        night = night_of_link(session, NightLink(0, "", OWNER, night_id))
        if night.setup.book_id is None:
            write_night_csv(night.night, table := BytesIO())
            yield "night", f"{night.setup.uid}.csv", table.getvalue()
