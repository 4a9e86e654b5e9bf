"""Removes matches, books and nights that nobody has used for long, after saving them as files.

What belongs together is removed as a group: a match with its book, its ladder night and its money night. While one
member is used, the whole group stays.
"""

import gzip
import logging
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access import phones
from scorekeeper.access.roles import Kind, Link
from scorekeeper.book import store as books
from scorekeeper.club.book_files.service import write_book_file
from scorekeeper.club.hosting.serving import folder_of_removed_files
from scorekeeper.club.nights.book_nights import ladder_night_csv
from scorekeeper.club.nights.service import ladder_night_of_link
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import try_single_server_lock
from scorekeeper.database.rows import split_into_chunks, utc
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.eventlog.store import UnreadableEvent
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches import store as matches
from scorekeeper.matches.files.import_export import export_record, record_as_text
from scorekeeper.matches.log import fold
from scorekeeper.matches.match_list import LeftOut
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.operating_system import UNFINISHED_ENDING, replace_private_file, sync_folder
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.pitch.rules.phrases import join_words

IDS_AT_ONCE = 500
"""The most ids in one SQL statement."""
_Stream = tuple[Kind, int]
"""The kind and the id of a match, a book or a night."""
_Column = tuple[Kind, Any]
"""A kind of stream, and a column that contains ids of streams of that kind."""
_PLURALS: Mapping[Kind, str] = {"match": "matches", "book": "books", "night": "nights"}
"""The kinds of streams, each with its plural."""
_TIME_COLUMNS = ("created_at", "at", "last_seen")
"""The columns that say when a row was made, or when a phone was seen last."""
_NEVER, _STILL_IN_USE = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
Group = dict[Kind, list[int]]
"""The ids of matches, books and nights that belong together, by kind, sorted: removed together or not at all."""


def _id_columns(table: sa.Table) -> list[_Column]:
    """Return the columns of a table that contain ids of matches, books or nights."""
    columns = [(table, table.c.get("id")), *((key.column.table, key.parent) for key in table.foreign_keys)]
    return [(kind, column) for kind in _PLURALS for referred, column in columns if referred.name == kind]


_ID_COLUMNS_BY_TABLE = {table: _id_columns(table) for table in metadata.sorted_tables}
"""The columns of each table that contain ids of matches, books or nights."""


def find_unused(session: Session, before: datetime, only: Group | None = None) -> list[Group]:
    """Return the groups that were not used since `before`; with `only`, check just that group.

    A group is in use when a row about a member is added, or when a phone with a link to a member is seen.
    """
    used: dict[_Stream, datetime] = {}
    for table, columns in _ID_COLUMNS_BY_TABLE.items():
        for time in [table.c[name] for name in _TIME_COLUMNS if name in table.c]:
            for kind, column in columns:
                latest = sa.select(column, sa.func.max(time)).where(column.is_not(None)).group_by(column)
                for stream_id, at in _rows_of_group(session, latest, [(kind, column)], only):
                    used[kind, stream_id] = max(used.get((kind, stream_id), _NEVER), utc(at))
    return [
        {wanted: sorted(stream_id for kind, stream_id in group if kind == wanted) for wanted in _PLURALS}
        for group in _linked_groups(session, used, only)
        if max(used.get(stream, _STILL_IN_USE) for stream in group) < before
    ]


def _linked_groups(session: Session, streams: Iterable[_Stream], only: Group | None) -> Iterable[set[_Stream]]:
    """Return the streams in groups: two to which one row refers are in one group.

    With `only`, just the rows about that group are read.
    """
    groups = {stream: {stream} for stream in streams}
    for columns in _ID_COLUMNS_BY_TABLE.values():
        for (kind, column), (other_kind, other) in pairwise(columns):
            linked = sa.select(column, other).where(column.is_not(None), other.is_not(None)).distinct()
            for one, another in _rows_of_group(session, linked, [(kind, column), (other_kind, other)], only):
                pair = (kind, one), (other_kind, another)
                smaller, larger = sorted((groups.setdefault(stream, {stream}) for stream in pair), key=len)
                larger |= smaller
                groups |= dict.fromkeys(smaller, larger)
    return {id(group): group for group in groups.values()}.values()


def _rows_of_group(session: Session, query: Any, columns: Sequence[_Column], only: Group | None) -> Iterator[Any]:
    """Yield the rows of a query; with `only`, just those about that group.

    `columns` are those in which the ids of the group are looked up.
    """
    if only is None:
        yield from session.execute(query)
        return
    for kind, column in columns:
        for part in split_into_chunks(only[kind], IDS_AT_ONCE):
            yield from session.execute(query.where(column.in_(part)))


