"""Append events to the streams of matches, books and nights, and store them in tables.

A form appends only once, and only if it showed the last version of the stream.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, replace
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from typing import Any, Generic, NotRequired, Protocol, Self, TypeVar, cast, get_type_hints

import sqlalchemy as sa
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from scorekeeper import OperatorError
from scorekeeper.database.rows import Row, Select, utc
from scorekeeper.eventlog.fields import STORED_CONTEXT
from scorekeeper.eventlog.stream import Event, EventLog, HasLog, StoredEvent, refusal, refuse_any
from scorekeeper.pitch.records.json_parser import hand_as_json
from scorekeeper.pitch.rules.entered_text import clean_actor, idempotency_key_faults
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.random_codes import new_code

# ---------- appending ----------

MAX_RETRIES = 50
"""The most times that a write is tried again because another phone writes at the same moment."""
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Writer:
    """The phone that writes, with its signature as `actor` and its form's idempotency key.

    `zone` is the phone's time zone, if known. Raises `Refused` for an invalid key.
    """

    idempotency_key: str
    actor: str = ""
    zone: str | None = None

    def __post_init__(self) -> None:
        refuse_any(idempotency_key_faults(self.idempotency_key))

    def event(self, seq: int, event: Event) -> StoredEvent:
        """Return an event as this phone writes it now, numbered `seq` but not stored yet."""
        return StoredEvent(seq, self.idempotency_key, datetime.now(UTC), clean_actor(self.actor), event)


class Stream(HasLog, Protocol):
    """A match, book or night, loaded by an access link, to which events can be appended."""

    def is_changed_by(self, event: Event) -> bool:
        """Return whether an event changes anything.

        Raises `Refused`, `NotAllowed` or, for a match, `MatchClosed` if it cannot be written.
        """

    def with_event(self, event: StoredEvent) -> Self:
        """Return a copy of the stream with one more event, which is not stored; raises `Refused`."""

    def store(self, session: Session, before: Self) -> None:
        """Insert the last event, and store what follows from it, without a commit.

        `before` is the stream without it. Raises `IntegrityError` or, for a match, `MatchClosed`.
        """

    def as_of(self, version: int) -> Self:
        """Return a copy of the stream as it was at an earlier version."""


S = TypeVar("S", bound=Stream)


class StaleStream(Exception, Generic[S]):
    """Another phone wrote first, or a backup was restored; `stream` is the stream as it is now."""

    def __init__(self, stream: S) -> None:
        super().__init__("Someone else wrote first.")
        self.stream = stream


def append_event(
    session: Session,
    load: Callable[[], S],
    change: Event | Callable[[S], Event | Iterable[Event]],
    writer: Writer,
    *,
    expected_version: int | None = None,
    end_digest: str = "",
) -> S:
    """Append the events in `change` that have an effect, commit, and return the new stream.

    If the form was received before, the stream is returned as it was after that. Raises `StaleStream` unless the log
    has `expected_version` and `end_digest`; `Refused`, `NotAllowed` or `MatchClosed` for an event that cannot be
    written.
    """

    def load_and_append() -> S:
        stream = load()
        log = stream.log
        if (appended_seq := log.seq_of(writer.idempotency_key)) is not None:
            return stream.as_of(appended_seq)
        if expected_version is not None and (expected_version != log.version or end_digest not in ("", log.end_digest)):
            raise StaleStream(stream)
        after = append_uncommitted(session, stream, change(stream) if callable(change) else change, writer)
        if after is not stream:
            session.commit()
        return after

    try:
        return retry_on_conflict(session, load_and_append)  # another phone was faster, or the same one twice: try again
    except IntegrityError:
        raise StaleStream(load()) from None


def append_uncommitted(session: Session, stream: S, events: Event | Iterable[Event], writer: Writer) -> S:
    """Append to a stream the events that have an effect, and return the new stream; commits nothing.

    Without any effect, that is `stream` itself. Raises `Refused`, `NotAllowed`, `MatchClosed` or `IntegrityError`: then
    roll back.
    """
    steps = apply_events(stream, events, writer)
    for before, after in pairwise(steps):
        after.store(session, before)
    return steps[-1]


def apply_events(stream: S, events: Event | Iterable[Event], writer: Writer) -> list[S]:
    """Return a stream, then a copy of it after each event that changes anything; stores nothing.

    The last event gets the writer's idempotency key. Raises `Refused`, `NotAllowed` and `MatchClosed`.
    """
    steps = [stream]
    for event in (events,) if isinstance(events, Event) else events:
        if steps[-1].is_changed_by(event):
            if len(steps) > 1:  # every event needs a key of its own; the last one gets the form's
                steps[-1] = steps[-2].with_event(replace(steps[-1].log.events[-1], idempotency_key=new_code()))
            steps.append(steps[-1].with_event(number_event(steps[-1].log, event, writer)))
    return steps


def number_event(log: EventLog, event: Event, writer: Writer) -> StoredEvent:
    """Return an event with the next `seq` of a log, not stored yet; raises `Refused` if the log is full."""
    if len(log.events) >= log.max_events:
        raise refusal("", f"A {log.noun} has room for {log.max_events} entries. Start a new one.")
    return writer.event(log.version + 1, event)


def retry_on_conflict(session: Session, write: Callable[[], Result]) -> Result:
    """Return the result of `write`, called again after each `IntegrityError`, but at most `MAX_RETRIES` times.

    Rolls back after every error, and raises the last one. `write` has to commit what it writes.
    """
    retries_left = MAX_RETRIES
    while True:
        try:
            return write()
        except Exception as error:
            session.rollback()
            if not (retries_left and isinstance(error, IntegrityError)):
                raise
        retries_left -= 1


def add_once(session: Session, find: Callable[[], str | None], add: Callable[[], str]) -> str:
    """Call `add`, commit, and return its code, unless `find` returns a code already.

    So a form that is posted twice adds once, even twice at the same moment.
    """

    def find_or_add() -> str:
        if (existing_code := find()) is not None:
            return existing_code
        try:
            code = add()
            session.commit()
        except Exception:  # perhaps of the same form, twice at the same moment
            session.rollback()
            if (existing_code := find()) is None:
                raise
            return existing_code
        return code

    return retry_on_conflict(session, find_or_add)


# ---------- rows and payloads ----------

PAYLOAD_VERSION_KEY, PAYLOAD_VERSION = "v", 1


class UnreadableEvent(OperatorError):
    """A stored event cannot be read: a later version of this program wrote it, or it is damaged."""


@cache
def _payload_schema(event_class: type[Event]) -> TypeAdapter[dict[str, Any]]:
    """Return the schema of the payloads of a kind of event, in the database and in files; cached."""
    hints, typed_dict = get_type_hints(event_class, include_extras=True), cast(Any, TypedDict)
    field_types = {
        field.name: hints[field.name]
        if field.default is field.default_factory is MISSING
        else NotRequired[hints[field.name]]
        for field in fields(event_class)
    }
    payload_type = typed_dict(event_class.__name__, field_types)
    payload_type.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
    return TypeAdapter(payload_type)


def read_event(
    kind: str, payload: Mapping[str, object], kinds: Mapping[str, type[Event]], instead: Event | None = None
) -> Event:
    """Return an event from its stored payload, or `instead` if it cannot be read; `kinds` has the classes by kind.

    Raises `UnreadableEvent` if there is no event to return instead.
    """
    event, version = instead, payload.get(PAYLOAD_VERSION_KEY)
    if version != PAYLOAD_VERSION:
        why = f"of version {version!r} cannot be read: this program knows {PAYLOAD_VERSION}."
    elif kind not in kinds:
        why = "cannot be read: there is no such event."
    else:
        parsed, faults = parse_event(kinds[kind], payload, context=STORED_CONTEXT)
        event = parsed or instead
        why = f"cannot be read: {faults[0].message}" if faults else ""
    if event is None:
        raise UnreadableEvent(f"A {kind} {why}")
    return event


def parse_event(
    event_class: type[Event], payload: Mapping[str, object], *, context: str = ""
) -> tuple[Event | None, Sequence[Fault]]:
    """Return the event of a payload, or `None` with the payload's faults.

    With `STORED_CONTEXT`, the values of fields are not checked again.
    """
    try:
        values = {
            name: _convert_lists_to_tuples(value) for name, value in payload.items() if name != PAYLOAD_VERSION_KEY
        }
        return event_class(**_payload_schema(cast(Hashable, event_class)).validate_python(values, context=context)), []
    except RecursionError:
        return None, [Fault("", "bad_value", "This is nested too deeply.")]
    except ValidationError as error:
        return None, [
            fault for detail in error.errors(include_url=False) for fault in _payload_faults(event_class, detail)
        ]


def _payload_faults(event_class: type[Event], detail: ErrorDetails) -> Sequence[Fault]:
    """Return the faults, with messages for people, that one validation error found in a payload."""
    if detail["type"] == "faults":
        return tuple(detail["ctx"]["faults"])
    field = ".".join(map(str, detail["loc"]))
    if detail["type"] == "missing" or detail["input"] is None:
        return [Fault(field, "missing", f"An entry of the kind {event_class.kind!r} needs {field!r}.")]
    if detail["type"] == "extra_forbidden":
        return [Fault(field, "unknown_key", f"{field!r} has no meaning here.")]
    return [Fault(field, "bad_value", "This is not what is written here.")]


def _convert_lists_to_tuples(value: object) -> object:
    """Return a list, and all lists in it, as tuples; other values stay."""
    return tuple(map(_convert_lists_to_tuples, value)) if isinstance(value, list) else value


def encode_payload(event: Event) -> dict[str, object]:
    """Return an event's payload, with the version of its format; fields that are `None` are left out."""
    payload: dict[str, object] = {PAYLOAD_VERSION_KEY: PAYLOAD_VERSION}
    for field in fields(event):
        value = getattr(event, field.name)
        if value is not None:
            payload[field.name] = hand_as_json(value) if isinstance(value, Hand) else value
    return payload


