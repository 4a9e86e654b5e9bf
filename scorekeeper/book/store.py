"""The queries for books, their events and the matches in them; none of them commits.

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
from scorekeeper.database.tables import (
    BookEventRow,
    BookMatchRow,
    BookRow,
    DeviceMatchRow,
    EventRow,
    LinkRow,
    MatchRow,
)
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
_MATCH_IDS_IN_BOOK = (
    sa.select(_BOOK_MATCHES.c.match_id)
    .where(_BOOK_MATCHES.c.book_id == sa.bindparam("book_id"))
    .order_by(_BOOK_MATCHES.c.match_id)
)


def add_book(session: Session, uid: str, idempotency_key: str, created_at: datetime) -> int:
    """Insert a book and return its id."""
    return insert_row(session, _BOOKS, {"uid": uid, "client_key": idempotency_key, "created_at": created_at})


def book_id_of_match(session: Session, match_id: int) -> int | None:
    """Return the id of the book that a match is in; `None` if it is in no book."""
    return session.execute(sa.select(_BOOK_MATCHES.c.book_id).where(_BOOK_MATCHES.c.match_id == match_id)).scalar()


def put_match(session: Session, match_id: int, book_id: int | None, *, old_book_id: int | None = None) -> None:
    """Move a match from the book `old_book_id` to the book `book_id`; `None` stands for no book.

    Raises `IntegrityError` if the match was moved elsewhere meanwhile.
    """
    was_in = _BOOK_MATCHES.c.match_id == match_id, _BOOK_MATCHES.c.book_id.is_not_distinct_from(old_book_id)
    session.execute(sa.delete(_BOOK_MATCHES).where(*was_in))
    put_matches(session, [match_id], book_id)


def put_matches(session: Session, match_ids: Iterable[int], book_id: int | None) -> None:
    """Put matches into a book, or for `None` keep them out of every book.

    Raises `IntegrityError` if one of them was put into a book, or kept out of every book, already.
    """
    if rows := [{"match_id": match_id, "book_id": book_id} for match_id in match_ids]:
        session.execute(sa.insert(_BOOK_MATCHES), rows)


def match_ids_of(session: Session, book_id: int) -> list[int]:
    """Return the ids of the matches that are in a book, in ascending order."""
    return list(session.execute(_MATCH_IDS_IN_BOOK, {"book_id": book_id}).scalars())


def book_id_of_uid(session: Session, uid: str) -> int | None:
    """Return the id of the book with a uid; `None` if there is no such book."""
    return session.execute(sa.select(_BOOKS.c.id).where(_BOOKS.c.uid == uid)).scalar()


def uid_and_start(session: Session, book_id: int) -> tuple[str, datetime]:
    """Return a book's uid, and the time at which it began."""
    row = session.execute(sa.select(_BOOKS.c.uid, _BOOKS.c.created_at).where(_BOOKS.c.id == book_id)).one()
    return row.uid, utc(row.created_at)


@dataclass(frozen=True, slots=True)
class IndexedMatch:
    """What a list of matches needs of a match, without its hands."""

    id: int
    uid: str
    book_id: int | None
    link: Link | None
    """The access link by which the device last opened the match; `None` without one in force."""
    day: str
    """The day on which it was played, in ISO 8601."""
    variant: str
    players: list[tuple[str, int, str, str]]
    """Each player's arguments of `Book.people_in`; without players who have no name in the match."""
    is_deleted: bool


_IS_VISIT_OF_MATCH_BY_DEVICE = sa.and_(_VISITS.c.match_id == _MATCHES.c.id, _VISITS.c.device == sa.bindparam("device"))
_IS_VISITED_LINK_IN_FORCE = sa.and_(_LINKS.c.id == _VISITS.c.link_id, _LINKS.c.revoked_at.is_(None))
_IDS_IN_BOOKS_OR_VISITED = sa.union(
    sa.select(_BOOK_MATCHES.c.match_id).where(_BOOK_MATCHES.c.book_id.in_(sa.bindparam("book_ids", expanding=True))),
    sa.select(_VISITS.c.match_id)
    .join(_LINKS, _IS_VISITED_LINK_IN_FORCE)
    .where(_VISITS.c.device == sa.bindparam("device")),
)
_FIRST_DAY = sa.func.coalesce(_MATCHES.c.played_on, sa.cast(_MATCHES.c.created_at, sa.String))
_SELECT_NEWEST_IDS = (
    sa.select(_MATCHES.c.id)
    .where(_MATCHES.c.id.in_(_IDS_IN_BOOKS_OR_VISITED))
    .order_by(_FIRST_DAY.desc(), _MATCHES.c.id.desc())
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)


