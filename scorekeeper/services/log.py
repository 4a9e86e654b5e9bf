"""The fold from a match's events to what they come to: which hands stand, who is called what, what can be undone.

Undoing a fact gives what the others come to without it. An undo can be undone until something new is written; from
then on a hand that was taken back can still be put back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorekeeper.store.facts import (
    DealerMoved,
    Deleted,
    Event,
    Hand,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Redone,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    Undone,
)


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who wrote something, and when."""

    seq: int
    at: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What a hand was before somebody put it right, and after."""

    stamp: Stamp
    before: Hand
    after: Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHand:
    """A hand as it stands now, with its history."""

    uid: int
    hand: Hand
    added: Stamp
    corrections: tuple[Correction, ...] = ()
    gone: Stamp | None = None
    """Who took it out, or took it back."""
    was_undone: bool = False
    """Whether it went by an undo and not by being taken out."""
    dealer: str | None = None
    """Who dealt, where the deal had been moved before it."""
    house: Mapping[str, Any] | None = None
    """The house options that were changed before it."""
    house_on: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLog:
    """What a match's events come to."""

    events: tuple[Event, ...]
    hands: tuple[LoggedHand, ...]
    gone: tuple[LoggedHand, ...]
    """Hands that were taken out or taken back, in their order; each can be put back."""
    renamed: Mapping[str, str]
    title: str | None
    """The title, where it was changed."""
    is_stopped: bool
    is_deleted: bool
    next_dealer: str | None
    next_house: Mapping[str, Any] | None
    next_house_on: str | None
    undo_next: Event | None
    """What an undo would take back."""
    redo_next: Event | None
    """What a redo would bring back: the fact, not the undo."""
    redo_target: int | None
    """The undo that a redo would take back."""

    @property
    def version(self) -> int:
        """The last event's place; 0 where nothing has happened."""
        return self.events[-1].seq if self.events else 0

    @property
    def written(self) -> int:
        """How many hands were ever written down."""
        return len(self.hands) + len(self.gone)

    def has_key(self, client_key: str) -> bool:
        """Say whether a form has been received already."""
        return any(event.client_key == client_key for event in self.events)

    def since(self, seq: int) -> tuple[Event, ...]:
        """Give what happened after an event."""
        return tuple(event for event in self.events if event.seq > seq)

    def hand(self, uid: int) -> LoggedHand | None:
        """Find a hand that stands."""
        return next((hand for hand in self.hands if hand.uid == uid), None)

    def gone_hand(self, uid: int) -> LoggedHand | None:
        """Find a hand that has gone."""
        return next((hand for hand in self.gone if hand.uid == uid), None)


def fold(events: Iterable[Event]) -> MatchLog:
    """Fold a match's events, in order, into what they come to."""
    events = tuple(events)
    undone = _Undone(events)
    sheet = _Sheet()
    for event in events:
        sheet.write(event, undone.by.get(event.seq))
    hands, pending = sheet.in_order()
    standing = undone.standing[-1] if undone.standing else None
    redo = undone.redoable[-1] if undone.redoable else None
    return MatchLog(
        events=events,
        hands=hands,
        gone=tuple(hand.value() for hand in sheet.hands if hand.gone),
        renamed=sheet.renamed,
        title=sheet.title,
        is_stopped=sheet.is_stopped,
        is_deleted=sheet.is_deleted,
        next_dealer=pending.dealer,
        next_house=pending.house,
        next_house_on=pending.house_on,
        undo_next=standing,
        redo_next=undone.facts[redo.target] if redo else None,
        redo_target=redo.seq if redo else None,
    )


@dataclass(frozen=True, slots=True)
class _Undo:
    seq: int
    target: int


