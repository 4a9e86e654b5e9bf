"""Events, and the log of a match, a book or a night: who may write an event, and what an undo undoes.

A stored event never changes. An undo undoes the last event in force, and can itself be undone until another event is
written. The roles, and the exceptions for what is refused, are here as well.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, ClassVar, Protocol, Self, TypeVar, dataclass_transform

from scorekeeper.eventlog.fields import TargetSeq
from scorekeeper.pitch.rules.faults import Fault, FaultsFound, HandFault


class Refused(FaultsFound):
    """A request was refused; `faults` has the reasons and what to do instead."""

    separator = " "

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """The faults, without the hands that they belong to."""
        return tuple(item.fault for item in self.faults)


class MatchClosed(Exception):
    """The match takes no new hand and no setting for the next one; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This match is {reason}.")
        self.reason = reason
        """`deleted`, `over`, `stopped`, `asks` (cards have to be entered first) or `gone_on` (in another match)."""


class NotAllowed(Exception):
    """The link of the request does not allow this."""


class HandRefused(Refused):
    """The rules or the seats do not allow this hand, or not together with the hands after it.

    `position` is the hand's position in the match, from 1. The path of a fault in a hand has ids in it, as the fields
    of a form have.
    """

    def __init__(self, faults: Iterable[HandFault | Fault], position: int | None = None) -> None:
        super().__init__(faults)
        self.position = position

    @property
    def own(self) -> tuple[Fault, ...]:
        """The faults of the hand itself."""
        return tuple(item.fault for item in self.faults if item.hand in (None, self.position))

    @property
    def faults_elsewhere(self) -> tuple[HandFault, ...]:
        """The faults that this hand would cause in other hands."""
        return tuple(item for item in self.faults if item.hand not in (None, self.position))


def refuse_any(faults: Iterable[Fault], refused: type[Refused] = Refused) -> None:
    """Raise `Refused`, or the exception given, with the faults, if there are any."""
    if found := [*faults]:
        raise refused(found)


def refusal(field: str, message: str) -> Refused:
    """Return a refusal with one reason, which belongs to no hand."""
    return Refused([Fault(field, "refused", message)])


OWNER, SCORER, WATCHER = "owner", "scorer", "watcher"


ROLE_RANKS = {WATCHER: 0, SCORER: 1, OWNER: 2}


def allows(role: str, other: str) -> bool:
    """Return whether a role allows at least as much as another."""
    return ROLE_RANKS.get(role, 0) >= ROLE_RANKS[other]


def higher_role(one: str, other: str) -> str:
    """Return the higher of two roles."""
    return one if allows(one, other) else other


F = TypeVar("F", bound="Event")


