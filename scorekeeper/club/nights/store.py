"""Ladder nights and their events, as values and never rows. Nothing here commits."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.club.nights.events import NIGHT_EVENT_KINDS, MatchKept
from scorekeeper.club.nights.links import NIGHT_LINKS, NightLink, NightSetup
from scorekeeper.database.rows import insert_row, utc
from scorekeeper.database.tables import NightEventRow, NightLinkRow, NightRow
from scorekeeper.eventlog.store import EventTable
from scorekeeper.eventlog.stream import StoredEvent

NIGHT_EVENTS = EventTable(NightEventRow.__table__, "night_id", NIGHT_EVENT_KINDS)


_nights: Any = NightRow.__table__
_events: Any = NightEventRow.__table__
_links: Any = NightLinkRow.__table__


def setup_by_id(session: Session, night_id: int) -> NightSetup:
    """Return how a night began."""
    row = session.execute(sa.select(_nights).where(_nights.c.id == night_id)).one()
    return _setup(row)


def _setup(row: sa.Row[Any]) -> NightSetup:
    began = row.id, row.uid, utc(row.created_at), row.title, row.rounds, row.size, row.variant, row.house
    return NightSetup(*began, row.book_id)


def setups_in_book(session: Session, book_id: int) -> list[NightSetup]:
    """Return how each night in a book began, the first one first."""
    found = sa.select(_nights).where(_nights.c.book_id == book_id).order_by(_nights.c.created_at, _nights.c.id)
    return [_setup(row) for row in session.execute(found)]


def by_uid(session: Session, uid: str) -> NightSetup | None:
    """Return how the night with a uid began."""
    row = session.execute(sa.select(_nights).where(_nights.c.uid == uid)).first()
    return _setup(row) if row else None


def latest_nights(session: Session, before: int, at_most: int) -> list[NightSetup]:
    """Return how the nights with the next lower numbers began, the latest first."""
    latest = sa.select(_nights).where(_nights.c.id < before).order_by(_nights.c.id.desc()).limit(at_most)
    return [_setup(row) for row in session.execute(latest)]


def nights_of_device(session: Session, device: str, at_most: int) -> list[NightLink]:
    """Return the links that a device has to nights, the last one first."""
    mine = _links.c.device == device, _links.c.revoked_at.is_(None)
    rows = session.execute(sa.select(*NIGHT_LINKS.columns).where(*mine).order_by(_links.c.id.desc()).limit(at_most))
    return [NIGHT_LINKS.read(row) for row in rows]


def code_by_idempotency_key(session: Session, idempotency_key: str) -> str | None:
    """Return the code of the link that was made with the night that a form has begun."""
    found = (
        sa.select(_links.c.code)
        .select_from(_links.join(_nights, _nights.c.id == _links.c.night_id))
        .where(_nights.c.client_key == idempotency_key)
        .order_by(_links.c.id)
        .limit(1)
    )
    return session.execute(found).scalar()


def nights_of_match(session: Session, match_id: int) -> list[int]:
    """Return the nights at one of whose tables a match was kept."""
    found = sa.select(_events.c.night_id).where(_events.c.match_id == match_id).distinct()
    return list(session.execute(found).scalars())


def add_night(session: Session, **values: Any) -> int:
    """Insert a night and return its id."""
    return insert_row(session, _nights, values)


def add_event(session: Session, night_id: int, event: StoredEvent) -> None:
    """Insert an event; raises `IntegrityError` where another one has its place or its key."""
    match_id = event.data.match if isinstance(event.data, MatchKept) else None
    NIGHT_EVENTS.add(session, night_id, [event], match_id=match_id or None)
