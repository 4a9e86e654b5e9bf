"""Append events to a stream: once for a form, and on the version that they were decided on."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Generic, Protocol, Self, TypeVar

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.codes import new_code
from scorekeeper.eventlog.stream import Event, EventLog, StoredEvent, refuse_any
from scorekeeper.pitch.records.limits import cut_actor, key_faults

MAX_TRIES = 50
"""How often a write is tried again when others write at the same moment."""
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes: the idempotency key of the form, which is written once, and the signature of its phone.

    `zone` is the time zone of that phone, where it is known. Raises `Refused` for a key that is not valid.
    """

    idempotency_key: str
    actor: str = ""
    zone: str | None = None

    def __post_init__(self) -> None:
        refuse_any(key_faults(self.idempotency_key))

    def event(self, seq: int, event: Event) -> StoredEvent:
        """Return an event as it is written now."""
        return StoredEvent(seq, self.idempotency_key, datetime.now(UTC), cut_actor(self.actor), event)


class Stream(Protocol):
    """The stream of a match, a book or a night, with the link that leads to it, to which events are appended."""

    @property
    def log(self) -> EventLog:
        """The events so far, folded."""

    def accepts(self, event: Event) -> bool:
        """Return whether an event changes anything; raises `Refused` and `NotAllowed` where it cannot be written."""

    def after(self, event: StoredEvent) -> Self:
        """Return the stream with one more event; raises `Refused`."""

    def store(self, session: Session, before: Self) -> None:
        """Insert the last event, given the stream before it; commits nothing, and raises `IntegrityError`."""

    def as_of(self, version: int) -> Self:
        """Return the stream as it stood after one of its events."""


S = TypeVar("S", bound=Stream)


class Stale(Exception, Generic[S]):
    """Another phone wrote first; `stream` is how it stands now."""

    def __init__(self, stream: S) -> None:
        super().__init__("Someone else wrote first.")
        self.stream = stream


def append_event(
    session: Session,
    load: Callable[[], S],
    decide: Callable[[S], Event | Iterable[Event]],
    writer: Writer,
    *,
    expected_version: int | None = None,
    mark: str = "",
) -> S:
    """Append the events that `decide` returns for a stream, all or none, and commit; return the stream after them.

    Where another phone appends first, the stream is loaded and `decide` is called again. A form whose idempotency key
    is in the stream gets the stream as it was after that event, whatever was written since. With an
    `expected_version`, nothing may have been written since; with the `mark` of that version, the event of that version
    may not have been replaced by a restore either. Raises `Refused`, `NotAllowed` and `Stale`.
    """

    def look_and_add() -> S:
        stream = load()
        log = stream.log
        if (sent := log.seq_of(writer.idempotency_key)) is not None:
            return stream.as_of(sent)
        if expected_version is not None and (expected_version != log.version or mark not in ("", log.mark)):
            raise Stale(stream)
        after = append(session, stream, decide(stream), writer)
        if after is not stream:
            session.commit()
        return after

    try:
        return retry_on_conflict(session, look_and_add)  # another phone was faster, or the same one twice: try again
    except IntegrityError:
        session.rollback()
        raise Stale(load()) from None


def append(session: Session, stream: S, events: Event | Iterable[Event], writer: Writer) -> S:
    """Append those of some events that change anything to a stream, all or none, and return it; commits nothing.

    Raises `Refused` and `NotAllowed` before anything is added, and `IntegrityError`.
    """
    steps = steps_of(stream, events, writer)
    for before, after in pairwise(steps):
        after.store(session, before)
    return steps[-1]


def steps_of(stream: S, events: Event | Iterable[Event], writer: Writer) -> list[S]:
    """Return a stream, then the stream after each event that changes anything; raises `Refused` and `NotAllowed`."""
    steps = [stream]
    for event in (events,) if isinstance(events, Event) else events:
        if steps[-1].accepts(event):
            if len(steps) > 1:  # each event has a key of its own, and the last one the form's
                steps[-1] = steps[-2].after(replace(steps[-1].log.events[-1], idempotency_key=new_code()))
            steps.append(steps[-1].after(next_event(steps[-1].log, event, writer)))
    return steps


def next_event(log: EventLog, event: Event, writer: Writer) -> StoredEvent:
    """Return an event as the next event of a log; raises `Refused` where there is no room for it."""
    log.refuse_full()
    return writer.event(log.version + 1, event)


def retry_on_conflict(session: Session, write: Callable[[], Answer]) -> Answer:
    """Return what `write` returns, which is called again after each conflict; any other error rolls back."""
    for _ in range(MAX_TRIES):
        try:
            return write()
        except IntegrityError:
            session.rollback()
        except Exception:
            session.rollback()
            raise
    return write()


def add_once(session: Session, find: Callable[[], str | None], add: Callable[[], str]) -> str:
    """Add what a form creates, commit, and return its code; where `find` returns a code already, only return that."""
    if (known := find()) is not None:
        return known
    try:
        code = add()
        session.commit()
    except Exception:  # perhaps of the same form, twice at the same moment
        session.rollback()
        if (known := find()) is None:
            raise
        return known
    return code
