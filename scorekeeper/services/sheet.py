"""The score sheet while a match's events are being written on it, one after another."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.services.logged import Acceptance, Correction, LoggedHand, Stamp
from scorekeeper.store.facts import (
    AgreementSet,
    DealerMoved,
    Deleted,
    Event,
    Hand,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Marked,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
)


@dataclass(slots=True, eq=False)
class _Written:
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
    def form(self) -> Hand | None:
        """What it is now; `None` where it has gone."""
        return None if self.gone else self.hand

    @property
    def waits(self) -> bool:
        """Whether it is otherwise than the sides agree on."""
        return self.form is not self.agreed and self.form != self.agreed

    def value(self, pending: "_Pending | None" = None) -> LoggedHand:
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


@dataclass(slots=True)
class _Pending:
    """What holds from the next hand on."""

    dealer: str | None = None
    house: Mapping[str, Any] | None = None
    house_on: str | None = None


class Sheet:
    """The score sheet while it is being written."""

    def __init__(self) -> None:
        self.lines: list[_Written | RulesChanged | DealerMoved] = []
        self.by_uid: dict[int, _Written] = {}
        self.renamed: dict[str, str] = {}
        self.marks: dict[str, int] = {}
        self.title: str | None = None
        self.is_stopped = False
        self.is_deleted = False
        self.needs_agreement = False

    @property
    def hands(self) -> list[_Written]:
        """Every hand that was ever written, in its place."""
        return [line for line in self.lines if isinstance(line, _Written)]

    def write(self, event: Event, undone_by: Event | None) -> None:
        """Write one event down; of what was undone only hands leave a trace, for they can be put back."""
        fact = event.fact
        if isinstance(fact, HandAdded):
            self._add(fact, event, undone_by)
        elif undone_by is not None:
            return
        elif isinstance(fact, HandAccepted):
            self._accept(fact, event)
        elif isinstance(fact, AgreementSet):
            self.needs_agreement = fact.on
            for hand in self.hands:
                hand.agreed = hand.form
        elif isinstance(fact, HandCorrected | HandRemoved | HandReturned):
            self._change_hand(fact, event)
        else:
            self._change(fact)

    def _add(self, fact: HandAdded, event: Event, undone_by: Event | None) -> None:
        gone = _stamp(undone_by) if undone_by else None
        written = _Written(event.seq, fact.hand, _stamp(event), gone=gone, was_undone=gone is not None)
        self.by_uid[event.seq] = written
        self.lines.insert(self._place(fact.before), written)
        self._agree_at_once(written)

    def _place(self, before: int | None) -> int:
        """Find where a hand goes: what was said before that other hand stays with that other hand."""
        if before not in self.by_uid:
            return len(self.lines)
        place = self.lines.index(self.by_uid[before])
        while place and not isinstance(self.lines[place - 1], _Written):
            place -= 1
        return place

    def _agree_at_once(self, written: _Written) -> None:
        if not self.needs_agreement:
            written.agreed = written.form

    def _accept(self, fact: HandAccepted, event: Event) -> None:
        """Take a hand as agreed, if it is still what was accepted."""
        written = self.by_uid.get(fact.uid)
        if written and written.latest.seq == fact.version:
            written.agreed = written.form
            written.acceptances += (Acceptance(_stamp(event), fact.version),)

    def _change_hand(self, fact: HandCorrected | HandRemoved | HandReturned, event: Event) -> None:
        written = self.by_uid.get(fact.uid)
        if written is None:
            return
        written.latest = _stamp(event)
        match fact:
            case HandCorrected(hand=hand):
                written.corrections += (Correction(written.latest, written.hand, hand),)
                written.hand = hand
            case HandRemoved():
                written.gone, written.was_undone = written.latest, False
            case HandReturned():
                written.gone, written.was_undone = None, False
        self._agree_at_once(written)

    def _change(self, fact: object) -> None:
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

    def counted(self) -> int:
        """Count the hands that stand before the first that waits: none is counted before those it follows."""
        number = 0
        for hand in self.hands:
            if hand.waits:
                return number
            number += hand.gone is None
        return number


def _stamp(event: Event) -> Stamp:
    return Stamp(event.seq, event.at, event.actor, getattr(event.fact, "by", None))
