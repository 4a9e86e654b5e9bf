"""The fold from a match's events to what they come to: hands in their order, names, what can be undone.

Undoing a fact gives what the others come to without it. An undo can be undone until something new is written; from
then on a hand that was undone can still be restored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.engine.hand import Hand
from scorekeeper.ledger.facts import (
    AgreementSet,
    DealerMoved,
    Deleted,
    Event,
    Fact,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Marked,
    Redone,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    Undone,
)
from scorekeeper.ledger.log import Acceptance, Correction, LoggedHand, MatchLog, Stamp


def fold(events: Iterable[Event]) -> MatchLog:
    """Return what a match's events, in order, come to."""
    events = tuple(events)
    history = _UndoHistory(events)
    builder = _Builder()
    for event in events:
        builder.add(event, history.undone_by.get(event.seq))
    hands, pending = builder.hands_in_order()
    redo = history.redoable[-1] if history.redoable else None
    return MatchLog(
        events=events,
        hands=hands,
        counted=builder.counted(),
        needs_agreement=builder.needs_agreement,
        gone=tuple(hand.value() for hand in builder.hands if hand.gone),
        renamed=builder.renamed,
        marks=builder.marks,
        title=builder.title,
        is_stopped=builder.is_stopped,
        is_deleted=builder.is_deleted,
        next_dealer=pending.dealer,
        next_house=pending.house,
        next_house_on=pending.house_on,
        undo_next=history.in_force[-1] if history.in_force else None,
        redo_next=history.facts[redo.target] if redo else None,
        redo_target=redo.seq if redo else None,
        taken_back=frozenset(history.undone_by),
    )


@dataclass(frozen=True, slots=True)
class _Undo:
    """An undo, and the fact that it undid."""

    seq: int
    target: int


class _UndoHistory:
    """Which facts are in force, which were undone, and which of those a redo would restore."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.facts: dict[int, Event] = {}
        self.in_force: list[Event] = []
        self.redoable: list[_Undo] = []
        self.undone_by: dict[int, Event] = {}
        """The undo of a fact, by the fact's `seq`."""
        for event in events:
            match event.fact:
                case Undone(target=target):
                    self._undo(event, target)
                case Redone(target=target):
                    self._redo(target)
                case _:
                    self.facts[event.seq] = event
                    self.in_force.append(event)
                    self.redoable.clear()

    def _undo(self, event: Event, target: int) -> None:
        if self.in_force and self.in_force[-1].seq == target:
            self.in_force.pop()
            self.redoable.append(_Undo(event.seq, target))
            self.undone_by[target] = event

    def _redo(self, target: int) -> None:
        if self.redoable and self.redoable[-1].seq == target:
            fact = self.redoable.pop().target
            del self.undone_by[fact]
            self.in_force.append(self.facts[fact])


@dataclass(slots=True)
class _Pending:
    """What holds from the next hand on."""

    dealer: str | None = None
    house: Mapping[str, Any] | None = None
    house_on: str | None = None


@dataclass(slots=True, eq=False)
class _HandBuilder:
    """A hand while the events are being folded."""

    uid: int
    hand: Hand
    added: Stamp
    corrections: tuple[Correction, ...] = ()
    gone: Stamp | None = None
    was_undone: bool = False
    latest: Stamp = field(init=False)
    agreed: Hand | None = None
    """What the sides agree on: as it last counted, or `None` where it was not there."""
    acceptances: tuple[Acceptance, ...] = ()

    def __post_init__(self) -> None:
        self.latest = self.added

    @property
    def in_force(self) -> Hand | None:
        """What it is now; `None` where it was deleted or undone."""
        return None if self.gone else self.hand

    @property
    def waits(self) -> bool:
        """Whether it is other than the sides agree on."""
        return self.in_force is not self.agreed and self.in_force != self.agreed

    def value(self, pending: _Pending | None = None) -> LoggedHand:
        return LoggedHand(
            uid=self.uid,
            hand=self.hand,
            added=self.added,
            corrections=self.corrections,
            gone=self.gone,
            was_undone=self.was_undone,
            latest=self.latest,
            waits=self.waits,
            acceptances=self.acceptances,
            dealer=pending.dealer if pending else None,
            house=pending.house if pending else None,
            house_on=pending.house_on if pending else None,
        )


