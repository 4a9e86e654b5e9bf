"""Events, the log into which the events of a stream are folded, and the roles that may write them.

A stored event never changes: undo and redo are events of their own. An undo affects the last event that can be undone.
A redo takes the last undo back, unless another undoable event was written since.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, ClassVar, Protocol, Self, TypeVar, dataclass_transform

from scorekeeper.eventlog.fields import TargetSeq
from scorekeeper.pitch.rules.faults import Fault, FaultsFound, HandFault


class Refused(FaultsFound):
    """A change was refused. `faults` has the reasons, each with a sentence on what to do instead."""

    separator = " "

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """The faults, without the numbers of the hands that they are about."""
        return tuple(item.fault for item in self.faults)


class MatchClosed(Exception):
    """The match does not take this event; `reason` is a code that says why.

    "deleted", "over" and "stopped" are states of the match. "asks" means that cards have to be entered first, and
    "gone_on" that the money night continues in another match.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"The match is closed: {reason}")
        self.reason = reason


class NotAllowed(Exception):
    """The role of the access link does not allow the event or the action."""


class HandRefused(Refused):
    """A hand, or an event that changes a hand, was refused; perhaps only because of faults in later hands.

    `position` is the number of the hand in the match, from 1; `None` if no hand in force was checked. The paths of
    faults in a hand have ids in place of names.
    """

    def __init__(self, faults: Iterable[HandFault | Fault], position: int | None = None) -> None:
        super().__init__(faults)
        self.position = position

    @property
    def own_faults(self) -> tuple[Fault, ...]:
        """The faults in the hand itself, and the faults that are about no hand."""
        return tuple(item.fault for item in self.faults if item.hand in (None, self.position))

    @property
    def faults_elsewhere(self) -> tuple[HandFault, ...]:
        """The faults that the change would cause in other hands."""
        return tuple(item for item in self.faults if item.hand not in (None, self.position))


def refuse_any(faults: Iterable[Fault], exception_type: type[Refused] = Refused) -> None:
    """Raise an exception of the given type with these faults; do nothing if there are none."""
    if found_faults := [*faults]:
        raise exception_type(found_faults)


def refusal(field: str, message: str) -> Refused:
    """Return a `Refused` with one fault, to be raised.

    `field` is the form field that the fault is about, or empty.
    """
    return Refused([Fault(field, "refused", message)])


OWNER, SCORER, WATCHER = "owner", "scorer", "watcher"
"""The roles of access links.

A watcher may look, a scorer may also append events, and an owner may also change roles.
"""
ROLE_RANKS = {WATCHER: 0, SCORER: 1, OWNER: 2}
"""The rank of each role. A role may do all that the roles of lower rank may."""


def allows(role: str, needed_role: str) -> bool:
    """Return whether `role` may do all that `needed_role` may. An unknown `role` counts as a watcher."""
    return ROLE_RANKS.get(role, 0) >= ROLE_RANKS[needed_role]


def higher_role(role_one: str, role_two: str) -> str:
    """Return the higher of two roles."""
    return role_one if allows(role_one, role_two) else role_two


F = TypeVar("F", bound="Event")


