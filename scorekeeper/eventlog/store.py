"""Append events to the streams of matches, books and nights, and store events in tables.

A form that is sent twice appends once. A form is refused if its page showed an earlier version of the stream.
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
"""The most times that a write is tried again after another phone wrote at the same moment."""
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Writer:
    """The phone that writes: its form's idempotency key, its signature `actor`, and its time zone, if known.

    Raises `Refused` for an invalid key.
    """

    idempotency_key: str
    actor: str = ""
    zone: str | None = None

    def __post_init__(self) -> None:
        refuse_any(idempotency_key_faults(self.idempotency_key))

    def event(self, seq: int, event: Event) -> StoredEvent:
        """Return an event as this phone writes it now, with the number `seq`. It is not stored yet."""
        return StoredEvent(seq, self.idempotency_key, datetime.now(UTC), clean_actor(self.actor), event)


class Stream(HasLog, Protocol):
    """A match, book or night that was loaded by an access link, and to which events can be appended."""

    def is_changed_by(self, event: Event) -> bool:
        """Return whether an event changes anything.

        Raises `Refused`, `NotAllowed` or, for a match, `MatchClosed` if it cannot be written.
        """

    def with_event(self, event: StoredEvent) -> Self:
        """Return a copy of the stream with one more event, which is not stored; raises `Refused`."""

    def store(self, session: Session, before: Self) -> None:
        """Insert the last event, and store what follows from it; does not commit.

        `before` is the stream without that event. Raises `IntegrityError` or, for a match, `MatchClosed`.
        """

    def as_of(self, version: int) -> Self:
        """Return a copy of the stream as it was at an earlier version."""


S = TypeVar("S", bound=Stream)


class StaleStream(Exception, Generic[S]):
    """Another phone wrote first, or a backup was restored. `stream` is the stream as it is now."""

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

    For a form that was received before, nothing is appended: the stream is returned as it was after that. Raises
    `StaleStream` unless the log has `expected_version` and `end_digest`. Raises `Refused`, `NotAllowed` or
    `MatchClosed` for an event that cannot be written.
    """

    def load_and_append() -> S:
        stream = load()
        log = stream.log
        if (appended_seq := log.seq_by_key(writer.idempotency_key)) is not None:
            return stream.as_of(appended_seq)
        if expected_version is not None and (expected_version != log.version or end_digest not in ("", log.end_digest)):
            raise StaleStream(stream)
        new_stream = append_uncommitted(session, stream, change(stream) if callable(change) else change, writer)
        if new_stream is not stream:
            session.commit()
        return new_stream

    try:
        return retry_on_conflict(session, load_and_append)  # another phone was faster, or the same one twice: try again
    except IntegrityError:
        raise StaleStream(load()) from None


def append_uncommitted(session: Session, stream: S, events: Event | Iterable[Event], writer: Writer) -> S:
    """Append to a stream the events that have an effect, and return the new stream; does not commit.

    If no event has any effect, `stream` itself is returned. Raises `Refused`, `NotAllowed`, `MatchClosed` or
    `IntegrityError`, after which the caller has to roll back.
    """
    streams = apply_events(stream, events, writer)
    for before, after in pairwise(streams):
        after.store(session, before)
    return streams[-1]


def apply_events(stream: S, events: Event | Iterable[Event], writer: Writer) -> list[S]:
    """Return a stream, followed by a copy of it after each event that changes anything; stores nothing.

    The last event gets the idempotency key of the writer, and each one before it a new key. Raises `Refused`,
    `NotAllowed` and `MatchClosed`.
    """
    streams = [stream]
    for event in (events,) if isinstance(events, Event) else events:
        if streams[-1].is_changed_by(event):
            if len(streams) > 1:  # every event needs a key of its own; the last one gets the form's
                streams[-1] = streams[-2].with_event(replace(streams[-1].log.events[-1], idempotency_key=new_code()))
            streams.append(streams[-1].with_event(number_event(streams[-1].log, event, writer)))
    return streams


def number_event(log: EventLog, event: Event, writer: Writer) -> StoredEvent:
    """Return an event with the next `seq` of a log, not stored yet. Raises `Refused` if the log is full."""
    if len(log.events) >= log.max_events:
        raise refusal("", f"A {log.noun} has room for {log.max_events} entries. Start a new one.")
    return writer.event(log.version + 1, event)