def read_event_row(row: Row, kinds: Mapping[str, type[Event]]) -> StoredEvent:
    """Return a stored event from its row; `kinds` has the classes by kind. Raises `UnreadableEvent`."""
    return StoredEvent(row.seq, row.client_key, utc(row.at), row.actor, read_event(row.kind, row.payload, kinds))


class EventTable:
    """A table of events, of matches, books or nights; its methods commit nothing.

    `column` names the column with the stream's id, and `kinds` has the classes of events by kind.
    """

    # The queries are built once: building is slow.

    def __init__(self, table: sa.Table, column: str, kinds: Mapping[str, type[Event]]) -> None:
        self._table, self._stream_column, self._kinds = table, column, kinds
        stream, seq = table.c[column], table.c.seq
        columns = [table.c[name] for name in ("seq", "client_key", "at", "actor", "kind")]
        rows_with_text: Select = sa.select(*columns, sa.cast(table.c.payload, sa.Text))
        self._select_stream = rows_with_text.where(stream == sa.bindparam("stream")).order_by(seq)
        is_selected = stream.in_(sa.bindparam("streams", expanding=True))
        rows: Select = sa.select(stream.label("stream_id"), *columns, table.c.payload)
        self._select_rows = rows.where(is_selected).order_by(stream, seq)
        last_seqs = sa.select(stream, sa.func.max(seq).label("seq")).where(is_selected).group_by(stream).subquery()
        self._select_ends = sa.select(stream, seq, table.c.client_key).join(
            last_seqs, sa.and_(last_seqs.c[column] == stream, last_seqs.c.seq == seq)
        )

    def load(self, session: Session, stream_id: int, *, instead: Event | None = None) -> tuple[StoredEvent, ...]:
        """Return the events of a stream, in order, with `instead` in place of each one that cannot be read.

        Without `instead`, raises `UnreadableEvent` for such an event.
        """
        rows = session.execute(self._select_stream, {"stream": stream_id}).all()
        # One parser reads them all, in a fraction of the time that a column of JSON takes row by row.
        payloads = json.loads(f"[{','.join([payload for *_, payload in rows])}]")
        return tuple(
            [
                StoredEvent(seq, key, utc(at), actor, read_event(kind, payload, self._kinds, instead))
                for (seq, key, at, actor, kind, _), payload in zip(rows, payloads, strict=True)
            ]
        )

    def load_all(self, session: Session, stream_ids: Sequence[int]) -> dict[int, tuple[StoredEvent, ...]]:
        """Return the events of several streams by stream id, in order.

        A stream with an unreadable event is left out.
        """
        rows_by_stream: dict[int, list[Row]] = {stream_id: [] for stream_id in stream_ids}
        if rows_by_stream:
            for row in session.execute(self._select_rows, {"streams": list(stream_ids)}):
                rows_by_stream[row.stream_id].append(row)
        readable = {}
        for stream_id, rows in rows_by_stream.items():
            with suppress(UnreadableEvent):
                readable[stream_id] = tuple(read_event_row(row, self._kinds) for row in rows)
        return readable

    def ends(self, session: Session, stream_ids: Sequence[int]) -> dict[int, tuple[int, str]]:
        """Return the `seq` and idempotency key of each stream's last event, by stream id; (0, "") without events."""
        ends = dict.fromkeys(stream_ids, (0, ""))
        if ends:
            for stream_id, seq, idempotency_key in session.execute(self._select_ends, {"streams": list(stream_ids)}):
                ends[stream_id] = seq, idempotency_key
        return ends

    def end(self, session: Session, stream_id: int) -> tuple[int, str]:
        """Return the `seq` and idempotency key of a stream's last event; (0, "") without events."""
        return self.ends(session, [stream_id])[stream_id]

    def has_key(self, session: Session, stream_ids: Sequence[int], idempotency_key: str) -> bool:
        """Return whether one of several streams has an event with this idempotency key."""
        of_streams = self._table.c[self._stream_column].in_(stream_ids)
        matching = sa.select(self._table.c.seq).where(of_streams, self._table.c.client_key == idempotency_key).limit(1)
        return session.execute(matching).first() is not None

    def encode(self, events: Iterable[StoredEvent]) -> list[dict[str, object]]:
        """Return the rows to insert for events: each a value by column, without the id of the stream."""
        return [
            {
                "seq": event.seq,
                "client_key": event.idempotency_key,
                "kind": event.data.kind,
                "at": event.at,
                "actor": event.actor,
                "payload": encode_payload(event.data),
            }
            for event in events
        ]

    def add(self, session: Session, stream_id: int, events: Iterable[StoredEvent], **more: object) -> None:
        """Insert events of a stream, with `more` values by column; raises `IntegrityError` for a used `seq` or key."""
        self.add_rows(session, stream_id, self.encode(events), **more)

    def add_rows(self, session: Session, stream_id: int, rows: Iterable[Mapping[str, object]], **more: object) -> None:
        """Insert rows from `encode` as events of a stream, with `more` values by column; raises `IntegrityError`."""
        if stream_rows := [{self._stream_column: stream_id, **row, **more} for row in rows]:
            session.execute(sa.insert(self._table), stream_rows)