def _listing_queries(match_ids: sa.ColumnElement[Any] | sa.CompoundSelect[Any]) -> tuple[Select, Select]:
    """Return two queries: for the matches with some ids, and for the events of these matches that a list needs."""
    listed = (
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
    events: Select = sa.select(_EVENTS).where(_EVENTS.c.match_id.in_(match_ids), IS_LISTED_KIND)
    return listed, events.order_by(_EVENTS.c.match_id, _EVENTS.c.seq)


_LISTING_OF_ALL, _LISTING_BY_ID = (
    _listing_queries(_IDS_IN_BOOKS_OR_VISITED),
    _listing_queries(sa.bindparam("ids", expanding=True)),
)


def indexed_matches(
    session: Session, book_ids: Sequence[int], digest: str = "", at_most: int | None = None
) -> list[IndexedMatch]:
    """Return the matches in these books, and those that a device opened; the last played first.

    Deleted matches are included; a match does not count as opened if the link last used for it has ended. With
    `at_most`, the newest are chosen by their days before any correction.
    """
    parameters: dict[str, object] = {"book_ids": list(book_ids), "device": digest}
    select_listed, select_events = _LISTING_OF_ALL
    if at_most is not None:
        parameters["ids"] = list(session.execute(_SELECT_NEWEST_IDS, {**parameters, "at_most": at_most}).scalars())
        select_listed, select_events = _LISTING_BY_ID
    events = group_by_key((row.match_id, row) for row in session.execute(select_events, parameters))
    indexed = [_read_indexed_match(row, events.get(row.id, ())) for row in session.execute(select_listed, parameters)]
    return sorted(indexed, key=lambda match: (match.day, match.id), reverse=True)


def _read_indexed_match(row: Row, events: Sequence[Row]) -> IndexedMatch:
    """Return a match from its row and its events; as it began if an event cannot be read."""
    original_names = {seat["id"]: seat["name"] for seat in row.seats}
    nameless = {stored["id"] for stored in (*row.seats, *row.sides) if stored.get("unnamed")}
    players = [(seat, 0, name, name) for seat, name in original_names.items() if seat not in nameless]
    played_on, is_deleted = row.played_on, False
    if events:
        with suppress(UnreadableEvent):
            log = fold(read_event_row(event, EVENT_KINDS) for event in events)
            players = [
                (seat, since, log.typed_at(since).get(seat) or original_names[seat], shown_name or original_names[seat])
                for seat, since in log.tenures(original_names)
                if (shown_name := log.renamed_at(since).get(seat)) or seat not in nameless
            ]
            played_on, is_deleted = log.remarks.get("played_on", played_on), log.is_deleted
    day = match_day(played_on, utc(row.created_at), row.zone)
    link = MATCH_LINKS.link_of_row(row) if row.link_id is not None else None
    return IndexedMatch(row.id, row.uid, row.book_id, link, day, row.variant, players, is_deleted)


@dataclass(frozen=True, slots=True)
class UnplacedMatch:
    """A match with a link that was neither put into a book nor kept out of every book on purpose."""

    id: int
    uid: str
    device: str | None
    """The digest of the device that owns the match; `None` if none does, or if it was not looked up."""


_IS_UNPLACED = sa.and_(
    ~sa.exists().where(_BOOK_MATCHES.c.match_id == _MATCHES.c.id),
    # A match that is still being imported has no link yet, and is put into the book of its file.
    sa.select(_LINKS.c.id).where(_LINKS.c.match_id == _MATCHES.c.id).correlate(_MATCHES).exists(),
)
_LINKS_ALIAS = _LINKS.alias("owners")
_OLDEST_OWNER_LINK_ID = (
    sa.select(sa.func.min(_LINKS_ALIAS.c.id))
    .where(
        _LINKS_ALIAS.c.match_id == _MATCHES.c.id,
        _LINKS_ALIAS.c.role == OWNER,
        _LINKS_ALIAS.c.revoked_at.is_(None),
        _LINKS_ALIAS.c.book_link_id.is_(None),
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
    """Return the next unplaced matches that a device owns, at most `at_most`, by id above `after`."""
    query: Select = sa.select(_MATCHES.c.id, _MATCHES.c.uid, _DIGEST_OF_OWNING_DEVICE).select_from(_MATCHES)
    query = query.join(_LINKS, _LINKS.c.id == _OLDEST_OWNER_LINK_ID).where(_DIGEST_OF_OWNING_DEVICE.is_not(None))
    return _select_unplaced(session, query, after, at_most)


def all_unplaced_matches(session: Session, after: int, at_most: int) -> list[UnplacedMatch]:
    """Return the next unplaced matches, with or without an owner, at most `at_most`, by id above `after`."""
    return _select_unplaced(session, sa.select(_MATCHES.c.id, _MATCHES.c.uid, sa.null()), after, at_most)


def _select_unplaced(session: Session, query: Select, after: int, at_most: int) -> list[UnplacedMatch]:
    """Return the next unplaced matches that a query selects, at most `at_most`, by id above `after`."""
    query = query.where(_IS_UNPLACED, _MATCHES.c.id > after).order_by(_MATCHES.c.id).limit(at_most)
    return [UnplacedMatch(*row) for row in session.execute(query)]


def count_unplaced_matches(session: Session) -> int:
    """Return the number of unplaced matches (see `UnplacedMatch`)."""
    return session.execute(sa.select(sa.func.count()).select_from(_MATCHES).where(_IS_UNPLACED)).scalar_one()


def latest_unplaced_setups(session: Session, at_most: int) -> list[MatchSetup]:
    """Return the setups of the latest `at_most` unplaced matches (see `UnplacedMatch`), the latest first."""
    query: Select = sa.select(*SETUP_COLUMNS).where(_IS_UNPLACED).order_by(_MATCHES.c.id.desc()).limit(at_most)
    return read_setups(session, query)