def link_codes(session: Session, group: Group) -> Iterator[str]:
    """Yield the codes of all links and invitations to the matches, books and nights of a group."""
    for table, columns in _ID_COLUMNS_BY_TABLE.items():
        if "code" in table.c:
            for codes in (_rows_of_group(session, sa.select(table.c.code), [column], group) for column in columns):
                yield from (code for (code,) in codes)


def lock_group(session: Session, group: Group) -> None:
    """Lock the rows of a group until this transaction ends.

    The transaction must not have read anything before.
    """
    for kind in _PLURALS:
        column = metadata.tables[kind].c.id
        for part in split_into_chunks(group[kind], IDS_AT_ONCE):
            # SQLite waits for other transactions on a write, PostgreSQL on SELECT … FOR UPDATE.
            session.execute(sa.update(column.table).where(column.in_(part)).values(id=column))
            session.execute(sa.select(column).where(column.in_(part)).with_for_update())


def delete_and_commit(session: Session, ids: Mapping[Kind, Sequence[int]]) -> None:
    """Delete matches, books and nights, with all rows that belong to them, and commit."""
    for kind, ids_of_kind in ids.items():
        table = metadata.tables[kind]
        for part in split_into_chunks(ids_of_kind, IDS_AT_ONCE):
            session.execute(sa.delete(table).where(table.c.id.in_(part)))
    session.commit()


FILES_KEPT_FOR = timedelta(days=30)
"""How long the files of removed matches, books and nights are kept."""
CHECKS_NEEDED, CHECK_INTERVAL = 48, timedelta(hours=1)
"""How many checks a removal needs, and how far apart: a clock that is wrong for a day removes nothing."""
_CHECKS_FILE = "looks"
"""The name of the file with the times of the last checks."""
_KEPT_FILE_NAME = re.compile(r"(?:match|book|night)-(\d{4}-\d\d-\d\d)-.+")
"""The pattern of a kept file's name: the kind, the day of the removal, and the uid with an extension."""

_logger = logging.getLogger(__name__)


class RemovalResult(NamedTuple):
    """How much was removed as unused, and how much could not be."""

    counts: Counter[Kind]
    """How many matches, books and nights were removed."""
    unreadable: int
    """The number of groups that stay because they could not be saved as files."""


def check_and_remove_unused(app: Flask) -> None:
    """Delete old files, and remove what nobody has used for as many days as the setting `KEEP_UNUSED` says.

    Does nothing while another server has the lock. An `OSError` is only logged.
    """
    folder, days = folder_of_removed_files(app), app.config["KEEP_UNUSED"]
    try:
        with app.app_context(), try_single_server_lock(app) as is_only_server:
            if not is_only_server:  # what another server writes is not finished yet
                return
            delete_old_files(folder)
            if days:
                _note_check_and_remove(folder, timedelta(days=days))
    except OSError as fault:
        _logger.error("What nobody uses stays: %s. Check the disk, and the rights of %s.", fault.strerror, folder)


def _note_check_and_remove(folder: Path, unused_for: timedelta) -> None:
    """Record a check and, after `CHECKS_NEEDED`, remove what nobody uses; log and print the result.

    To be removed, a group must have been unused for `unused_for` at the first of these checks. Raises `OSError`.
    """
    earliest = note_check(folder, datetime.now(UTC))
    if earliest is None:
        return
    result = remove_unused(db.session, folder, earliest - unused_for)
    if result.unreadable:
        _logger.error("Of %d that nobody uses no file could be made, so they stay.", result.unreadable)
    if counts := [f"{_PLURALS[kind]} {count}" for kind, count in result.counts.items() if count]:
        until = date.today() + FILES_KEPT_FOR
        print(f"Removed what nobody uses: {join_words(counts)}. Until {until} the files are in {folder}.", flush=True)


