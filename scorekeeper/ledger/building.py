"""What the events of a match come to so far, while its log is folded."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from scorekeeper.engine.hand import Hand
from scorekeeper.ledger.fact_log import Event
from scorekeeper.ledger.log import Acceptance, LoggedHand, Sitting


@dataclass(slots=True)
class Pending:
    """What holds from the next hand on."""

    dealer: str | None = None
    house: Mapping[str, Any] | None = None
    house_on: str | None = None
    sits_in: Mapping[str, str] | None = None
    sittings: int = 0
    """How many have sat in since the match began."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was said."""
        return self.dealer is None and self.house is None and self.sits_in is None


class FromNextHand(Protocol):
    """A fact that holds from the next hand on."""

    def hold(self, pending: Pending) -> None:
        """Keep this for the hand that comes next."""


@dataclass(slots=True, eq=False)
class HandBuilder:
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

    def value(self, pending: Pending | None = None) -> LoggedHand:
        """Return the hand, with what was said before it."""
        said = pending or Pending()
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


class LogBuilder:
    """What the events come to so far; `undone_by` has the undo of a fact by the fact's `seq`."""

    def __init__(self, undone_by: Mapping[int, Event]) -> None:
        self.undone_by = undone_by
        self.entries: list[HandBuilder | FromNextHand] = []
        self.by_uid: dict[int, HandBuilder] = {}
        self.renamed: dict[str, str] = {}
        self.typed: dict[str, str] = {}
        self.sittings: list[Sitting] = []
        self.marks: dict[str, int] = {}
        self.title: str | None = None
        self.is_stopped = False
        self.is_deleted = False
        self.needs_agreement = False

    @property
    def hands(self) -> list[HandBuilder]:
        """All hands, in force or not, in their order."""
        return [entry for entry in self.entries if isinstance(entry, HandBuilder)]

    def add_hand(self, event: Event, hand: Hand, before: int | None) -> None:
        """Add a hand; of what was undone only hands leave a trace, for they can be restored."""
        undo = self.undone_by.get(event.seq)
        added, gone = event.stamp, undo.stamp if undo else None
        logged = LoggedHand(uid=event.seq, hand=hand, added=added, latest=added, gone=gone, was_undone=gone is not None)
        built = self.by_uid[event.seq] = HandBuilder(logged)
        self.entries.insert(self._place(before), built)
        self._agree_at_once(built)

    def _place(self, before: int | None) -> int:
        """Return where a hand goes: what was said before that other hand stays with that other hand."""
        if before not in self.by_uid:
            return len(self.entries)
        place = self.entries.index(self.by_uid[before])
        while place and not isinstance(self.entries[place - 1], HandBuilder):
            place -= 1
        return place

    def _agree_at_once(self, hand: HandBuilder) -> None:
        if not self.needs_agreement:
            hand.agreed = hand.in_force

    def set_agreement(self, on: bool) -> None:
        """Turn acceptance on or off; what is there counts."""
        self.needs_agreement = on
        for hand in self.hands:
            hand.agreed = hand.in_force

    def accept_hand(self, event: Event, uid: int, version: int) -> None:
        """Mark a hand as agreed, if it is still what was accepted."""
        hand = self.by_uid.get(uid)
        if hand and hand.logged.latest.seq == version:
            hand.agreed = hand.in_force
            acceptances = (*hand.logged.acceptances, Acceptance(event.stamp, version))
            hand.logged = replace(hand.logged, acceptances=acceptances)

    def logged(self, uid: int) -> LoggedHand | None:
        """Return a hand as it is so far."""
        hand = self.by_uid.get(uid)
        return hand.logged if hand else None

    def change_hand(self, event: Event, uid: int, **values: Any) -> None:
        """Change something of a hand."""
        if hand := self.by_uid.get(uid):
            hand.logged = replace(hand.logged, latest=event.stamp, **values)
            self._agree_at_once(hand)

    def sit_in(self, event: Event, names: Mapping[str, str]) -> None:
        """Let others sit in seats; who left is remembered."""
        self.sittings += [Sitting(event.seq, who, self.renamed.get(who), self.typed.get(who)) for who in names]
        self.renamed.update(names)
        self.typed.update(names)

    def hands_in_order(self) -> tuple[tuple[LoggedHand, ...], Pending]:
        """Return the hands in force, each with what was said before it, and what was said after the last."""
        hands: list[LoggedHand] = []
        pending = Pending()
        for entry in self.entries:
            if not isinstance(entry, HandBuilder):
                entry.hold(pending)
                continue
            if pending.sittings:
                entry.logged = replace(entry.logged, sittings=pending.sittings)
            if entry.in_force:
                hands.append(entry.value(pending))
                pending = Pending(sittings=pending.sittings)
        return tuple(hands), pending

    def counted(self) -> int:
        """Count the hands in force before the first that waits: none counts before those it follows."""
        number = 0
        for hand in self.hands:
            if hand.waits:
                return number
            number += hand.logged.gone is None
        return number
