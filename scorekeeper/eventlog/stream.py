"""Events, the log into which a stream's events are folded, and the roles that may write them.

A stored event never changes. An undo affects the last event that can be undone; a redo takes the undo back, unless
another undoable event was written since.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, ClassVar, Protocol, Self, TypeVar, dataclass_transform

from scorekeeper.eventlog.fields import TargetSeq
from scorekeeper.pitch.rules.faults import Fault, FaultsFound, HandFault


class Refused(FaultsFound):
    """A change was refused; `faults` has the reasons and what to do instead."""

    separator = " "

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """The reasons, without the position of the hand that each is about."""
        return tuple(item.fault for item in self.faults)


class MatchClosed(Exception):
    """The match does not take this event; `reason` is a code for why.

    It is `deleted`, `over`, `stopped`, `asks` (cards have to be entered first) or `gone_on` (the money night continues
    in another match).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"The match is closed: {reason}")
        self.reason = reason


class NotAllowed(Exception):
    """The role of the access link does not allow this."""


class HandRefused(Refused):
    """A hand, or an event about a hand, was refused, perhaps only because of later hands.

    `position` is the hand's position in the match, from 1; `None` if no hand in force was checked. Paths of faults in a
    hand have ids in place of names.
    """

    def __init__(self, faults: Iterable[HandFault | Fault], position: int | None = None) -> None:
        super().__init__(faults)
        self.position = position

    @property
    def own_faults(self) -> tuple[Fault, ...]:
        """The faults of the hand itself, and those that are of no hand."""
        return tuple(item.fault for item in self.faults if item.hand in (None, self.position))

    @property
    def faults_elsewhere(self) -> tuple[HandFault, ...]:
        """The faults that this hand would cause in other hands."""
        return tuple(item for item in self.faults if item.hand not in (None, self.position))


def refuse_any(faults: Iterable[Fault], refused: type[Refused] = Refused) -> None:
    """Raise the exception `refused` with the faults, if there are any."""
    if found := [*faults]:
        raise refused(found)


def refusal(field: str, message: str) -> Refused:
    """Return a `Refused`, to be raised, with one reason; `field` is the form field, or empty."""
    return Refused([Fault(field, "refused", message)])


OWNER, SCORER, WATCHER = "owner", "scorer", "watcher"
"""The roles of access links."""
ROLE_RANKS = {WATCHER: 0, SCORER: 1, OWNER: 2}
"""The rank of each role: a higher one allows all that a lower one does."""


def allows(role: str, other: str) -> bool:
    """Return whether `role` allows all that `other` allows; an unknown `role` counts as a watcher."""
    return ROLE_RANKS.get(role, 0) >= ROLE_RANKS[other]


def higher_role(one: str, other: str) -> str:
    """Return the higher of two roles."""
    return one if allows(one, other) else other


F = TypeVar("F", bound="Event")


class Event:
    """The base of every kind of event: its name, the role that may write it, its checks, and what it does to a log."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]
    kind: ClassVar[str]
    """The name of the kind in the database."""
    role: ClassVar[str | None]
    """The lowest role that may write it; `None` for one that only the program writes."""
    leaves_trace: ClassVar[bool] = False
    """Whether it is applied even after an undo: a hand that was added stays in the log, to be restored."""

    @property
    def ends_draft(self) -> bool:
        """Whether it ends the draft of the next hand of a match."""
        return True

    @property
    def is_undoable(self) -> bool:
        """Whether it can be undone."""
        return True

    def changes_anything(self, stream: Any) -> bool:
        """Return whether the event would change anything in a stream.

        Raises `Refused`, `NotAllowed` or `MatchClosed` if it cannot be written.
        """
        return True

    def apply(self, log: Any, event: "StoredEvent") -> None:
        """Apply this event to a log that is being folded; `event` is its `StoredEvent`."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def event_kind(kind: str, role: str | None = SCORER) -> Callable[[type[F]], type[F]]:
    """Return a decorator that makes a class a kind of event, and a frozen dataclass.

    `kind` is its name in the database, `role` the lowest role that may write it. With `None`, only the program writes
    it.
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
    """An undo was undone."""

    target: TargetSeq

    def changes_anything(self, stream: "HasLog") -> bool:
        stream.log.refuse_unless_last(self.target, stream.log.redo_target, "redo")
        return True


@dataclass(frozen=True, slots=True)
class Stamp:
    """The number of an event, when it was written, and the signature of the phone that wrote it."""

    seq: int
    at: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event with its number in the stream, its idempotency key, its time and its phone's signature."""

    seq: int
    idempotency_key: str
    at: datetime
    actor: str
    data: Event

    @property
    def stamp(self) -> Stamp:
        """Its number, its time, and the signature of the phone that wrote it."""
        return Stamp(self.seq, self.at, self.actor)


class HasLog(Protocol):
    """An object with a log: a match, a book or a night."""

    @property
    def log(self) -> "EventLog":
        """Its events, folded."""


