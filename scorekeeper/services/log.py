"""The fold from a match's events to what they come to: which hands stand, who is called what, what can be undone.

Undoing a fact gives what the others come to without it. An undo can be undone until something new is written; from
then on a hand that was taken back can still be put back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.services.logged import Acceptance, Correction, LoggedHand, Stamp
from scorekeeper.services.sheet import Sheet
from scorekeeper.services.undone import TakenBack
from scorekeeper.store.facts import Event

__all__ = ["Acceptance", "Correction", "LoggedHand", "MatchLog", "Stamp", "fold"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLog:
    """What a match's events come to."""

    events: tuple[Event, ...]
    hands: tuple[LoggedHand, ...]
    counted: int
    """How many of them count, from the first: all, unless one waits for another side to accept it."""
    needs_agreement: bool
    """Whether a hand that is written now counts only when another side has accepted it."""
    gone: tuple[LoggedHand, ...]
    """Hands that were taken out or taken back, in their order; each can be put back."""
    renamed: Mapping[str, str]
    marks: Mapping[str, int]
    """Markers that sides took since the match began, by the side's id."""
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
    taken_back: frozenset[int]
    """The facts that stand no longer, for somebody undid them."""

    @property
    def version(self) -> int:
        """The last event's place; 0 where nothing has happened."""
        return self.events[-1].seq if self.events else 0

    @property
    def waiting(self) -> tuple[LoggedHand, ...]:
        """Give the hands that are to be accepted as they are now: those that stand, then those taken out."""
        return tuple(hand for hand in (*self.hands, *self.gone) if hand.waits)

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
    undone = TakenBack(events)
    sheet = Sheet()
    for event in events:
        sheet.write(event, undone.by.get(event.seq))
    hands, pending = sheet.in_order()
    standing = undone.standing[-1] if undone.standing else None
    redo = undone.redoable[-1] if undone.redoable else None
    return MatchLog(
        events=events,
        hands=hands,
        counted=sheet.counted(),
        needs_agreement=sheet.needs_agreement,
        gone=tuple(hand.value() for hand in sheet.hands if hand.gone),
        renamed=sheet.renamed,
        marks=sheet.marks,
        title=sheet.title,
        is_stopped=sheet.is_stopped,
        is_deleted=sheet.is_deleted,
        next_dealer=pending.dealer,
        next_house=pending.house,
        next_house_on=pending.house_on,
        undo_next=standing,
        redo_next=undone.facts[redo.target] if redo else None,
        redo_target=redo.seq if redo else None,
        taken_back=frozenset(undone.by),
    )
