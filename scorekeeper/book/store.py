"""The queries for books, their events and the matches in them. None of them commits.

The list of a book's matches, with their players, days and variants, is read without any hands.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import Link
from scorekeeper.book.events import BOOK_EVENT_KINDS
from scorekeeper.database.rows import Row, Select, insert_row, utc
from scorekeeper.database.tables import BookEventRow, BookMatchRow, BookRow, DeviceMatchRow, EventRow, LinkRow, MatchRow
from scorekeeper.eventlog.store import EventTable, UnreadableEvent, read_event_row
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches.events import EVENT_KINDS
from scorekeeper.matches.log import fold, match_day
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import IS_LISTED_KIND, SETUP_COLUMNS, read_setups
from scorekeeper.pitch.text.phrases import group_by_key

BOOK_EVENTS = EventTable(BookEventRow.__table__, "book_id", BOOK_EVENT_KINDS)


_BOOKS, _MATCHES, _EVENTS, _LINKS, _VISITS, _BOOK_MATCHES = (
    row.__table__ for row in (BookRow, MatchRow, EventRow, LinkRow, DeviceMatchRow, BookMatchRow)
)
_SELECT_MATCH_IDS_IN_BOOK = (
    sa.select(_BOOK_MATCHES.c.match_id)
    .where(_BOOK_MATCHES.c.book_id == sa.bindparam("book_id"))
    .order_by(_BOOK_MATCHES.c.match_id)
)


def add_book(session: Session, uid: str, idempotency_key: str, created_at: datetime) -> int:
    """Insert a book and return its id."""
    return insert_row(session, _BOOKS, {"uid": uid, "client_key": idempotency_key, "created_at": created_at})


def book_id_of_match(session: Session, match_id: int) -> int | None:
    """Return the id of the book that a match is in; `None` if the match is in no book."""
    return session.execute(sa.select(_BOOK_MATCHES.c.book_id).where(_BOOK_MATCHES.c.match_id == match_id)).scalar()


def put_match(session: Session, match_id: int, book_id: int | None, *, old_book_id: int | None = None) -> None:
    """Move a match from the book `old_book_id` to the book `book_id`. `None` stands for no book.

    Raises `IntegrityError` if another phone has moved the match meanwhile.
    """
    is_in_old_book = _BOOK_MATCHES.c.match_id == match_id, _BOOK_MATCHES.c.book_id.is_not_distinct_from(old_book_id)
    session.execute(sa.delete(_BOOK_MATCHES).where(*is_in_old_book))
    put_matches(session, [match_id], book_id)


def put_matches(session: Session, match_ids: Iterable[int], book_id: int | None) -> None:
    """Put matches into a book. For `None`, note that they are to be in no book.

    Raises `IntegrityError` if one of them was put into a book, or noted for none, before.
    """
    if rows := [{"match_id": match_id, "book_id": book_id} for match_id in match_ids]:
        session.execute(sa.insert(_BOOK_MATCHES), rows)


def match_ids_of(session: Session, book_id: int) -> list[int]:
    """Return the ids of the matches in a book, in ascending order."""
    return list(session.execute(_SELECT_MATCH_IDS_IN_BOOK, {"book_id": book_id}).scalars())


def book_id_of_uid(session: Session, uid: str) -> int | None:
    """Return the id of the book with a uid; `None` if there is no such book."""
    return session.execute(sa.select(_BOOKS.c.id).where(_BOOKS.c.uid == uid)).scalar()


def uid_and_start(session: Session, book_id: int) -> tuple[str, datetime]:
    """Return the uid of a book, and when the book began."""
    row = session.execute(sa.select(_BOOKS.c.uid, _BOOKS.c.created_at).where(_BOOKS.c.id == book_id)).one()
    return row.uid, utc(row.created_at)


@dataclass(frozen=True, slots=True)
class IndexedMatch:
    """What lists of matches need of a match; its hands are not read."""

    id: int
    uid: str
    book_id: int | None
    link: Link | None
    """The link by which the device last opened the match; `None` without one, or if it has ended."""
    day: str
    """The day on which the match was played, in ISO 8601."""
    variant: str
    players: list[tuple[str, int, str, str]]
    """What `Book.people_in` needs of each player. Players without a name in the match are left out."""
    is_deleted: bool


_IS_VISIT_OF_MATCH_BY_DEVICE = sa.and_(_VISITS.c.match_id == _MATCHES.c.id, _VISITS.c.device == sa.bindparam("device"))
_IS_VISITED_LINK_IN_FORCE = sa.and_(_LINKS.c.id == _VISITS.c.link_id, _LINKS.c.revoked_at.is_(None))
_IDS_IN_BOOKS_OR_VISITED = sa.union(
    sa.select(_BOOK_MATCHES.c.match_id).where(_BOOK_MATCHES.c.book_id.in_(sa.bindparam("book_ids", expanding=True))),
    sa.select(_VISITS.c.match_id)
    .join(_LINKS, _IS_VISITED_LINK_IN_FORCE)
    .where(_VISITS.c.device == sa.bindparam("device")),
)
_ORIGINAL_DAY = sa.func.coalesce(_MATCHES.c.played_on, sa.cast(_MATCHES.c.created_at, sa.String))
_SELECT_NEWEST_IDS = (
    sa.select(_MATCHES.c.id)
    .where(_MATCHES.c.id.in_(_IDS_IN_BOOKS_OR_VISITED))
    .order_by(_ORIGINAL_DAY.desc(), _MATCHES.c.id.desc())
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)


def _listing_queries(match_ids: sa.ColumnElement[Any] | sa.CompoundSelect[Any]) -> tuple[Select, Select]:
    """Return a query for the matches with some ids, and one for the events of these matches that a list needs."""
    select_matches = (
        sa.select(
            *(_MATCHES.c[name] for name in "id uid created_at played_on zone variant seats sides".split()),
            _BOOK_MATCHES.c.book_id,
            *MATCH_LINKS.columns,
        )
        .outerjoin(_BOOK_MATCHES, _BOOK_MATCHES.c.match_id == _MATCHES.c.id)
        .outerjoin(_VISITS, _IS_VISIT_OF_MATCH_BY_DEVICE)
        .outerjoin(_LINKS, _IS_VISITED_LINK_IN_FORCE)
        .where(_MATCHES.c.id.in_(match_ids))
    )
    select_events: Select = sa.select(_EVENTS).where(_EVENTS.c.match_id.in_(match_ids), IS_LISTED_KIND)
    return select_matches, select_events.order_by(_EVENTS.c.match_id, _EVENTS.c.seq)


_QUERIES_FOR_ALL, _QUERIES_BY_ID = (
    _listing_queries(_IDS_IN_BOOKS_OR_VISITED),
    _listing_queries(sa.bindparam("ids", expanding=True)),
)


def indexed_matches(
    session: Session, book_ids: Sequence[int], device_digest: str = "", at_most: int | None = None
) -> list[IndexedMatch]:
    """Return the matches in these books and those that a device opened, the last played first.

    Deleted matches are included. If the link that the device used last has ended, the match does not count as opened.
    With `at_most`, only the newest are returned, by the days that the matches began with.
    """
    parameters: dict[str, object] = {"book_ids": list(book_ids), "device": device_digest}
    select_matches, select_events = _QUERIES_FOR_ALL
    if at_most is not None:
        parameters["ids"] = list(session.execute(_SELECT_NEWEST_IDS, {**parameters, "at_most": at_most}).scalars())
        select_matches, select_events = _QUERIES_BY_ID
    event_rows_by_match = group_by_key((row.match_id, row) for row in session.execute(select_events, parameters))
    matches = [
        _read_indexed_match(row, event_rows_by_match.get(row.id, ()))
        for row in session.execute(select_matches, parameters)
    ]
    return sorted(matches, key=lambda match: (match.day, match.id), reverse=True)


def _read_indexed_match(row: Row, event_rows: Sequence[Row]) -> IndexedMatch:
    """Return a match from its row and the rows of its events.

    If an event cannot be read, the match is returned as it began.
    """
    original_names = {seat["id"]: seat["name"] for seat in row.seats}
    nameless_ids = {stored_entry["id"] for stored_entry in (*row.seats, *row.sides) if stored_entry.get("unnamed")}
    players = [(seat, 0, name, name) for seat, name in original_names.items() if seat not in nameless_ids]
    played_on, is_deleted = row.played_on, False
    if event_rows:
        with suppress(UnreadableEvent):
            log = fold(read_event_row(event, EVENT_KINDS) for event in event_rows)
            players = [
                (
                    seat,
                    number,
                    log.typed_at(number).get(seat) or original_names[seat],
                    shown_name or original_names[seat],
                )
                for seat, number in log.tenures(original_names)
                if (shown_name := log.renamed_at(number).get(seat)) or seat not in nameless_ids
            ]
            played_on, is_deleted = log.remarks.get("played_on", played_on), log.is_deleted
    day = match_day(played_on, utc(row.created_at), row.zone)
    link = MATCH_LINKS.link_of_row(row) if row.link_id is not None else None
    return IndexedMatch(row.id, row.uid, row.book_id, link, day, row.variant, players, is_deleted)


@dataclass(frozen=True, slots=True)
class UnplacedMatch:
    """A match that is in no book while nobody decided so, and that phones can open."""

    id: int
    uid: str
    device: str | None
    """The digest of the device that owns the match; `None` if no device does, or if that was not looked up."""


_IS_UNPLACED = sa.and_(
    ~sa.exists().where(_BOOK_MATCHES.c.match_id == _MATCHES.c.id),
    # A match that is still being imported has no link yet, and is put into the book of its file.
    sa.select(_LINKS.c.id).where(_LINKS.c.match_id == _MATCHES.c.id).correlate(_MATCHES).exists(),
)
_OWNER_LINKS = _LINKS.alias("owners")
_OLDEST_OWNER_LINK_ID = (
    sa.select(sa.func.min(_OWNER_LINKS.c.id))
    .where(
        _OWNER_LINKS.c.match_id == _MATCHES.c.id,
        _OWNER_LINKS.c.role == OWNER,
        _OWNER_LINKS.c.revoked_at.is_(None),
        _OWNER_LINKS.c.book_link_id.is_(None),
    )
    .correlate(_MATCHES)
    .scalar_subquery()
)
_DIGEST_OF_LAST_VISITOR = (
    # Of several phones that opened one URL, the one that still does.
    sa.select(_VISITS.c.device)
    .where(_VISITS.c.link_id == _LINKS.c.id)
    .order_by(_VISITS.c.last_seen.desc(), _VISITS.c.device)
    .limit(1)
    .correlate(_LINKS)
    .scalar_subquery()
)
_DIGEST_OF_OWNING_DEVICE = sa.func.coalesce(_LINKS.c.device, _DIGEST_OF_LAST_VISITOR)


def owned_unplaced_matches(session: Session, after: int, at_most: int) -> list[UnplacedMatch]:
    """Return up to `at_most` unplaced matches that devices own, with ids above `after`, in order of their ids."""
    query: Select = sa.select(_MATCHES.c.id, _MATCHES.c.uid, _DIGEST_OF_OWNING_DEVICE).select_from(_MATCHES)
    query = query.join(_LINKS, _LINKS.c.id == _OLDEST_OWNER_LINK_ID).where(_DIGEST_OF_OWNING_DEVICE.is_not(None))
    return _select_unplaced(session, query, after, at_most)


def all_unplaced_matches(session: Session, after: int, at_most: int) -> list[UnplacedMatch]:
    """Return up to `at_most` unplaced matches with ids above `after`, in order of their ids.

    Their owners are not looked up.
    """
    return _select_unplaced(session, sa.select(_MATCHES.c.id, _MATCHES.c.uid, sa.null()), after, at_most)


def _select_unplaced(session: Session, query: Select, after: int, at_most: int) -> list[UnplacedMatch]:
    """Return up to `at_most` unplaced matches that a query selects, with ids above `after`, in order of their ids."""
    query = query.where(_IS_UNPLACED, _MATCHES.c.id > after).order_by(_MATCHES.c.id).limit(at_most)
    return [UnplacedMatch(*row) for row in session.execute(query)]


def count_unplaced_matches(session: Session) -> int:
    """Return the number of unplaced matches."""
    return session.execute(sa.select(sa.func.count()).select_from(_MATCHES).where(_IS_UNPLACED)).scalar_one()


def latest_unplaced_setups(session: Session, at_most: int) -> list[MatchSetup]:
    """Return the setups of up to `at_most` unplaced matches, the latest first."""
    query: Select = sa.select(*SETUP_COLUMNS).where(_IS_UNPLACED).order_by(_MATCHES.c.id.desc()).limit(at_most)
    return read_setups(session, query)
