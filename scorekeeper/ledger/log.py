"""What a match's events come to: its hands with their history, and what was said beside them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar

from scorekeeper.engine.hand import Hand
from scorekeeper.ledger.fact_log import Event, FactLog, Stamp
from scorekeeper.ledger.limits import MOST_EVENTS


@dataclass(frozen=True, slots=True)
class Correction:
    """What a hand was before somebody corrected it, and after."""

    stamp: Stamp
    before: Hand
    after: Hand


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Another side accepted a hand; `version` is the event that had made it what it was then."""

    stamp: Stamp
    version: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody sat in a seat."""

    seq: int
    """The event that wrote it."""
    who: str
    """The id of the seat."""
    left: str | None
    """The name that whoever left had been given last; `None` where it was the one that the match began with."""
    left_typed: str | None = None
    """The same without what the match's book says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHand:
    """A hand as it is now, with its history."""

    uid: int
    hand: Hand
    added: Stamp
    corrections: tuple[Correction, ...] = ()
    gone: Stamp | None = None
    """Who deleted it, or undid it."""
    was_undone: bool = False
    """Whether it went by an undo and not by being deleted."""
    latest: Stamp
    """Who made it what it is now: wrote it, corrected, deleted or restored it."""
    waits: bool = False
    """Whether that has still to be accepted by another side."""
    acceptances: tuple[Acceptance, ...] = ()
    dealer: str | None = None
    """Who dealt, where the deal had been moved before it."""
    house: Mapping[str, Any] | None = None
    """The house options that were changed before it."""
    house_on: str | None = None
    sits_in: Mapping[str, str] | None = None
    """Who sat in before it, by the id of the seat."""
    sittings: int = 0
    """How many had sat in since the match began: whoever did so later did not play it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLog(FactLog):
    """What a match's events come to."""

    noun: ClassVar[str] = "match"
    most_events: ClassVar[int] = MOST_EVENTS
    events: tuple[Event, ...]
    hands: tuple[LoggedHand, ...]
    """Those in force, in their order."""
    counted: int
    """How many of them count, from the first: all, unless one waits for another side to accept it."""
    needs_agreement: bool
    """Whether a hand that is written now counts only when another side has accepted it."""
    gone: tuple[LoggedHand, ...]
    """Hands that were deleted or undone, in their order; each can be restored."""
    renamed: Mapping[str, str]
    typed: Mapping[str, str]
    """The names that were given here, without those of people who were renamed in the match's book."""
    marks: Mapping[str, int]
    """Markers that sides took since the match began, by the side's id."""
    title: str | None
    """The title, where it was changed."""
    is_stopped: bool
    is_deleted: bool
    next_dealer: str | None
    next_house: Mapping[str, Any] | None
    next_house_on: str | None
    next_sits_in: Mapping[str, str] | None
    sittings: tuple[Sitting, ...]
    """Everybody who sat in, in order."""
    undo_next: Event | None
    """What an undo would undo."""
    redo_target: int | None
    """The undo that a redo would undo."""
    taken_back: frozenset[int]
    """The facts that are no longer in force, for somebody undid them."""

    @property
    def waiting(self) -> tuple[LoggedHand, ...]:
        """The hands that have to be accepted as they are now: those in force, then those deleted."""
        return tuple(hand for hand in (*self.hands, *self.gone) if hand.waits)

    @property
    def written(self) -> int:
        """How many hands were ever written."""
        return len(self.hands) + len(self.gone)

    def renamed_at(self, sittings: int, renamed: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the names that were given, when only so many had sat in; or what `renamed` would have been then."""
        names = dict(self.renamed if renamed is None else renamed)
        for sitting in reversed(self.sittings[sittings:]):
            names.pop(sitting.who, None)
            if sitting.left is not None:
                names[sitting.who] = sitting.left
        return names

    def typed_at(self, sittings: int) -> dict[str, str]:
        """Return the names that were given here, when only so many had sat in."""
        names = dict(self.typed)
        for sitting in reversed(self.sittings[sittings:]):
            names.pop(sitting.who, None)
            if sitting.left_typed is not None:
                names[sitting.who] = sitting.left_typed
        return names

    def since(self, seq: int) -> tuple[Event, ...]:
        """Return what happened after an event."""
        return tuple(event for event in self.events if event.seq > seq)

    def hand(self, uid: int) -> LoggedHand | None:
        """Return the hand in force that has a uid."""
        return next((hand for hand in self.hands if hand.uid == uid), None)

    def hand_place(self, uid: int | None) -> int | None:
        """Return a hand's place in the list, from 1; `None` where no hand in force has that uid."""
        return next((place for place, hand in enumerate(self.hands, 1) if hand.uid == uid), None)

    @property
    def numbers(self) -> tuple[int, ...]:
        """What the table calls each hand, and last the next one: a hand that is dealt again keeps its number."""
        return tuple(accumulate((not logged.hand.is_redealt for logged in self.hands), initial=1))

    def hand_number(self, uid: int | None) -> int | None:
        """Return what the table calls a hand; `None` where no hand in force has that uid."""
        place = self.hand_place(uid)
        return place and self.numbers[place - 1]

    def gone_hand(self, uid: int) -> LoggedHand | None:
        """Return the hand that was deleted or undone and has a uid."""
        return next((hand for hand in self.gone if hand.uid == uid), None)