@dataclass(slots=True, kw_only=True)
class EventLog:
    """The base of the logs of matches, books and nights: the folded events, and what undo and redo affect."""

    noun: ClassVar[str]
    """The word for the stream in messages: "match"."""
    max_events: ClassVar[int]
    events: tuple[StoredEvent, ...]
    next_to_undo: StoredEvent | None
    """The event that the next undo would undo; `None` if there is none."""
    redo_target: int | None
    """The `seq` of the undo that the next redo would undo; `None` if there is none."""
    undone_by: Mapping[int, StoredEvent]
    """The undo of each event that is no longer in force, by the event's `seq`."""

    @classmethod
    def fold(cls, events: Iterable[StoredEvent], **initial_fields: Any) -> Self:
        """Fold events, in order, into a log that begins with `initial_fields`.

        Events that were undone stay in its `events`, but are not applied, unless they leave a trace.
        """
        events = tuple(events)
        in_force: list[StoredEvent] = []
        redoable: list[tuple[int, StoredEvent]] = []
        """The undos that a redo can undo: the `seq` of each undo, and the event that it undid."""
        undone_by: dict[int, StoredEvent] = {}
        for event in events:
            match event.data:
                case Undone(target=target):
                    if in_force and in_force[-1].seq == target:
                        redoable.append((event.seq, in_force.pop()))
                        undone_by[target] = event
                case Redone(target=target):
                    if redoable and redoable[-1][0] == target:
                        _, undone = redoable.pop()
                        del undone_by[undone.seq]
                        in_force.append(undone)
                case data if data.is_undoable:
                    in_force.append(event)
                    redoable.clear()
        log = cls(
            events=events,
            next_to_undo=in_force[-1] if in_force else None,
            redo_target=redoable[-1][0] if redoable else None,
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
        """The log itself, so that a log can be passed where an object with a log is expected."""
        return self

    @property
    def version(self) -> int:
        """The `seq` of the last event; 0 without events."""
        return self.events[-1].seq if self.events else 0

    @property
    def end(self) -> tuple[int, str]:
        """The `seq` and idempotency key of the last event, which identify a log's state; (0, "") without events."""
        return (self.events[-1].seq, self.events[-1].idempotency_key) if self.events else (0, "")

    @property
    def end_digest(self) -> str:
        """A digest of the last event's idempotency key; empty without events.

        Forms send it with the version, so that a restored backup is noticed.
        """
        return self.end_digest_at(self.version)

    def end_digest_at(self, version: int) -> str:
        """Return a digest of the idempotency key of the event whose `seq` is `version`; empty for none."""
        event = self.event(version)
        return blake2b(event.idempotency_key.encode(), digest_size=4).hexdigest() if event else ""

    def has_key(self, idempotency_key: str) -> bool:
        """Return whether an event has this idempotency key, so that its form was received already."""
        return self.seq_of(idempotency_key) is not None

    def seq_of(self, idempotency_key: str) -> int | None:
        """Return the `seq` of the event with this idempotency key; `None` where there is none."""
        return next((event.seq for event in self.events if event.idempotency_key == idempotency_key), None)

    def event(self, seq: int) -> StoredEvent | None:
        """Return the event with a `seq`; `None` where there is none."""
        return next((event for event in reversed(self.events) if event.seq == seq), None)

    def resolve_undo(self, event: Event) -> Event:
        """Return the event that an undo or a redo finally affects; any other event itself."""
        if isinstance(event, Undone | Redone) and (found := self.event(event.target)):
            return self.resolve_undo(found.data)
        return event

    def may_write(self, role: str, event: Event) -> bool:
        """Return whether a role may write an event.

        For an undo or a redo, the role must also allow the event that is undone or redone.
        """
        return all(one.role is not None and allows(role, one.role) for one in (event, self.resolve_undo(event)))

    def may_undo(self, role: str) -> bool:
        """Return whether a role may undo the last event that can be undone; false if there is none."""
        return self.undo_target is not None and self.may_write(role, Undone(target=self.undo_target))

    def may_redo(self, role: str) -> bool:
        """Return whether a role may redo what was undone last; false if there is nothing to redo."""
        return self.redo_target is not None and self.may_write(role, Redone(target=self.redo_target))

    def refuse_unless_last(self, target: int, last: int | None, action: str) -> None:
        """Raise `Refused` unless `target` is `last`, the only event that can be undone now.

        Both are the `seq` of an event; `last` is `None` if there is nothing to undo. `action` is "undo" or "redo".
        """
        if last is None:
            raise refusal("", f"There is nothing to {action}.")
        if target != last:
            raise refusal("", f"Something else changed after that. Check the {self.noun} again.")


def undo_event(stream: HasLog) -> Undone:
    """Return an event, to be appended, for the next undo; appending it is refused if there is nothing to undo."""
    return Undone(target=stream.log.undo_target or 0)


def redo_event(stream: HasLog) -> Redone:
    """Return an event, to be appended, for the next redo; appending it is refused if there is nothing to redo."""
    return Redone(target=stream.log.redo_target or 0)
