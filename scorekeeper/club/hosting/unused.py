"""Remove matches, books and nights that nobody has used for long, after saving them as files.

A match is removed in a group with its book, its ladder night and its money night. While one member of a group is used,
the whole group stays.
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

MAX_IDS_PER_STATEMENT = 500
"""The most ids in one SQL statement."""
_Stream = tuple[Kind, int]
"""The kind and the id of a match, a book or a night."""
_Column = tuple[Kind, Any]
"""A kind of stream, and a column that contains ids of streams of that kind."""
_PLURALS_BY_KIND: Mapping[Kind, str] = {"match": "matches", "book": "books", "night": "nights"}
_TIME_COLUMN_NAMES = ("created_at", "at", "last_seen")
"""The columns with the time when a row was made, or when a phone was last seen."""
_NEVER, _STILL_IN_USE = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
Group = dict[Kind, list[int]]
"""The ids of matches, books and nights that are removed together or not at all, sorted and keyed by kind."""


def _id_columns(table: sa.Table) -> list[_Column]:
    """Return the columns of a table that contain ids of matches, books or nights."""
    tables_and_columns = [(table, table.c.get("id")), *((key.column.table, key.parent) for key in table.foreign_keys)]
    return [
        (kind, column)
        for kind in _PLURALS_BY_KIND
        for referred_table, column in tables_and_columns
        if referred_table.name == kind
    ]


_ID_COLUMNS_BY_TABLE = {table: _id_columns(table) for table in metadata.sorted_tables}
"""The columns of each table that contain ids of matches, books or nights."""


def find_unused(session: Session, before: datetime, only_group: Group | None = None) -> list[Group]:
    """Return the groups that were last used before `before`; with `only_group`, check just that group.

    A group is in use when a row about a member is added, or when a phone with a link to a member is seen.
    """
    last_used_at: dict[_Stream, datetime] = {}
    for table, columns in _ID_COLUMNS_BY_TABLE.items():
        for time_column in [table.c[name] for name in _TIME_COLUMN_NAMES if name in table.c]:
            for kind, column in columns:
                query = sa.select(column, sa.func.max(time_column)).where(column.is_not(None)).group_by(column)
                for stream_id, at in _rows_of_group(session, query, [(kind, column)], only_group):
                    last_used_at[kind, stream_id] = max(last_used_at.get((kind, stream_id), _NEVER), utc(at))
    return [
        {
            kind: sorted(stream_id for other_kind, stream_id in streams if other_kind == kind)
            for kind in _PLURALS_BY_KIND
        }
        for streams in _linked_streams(session, last_used_at, only_group)
        if max(last_used_at.get(stream, _STILL_IN_USE) for stream in streams) < before
    ]


def _linked_streams(session: Session, streams: Iterable[_Stream], only_group: Group | None) -> Iterable[set[_Stream]]:
    """Return streams as sets, in which two streams are together if a row refers to both.

    With `only_group`, just the rows about that group are read.
    """
    sets_by_stream = {stream: {stream} for stream in streams}
    for columns in _ID_COLUMNS_BY_TABLE.values():
        for (kind, column), (other_kind, other_column) in pairwise(columns):
            query = sa.select(column, other_column).where(column.is_not(None), other_column.is_not(None)).distinct()
            id_columns = [(kind, column), (other_kind, other_column)]
            for stream_id, other_id in _rows_of_group(session, query, id_columns, only_group):
                linked_streams = (kind, stream_id), (other_kind, other_id)
                smaller, larger = sorted(
                    (sets_by_stream.setdefault(stream, {stream}) for stream in linked_streams), key=len
                )
                larger |= smaller
                sets_by_stream |= dict.fromkeys(smaller, larger)
    return {id(linked_set): linked_set for linked_set in sets_by_stream.values()}.values()


def _rows_of_group(session: Session, query: Any, columns: Sequence[_Column], only_group: Group | None) -> Iterator[Any]:
    """Yield the rows of a query; with `only_group`, just those with an id of the group in one of the `columns`."""
    if only_group is None:
        yield from session.execute(query)
        return
    for kind, column in columns:
        for chunk in split_into_chunks(only_group[kind], MAX_IDS_PER_STATEMENT):
            yield from session.execute(query.where(column.in_(chunk)))


def link_codes(session: Session, group: Group) -> Iterator[str]:
    """Yield the codes of all links and invitations to the matches, books and nights of a group."""
    for table, columns in _ID_COLUMNS_BY_TABLE.items():
        if "code" in table.c:
            for rows in (_rows_of_group(session, sa.select(table.c.code), [column], group) for column in columns):
                yield from (code for (code,) in rows)


def lock_group(session: Session, group: Group) -> None:
    """Lock the rows of a group until this transaction ends; the transaction must not have read anything before."""
    for kind in _PLURALS_BY_KIND:
        id_column = metadata.tables[kind].c.id
        for chunk in split_into_chunks(group[kind], MAX_IDS_PER_STATEMENT):
            # SQLite waits for other transactions on a write, PostgreSQL on SELECT … FOR UPDATE.
            session.execute(sa.update(id_column.table).where(id_column.in_(chunk)).values(id=id_column))
            session.execute(sa.select(id_column).where(id_column.in_(chunk)).with_for_update())


def delete_and_commit(session: Session, ids_by_kind: Mapping[Kind, Sequence[int]]) -> None:
    """Delete matches, books and nights, with all rows that belong to them, and commit."""
    for kind, ids in ids_by_kind.items():
        table = metadata.tables[kind]
        for chunk in split_into_chunks(ids, MAX_IDS_PER_STATEMENT):
            session.execute(sa.delete(table).where(table.c.id.in_(chunk)))
    session.commit()


FILES_KEPT_FOR = timedelta(days=30)
"""How long the files of removed matches, books and nights are kept."""
CHECKS_NEEDED, CHECK_INTERVAL = 48, timedelta(hours=1)
"""How many checks a removal needs, and the time between them.

