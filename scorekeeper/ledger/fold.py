"""The fold from a match's events to what they come to: hands in their order, names, what can be undone.

Undoing a fact gives what the others come to without it. An undo can be undone until something new is written; from
then on a hand that was undone can still be restored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.engine.hand import Hand
from scorekeeper.ledger import facts
from scorekeeper.ledger.fact_log import UndoHistory
from scorekeeper.ledger.facts import Event
from scorekeeper.ledger.log import Acceptance, Correction, LoggedHand, MatchLog, Sitting, Stamp


def fold(events: Iterable[Event]) -> MatchLog:
    """Return what a match's events, in order, come to."""
    events = tuple(events)
    history = UndoHistory(events)
    builder = _Builder()
    for event in events:
        builder.add(event, history.undone_by.get(event.seq))
    hands, pending = builder.hands_in_order()
    return MatchLog(
        events=events,
        hands=hands,
        counted=builder.counted(),
        needs_agreement=builder.needs_agreement,
        gone=tuple(hand.value() for hand in builder.hands if hand.logged.gone),
        renamed=builder.renamed,
        typed=builder.typed,
        marks=builder.marks,
        title=builder.title,
        is_stopped=builder.is_stopped,
        is_deleted=builder.is_deleted,
        next_dealer=pending.dealer,
        next_house=pending.house,
        next_house_on=pending.house_on,
        next_sits_in=pending.sits_in,
        sittings=tuple(builder.sittings),
        undo_next=history.in_force[-1] if history.in_force else None,
        redo_target=history.redoable[-1][0] if history.redoable else None,
        taken_back=frozenset(history.undone_by),
    )


def fold_on(log: MatchLog, event: Event) -> MatchLog:
    """Return what a match's events come to with one more: the same as `fold` of them all, in less time for a hand."""
    fact = event.fact
    if not isinstance(fact, facts.HandAdded) or fact.before is not None or log.needs_agreement:
        return fold((*log.events, event))
    added = _stamp(event)
    hand = LoggedHand(
        uid=event.seq,
        hand=fact.hand,
        added=added,
        latest=added,
        dealer=log.next_dealer,
        house=log.next_house,
        house_on=log.next_house_on,
        sits_in=log.next_sits_in,
        sittings=len(log.sittings),
    )
    return replace(
        log,
        events=(*log.events, event),
        hands=(*log.hands, hand),
        counted=log.counted + 1,  # nothing waits where nobody has to agree
        next_dealer=None,
        next_house=None,
        next_house_on=None,
        next_sits_in=None,
        undo_next=event,
        redo_target=None,
    )


