"""Events as rows: their payloads, with a version, and what is read of them."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import sqlalchemy as sa

from scorekeeper.database.rows import utc
from scorekeeper.eventlog.stream import Event, StoredEvent
from scorekeeper.pitch.records.hand_json import read_hand, write_hand

PAYLOAD_VERSION = 1
_HAND = "hand"


class UnreadableEvent(Exception):
    """A payload was written by a later version of this program, or by something else."""


def read_event(kind: str, payload: Mapping[str, Any], kinds: Mapping[str, type[Event]]) -> Event:
    """Read an event of one of these kinds from its payload; raises `UnreadableEvent`."""
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


def write_payload(event: Event) -> dict[str, Any]:
    """Return an event's payload, with its version; what is empty is left out."""
    payload: dict[str, Any] = {"v": PAYLOAD_VERSION}
    for field in fields(event):
        value = getattr(event, field.name)
        if value is not None:
            payload[field.name] = write_hand(value) if field.name == _HAND else value
    return payload


def event_of(row: sa.Row[Any], kinds: Mapping[str, type[Event]]) -> StoredEvent:
    """Read an event of one of these kinds from the columns of its row."""
    return StoredEvent(row.seq, row.client_key, utc(row.at), row.actor, read_event(row.kind, row.payload, kinds))