class Event:
    """The base of every kind of event: its name, the role that it needs, its checks, and its effect on a log."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]
    kind: ClassVar[str]
    """The name of the kind in the database: "rename"."""
    role: ClassVar[str | None]
    """The lowest role that may write the event; `None` if only the program writes it."""
    leaves_trace: ClassVar[bool] = False
    """Whether the event is applied to the log even while it is undone.

    A hand that was added and then undone stays in the log, so that it can be restored.
    """

    @property
    def ends_draft(self) -> bool:
        """Whether the event ends the draft of the match's next hand."""
        return True

    @property
    def is_undoable(self) -> bool:
        """Whether an undo can undo the event."""
        return True

    def changes_anything(self, stream: Any) -> bool:
        """Return whether the event would change anything in a stream.

        Raises `Refused`, `NotAllowed` or `MatchClosed` if it cannot be written.
        """
        return True

    def apply(self, log: Any, event: "StoredEvent") -> None:
        """Change a log that is being folded, as this event says; `event` is its `StoredEvent`."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def event_kind(kind: str, role: str | None = SCORER) -> Callable[[type[F]], type[F]]:
    """Return a decorator that makes a class a kind of event, and a frozen dataclass.

    `kind` is the name of the kind in the database. `role` is the lowest role that may write such an event; with `None`,
    only the program writes it.
    """

    def declare(event_class: type[F]) -> type[F]:
        event_class = dataclass(frozen=True, slots=True, kw_only=True)(event_class)
        event_class.kind, event_class.role = kind, role
        return event_class

    return declare


@event_kind("undo")
class Undone(Event):
    """An event was undone."""

    target: TargetSeq

    def changes_anything(self, stream: "HasLog") -> bool:
        stream.log.refuse_unless_last(self.target, stream.log.undo_target, "undo")
        return True


@event_kind("redo")
class Redone(Event):
    """An undo was undone, so that the event that it undid is in force again."""

    target: TargetSeq

    def changes_anything(self, stream: "HasLog") -> bool:
        stream.log.refuse_unless_last(self.target, stream.log.redo_target, "redo")
        return True


@dataclass(frozen=True, slots=True)
class Stamp:
    """An event's number, when it was written, and the signature of the phone that wrote it."""

    seq: int
    at: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is stored: its number in the stream, its idempotency key, its time, and who wrote it.

    `actor` is the signature of the phone.
    """

    seq: int
    idempotency_key: str
    at: datetime
    actor: str
    data: Event

    @property
    def stamp(self) -> Stamp:
        """The number of the event, its time, and the signature of the phone that wrote it."""
        return Stamp(self.seq, self.at, self.actor)


class HasLog(Protocol):
    """Anything with a log, such as a match, a book or a night."""

    @property
    def log(self) -> "EventLog":
        """The folded events."""


@dataclass(slots=True, kw_only=True)
class EventLog:
    """The base of the logs of matches, books and nights: the events, and what undo and redo did to them."""

    noun: ClassVar[str]
    """The word for the stream in messages: "match"."""
    max_events: ClassVar[int]
    events: tuple[StoredEvent, ...]
    next_to_undo: StoredEvent | None
    """The event that the next undo would undo; `None` if there is none."""
    redo_target: int | None
    """The `seq` of the undo that the next redo would undo; `None` if there is none."""
    undone_by: Mapping[int, StoredEvent]
    """The undo of each event that is not in force, keyed by the `seq` of the event."""

    @classmethod
    def fold(cls, events: Iterable[StoredEvent], **initial_fields: Any) -> Self:
        """Fold events, in order, into a log whose other fields begin as `initial_fields`.

        All events are in its `events`. An undone event is not applied, unless it leaves a trace.
        """
        events = tuple(events)
        events_in_force: list[StoredEvent] = []
        redoable_undos: list[tuple[int, StoredEvent]] = []
        """The undos that a redo can undo: the `seq` of each undo, and the event that it undid."""
        undone_by: dict[int, StoredEvent] = {}
        for event in events:
            match event.data:
                case Undone(target=target_seq):
                    if events_in_force and events_in_force[-1].seq == target_seq:
                        redoable_undos.append((event.seq, events_in_force.pop()))
                        undone_by[target_seq] = event
                case Redone(target=target_seq):
                    if redoable_undos and redoable_undos[-1][0] == target_seq:
                        _, undone_event = redoable_undos.pop()
                        del undone_by[undone_event.seq]
                        events_in_force.append(undone_event)
                case data if data.is_undoable:
                    events_in_force.append(event)
                    redoable_undos.clear()
        log = cls(
            events=events,
            next_to_undo=events_in_force[-1] if events_in_force else None,
            redo_target=redoable_undos[-1][0] if redoable_undos else None,
            undone_by=undone_by,
            **initial_fields,
        )
        for event in events:
            if event.seq not in undone_by or event.data.leaves_trace:
                event.data.apply(log, event)
        return log

    @property
    def undo_target(self) -> int | None:
        """The `seq` of the event that the next undo would undo; `None` if there is none."""
        return self.next_to_undo.seq if self.next_to_undo else None

    @property
    def log(self) -> "EventLog":
        """The log itself, so that it can be passed where anything with a log is expected."""
        return self

    @property
    def version(self) -> int:
        """The `seq` of the last event; 0 without events."""
        return self.events[-1].seq if self.events else 0

    @property
    def end(self) -> tuple[int, str]:
        """The `seq` and the idempotency key of the last event; (0, "") without events.

        Together they identify the state of a log.
        """
        return (self.events[-1].seq, self.events[-1].idempotency_key) if self.events else (0, "")

    @property
    def end_digest(self) -> str:
        """A digest of the last event's idempotency key; empty without events.

        A form sends it with the version. After a backup was restored, another event has the same version, and the
        digests differ.
        """
        return self.end_digest_at(self.version)

    def end_digest_at(self, version: int) -> str:
        """Return a digest of the idempotency key of the event with the `seq` `version`; empty without such an event."""
        event = self.event(version)
        return blake2b(event.idempotency_key.encode(), digest_size=4).hexdigest() if event else ""

    def has_key(self, idempotency_key: str) -> bool:
        """Return whether an event has this idempotency key: then its form was received before."""
        return self.seq_by_key(idempotency_key) is not None

    def seq_by_key(self, idempotency_key: str) -> int | None:
        """Return the `seq` of the event with this idempotency key; `None` where there is none."""
        return next((event.seq for event in self.events if event.idempotency_key == idempotency_key), None)

    def event(self, seq: int) -> StoredEvent | None:
        """Return the event with a `seq`; `None` where there is none."""
        return next((event for event in reversed(self.events) if event.seq == seq), None)

    def resolve_undo(self, event: Event) -> Event:
        """Return the event that an undo or a redo takes away or brings back in the end.

        Any other event is returned itself.
        """
        if isinstance(event, Undone | Redone) and (target_event := self.event(event.target)):
            return self.resolve_undo(target_event.data)
        return event

    def may_write(self, role: str, event: Event) -> bool:
        """Return whether a role may write an event.

        For an undo or a redo, the role must also allow the event that is undone or redone.
        """
        return all(part.role is not None and allows(role, part.role) for part in (event, self.resolve_undo(event)))

    def may_undo(self, role: str) -> bool:
        """Return whether a role may write the next undo; false if there is nothing to undo."""
        return self.undo_target is not None and self.may_write(role, Undone(target=self.undo_target))

    def may_redo(self, role: str) -> bool:
        """Return whether a role may write the next redo; false if there is nothing to redo."""
        return self.redo_target is not None and self.may_write(role, Redone(target=self.redo_target))

    def refuse_unless_last(self, target_seq: int, last_seq: int | None, action: str) -> None:
        """Raise `Refused` unless `target_seq` is `last_seq`, the only event that `action` can affect now.

        `last_seq` is `None` if there is none. `action` is "undo" or "redo".
        """
        if last_seq is None:
            raise refusal("", f"There is nothing to {action}.")
        if target_seq != last_seq:
            raise refusal("", f"Something else changed after that. Check the {self.noun} again.")


def undo_event(stream: HasLog) -> Undone:
    """Return the next undo, to be appended. Without anything to undo, appending it is refused."""
    return Undone(target=stream.log.undo_target or 0)


def redo_event(stream: HasLog) -> Redone:
    """Return the next redo, to be appended. Without anything to redo, appending it is refused."""
    return Redone(target=stream.log.redo_target or 0)