@dataclass(slots=True)
class _Pending:
    """What holds from the next hand on."""

    dealer: str | None = None
    house: Mapping[str, Any] | None = None
    house_on: str | None = None
    sits_in: Mapping[str, str] | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was said."""
        return self.dealer is None and self.house is None and self.sits_in is None


@dataclass(slots=True, eq=False)
class _HandBuilder:
    """A hand while the events are being folded."""

    logged: LoggedHand
    agreed: Hand | None = None
    """What the sides agree on: as it last counted, or `None` where it was not there."""

    @property
    def in_force(self) -> Hand | None:
        """What it is now; `None` where it was deleted or undone."""
        return None if self.logged.gone else self.logged.hand

    @property
    def waits(self) -> bool:
        """Whether it is other than the sides agree on."""
        return self.in_force is not self.agreed and self.in_force != self.agreed

    def value(self, pending: _Pending | None = None) -> LoggedHand:
        said = pending or _Pending()
        if not self.waits and said.is_nothing:  # as for nearly every hand, of which a copy would take time
            return self.logged
        return replace(
            self.logged,
            waits=self.waits,
            dealer=said.dealer,
            house=said.house,
            house_on=said.house_on,
            sits_in=said.sits_in,
        )


class _Builder:
    """What the events come to so far."""

    def __init__(self) -> None:
        self.entries: list[_HandBuilder | facts.RulesChanged | facts.DealerMoved | facts.SatIn] = []
        self.by_uid: dict[int, _HandBuilder] = {}
        self.renamed: dict[str, str] = {}
        self.typed: dict[str, str] = {}
        self.sittings: list[Sitting] = []
        self.marks: dict[str, int] = {}
        self.title: str | None = None
        self.is_stopped = False
        self.is_deleted = False
        self.needs_agreement = False

    @property
    def hands(self) -> list[_HandBuilder]:
        """All hands, in force or not, in their order."""
        return [entry for entry in self.entries if isinstance(entry, _HandBuilder)]

    def add(self, event: Event, undone_by: Event | None) -> None:
        """Add one event; of what was undone only hands leave a trace, for they can be restored."""
        match event.fact:
            case facts.HandAdded() as fact:
                self._add_hand(fact, event, undone_by)
            case _ if undone_by is not None:
                pass
            case facts.HandAccepted() as fact:
                self._accept(fact, event)
            case facts.HandCorrected() | facts.HandRemoved() | facts.HandReturned() as fact:
                self._change_hand(fact, event)
            case facts.AgreementSet(on=on):
                self.needs_agreement = on
                for hand in self.hands:
                    hand.agreed = hand.in_force
            case facts.Renamed(names=names, by_book=True, left=left):
                self.renamed.update(names)
                self.sittings = [
                    replace(it, left=(left or {}).get(f"{it.who}/{it.seq}", it.left)) for it in self.sittings
                ]
            case facts.Renamed(names=names, title=title):
                self.renamed.update(names)
                self.typed.update(names)
                self.title = self.title if title is None else title
            case facts.Marked(marks=marks):
                self.marks.update(marks)
            case facts.Stopped() | facts.Resumed() as fact:
                self.is_stopped = isinstance(fact, facts.Stopped)
            case facts.Deleted() | facts.Undeleted() as fact:
                self.is_deleted = isinstance(fact, facts.Deleted)
            case facts.RulesChanged() | facts.DealerMoved() as fact:
                self.entries.append(fact)
            case facts.SatIn(names=names) as fact:
                self.entries.append(fact)
                self.sittings += [Sitting(event.seq, who, self.renamed.get(who), self.typed.get(who)) for who in names]
                self.renamed.update(names)
                self.typed.update(names)

    def _add_hand(self, fact: facts.HandAdded, event: Event, undone_by: Event | None) -> None:
        added, gone = _stamp(event), _stamp(undone_by) if undone_by else None
        hand = _HandBuilder(
            LoggedHand(uid=event.seq, hand=fact.hand, added=added, latest=added, gone=gone, was_undone=gone is not None)
        )
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

    def _accept(self, fact: facts.HandAccepted, event: Event) -> None:
        """Mark a hand as agreed, if it is still what was accepted."""
        hand = self.by_uid.get(fact.uid)
        if hand and hand.logged.latest.seq == fact.version:
            hand.agreed = hand.in_force
            acceptances = (*hand.logged.acceptances, Acceptance(_stamp(event), fact.version))
            hand.logged = replace(hand.logged, acceptances=acceptances)

    def _change_hand(self, fact: facts.HandCorrected | facts.HandRemoved | facts.HandReturned, event: Event) -> None:
        hand = self.by_uid.get(fact.uid)
        if hand is None:
            return
        logged, stamp = hand.logged, _stamp(event)
        match fact:
            case facts.HandCorrected(hand=corrected):
                corrections = (*logged.corrections, Correction(stamp, logged.hand, corrected))
                hand.logged = replace(logged, latest=stamp, hand=corrected, corrections=corrections)
            case facts.HandRemoved():
                hand.logged = replace(logged, latest=stamp, gone=stamp, was_undone=False)
            case facts.HandReturned():
                hand.logged = replace(logged, latest=stamp, gone=None, was_undone=False)
        self._agree_at_once(hand)

    def hands_in_order(self) -> tuple[tuple[LoggedHand, ...], _Pending]:
        """Return the hands in force, each with what was said before it, and what was said after the last."""
        hands: list[LoggedHand] = []
        pending, sittings = _Pending(), 0
        for entry in self.entries:
            match entry:
                case facts.RulesChanged(house=house, on=on):
                    pending.house, pending.house_on = {**(pending.house or {}), **house}, on or pending.house_on
                case facts.DealerMoved(who=who):
                    pending.dealer = who
                case facts.SatIn(names=names):
                    pending.sits_in = {**(pending.sits_in or {}), **names}
                    sittings += len(names)
                case _HandBuilder():
                    if sittings:
                        entry.logged = replace(entry.logged, sittings=sittings)
                    if entry.in_force:
                        hands.append(entry.value(pending))
                        pending = _Pending()
        return tuple(hands), pending

    def counted(self) -> int:
        """Count the hands in force before the first that waits: none counts before those it follows."""
        number = 0
        for hand in self.hands:
            if hand.waits:
                return number
            number += hand.logged.gone is None
        return number


def _stamp(event: Event) -> Stamp:
    return Stamp(event.seq, event.at, event.actor, getattr(event.fact, "by", None))
