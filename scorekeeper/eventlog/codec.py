"""Events as rows: their payloads, which have a version, written and read."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, NotRequired, cast, get_type_hints

import sqlalchemy as sa
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails
from typing_extensions import TypedDict

from scorekeeper.database.rows import utc
from scorekeeper.eventlog.fields import STORED
from scorekeeper.eventlog.stream import Event, StoredEvent
from scorekeeper.pitch.records.json_parser import write_hand
from scorekeeper.pitch.rules.faults import Fault

VERSION, PAYLOAD_VERSION = "v", 1
_HAND = "hand"


class UnreadableEvent(Exception):
    """A payload was written by a later version of this program, or by something else."""


@cache
def _schema(kind: Any) -> TypeAdapter[dict[str, Any]]:
    """Return the one schema of a kind of event, for stored events and for files."""
    hints, typed_dict = get_type_hints(kind, include_extras=True), cast(Any, TypedDict)
    content = {
        field.name: hints[field.name]
        if field.default is field.default_factory is MISSING
        else NotRequired[hints[field.name]]
        for field in fields(kind)
    }
    shape = typed_dict(kind.__name__, content)
    shape.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
    return TypeAdapter(shape)


def read_event(kind: str, payload: Mapping[str, Any], kinds: Mapping[str, type[Event]]) -> Event:
    """Read an event of one of these kinds from its payload as it is stored; raises `UnreadableEvent`."""
    version = payload.get(VERSION)
    if version != PAYLOAD_VERSION:
        raise UnreadableEvent(f"A {kind} of version {version!r} cannot be read: this program knows {PAYLOAD_VERSION}.")
    if kind not in kinds:
        raise UnreadableEvent(f"A {kind} cannot be read: there is no such event.")
    event, faults = parse_event(kinds[kind], payload, context=STORED)
    if event is None:
        raise UnreadableEvent(f"A {kind} cannot be read: {faults[0].message}")
    return event


def parse_event(
    kind: type[Event], content: Mapping[str, Any], *, context: str = ""
) -> tuple[Event | None, Sequence[Fault]]:
    """Read an event with every fault in it; unless it is `STORED`, it may have been written by hand."""
    try:
        values = {name: _tuples(value) for name, value in content.items() if name != VERSION}
        return kind(**_schema(cast(Any, kind)).validate_python(values, context=context)), []
    except RecursionError:
        return None, [Fault("", "bad_value", "This is nested too deeply.")]
    except ValidationError as error:
        return None, [fault for detail in error.errors(include_url=False) for fault in _faults(kind, detail)]


def _faults(kind: type[Event], detail: ErrorDetails) -> Sequence[Fault]:
    if detail["type"] == "faults":
        found: Sequence[Fault] = detail["ctx"]["faults"]
        return found
    field = ".".join(map(str, detail["loc"]))
    if detail["type"] == "missing" or detail["input"] is None:
        return [Fault(field, "missing", f"A fact of the kind {kind.kind!r} needs {field!r}.")]
    if detail["type"] == "extra_forbidden":
        return [Fault(field, "unknown_key", f"{field!r} has no meaning here.")]
    return [Fault(field, "bad_value", "This is not what is written here.")]


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def write_payload(event: Event) -> dict[str, Any]:
    """Return an event's payload, with its version; fields that are `None` are left out."""
    payload: dict[str, Any] = {VERSION: PAYLOAD_VERSION}
    for field in fields(event):
        value = getattr(event, field.name)
        if value is not None:
            payload[field.name] = write_hand(value) if field.name == _HAND else value
    return payload


def event_of(row: sa.Row[Any], kinds: Mapping[str, type[Event]]) -> StoredEvent:
    """Read an event of one of these kinds from the columns of its row."""
    return StoredEvent(row.seq, row.client_key, utc(row.at), row.actor, read_event(row.kind, row.payload, kinds))
