"""The events of a match folded into a log: its hands with their history, its names, and its settings.

An undone event is left out of the fold. An undo can be undone until something new is written; from then on a hand that
was undone can still be restored.

An occasion is the title, day, venue and note of a match, as they were changed last.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from itertools import accumulate
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, available_timezones

from scorekeeper.access.roles import is_same_phone
from scorekeeper.eventlog.stream import Event, EventLog, Stamp, StoredEvent
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.rules.entered_text import MAX_EVENTS
from scorekeeper.pitch.scoring.hand import Hand


@dataclass(frozen=True, slots=True)
class Correction:
    """A hand before and after a correction."""

    stamp: Stamp
    before: Hand
    after: Hand


@dataclass(frozen=True, slots=True)
class Substitution:
    """A player took a seat in place of another."""

    seq: int
    """The number of its event."""
    who: str
    """The id of the seat."""
    former_name: str | None
    """The last name of the player who left; `None` where the seat had it from the start."""
    former_typed_name: str | None = None
    """Like `former_name`, but as typed at the match, without the names that its book gave."""


@dataclass(frozen=True, slots=True)
class PaperRule:
    """A rule of the table that no option covers: it is on paper only, and changes no score."""

    text: str
    on: str | None
    """The day in ISO 8601; `None` where none was entered."""


@dataclass(frozen=True, slots=True)
class NextHandSettings:
    """The settings that hold from the next hand on."""

    dealer: str | None = None
    """Who deals the next hand, where the deal was moved."""
    house: Mapping[str, object] | None = None
    """The house options that were changed."""
    house_on: str | None = None
    """The day of that change in ISO 8601; `None` where none was entered."""
    on_paper: tuple[PaperRule, ...] = ()
    """The rules that were agreed and that no option covers."""
    substitutes: Mapping[str, str] | None = None
    """The substitutes, by the id of the seat."""
    substitution_count: int = 0
    """The number of substitutions in the match before the hand: later substitutes do not play it."""


NO_SETTINGS = NextHandSettings()
"""The settings where nothing was set."""


class NextHandEvent(Event):
    """The base of the events that set something for the next hand and those after it."""

    __slots__ = ()

    def apply(self, log: "MatchLog", event: StoredEvent) -> None:
        log.entries.append(self)

    def add_to(self, pending: NextHandSettings) -> NextHandSettings:
        """Return the settings `pending` for the next hand with those of this event added."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHand:
    """A hand as it is now, in force or removed, with its history."""

    uid: int
    hand: Hand
    added: Stamp
    """The stamp of the event that added it."""
    corrections: tuple[Correction, ...] = ()
    removed: Stamp | None = None
    """The stamp of the event that deleted or undid it; `None` of a hand in force."""
    was_undone: bool = False
    """Whether it was removed by an undo, not deleted."""
    latest: Stamp
    """The stamp of the last event that added, corrected, deleted or restored it."""
    disputes: tuple[Stamp, ...] = ()
    """The stamps of the phones that dispute it as it is now."""
    settled_disputes: tuple[Stamp, ...] = ()
    """The stamps of the phones that disputed it until a phone that scores confirmed it."""
    pending: NextHandSettings = NO_SETTINGS
    """The settings that were entered before it; of a removed hand only `substitution_count`."""

    @property
    def substitution_count(self) -> int:
        """The number of substitutions before it: later substitutes did not play it."""
        return self.pending.substitution_count