Since they take two days, nothing is removed by a clock that is wrong for a day.
"""
_CHECKS_FILE_NAME = "looks"
"""The name of the file with the times of the last checks."""
_KEPT_FILE_NAME = re.compile(r"(?:match|book|night)-(\d{4}-\d\d-\d\d)-.+")
"""The pattern of a kept file's name, "match-2026-11-21-UID.json": kind, day of the removal, uid and extension."""

_logger = logging.getLogger(__name__)


class RemovalResult(NamedTuple):
    """How much was removed as unused, and how much could not be removed."""

    counts_by_kind: Counter[Kind]
    """How many matches, books and nights were removed."""
    unreadable_count: int
    """The number of groups that stay because they could not be saved as files."""


def check_and_remove_unused(app: Flask) -> None:
    """Delete old files, and remove what nobody has used for as many days as the setting `KEEP_UNUSED` says.

    While another server has the lock, do nothing. An `OSError` is logged rather than raised.
    """
    folder, days = folder_of_removed_files(app), app.config["KEEP_UNUSED"]
    try:
        with app.app_context(), try_single_server_lock(app) as is_only_server:
            if not is_only_server:  # what another server writes is not finished yet
                return
            delete_old_files(folder)
            if days:
                _note_check_and_remove(folder, timedelta(days=days))
    except OSError as error:
        _logger.error("What nobody uses stays: %s. Check the disk, and the rights of %s.", error.strerror, folder)


def _note_check_and_remove(folder: Path, unused_for: timedelta) -> None:
    """Record a check and, if `CHECKS_NEEDED` are recorded, remove what nobody uses; log and print the result.

    A group is removed if it had been unused for `unused_for` at the first of these checks. Raises `OSError`.
    """
    first_checked_at = note_check(folder, datetime.now(UTC))
    if first_checked_at is None:
        return
    result = remove_unused(db.session, folder, first_checked_at - unused_for)
    if result.unreadable_count:
        _logger.error("Of %d that nobody uses no file could be made, so they stay.", result.unreadable_count)
    if phrases := [f"{_PLURALS_BY_KIND[kind]} {count}" for kind, count in result.counts_by_kind.items() if count]:
        last_day = date.today() + FILES_KEPT_FOR
        print(
            f"Removed what nobody uses: {join_words(phrases)}. Until {last_day} the files are in {folder}.", flush=True
        )