class Event:
    """One kind of event: the role that may write it, whether it changes anything, and its effect."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]
    kind: ClassVar[str]
    """The name of the kind in the database."""
    role: ClassVar[str | None]
    """The lowest role whose links may write it; `None` where no link may."""
    leaves_trace: ClassVar[bool] = False
    """Whether it is applied even after it was undone: an added hand is kept as a removed one, to be restored."""

    @property
    def ends_draft(self) -> bool:
        """Whether it drops the draft of the next hand of a match."""
        return True

    @property
    def is_undoable(self) -> bool:
        """Whether it can be undone."""
        return True

    def changes_anything(self, stream: Any) -> bool:
        """Return whether the event changes anything; raises `Refused` where it cannot be written."""
        return True

    def apply(self, stream: Any, event: "StoredEvent") -> None:
        """Apply the event to a log that is being folded."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def event_kind(kind: str, role: str | None = SCORER) -> Callable[[type[F]], type[F]]:
    """Make a class a kind of event that `role` and higher may write: a frozen dataclass with keyword-only fields."""

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
    """Who wrote something, and when."""

    seq: int
    at: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event with its number in the stream, its idempotency key, and who wrote it when."""

    seq: int
    idempotency_key: str
    at: datetime
    actor: str
    data: Event

    @property
    def stamp(self) -> Stamp:
        """Who wrote it, and when."""
        return Stamp(self.seq, self.at, self.actor)


class HasLog(Protocol):
    """An object with a log: a match, a book or a night."""

    @property
    def log(self) -> "EventLog":
        """The events so far, folded."""


@dataclass(slots=True, kw_only=True)
class EventLog:
    """The folded events of a match, a book or a night: what all three logs have."""

    noun: ClassVar[str]
    max_events: ClassVar[int]
    events: tuple[StoredEvent, ...]
    undo_next: StoredEvent | None
    """The event that the next undo would undo."""
    redo_target: int | None
    """The `seq` of the undo that the next redo would undo."""
    undone_by: Mapping[int, StoredEvent]
    """The undo of each event that is no longer in force, by the event's `seq`."""

    @classmethod
    def fold(cls, events: Iterable[StoredEvent], **initial_fields: Any) -> Self:
        """Fold events, in order, but not those that were undone; `initial_fields` are the fields that no event sets."""
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
            undo_next=in_force[-1] if in_force else None,
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
        """The `seq` of the event that the next undo would undo."""
        return self.undo_next.seq if self.undo_next else None

    @property
    def log(self) -> "EventLog":
        """The log itself, so that an event's checks take a log as well as an object that has one."""
        return self

    @property
    def version(self) -> int:
        """The `seq` of the last event; 0 without events."""
        return self.events[-1].seq if self.events else 0

    @property
    def end(self) -> tuple[int, str]:
        """The `seq` and key of the last event, which identify the state of a log; (0, "") without events."""
        return (self.events[-1].seq, self.events[-1].idempotency_key) if self.events else (0, "")

    @property
    def mark(self) -> str:
        """The mark of the present version, which forms carry together with the version."""
        return self.mark_at(self.version)

    def mark_at(self, version: int) -> str:
        """Return a digest of the event of a version, which differs where a restore replaced it; empty without one."""
        event = self.event(version)
        return blake2b(event.idempotency_key.encode(), digest_size=4).hexdigest() if event else ""

    def has_key(self, idempotency_key: str) -> bool:
        """Return whether an event has this idempotency key: its form was received already."""
        return self.seq_of(idempotency_key) is not None

    def seq_of(self, idempotency_key: str) -> int | None:
        """Return the `seq` of the event with this idempotency key; `None` where there is none."""
        return next((event.seq for event in self.events if event.idempotency_key == idempotency_key), None)

    def event(self, seq: int) -> StoredEvent | None:
        """Return the event with a `seq`; `None` where there is none."""
        return next((event for event in reversed(self.events) if event.seq == seq), None)

    def resolve_undo(self, event: Event) -> Event:
        """Return the event that an undo or a redo is about in the end; any other event is returned itself."""
        if isinstance(event, Undone | Redone) and (found := self.event(event.target)):
            return self.resolve_undo(found.data)
        return event

    def may_write(self, role: str, event: Event) -> bool:
        """Return whether a role may write an event and, for an undo or a redo, the event that it is about."""
        return all(one.role is not None and allows(role, one.role) for one in (event, self.resolve_undo(event)))

    def may_undo(self, role: str) -> bool:
        """Return whether a role may undo the event that the next undo would undo."""
        return self.undo_target is not None and self.may_write(role, Undone(target=self.undo_target))

    def may_redo(self, role: str) -> bool:
        """Return whether a role may redo what the last undo undid."""
        return self.redo_target is not None and self.may_write(role, Redone(target=self.redo_target))

    def refuse_unless_last(self, target: int, last: int | None, action: str) -> None:
        """Raise `Refused` unless `target` is the `seq` that an undo or a redo has to name."""
        if last is None:
            raise refusal("", f"There is nothing to {action}.")
        if target != last:
            raise refusal("", f"Something else changed after that. Check the {self.noun} again.")


def undo_event(stream: HasLog) -> Undone:
    """Return an event that undoes the last event in force."""
    return Undone(target=stream.log.undo_target or 0)


def redo_event(stream: HasLog) -> Redone:
    """Return an event that undoes the last undo."""
    return Redone(target=stream.log.redo_target or 0)
