"""What a match's events come to: its hands with their history, names, and what was said beside them.

Undoing an event gives what the others come to without it. An undo can be undone until something new is written; from
then on a hand that was undone can still be restored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, ClassVar

from scorekeeper.eventlog.stream import Event, EventLog, Redone, Stamp, StoredEvent, UndoHistory, Undone
from scorekeeper.pitch.records.limits import MAX_EVENTS
from scorekeeper.pitch.scoring.hand import Hand


@dataclass(frozen=True, slots=True)
class Correction:
    """What a hand was before somebody corrected it, and after."""

    stamp: Stamp
    before: Hand
    after: Hand


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


@dataclass(frozen=True, slots=True)
class PaperRule:
    """What a table agreed that no option says: it stands on paper only, and changes no score."""

    text: str
    on: str | None
    """The day, as ISO 8601 has it; `None` where nobody wrote it down."""


@dataclass(frozen=True, slots=True)
class NextHandSettings:
    """What was said that holds from the next hand on."""

    dealer: str | None = None
    """Who deals it, where the deal was moved."""
    house: Mapping[str, Any] | None = None
    """The house options that were changed."""
    house_on: str | None = None
    on_paper: tuple[PaperRule, ...] = ()
    sits_in: Mapping[str, str] | None = None
    """Who sat in, by the id of the seat."""
    sittings: int = 0
    """How many have sat in since the match began: whoever does so later does not play the hand."""


NO_SETTINGS = NextHandSettings()


class FromNextHand(Event):
    """An event that holds from the next hand on."""

    __slots__ = ()

    def apply(self, log: "MatchLog", event: StoredEvent) -> None:
        log.entries.append(self)

    def added_to(self, pending: NextHandSettings) -> NextHandSettings:
        """Return what holds from the next hand on, with this."""
        raise NotImplementedError


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
    disputes: tuple[Stamp, ...] = ()
    """The phones that say that it is wrong as it is now."""
    settled: tuple[Stamp, ...] = ()
    """Those that said so until somebody who scores confirmed it."""
    pending: NextHandSettings = NO_SETTINGS
    """What was said before it; of one that is gone only how many had sat in."""

    @property
    def sittings(self) -> int:
        """How many had sat in since the match began: whoever did so later did not play it."""
        return self.pending.sittings


@dataclass(slots=True, kw_only=True)
class MatchLog(EventLog):
    """What a match's events come to; nothing of it changes any more once it is folded."""

    noun: ClassVar[str] = "match"
    most_events: ClassVar[int] = MAX_EVENTS
    undone_by: Mapping[int, StoredEvent]
    """The undo of each event that is no longer in force, by the event's `seq`."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)
    """The names that were given here, without those of people who were renamed in the match's book."""
    marks: Mapping[str, int] = field(default_factory=dict)
    """Markers that sides took since the match began, by the side's id."""
    title: str | None = None
    """The title, where it was changed, as are the day, the place and the note."""
    played_on: str | None = None
    place: str | None = None
    note: str | None = None
    is_stopped: bool = False
    is_deleted: bool = False
    payments: tuple[StoredEvent, ...] = ()
    """What was paid of a money night, in order."""
    sittings: tuple[Sitting, ...] = ()
    """Everybody who sat in, in order."""
    by_uid: dict[int, LoggedHand] = field(default_factory=dict)
    """Every hand, in force or gone."""
    entries: list[int | FromNextHand] = field(default_factory=list)
    """Their uids in order, and what was said before each."""
    hands: tuple[LoggedHand, ...] = ()
    """Those in force, in their order."""
    gone: tuple[LoggedHand, ...] = ()
    """Hands that were deleted or undone, in their order; each can be restored."""
    pending: NextHandSettings = NO_SETTINGS
    """What was said after the last hand."""

    def place_of_new(self, before: int | None) -> int:
        """Return where a hand goes among the entries: what was said before that other hand stays with that other."""
        if before not in self.by_uid:
            return len(self.entries)
        place = self.entries.index(before)
        while place and not isinstance(self.entries[place - 1], int):
            place -= 1
        return place

    def change_hand(self, event: StoredEvent, uid: int, **values: Any) -> None:
        """Change something of a hand, which settles what was said against it."""
        if hand := self.by_uid.get(uid):
            self.by_uid[uid] = replace(hand, latest=event.stamp, disputes=(), settled=(), **values)

    def put_in_order(self) -> None:
        """Find the hands in force and what was said before each, and those that are gone."""
        pending, hands, gone = NO_SETTINGS, list[LoggedHand](), list[LoggedHand]()
        for entry in self.entries:
            if not isinstance(entry, int):
                pending = entry.added_to(pending)
                continue
            hand, after = self.by_uid[entry], pending
            if pending is not NO_SETTINGS:
                after = NextHandSettings(sittings=pending.sittings) if pending.sittings else NO_SETTINGS
            before = after if hand.gone else pending
            if hand.pending is not before and hand.pending != before:  # of nearly no hand: a copy takes time
                hand = self.by_uid[entry] = replace(hand, pending=before)
            if hand.gone:
                gone.append(hand)
            else:
                hands.append(hand)
                pending = after
        self.hands, self.gone, self.pending = tuple(hands), tuple(gone), pending

    @property
    def disputed(self) -> tuple[LoggedHand, ...]:
        """The hands in force that a phone says are wrong, in their order."""
        return tuple(hand for hand in self.hands if hand.disputes)

    @property
    def written(self) -> int:
        """How many hands were ever written."""
        return len(self.by_uid)

    def renamed_at(self, sittings: int, renamed: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the names that were given, when only so many had sat in; or what `renamed` would have been then."""
        left = {sitting.who: sitting.left for sitting in reversed(self.sittings[sittings:])}
        return _given({**(self.renamed if renamed is None else renamed), **left})

    def typed_at(self, sittings: int) -> dict[str, str]:
        """Return the names that were given here, when only so many had sat in."""
        left = {sitting.who: sitting.left_typed for sitting in reversed(self.sittings[sittings:])}
        return _given({**self.typed, **left})

    def since(self, seq: int) -> tuple[StoredEvent, ...]:
        """Return what happened after an event."""
        return tuple(event for event in self.events if event.seq > seq)

    def hand(self, uid: int) -> LoggedHand | None:
        """Return the hand in force that has a uid."""
        found = self.by_uid.get(uid)
        return None if found is None or found.gone else found

    def hand_place(self, uid: int | None) -> int | None:
        """Return a hand's place in the list, from 1; `None` where no hand in force has that uid."""
        return next((place for place, hand in enumerate(self.hands, 1) if hand.uid == uid), None)

    def next_in_force(self, uid: int) -> int | None:
        """Return the next hand in force after one, which may be gone; `None` where that is the last."""
        place = self.entries.index(uid) + 1 if uid in self.by_uid else len(self.entries)
        return next((entry for entry in self.entries[place:] if isinstance(entry, int) and self.hand(entry)), None)

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
        found = self.by_uid.get(uid)
        return found if found and found.gone else None


def _given(names: Mapping[str, str | None]) -> dict[str, str]:
    return {who: name for who, name in names.items() if name is not None}


def fold(events: Iterable[StoredEvent]) -> MatchLog:
    """Return what a match's events, in order, come to."""
    events = tuple(events)
    history = UndoHistory(events)
    undo_next, redo_target, undone_by = history.undo_next, history.redo_target, history.undone_by
    log = MatchLog(events=events, undo_next=undo_next, redo_target=redo_target, undone_by=undone_by)
    for event in events:
        if event.seq not in undone_by or event.data.leaves_trace:
            event.data.apply(log, event)
    log.put_in_order()
    return log


def fold_on(log: MatchLog, event: StoredEvent) -> MatchLog:
    """Return what a match's events come to with one more: the same as `fold` of them all, in less time."""
    events, data = (*log.events, event), event.data
    if isinstance(data, Undone | Redone):
        return fold(events)
    after = replace(log, events=events, by_uid=dict(log.by_uid), entries=list(log.entries))
    if data.is_undoable:
        after.undo_next, after.redo_target = event, None
    data.apply(after, event)
    after.put_in_order()
    return after
