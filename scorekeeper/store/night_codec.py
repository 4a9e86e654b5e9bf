"""The facts of a night into rows, and rows into facts."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

import sqlalchemy as sa

from scorekeeper.ladder.facts import NightEvent, NightFact
from scorekeeper.store.codec import PAYLOAD_VERSION, UnreadableEvent, utc

_FACTS: Mapping[str, type[NightFact]] = {fact.kind: fact for fact in get_args(NightFact)}
_FIELDS: Mapping[str, tuple[str, ...]] = {kind: tuple(f.name for f in fields(fact)) for kind, fact in _FACTS.items()}


def read_night_fact(kind: str, payload: Mapping[str, Any]) -> NightFact:
    """Read a fact from its kind and payload; raises `UnreadableEvent`."""
    content = dict(payload)
    version = content.pop("v", None)
    if version != PAYLOAD_VERSION:
        raise UnreadableEvent(f"A {kind} of version {version!r} cannot be read: this program knows {PAYLOAD_VERSION}.")
    try:
        return _FACTS[kind](**{name: _tuples(value) for name, value in content.items()})
    except (KeyError, TypeError) as error:
        raise UnreadableEvent(f"A {kind} cannot be read: {error}.") from None


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def write_night_payload(fact: NightFact) -> dict[str, Any]:
    """Return a fact's payload, with its version; what is empty is left out."""
    values = {name: getattr(fact, name) for name in _FIELDS[fact.kind]}
    return {"v": PAYLOAD_VERSION, **{name: value for name, value in values.items() if value is not None}}


def night_event_of(row: sa.Row[Any]) -> NightEvent:
    """Read an event from its row."""
    return NightEvent(row.seq, row.client_key, utc(row.at), row.actor, read_night_fact(row.kind, row.payload))