def retry_on_conflict(session: Session, write: Callable[[], Result]) -> Result:
    """Return the result of `write`, which is called again after each `IntegrityError`, up to `MAX_RETRIES` times.

    `write` has to commit what it writes. Every error is rolled back, and the last one raised.
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


def add_once(session: Session, find_code: Callable[[], str | None], add_new: Callable[[], str]) -> str:
    """Return the code that `find_code` returns. If that is `None`, call `add_new`, commit, and return its code.

    So a form that is posted twice adds once, even if it is posted twice at the same moment.
    """

    def find_or_add() -> str:
        if (existing_code := find_code()) is not None:
            return existing_code
        try:
            code = add_new()
            session.commit()
        except Exception:  # perhaps of the same form, twice at the same moment
            session.rollback()
            if (existing_code := find_code()) is None:
                raise
            return existing_code
        return code

    return retry_on_conflict(session, find_or_add)


# ---------- rows and payloads ----------

PAYLOAD_VERSION_KEY, PAYLOAD_VERSION = "v", 1


class UnreadableEvent(OperatorError):
    """A stored event cannot be read, because a later version of this program wrote it or because it is damaged."""


@cache
def _payload_schema(event_class: type[Event]) -> TypeAdapter[dict[str, Any]]:
    """Return the schema of the payloads of a class of events; it is made once.

    Payloads in files have the same schema as those in the database.
    """
    field_hints, typed_dict = get_type_hints(event_class, include_extras=True), cast(Any, TypedDict)
    field_types = {
        field.name: field_hints[field.name]
        if field.default is field.default_factory is MISSING
        else NotRequired[field_hints[field.name]]
        for field in fields(event_class)
    }
    payload_type = typed_dict(event_class.__name__, field_types)
    payload_type.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
    return TypeAdapter(payload_type)


def read_event(
    kind: str, payload: Mapping[str, object], class_by_kind: Mapping[str, type[Event]], replacement: Event | None = None
) -> Event:
    """Return the event in a stored payload. If it cannot be read, return `replacement` instead.

    Raises `UnreadableEvent` if there is no replacement either.
    """
    event, version = replacement, payload.get(PAYLOAD_VERSION_KEY)
    if version != PAYLOAD_VERSION:
        problem = f"of version {version!r} cannot be read: this program knows {PAYLOAD_VERSION}."
    elif kind not in class_by_kind:
        problem = "cannot be read: there is no such event."
    else:
        parsed_event, faults = parse_event(class_by_kind[kind], payload, context=STORED_CONTEXT)
        event = parsed_event or replacement
        problem = f"cannot be read: {faults[0].message}" if faults else ""
    if event is None:
        raise UnreadableEvent(f"A {kind} {problem}")
    return event


def parse_event(
    event_class: type[Event], payload: Mapping[str, object], *, context: str = ""
) -> tuple[Event | None, Sequence[Fault]]:
    """Return the event in a payload, and no faults; or `None`, and the faults of the payload.

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


def _payload_faults(event_class: type[Event], error_detail: ErrorDetails) -> Sequence[Fault]:
    """Return one of pydantic's errors in a payload as faults, with messages for people."""
    if error_detail["type"] == "faults":
        return tuple(error_detail["ctx"]["faults"])
    field = ".".join(map(str, error_detail["loc"]))
    if error_detail["type"] == "missing" or error_detail["input"] is None:
        return [Fault(field, "missing", f"An entry of the kind {event_class.kind!r} needs {field!r}.")]
    if error_detail["type"] == "extra_forbidden":
        return [Fault(field, "unknown_key", f"{field!r} has no meaning here.")]
    return [Fault(field, "bad_value", "This is not what is written here.")]


def _convert_lists_to_tuples(value: object) -> object:
    """Return a list, and all lists inside it, as tuples: ("a", ("b",)). Any other value is returned itself."""
    return tuple(map(_convert_lists_to_tuples, value)) if isinstance(value, list) else value


def encode_payload(event: Event) -> dict[str, object]:
    """Return the payload to store for an event: the version of its format, and each field that is not `None`."""
    payload: dict[str, object] = {PAYLOAD_VERSION_KEY: PAYLOAD_VERSION}
    for field in fields(event):
        value = getattr(event, field.name)
        if value is not None:
            payload[field.name] = hand_as_json(value) if isinstance(value, Hand) else value
    return payload


def read_event_row(row: Row, class_by_kind: Mapping[str, type[Event]]) -> StoredEvent:
    """Return the event in a row of its table; raises `UnreadableEvent`."""
    return StoredEvent(
        row.seq, row.client_key, utc(row.at), row.actor, read_event(row.kind, row.payload, class_by_kind)
    )