class _Undone:
    """Which facts stand, which were taken back, and which of those an undo of the undo would bring back."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.facts: dict[int, Event] = {}
        self.standing: list[Event] = []
        self.redoable: list[_Undo] = []
        self.by: dict[int, Event] = {}
        """The undo that took a fact back, by the fact."""
        for event in events:
            match event.fact:
                case Undone(target=target):
                    self._undo(event, target)
                case Redone(target=target):
                    self._redo(target)
                case _:
                    self.facts[event.seq] = event
                    self.standing.append(event)
                    self.redoable.clear()

    def _undo(self, event: Event, target: int) -> None:
        if self.standing and self.standing[-1].seq == target:
            self.standing.pop()
            self.redoable.append(_Undo(event.seq, target))
            self.by[target] = event

    def _redo(self, target: int) -> None:
        if self.redoable and self.redoable[-1].seq == target:
            fact = self.redoable.pop().target
            del self.by[fact]
            self.standing.append(self.facts[fact])


@dataclass(slots=True, eq=False)
class _Written:
    """A hand while the events are being folded."""

    uid: int
    hand: Hand
    added: Stamp
    corrections: tuple[Correction, ...] = ()
    gone: Stamp | None = None
    was_undone: bool = False

    def value(self, pending: "_Pending | None" = None) -> LoggedHand:
        return LoggedHand(
            uid=self.uid,
            hand=self.hand,
            added=self.added,
            corrections=self.corrections,
            gone=self.gone,
            was_undone=self.was_undone,
            dealer=pending.dealer if pending else None,
            house=pending.house if pending else None,
            house_on=pending.house_on if pending else None,
        )


@dataclass(slots=True)
class _Pending:
    """What holds from the next hand on."""

    dealer: str | None = None
    house: Mapping[str, Any] | None = None
    house_on: str | None = None


class _Sheet:
    """The score sheet while it is being written."""

    def __init__(self) -> None:
        self.lines: list[_Written | RulesChanged | DealerMoved] = []
        self.by_uid: dict[int, _Written] = {}
        self.renamed: dict[str, str] = {}
        self.title: str | None = None
        self.is_stopped = False
        self.is_deleted = False

    @property
    def hands(self) -> list[_Written]:
        return [line for line in self.lines if isinstance(line, _Written)]

    def write(self, event: Event, undone_by: Event | None) -> None:
        """Write one event down; of what was undone only hands leave a trace, for they can be put back."""
        fact = event.fact
        if isinstance(fact, HandAdded):
            self._add(fact, event, undone_by)
        elif undone_by is None:
            self._change(fact, event)

    def _add(self, fact: HandAdded, event: Event, undone_by: Event | None) -> None:
        gone = _stamp(undone_by) if undone_by else None
        written = _Written(event.seq, fact.hand, _stamp(event), gone=gone, was_undone=gone is not None)
        self.by_uid[event.seq] = written
        self.lines.insert(self._place(fact.before), written)

    def _place(self, before: int | None) -> int:
        """Find where a hand goes: what was said before that other hand stays with that other hand."""
        if before not in self.by_uid:
            return len(self.lines)
        place = self.lines.index(self.by_uid[before])
        while place and not isinstance(self.lines[place - 1], _Written):
            place -= 1
        return place

    def _change(self, fact: object, event: Event) -> None:
        match fact:
            case HandCorrected(uid=uid, hand=hand) if written := self.by_uid.get(uid):
                written.corrections += (Correction(_stamp(event), written.hand, hand),)
                written.hand = hand
            case HandRemoved(uid=uid) if written := self.by_uid.get(uid):
                written.gone, written.was_undone = _stamp(event), False
            case HandReturned(uid=uid) if written := self.by_uid.get(uid):
                written.gone, written.was_undone = None, False
            case Renamed(names=names, title=title):
                self.renamed.update(names)
                self.title = self.title if title is None else title
            case Stopped() | Resumed():
                self.is_stopped = isinstance(fact, Stopped)
            case Deleted() | Undeleted():
                self.is_deleted = isinstance(fact, Deleted)
            case RulesChanged() | DealerMoved():
                self.lines.append(fact)

    def in_order(self) -> tuple[tuple[LoggedHand, ...], _Pending]:
        """Give the hands that stand, each with what was said before it, and what was said after the last."""
        hands: list[LoggedHand] = []
        pending = _Pending()
        for line in self.lines:
            match line:
                case RulesChanged(house=house, on=on):
                    pending.house, pending.house_on = {**(pending.house or {}), **house}, on or pending.house_on
                case DealerMoved(who=who):
                    pending.dealer = who
                case _Written(gone=None):
                    hands.append(line.value(pending))
                    pending = _Pending()
        return tuple(hands), pending


def _stamp(event: Event) -> Stamp:
    return Stamp(event.seq, event.at, event.actor)