def note_check(folder: Path, now: datetime) -> datetime | None:
    """Record a check in a file, and return the time of the first of the last `CHECKS_NEEDED` checks.

    Return `None` as long as fewer checks are recorded. A check within `CHECK_INTERVAL` of the last check is not
    recorded. Raises `OSError`.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    checks_file, check_times = folder / _CHECKS_FILE_NAME, list[datetime]()
    with suppress(FileNotFoundError, ValueError):
        check_times = [datetime.fromisoformat(line) for line in checks_file.read_text().split()]
    if not check_times or not timedelta() <= now - check_times[-1] < CHECK_INTERVAL:
        check_times = [*check_times, now][-CHECKS_NEEDED:]
        with replace_private_file(checks_file) as file:
            file.writelines(f"{check_time.isoformat()}\n".encode() for check_time in check_times)
    return min(check_times) if len(check_times) == CHECKS_NEEDED else None


def remove_unused(session: Session, folder: Path, before: datetime) -> RemovalResult:
    """Save each group that was last used before `before` as files in a folder, then remove the group and commit.

    A group that cannot be read, or is in use again, stays. Raises `OSError` if a file cannot be written; then all
    groups stay that are not removed yet.
    """
    counts_by_kind, unreadable_count = Counter[Kind](), 0
    groups = find_unused(session, before)
    session.rollback()
    for group in groups:
        try:
            files = _write_group_files(session, folder, group)
        except UnreadableEvent:
            unreadable_count += 1
            continue
        finally:
            session.rollback()
        if _remove_group(session, group, before):
            counts_by_kind.update({kind: len(ids) for kind, ids in group.items()})
        else:
            for file in files:
                file.unlink(missing_ok=True)
    return RemovalResult(counts_by_kind, unreadable_count)


def _remove_group(session: Session, group: Group, before: datetime) -> bool:
    """Remove a group and commit, unless the group is in use again; return whether it was removed.

    A removal clears all caches.
    """
    lock_group(session, group)
    is_open_on_phone = phones.is_any_phone_here(link_codes(session, group))
    if is_open_on_phone or find_unused(session, before, group) != [group]:
        session.rollback()
        return False
    delete_and_commit(session, group)
    # SQLite reuses the id of the last match for the next match, which must not get what is cached of the removed one.
    clear_all_caches()
    return True


def last_day_of_file(file: Path) -> date | None:
    """Return the last day on which the file of a removed match, book or night is kept; `None` for any other file."""
    name_match = _KEPT_FILE_NAME.fullmatch(file.name)
    return date.fromisoformat(name_match[1]) + FILES_KEPT_FOR if name_match else None


def delete_old_files(folder: Path) -> None:
    """Delete the files in a folder that are older than `FILES_KEPT_FOR` or were never finished."""
    for file in [*folder.glob("*")]:
        last_day = last_day_of_file(file)
        if file.name.endswith(UNFINISHED_ENDING) or (last_day and last_day < date.today()):
            file.unlink(missing_ok=True)


def files_with_uids(folder: Path, uids: Collection[str]) -> Iterator[Path]:
    """Yield the files of removed matches, books and nights that have one of these uids in their content or name."""
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
    # All are read before the first is written: a group that cannot be read as a whole leaves no file.
    for kind, name, content in [*_group_files(session, group)]:
        files.append(folder / f"{kind}-{date.today()}-{name}")
        with replace_private_file(files[-1]) as file:
            file.write(content)
    sync_folder(folder)
    return files


def _group_files(session: Session, group: Group) -> Iterator[tuple[Kind, str, bytes]]:
    """Yield the kind, name and content of each file that saves a group: ("match", "UID.json", content).

    A match or a night has a file of its own only if no book's file contains it. Raises `UnreadableEvent`.
    """
    ids_in_books = {match_id for book_id in group["book"] for match_id in books.match_ids_of(session, book_id)}
    left_out = list[LeftOut]()
    for book_id in group["book"]:
        books.BOOK_EVENTS.load(session, book_id)  # raises `UnreadableEvent`: the file of a book has what can be read
        uid, _ = books.uid_and_start(session, book_id)
        left_out += write_book_file(session, book_id, book_file := BytesIO())
        yield "book", f"{uid}.gz", book_file.getvalue()
    for chunk in split_into_chunks(group["match"], MAX_IDS_PER_STATEMENT):
        for setup in matches.setups_by_ids(session, chunk):
            if setup.id not in ids_in_books or setup in left_out:
                log = fold(MATCH_EVENTS.load(session, setup.id))
                record = export_record(session, read_library(RULESETS), setup, log)
                yield "match", f"{setup.uid}.json", record_as_text(record).encode()
    for night_id in group["night"]:
        access = ladder_night_of_link(session, Link(0, "", OWNER, night_id, "night"))
        if access.setup.book_id is None:
            yield "night", f"{access.setup.uid}.csv", ladder_night_csv(access.night)
