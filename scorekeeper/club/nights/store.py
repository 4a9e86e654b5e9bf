"""Ladder nights, their links and their events, as values and never rows. Only `join_night` commits.

The link to a book opens its nights as well; roles are those of a match.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import ClassVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import LinkTable
from scorekeeper.access.phones import add_phone
from scorekeeper.access.roles import AnyLink, Invitation, Kind
from scorekeeper.club.nights.events import NIGHT_EVENT_KINDS
from scorekeeper.club.nights.night import Night
from scorekeeper.database.rows import Select, insert_row, utc
from scorekeeper.database.tables import NightEventRow, NightInvitationRow, NightLinkRow, NightRow
from scorekeeper.eventlog.store import EventTable
from scorekeeper.eventlog.stream import StoredEvent


@dataclass(frozen=True, slots=True)
class NightLink(AnyLink):
    """A phone's link to a night, and what it may do there."""

    kind: ClassVar[Kind] = "night"
    pair: int = 0
    """Which pair holds the phone; 0 where it is nobody's."""


@dataclass(frozen=True, slots=True)
class NightSetup:
    """How a night began; its present name is in the log."""

    id: int
    uid: str
    """The night's id in its book's file."""
    created_at: datetime
    title: str
    rounds: int
    size: int
    """How many play together: two, or as the game has it."""
    variant: str
    """The game that is played; empty where none was entered."""
    house: Mapping[str, object]
    """The answers that were agreed for that game, at every table."""
    book_id: int | None = None
    """The book that it is in."""

    def fold(self, events: Iterable[StoredEvent]) -> Night:
        """Fold the events of the night, in order."""
        return Night.fold(events, title=self.title, agreed=self.rounds, size=self.size)


NO_DEVICE = ""
"""The device of an owner's link that a command made when it imported a night."""


NIGHT_LINKS = LinkTable(
    link=lambda link_id, code, role, night_id, pair: NightLink(link_id, code, role, night_id, pair or 0),
    kind="night",
    streams=NightRow.__table__,
    links=NightLinkRow.__table__,
    invited_stream=NightInvitationRow.__table__.c.night_id,
    events=NightEventRow.__table__,
    holder="pair",
    unknown_message="There is no such phone. Check the list again.",
    last_owner_message="This is the only owner’s phone. Make another one a co-owner first.",
)


def join_night(session: Session, invitation: Invitation, device: str, pair: int) -> NightLink:
    """Let a phone join a night, and return its own link: joining again keeps that link, and never lowers its role."""
    return add_phone(session, NIGHT_LINKS, invitation, device, pair=pair or None)


NIGHT_EVENTS = EventTable(NightEventRow.__table__, "night_id", NIGHT_EVENT_KINDS)


_nights = NightRow.__table__
_events = NightEventRow.__table__
_links = NightLinkRow.__table__


_SETUPS: Select = sa.select(*(_nights.c[column.name] for column in fields(NightSetup))).order_by(
    _nights.c.created_at, _nights.c.id
)


def _setups(session: Session, condition: sa.ColumnElement[bool]) -> list[NightSetup]:
    """Return the setups of the nights that fulfill a condition, the first one first."""
    rows = session.execute(_SETUPS.where(condition)).mappings()
    return [NightSetup(**{**row, "created_at": utc(row["created_at"])}) for row in rows]


def setup_by_id(session: Session, night_id: int) -> NightSetup:
    """Return the setup of the night with an id."""
    return _setups(session, _nights.c.id == night_id)[0]


def setups_in_book(session: Session, book_id: int) -> list[NightSetup]:
    """Return the setups of the nights in a book, the first one first."""
    return _setups(session, _nights.c.book_id == book_id)


def by_uid(session: Session, uid: str) -> NightSetup | None:
    """Return the setup of the night with a uid; `None` where there is no such night."""
    return next(iter(_setups(session, _nights.c.uid == uid)), None)


def latest_nights(session: Session, before: int, at_most: int) -> Sequence[int]:
    """Return the highest ids of nights below `before`, the highest first."""
    found = sa.select(_nights.c.id).where(_nights.c.id < before).order_by(_nights.c.id.desc()).limit(at_most)
    return session.scalars(found).all()


def nights_of_device(session: Session, device: str, at_most: int) -> list[NightLink]:
    """Return a device's links to nights that are in force, the latest first."""
    mine = _links.c.device == device, _links.c.revoked_at.is_(None)
    rows = session.execute(sa.select(*NIGHT_LINKS.columns).where(*mine).order_by(_links.c.id.desc()).limit(at_most))
    return list(map(NIGHT_LINKS.read, rows))


def nights_of_match(session: Session, match_id: int) -> Sequence[int]:
    """Return the ids of the nights at one of whose tables a match was kept."""
    found = sa.select(_events.c.night_id).where(_events.c.match_id == match_id).distinct()
    return session.scalars(found).all()


def add_night(session: Session, setup: NightSetup, idempotency_key: str) -> int:
    """Insert a night and return its id."""
    values = asdict(setup)
    del values["id"]
    return insert_row(session, _nights, {**values, "client_key": idempotency_key})
