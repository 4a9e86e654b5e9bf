"""Rows into values, and values into what a row holds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.roles import Link
from scorekeeper.eventlog.stream import Event, Fact
from scorekeeper.matches.events import FACTS
from scorekeeper.pitch.records.hand_json import read_hand, write_hand
from scorekeeper.pitch.records.setup import MatchSetup, SetupSeat, SetupSide

T = TypeVar("T")
PAYLOAD_VERSION = 1
_HAND = "hand"


class UnreadableEvent(Exception):
    """A payload was written by a later version of this program, or by something else."""


def read_fact(kind: str, payload: Mapping[str, Any], kinds: Mapping[str, type[Fact]] = FACTS) -> Fact:
    """Read a fact of one of these kinds from its payload; raises `UnreadableEvent`."""
    content = dict(payload)
    version = content.pop("v", None)
    if version != PAYLOAD_VERSION:
        raise UnreadableEvent(f"A {kind} of version {version!r} cannot be read: this program knows {PAYLOAD_VERSION}.")
    if _HAND in content:
        content[_HAND], faults = read_hand(content[_HAND])
        if faults:
            raise UnreadableEvent(f"The hand of a {kind} cannot be read: {faults[0].message}")
    try:
        return kinds[kind](**{name: _tuple(value) if type(value) is list else value for name, value in content.items()})
    except (KeyError, TypeError) as error:
        raise UnreadableEvent(f"A {kind} cannot be read: {error}.") from None


def _tuple(items: list[Any]) -> tuple[Any, ...]:
    return tuple(_tuple(item) if type(item) is list else item for item in items)


def write_payload(fact: Fact) -> dict[str, Any]:
    """Return a fact's payload, with its version; what is empty is left out."""
    payload: dict[str, Any] = {"v": PAYLOAD_VERSION}
    for field in fields(fact):
        value = getattr(fact, field.name)
        if value is not None:
            payload[field.name] = write_hand(value) if field.name == _HAND else value
    return payload


def in_parts(ids: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    """Yield so many of some things at a time."""
    for first in range(0, len(ids), most):
        yield ids[first : first + most]


def insert_row(session: Session, table: sa.Table, values: Mapping[str, Any]) -> int:
    """Insert a row and return its number."""
    added: Any = session.execute(sa.insert(table), values)
    return int(added.inserted_primary_key[0])


def utc(moment: datetime) -> datetime:
    """Attach the time zone that SQLite does not give back."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def setup_of(row: sa.Row[Any]) -> MatchSetup:
    """Read how a match began from the columns of `matches.MATCH`."""
    return MatchSetup(
        id=row.match_id,
        uid=row.uid,
        created_at=utc(row.created_at),
        variant=row.variant,
        house=row.house,
        digest=row.digest,
        seats=tuple(SetupSeat(**seat) for seat in row.seats),
        sides=tuple(SetupSide(**{**side, "seats": tuple(side["seats"])}) for side in row.sides),
        start=row.start,
        first_dealer=row.first_dealer,
        title=row.title,
        played_on=row.played_on,
        place=row.place,
        note=row.note,
        zone=row.zone,
    )


def link_of(row: sa.Row[Any]) -> Link:
    """Read a link to a match from the columns of `links.MATCH_LINKS`."""
    return Link(row.link_id, row.code, row.role, row.place_id, row.seat, row.seat_since or 0)


def event_of(row: sa.Row[Any], kinds: Mapping[str, type[Fact]] = FACTS) -> Event:
    """Read an event of a match, or of whatever has facts of these kinds, from the columns of its row."""
    return Event(row.seq, row.client_key, utc(row.at), row.actor, read_fact(row.kind, row.payload, kinds))


def setup_values(setup: MatchSetup) -> dict[str, Any]:
    """Return how a match began as the columns of its row that `setup_of` reads, but for its number."""
    values = asdict(setup)
    del values["id"]
    values["seats"] = [seat.stored for seat in setup.seats]
    values["sides"] = [side.stored for side in setup.sides]
    return values