@dataclass(slots=True, kw_only=True)
class MatchLog(EventLog):
    """The folded events of a match; it does not change any more once it is folded."""

    noun: ClassVar[str] = "match"
    max_events: ClassVar[int] = MAX_EVENTS
    renamed: Mapping[str, str] = field(default_factory=dict)
    """The present name of each seat or side that was renamed since the match began, by its id."""
    typed: Mapping[str, str] = field(default_factory=dict)
    """Like `renamed`, but as typed at the match, without the names that its book gave."""
    marks: Mapping[str, int] = field(default_factory=dict)
    """Markers that sides took since the match began, by the side's id."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """Title, day, place and note, by their names in `REMARK_FIELDS`, where they were changed."""
    is_stopped: bool = False
    is_deleted: bool = False
    payments: tuple[StoredEvent, ...] = ()
    """The payments of a money night, in order."""
    substitutions: tuple[Substitution, ...] = ()
    """All substitutions, in order."""
    by_uid: dict[int, LoggedHand] = field(default_factory=dict)
    """Every hand, in force or removed, by its uid."""
    entries: list[int | NextHandEvent] = field(default_factory=list)
    """The uids of all hands in order, and the settings that were entered before each."""
    hands: tuple[LoggedHand, ...] = ()
    """The hands in force, in their order."""
    removed_hands: tuple[LoggedHand, ...] = ()
    """Hands that were deleted or undone, in their order; each can be restored."""
    pending: NextHandSettings = NO_SETTINGS
    """The settings that were entered after the last hand."""

    def as_of(self, number: int) -> "MatchLog":
        """Return the log as it was after its first `number` events."""
        return fold(self.events[:number])

    def index_for_new_hand(self, before: int | None) -> int:
        """Return the index of a new hand in `entries`: the end, or before the hand `before` and its settings."""
        if before not in self.by_uid:
            return len(self.entries)
        index = self.entries.index(before)
        while index and not isinstance(self.entries[index - 1], int):
            index -= 1
        return index

    def change_hand(self, event: StoredEvent, uid: int, **values: Any) -> None:
        """Change fields of a hand by an event, and drop its disputes; does nothing for an unknown hand."""
        if hand := self.by_uid.get(uid):
            self.by_uid[uid] = replace(hand, latest=event.stamp, disputes=(), settled_disputes=(), **values)

    def arrange_hands(self) -> None:
        """Set `hands`, `removed_hands` and `pending` from `entries`, and the settings of each hand."""
        pending, hands, removed = NO_SETTINGS, list[LoggedHand](), list[LoggedHand]()
        for entry in self.entries:
            if not isinstance(entry, int):
                pending = entry.add_to(pending)
                continue
            hand, count = self.by_uid[entry], pending.substitution_count
            after = NextHandSettings(substitution_count=count) if count else NO_SETTINGS
            before = after if hand.removed else pending
            if hand.pending is not before and hand.pending != before:  # of nearly no hand: a copy takes time
                hand = self.by_uid[entry] = replace(hand, pending=before)
            if hand.removed:
                removed.append(hand)
            else:
                hands.append(hand)
                pending = after
        self.hands, self.removed_hands, self.pending = tuple(hands), tuple(removed), pending

    @property
    def disputed_hands(self) -> tuple[LoggedHand, ...]:
        """The hands in force that a phone disputes, in their order."""
        return tuple(hand for hand in self.hands if hand.disputes)

    @property
    def hands_ever_added(self) -> int:
        """The number of hands that were ever added, removed ones included."""
        return len(self.by_uid)

    def tenures(self, seats: Collection[str]) -> list[tuple[str, int]]:
        """Return the seat of everybody who sat in one of these seats, and how many substitutions there were before.

        Those who sat there from the beginning come first.
        """
        substitutes = enumerate((substitution.who for substitution in self.substitutions), 1)
        return [*((seat, 0) for seat in seats), *((seat, since) for since, seat in substitutes if seat in seats)]

    def renamed_at(self, count: int, renamed: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the log's `renamed`, or the argument if given, as of the first `count` substitutions."""
        former = {substitution.who: substitution.former_name for substitution in reversed(self.substitutions[count:])}
        return _drop_missing({**(self.renamed if renamed is None else renamed), **former})

    def typed_at(self, count: int) -> dict[str, str]:
        """Return the log's `typed` names as of the first `count` substitutions."""
        former = {
            substitution.who: substitution.former_typed_name for substitution in reversed(self.substitutions[count:])
        }
        return _drop_missing({**self.typed, **former})

    def hand(self, uid: int) -> LoggedHand | None:
        """Return the hand in force with a uid; `None` where it was removed or never added."""
        hand = self.by_uid.get(uid)
        return None if hand is None or hand.removed else hand

    def hand_position(self, uid: int | None) -> int | None:
        """Return a hand's position among the hands in force, from 1; `None` where no hand in force has that uid."""
        return next((position for position, hand in enumerate(self.hands, 1) if hand.uid == uid), None)

    def next_hand_in_force(self, uid: int) -> int | None:
        """Return the uid of the next hand in force after a hand, in force or removed; `None` after the last."""
        index = self.entries.index(uid) + 1 if uid in self.by_uid else len(self.entries)
        return next((entry for entry in self.entries[index:] if isinstance(entry, int) and self.hand(entry)), None)

    @property
    def hand_numbers(self) -> tuple[int, ...]:
        """The number of each hand in force, then of the next one: a hand that is dealt again keeps its number."""
        return tuple(accumulate((not logged.hand.is_redealt for logged in self.hands), initial=1))

    def hand_number(self, uid: int | None) -> int | None:
        """Return the number that a hand is called by; `None` where no hand in force has that uid."""
        position = self.hand_position(uid)
        return position and self.hand_numbers[position - 1]