class EventTable:
    """The table of the events of all matches, of all books or of all nights. Its methods do not commit.

    `stream_column` is the column with the id of the stream: "match_id". `class_by_kind` has the classes of events,
    keyed by kind.
    """

    # The queries are built once: building is slow.

    def __init__(self, table: sa.Table, stream_column: str, class_by_kind: Mapping[str, type[Event]]) -> None:
        self._table, self._stream_column, self._class_by_kind = table, stream_column, class_by_kind
        stream, seq = table.c[stream_column], table.c.seq
        columns = [table.c[name] for name in ("seq", "client_key", "at", "actor", "kind")]
        select_payload_texts: Select = sa.select(*columns, sa.cast(table.c.payload, sa.Text))
        self._select_stream = select_payload_texts.where(stream == sa.bindparam("stream")).order_by(seq)
        is_selected = stream.in_(sa.bindparam("streams", expanding=True))
        select_rows: Select = sa.select(stream.label("stream_id"), *columns, table.c.payload)
        self._select_rows = select_rows.where(is_selected).order_by(stream, seq)
        last_seqs = sa.select(stream, sa.func.max(seq).label("seq")).where(is_selected).group_by(stream).subquery()
        self._select_ends = sa.select(stream, seq, table.c.client_key).join(
            last_seqs, sa.and_(last_seqs.c[stream_column] == stream, last_seqs.c.seq == seq)
        )

    def load(self, session: Session, stream_id: int, *, replacement: Event | None = None) -> tuple[StoredEvent, ...]:
        """Return the events of a stream, in order, with `replacement` in place of each event that cannot be read.

        Without a replacement, raises `UnreadableEvent`.
        """
        rows = session.execute(self._select_stream, {"stream": stream_id}).all()
        # One parser reads them all, in a fraction of the time that a column of JSON takes row by row.
        payloads = json.loads(f"[{','.join([payload for *_, payload in rows])}]")
        return tuple(
            [
                StoredEvent(seq, key, utc(at), actor, read_event(kind, payload, self._class_by_kind, replacement))
                for (seq, key, at, actor, kind, _), payload in zip(rows, payloads, strict=True)
            ]
        )

    def load_all(self, session: Session, stream_ids: Sequence[int]) -> dict[int, tuple[StoredEvent, ...]]:
        """Return the events of several streams, in order, keyed by the id of the stream.

        A stream with an event that cannot be read is left out.
        """
        rows_by_stream: dict[int, list[Row]] = {stream_id: [] for stream_id in stream_ids}
        if rows_by_stream:
            for row in session.execute(self._select_rows, {"streams": list(stream_ids)}):
                rows_by_stream[row.stream_id].append(row)
        events_by_stream = {}
        for stream_id, rows in rows_by_stream.items():
            with suppress(UnreadableEvent):
                events_by_stream[stream_id] = tuple(read_event_row(row, self._class_by_kind) for row in rows)
        return events_by_stream

    def ends(self, session: Session, stream_ids: Sequence[int]) -> dict[int, tuple[int, str]]:
        """Return the `seq` and the idempotency key of the last event of each stream, keyed by the id of the stream.

        A stream without events has (0, "").
        """
        end_by_stream = dict.fromkeys(stream_ids, (0, ""))
        if end_by_stream:
            for stream_id, seq, idempotency_key in session.execute(self._select_ends, {"streams": list(stream_ids)}):
                end_by_stream[stream_id] = seq, idempotency_key
        return end_by_stream

    def end(self, session: Session, stream_id: int) -> tuple[int, str]:
        """Return the `seq` and the idempotency key of the last event of a stream; (0, "") without events."""
        return self.ends(session, [stream_id])[stream_id]

    def has_key(self, session: Session, stream_ids: Sequence[int], idempotency_key: str) -> bool:
        """Return whether an event of one of these streams has this idempotency key."""
        is_of_streams = self._table.c[self._stream_column].in_(stream_ids)
        query = sa.select(self._table.c.seq).where(is_of_streams, self._table.c.client_key == idempotency_key).limit(1)
        return session.execute(query).first() is not None

    def encode_rows(self, events: Iterable[StoredEvent]) -> list[dict[str, object]]:
        """Return the rows to insert for events. Each has a value for every column but the id of the stream."""
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

    def add(self, session: Session, stream_id: int, events: Iterable[StoredEvent], **columns: object) -> None:
        """Insert events of a stream, with further `columns` if given.

        Raises `IntegrityError` if the stream has an event with the same `seq` or idempotency key.
        """
        self.add_rows(session, stream_id, self.encode_rows(events), **columns)

    def add_rows(
        self, session: Session, stream_id: int, rows: Iterable[Mapping[str, object]], **columns: object
    ) -> None:
        """Insert rows from `encode_rows` as events of a stream, with further `columns`; raises `IntegrityError`."""
        if stream_rows := [{self._stream_column: stream_id, **row, **columns} for row in rows]:
            session.execute(sa.insert(self._table), stream_rows)
