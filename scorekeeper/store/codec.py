"""Rows into values, and values into what a row holds."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from scorekeeper.store.facts import Event, read_fact, write_payload
from scorekeeper.store.matches import Link, StoredMatch, StoredSeat, StoredSide


def utc(moment: datetime) -> datetime:
    """Attach the time zone that SQLite does not give back."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def match_of(row: sa.Row[Any]) -> StoredMatch:
    """Read a match from the columns of `queries.MATCH`."""
    return StoredMatch(
        id=row.match_id,
        created_at=utc(row.created_at),
        variant=row.variant,
        house=row.house,
        digest=row.digest,
        seats=tuple(StoredSeat(seat["id"], seat["name"]) for seat in row.seats),
        sides=tuple(StoredSide(side["id"], side["name"], tuple(side["seats"]), side.get("mark")) for side in row.sides),
        start=row.start,
        first_dealer=row.first_dealer,
        title=row.title,
        played_on=row.played_on,
        place=row.place,
        note=row.note,
    )


def link_of(row: sa.Row[Any]) -> Link:
    """Read a link from the columns of `queries.LINK`, beside its `match_id`."""
    return Link(row.link_id, row.code, row.role, row.match_id, row.seat)


def event_of(row: sa.Row[Any]) -> Event:
    """Read an event from the columns of `queries.EVENT`."""
    return Event(row.seq, row.client_key, utc(row.at), row.actor, read_fact(row.kind, row.payload))


def event_values(match_id: int, event: Event) -> dict[str, Any]:
    """Write an event as the columns of its row."""
    return {
        "match_id": match_id,
        "seq": event.seq,
        "client_key": event.client_key,
        "kind": event.fact.kind,
        "at": event.at,
        "actor": event.actor,
        "payload": write_payload(event.fact),
    }


def table_of(seats: tuple[StoredSeat, ...], sides: tuple[StoredSide, ...]) -> Mapping[str, Any]:
    """Write who sits where as the columns of a match's row."""
    return {
        "seats": [{"id": seat.id, "name": seat.name} for seat in seats],
        "sides": [
            {
                "id": side.id,
                "name": side.name,
                "seats": list(side.seats),
                **({} if side.mark is None else {"mark": side.mark}),
            }
            for side in sides
        ],
    }