def is_signed_by(actor: str, stamps: Iterable[Stamp]) -> bool:
    """Return whether the phone that signs as `actor` wrote an event with one of these stamps."""
    return any(is_same_phone(stamp.actor, actor) for stamp in stamps)


def _drop_missing(names: Mapping[str, str | None]) -> dict[str, str]:
    """Return the names that are not `None`."""
    return {who: name for who, name in names.items() if name is not None}


def fold(events: Iterable[StoredEvent]) -> MatchLog:
    """Fold the events of a match, in order, into its log."""
    log = MatchLog.fold(events)
    log.arrange_hands()
    return log


REMARK_FIELDS = ("title", "played_on", "place", "note")
"""The fields of a match that people enter beside the names of people and sides; they are fields of `Renamed`."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """The title, day, venue and note of a match, with every change."""

    title: str
    """Empty where none was entered, as are the venue and the note."""
    played_on: str | None
    """The day in ISO 8601, where one was given."""
    day: str
    """`played_on`; where no day was given, the day on which the match began."""
    venue: str
    note: str

    @property
    def remarks(self) -> dict[str, str]:
        """The texts as a form shows them to be edited, by their names in `REMARK_FIELDS`."""
        return dict(zip(REMARK_FIELDS, (self.title, self.day, self.venue, self.note), strict=True))


def occasion_of(setup: MatchSetup, log: MatchLog) -> Occasion:
    """Return the title, day, venue and note of a match as they were changed last."""
    title, played_on, venue, note = (log.remarks.get(name, getattr(setup, name)) for name in REMARK_FIELDS)
    return Occasion(title, played_on, match_day(played_on, setup.created_at, setup.zone), venue or "", note or "")


def match_day(played_on: str | None, created_at: datetime, zone: str | None) -> str:
    """Return the day that was given for a match, or else the day on which it began in its time zone."""
    return played_on or to_zone(created_at, zone).date().isoformat()


def to_zone(at: datetime, zone: str | None) -> datetime:
    """Return a moment in the local time of a time zone; in this machine's where that zone is not known."""
    return at.astimezone(ZoneInfo(zone) if zone and is_zone(zone) else None)


def is_zone(name: str) -> bool:
    """Return whether a name is that of a time zone: "America/Los_Angeles"."""
    return name in _zones()


@cache
def _zones() -> frozenset[str]:
    """Return the names of all time zones, read once."""
    return frozenset(available_timezones())