def note_check(folder: Path, now: datetime) -> datetime | None:
    """Record a check in a file, and return the time of the first of the last `CHECKS_NEEDED` checks.

    `None` as long as there are fewer. A check within `CHECK_INTERVAL` of the last one is not recorded. Raises
    `OSError`.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file, checks = folder / _CHECKS_FILE, list[datetime]()
    with suppress(FileNotFoundError, ValueError):
        checks = [datetime.fromisoformat(line) for line in file.read_text().split()]
    if not checks or not timedelta() <= now - checks[-1] < CHECK_INTERVAL:
        checks = [*checks, now][-CHECKS_NEEDED:]
        with replace_private_file(file) as written:
            written.writelines(f"{at.isoformat()}\n".encode() for at in checks)
    return min(checks) if len(checks) == CHECKS_NEEDED else None


def remove_unused(session: Session, folder: Path, before: datetime) -> RemovalResult:
    """Save each group not used since `before` as files in a folder, then remove it and commit.

    A group that cannot be read, or is in use again, stays. Raises `OSError` if a file cannot be written; the groups not
    yet removed stay.
    """
    counts, unreadable = Counter[Kind](), 0
    groups = find_unused(session, before)
    session.rollback()
    for group in groups:
        try:
            files = _write_group_files(session, folder, group)
        except UnreadableEvent:
            unreadable += 1
            continue
        finally:
            session.rollback()
        if _remove_group(session, group, before):
            counts.update({kind: len(ids) for kind, ids in group.items()})
        else:
            for file in files:
                file.unlink(missing_ok=True)
    return RemovalResult(counts, unreadable)


def _remove_group(session: Session, group: Group, before: datetime) -> bool:
    """Remove a group and commit, unless it is in use again; return whether it was removed.

    A removal clears all caches.
    """
    lock_group(session, group)
    is_open_on_phone = phones.is_any_phone_here(link_codes(session, group))
    if is_open_on_phone or find_unused(session, before, group) != [group]:
        session.rollback()
        return False
    delete_and_commit(session, group)
    # SQLite reuses the id of the last match for the next one, which must not get what is cached of the removed one.
    clear_all_caches()
    return True


def last_day_of_file(file: Path) -> date | None:
    """Return the last day on which a file of something removed is kept; `None` for any other file."""
    name = _KEPT_FILE_NAME.fullmatch(file.name)
    return date.fromisoformat(name[1]) + FILES_KEPT_FOR if name else None


def delete_old_files(folder: Path) -> None:
    """Delete the files in a folder that are older than `FILES_KEPT_FOR` or were never finished."""
    for file in [*folder.glob("*")]:
        last_day = last_day_of_file(file)
        if file.name.endswith(UNFINISHED_ENDING) or (last_day and last_day < date.today()):
            file.unlink(missing_ok=True)


def files_with_uids(folder: Path, uids: Collection[str]) -> Iterator[Path]:
    """Yield the files of what was removed that have one of these uids in their content or name."""
    for file in sorted(filter(last_day_of_file, folder.glob("*"))):
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.name.encode()
        if any(uid.encode() in content for uid in uids):
            yield file


def _write_group_files(session: Session, folder: Path, group: Group) -> list[Path]:
    """Write the files of a group into a folder, sync them to the disk, and return them.

    Raises `OSError`, and `UnreadableEvent` if the group cannot be read.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = []
    # Read before the first is written: a group that cannot be read as a whole leaves no file.
    for kind, name, content in [*_group_files(session, group)]:
        files.append(folder / f"{kind}-{date.today()}-{name}")
        with replace_private_file(files[-1]) as file:
            file.write(content)
    sync_folder(folder)
    return files


def _group_files(session: Session, group: Group) -> Iterator[tuple[Kind, str, bytes]]:
    """Yield the kind, name and content of each file that saves a group.

    A match or a night has a file of its own only if no book's file contains it. Raises `UnreadableEvent`.
    """
    in_books = {match_id for book_id in group["book"] for match_id in books.match_ids_of(session, book_id)}
    left_out = list[LeftOut]()
    for book_id in group["book"]:
        books.BOOK_EVENTS.load(session, book_id)  # raises `UnreadableEvent`: the file of a book has what can be read
        uid, _ = books.uid_and_start(session, book_id)
        left_out += write_book_file(session, book_id, book_file := BytesIO())
        yield "book", f"{uid}.gz", book_file.getvalue()
    for part in split_into_chunks(group["match"], IDS_AT_ONCE):
        for setup in matches.setups_by_ids(session, part):
            if setup.id not in in_books or setup in left_out:
                log = fold(MATCH_EVENTS.load(session, setup.id))
                record = export_record(session, read_library(RULESETS), setup, log)
                yield "match", f"{setup.uid}.json", record_as_text(record).encode()
    for night_id in group["night"]:
        night = ladder_night_of_link(session, Link(0, "", OWNER, night_id, "night"))
        if night.setup.book_id is None:
            yield "night", f"{night.setup.uid}.csv", ladder_night_csv(night.night)
