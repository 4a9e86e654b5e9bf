"""Books, their facts and which matches are in them: what is selected, as values and never rows, and what is inserted.

Nothing here commits.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.book.facts import BOOK_FACTS, MatchAdded, MatchRemoved
from scorekeeper.ledger.fact_log import Event
from scorekeeper.store.codec import event_of, event_values, read_fact, utc
from scorekeeper.store.tables import BookEventRow, BookMatchRow, BookRow

_BOOK, _EVENT, _MATCH = BookRow.__table__, BookEventRow.__table__, BookMatchRow.__table__
_MATCH_IDS = sa.select(_MATCH.c.match_id).where(_MATCH.c.book_id == sa.bindparam("book_id")).order_by(_MATCH.c.match_id)
_LAST = (
    sa.select(_EVENT.c.seq, _EVENT.c.client_key)
    .where(_EVENT.c.book_id == sa.bindparam("book_id"))
    .order_by(_EVENT.c.seq.desc())
    .limit(1)
)
_BY_KEY = sa.select(_EVENT).where(
    _EVENT.c.book_id == sa.bindparam("book_id"), _EVENT.c.client_key == sa.bindparam("client_key")
)
_EVENTS = (
    sa.select(
        _EVENT.c.seq,
        _EVENT.c.client_key,
        _EVENT.c.at,
        _EVENT.c.actor,
        _EVENT.c.kind,
        sa.cast(_EVENT.c.payload, sa.Text).label("payload"),
    )
    .where(_EVENT.c.book_id == sa.bindparam("book_id"))
    .order_by(_EVENT.c.seq)
)

_UNREAD = sa.select(_EVENT).where(_EVENT.c.book_id == sa.bindparam("book_id")).order_by(_EVENT.c.seq)


def add_book(session: Session, uid: str, client_key: str, now: datetime) -> int:
    """Insert a book and return its id."""
    added = session.execute(sa.insert(_BOOK), {"uid": uid, "client_key": client_key, "created_at": now})
    return int(added.inserted_primary_key[0])  # type: ignore[attr-defined]


def events_of_book(session: Session, book_id: int) -> tuple[Event, ...]:
    """Return a book's events in order; raises `UnreadableEvent`."""
    rows = session.execute(_EVENTS, {"book_id": book_id}).all()
    # One parser reads them all, in a fraction of the time that a column of JSON takes row by row.
    payloads = json.loads(f"[{','.join([row.payload for row in rows])}]")
    return tuple(
        [
            Event(row.seq, row.client_key, utc(row.at), row.actor, read_fact(row.kind, payload, BOOK_FACTS))
            for row, payload in zip(rows, payloads, strict=True)
        ]
    )


def event_by_key(session: Session, book_id: int, client_key: str) -> Event | None:
    """Return the event that a form wrote into a book."""
    row = session.execute(_BY_KEY, {"book_id": book_id, "client_key": client_key}).first()
    return event_of(row, BOOK_FACTS) if row else None


def add_book_events(session: Session, book_id: int, events: Iterable[Event]) -> None:
    """Insert events of a book; raises `IntegrityError` where another has the place or the key of one."""
    if rows := [event_values(event, book_id=book_id) for event in events]:
        session.execute(sa.insert(_EVENT), rows)


def book_of_match(session: Session, match_id: int) -> int | None:
    """Return the id of the book that a match is in."""
    return session.execute(sa.select(_MATCH.c.book_id).where(_MATCH.c.match_id == match_id)).scalar()


def put_match(session: Session, match_id: int, book_id: int | None) -> None:
    """Store which book a match is in now; that it is kept out of all of them with `None`."""
    session.execute(sa.delete(_MATCH).where(_MATCH.c.match_id == match_id))
    session.execute(sa.insert(_MATCH), {"match_id": match_id, "book_id": book_id})


def put_matches(session: Session, match_ids: Iterable[int], book_id: int) -> None:
    """Store that matches are in a book that were in none; raises `IntegrityError` where one was put somewhere else."""
    if rows := [{"match_id": match_id, "book_id": book_id} for match_id in match_ids]:
        session.execute(sa.insert(_MATCH), rows)


def match_ids_of(session: Session, book_id: int) -> list[int]:
    """Return the matches that are in a book now, the first one first."""
    return list(session.execute(_MATCH_IDS, {"book_id": book_id}).scalars())


def latest_books(session: Session, before: int, at_most: int) -> list[tuple[int, str]]:
    """Return the numbers and uids of the books with the next lower numbers, the latest first."""
    latest = sa.select(_BOOK.c.id, _BOOK.c.uid).where(_BOOK.c.id < before).order_by(_BOOK.c.id.desc()).limit(at_most)
    return [(row.id, row.uid) for row in session.execute(latest)]


def said_of_books(session: Session, book_ids: Sequence[int]) -> dict[int, list[Event]]:
    """Return the events of several books, in order, without those by which matches came and went."""
    of_matches = MatchAdded.kind, MatchRemoved.kind
    said = sa.select(_EVENT).where(_EVENT.c.book_id.in_(book_ids), _EVENT.c.kind.not_in(of_matches))
    events: dict[int, list[Event]] = {book_id: [] for book_id in book_ids}
    for row in session.execute(said.order_by(_EVENT.c.book_id, _EVENT.c.seq)):
        events[row.book_id].append(event_of(row, BOOK_FACTS))
    return events


def match_counts(session: Session, book_ids: Sequence[int]) -> dict[int, int]:
    """Return how many matches are in several books."""
    counted = sa.select(_MATCH.c.book_id, sa.func.count()).where(_MATCH.c.book_id.in_(book_ids))
    return {book_id: matches for book_id, matches in session.execute(counted.group_by(_MATCH.c.book_id))}


def end_of_book(session: Session, book_id: int) -> tuple[int, str]:
    """Return the `seq` and client key of a book's last event."""
    row = session.execute(_LAST, {"book_id": book_id}).first()
    return (row.seq, row.client_key) if row else (0, "")


def id_of_uid(session: Session, uid: str) -> int | None:
    """Return the number of the book that has a uid."""
    return session.execute(sa.select(_BOOK.c.id).where(_BOOK.c.uid == uid)).scalar()


def began(session: Session, book_id: int) -> tuple[str, datetime]:
    """Return a book's uid, and when it began."""
    row = session.execute(sa.select(_BOOK.c.uid, _BOOK.c.created_at).where(_BOOK.c.id == book_id)).one()
    return row.uid, utc(row.created_at)


def raw_events(session: Session, book_id: int) -> list[sa.Row[Any]]:
    """Return the rows of a book's events in order, unread."""
    return list(session.execute(_UNREAD, {"book_id": book_id}))