class _Builder:
    """What the events come to so far."""

    def __init__(self) -> None:
        self.entries: list[_HandBuilder | RulesChanged | DealerMoved] = []
        self.by_uid: dict[int, _HandBuilder] = {}
        self.renamed: dict[str, str] = {}
        self.marks: dict[str, int] = {}
        self.title: str | None = None
        self.is_stopped = False
        self.is_deleted = False
        self.needs_agreement = False

    @property
    def hands(self) -> list[_HandBuilder]:
        """Every hand that was ever written, in its place."""
        return [entry for entry in self.entries if isinstance(entry, _HandBuilder)]

    def add(self, event: Event, undone_by: Event | None) -> None:
        """Add one event; of what was undone only hands leave a trace, for they can be restored."""
        fact = event.fact
        if isinstance(fact, HandAdded):
            self._add_hand(fact, event, undone_by)
        elif undone_by is not None:
            return
        elif isinstance(fact, HandAccepted):
            self._accept(fact, event)
        elif isinstance(fact, AgreementSet):
            self.needs_agreement = fact.on
            for hand in self.hands:
                hand.agreed = hand.in_force
        elif isinstance(fact, HandCorrected | HandRemoved | HandReturned):
            self._change_hand(fact, event)
        else:
            self._change(fact)

    def _add_hand(self, fact: HandAdded, event: Event, undone_by: Event | None) -> None:
        gone = _stamp(undone_by) if undone_by else None
        hand = _HandBuilder(event.seq, fact.hand, _stamp(event), gone=gone, was_undone=gone is not None)
        self.by_uid[event.seq] = hand
        self.entries.insert(self._place(fact.before), hand)
        self._agree_at_once(hand)

    def _place(self, before: int | None) -> int:
        """Return where a hand goes: what was said before that other hand stays with that other hand."""
        if before not in self.by_uid:
            return len(self.entries)
        place = self.entries.index(self.by_uid[before])
        while place and not isinstance(self.entries[place - 1], _HandBuilder):
            place -= 1
        return place

    def _agree_at_once(self, hand: _HandBuilder) -> None:
        if not self.needs_agreement:
            hand.agreed = hand.in_force

    def _accept(self, fact: HandAccepted, event: Event) -> None:
        """Take a hand as agreed, if it is still what was accepted."""
        hand = self.by_uid.get(fact.uid)
        if hand and hand.latest.seq == fact.version:
            hand.agreed = hand.in_force
            hand.acceptances += (Acceptance(_stamp(event), fact.version),)

    def _change_hand(self, fact: HandCorrected | HandRemoved | HandReturned, event: Event) -> None:
        hand = self.by_uid.get(fact.uid)
        if hand is None:
            return
        hand.latest = _stamp(event)
        match fact:
            case HandCorrected(hand=corrected):
                hand.corrections += (Correction(hand.latest, hand.hand, corrected),)
                hand.hand = corrected
            case HandRemoved():
                hand.gone, hand.was_undone = hand.latest, False
            case HandReturned():
                hand.gone, hand.was_undone = None, False
        self._agree_at_once(hand)

    def _change(self, fact: Fact) -> None:
        match fact:
            case Renamed(names=names, title=title):
                self.renamed.update(names)
                self.title = self.title if title is None else title
            case Marked(marks=marks):
                self.marks.update(marks)
            case Stopped() | Resumed():
                self.is_stopped = isinstance(fact, Stopped)
            case Deleted() | Undeleted():
                self.is_deleted = isinstance(fact, Deleted)
            case RulesChanged() | DealerMoved():
                self.entries.append(fact)
            case _:
                pass

    def hands_in_order(self) -> tuple[tuple[LoggedHand, ...], _Pending]:
        """Return the hands in force, each with what was said before it, and what was said after the last."""
        hands: list[LoggedHand] = []
        pending = _Pending()
        for entry in self.entries:
            match entry:
                case RulesChanged(house=house, on=on):
                    pending.house, pending.house_on = {**(pending.house or {}), **house}, on or pending.house_on
                case DealerMoved(who=who):
                    pending.dealer = who
                case _HandBuilder(gone=None):
                    hands.append(entry.value(pending))
                    pending = _Pending()
        return tuple(hands), pending

    def counted(self) -> int:
        """Count the hands in force before the first that waits: none counts before those it follows."""
        number = 0
        for hand in self.hands:
            if hand.waits:
                return number
            number += hand.gone is None
        return number


def _stamp(event: Event) -> Stamp:
    return Stamp(event.seq, event.at, event.actor, getattr(event.fact, "by", None))
