"""The events of a match folded into a log: hands with their history, names and settings.

The fold leaves out events that were undone. Only a new hand that was undone stays, as a removed hand that can be
restored. An occasion is the title, day, venue and note of a match.
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
    """A correction of a hand: the stamp of its event, and the hand before and after it."""

    stamp: Stamp
    before: Hand
    after: Hand


@dataclass(frozen=True, slots=True)
class Substitution:
    """The change of the player in a seat, with the name of the player who left."""

    seq: int
    """The `seq` of the event."""
    who: str
    """The id of the seat."""
    former_name: str | None
    """The present name of the player who left; `None` if it is the name in the setup."""
    former_typed_name: str | None = None
    """The same name as it was typed in the match, before its book changed it."""


@dataclass(frozen=True, slots=True)
class PaperRule:
    """A rule that the table agreed on and that no option covers: it is written down, and changes no score."""

    text: str
    on: str | None
    """The day of the agreement in ISO 8601; `None` if none was entered."""


@dataclass(frozen=True, slots=True)
class NextHandSettings:
    """What was set for the next hand after the last one: its dealer, and the rules and players from it on."""

    dealer: str | None = None
    """The id of the seat or side to which the deal was moved; `None` if it was not moved."""
    house: Mapping[str, object] | None = None
    """The changed house answers, keyed by option; `None` if none changed."""
    house_on: str | None = None
    """The day of the change in ISO 8601; `None` if none was entered."""
    on_paper: tuple[PaperRule, ...] = ()
    """The rules on paper that were agreed since the last hand."""
    substitutes: Mapping[str, str] | None = None
    """The names of the new players, keyed by seat id; `None` without new players."""
    substitution_count: int = 0
    """The number of all substitutions in the match before the next hand."""


NO_SETTINGS = NextHandSettings()
"""The settings for a hand before which nothing was set."""


class NextHandEvent(Event):
    """The base of the events that set something for the next hand."""

    __slots__ = ()

    def apply(self, log: "MatchLog", event: StoredEvent) -> None:
        log.entries.append(self)

    def add_to(self, pending: NextHandSettings) -> NextHandSettings:
        """Return `pending`, what earlier events set for the next hand, with the settings of this event added."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHand:
    """A hand as its last event left it, in force or removed, with its history and its disputes."""

    uid: int
    """The `seq` of the event that added it."""
    hand: Hand
    added: Stamp
    """The stamp of the event that added it."""
    corrections: tuple[Correction, ...] = ()
    removed: Stamp | None = None
    """The stamp of the event that deleted or undid the hand; `None` for a hand in force."""
    was_undone: bool = False
    """Whether an undo removed the hand; false if it was deleted."""
    latest: Stamp
    """The stamp of the last event that added, corrected, deleted or restored it."""
    disputes: tuple[Stamp, ...] = ()
    """The stamps of the disputes since its last change that were neither withdrawn nor settled."""
    settled_disputes: tuple[Stamp, ...] = ()
    """The stamps of the disputes since its last change that a confirmation of the hand settled."""
    pending: NextHandSettings = NO_SETTINGS
    """The settings entered since the last hand in force; for a removed hand, only `substitution_count`."""

    @property
    def substitution_count(self) -> int:
        """The number of substitutions in the match before the hand."""
        return self.pending.substitution_count


@dataclass(slots=True, kw_only=True)
class MatchLog(EventLog):
    """The folded events of a match; no log changes after its fold."""

    noun: ClassVar[str] = "match"
    max_events: ClassVar[int] = MAX_EVENTS
    renamed: Mapping[str, str] = field(default_factory=dict)
    """The present names, keyed by seat or side id, where they were changed since the start."""
    typed: Mapping[str, str] = field(default_factory=dict)
    """The same names as they were typed in the match, before its book changed any."""
    changed_markers: Mapping[str, int] = field(default_factory=dict)
    """The markers that sides took since the match began, keyed by side id."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """The changed texts among title, day, place and note, keyed by field: `{"place": "Joe’s"}`."""
    is_stopped: bool = False
    is_deleted: bool = False
    payments: tuple[StoredEvent, ...] = ()
    """The payments of a money night, in order."""
    substitutions: tuple[Substitution, ...] = ()
    """All substitutions, in order."""
    by_uid: dict[int, LoggedHand] = field(default_factory=dict)
    """Every hand, in force or removed, keyed by uid."""
    entries: list[int | NextHandEvent] = field(default_factory=list)
    """The uids of all hands in order, each after the events that set something for it: `[3, dealer_moved, 6]`.

    The events that set something for the next hand are at the end.
    """
    hands: tuple[LoggedHand, ...] = ()
    """The hands in force, in the order of play."""
    removed_hands: tuple[LoggedHand, ...] = ()
    """The hands that were deleted or undone, in the order of play; each can be restored."""
    pending: NextHandSettings = NO_SETTINGS
    """The settings that were entered after the last hand."""

    def as_of(self, event_count: int) -> "MatchLog":
        """Return the log with only its first `event_count` events."""
        return fold(self.events[:event_count])

    def index_for_new_hand(self, before: int | None) -> int:
        """Return the index in `entries` for a new hand before the hand `before` and what was set for that hand.

        If `before` is `None` or unknown, the new hand goes at the end.
        """
        if before not in self.by_uid:
            return len(self.entries)
        index = self.entries.index(before)
        while index and not isinstance(self.entries[index - 1], int):
            index -= 1
        return index

    def change_hand(self, event: StoredEvent, uid: int, **values: Any) -> None:
        """Set fields of a hand to `values`, make `event` its latest event, and drop its disputes.

        An unknown hand is ignored.
        """
        if hand := self.by_uid.get(uid):
            self.by_uid[uid] = replace(hand, latest=event.stamp, disputes=(), settled_disputes=(), **values)

    def arrange_hands(self) -> None:
        """Set `hands`, `removed_hands`, `pending` and the settings of each hand, all from `entries`."""
        pending, hands, removed_hands = NO_SETTINGS, list[LoggedHand](), list[LoggedHand]()
        for entry in self.entries:
            if not isinstance(entry, int):
                pending = entry.add_to(pending)
                continue
            hand, count = self.by_uid[entry], pending.substitution_count
            no_new_settings = NextHandSettings(substitution_count=count) if count else NO_SETTINGS
            settings = no_new_settings if hand.removed else pending
            if hand.pending is not settings and hand.pending != settings:  # of nearly no hand: a copy takes time
                hand = self.by_uid[entry] = replace(hand, pending=settings)
            if hand.removed:
                removed_hands.append(hand)
            else:
                hands.append(hand)
                pending = no_new_settings
        self.hands, self.removed_hands, self.pending = tuple(hands), tuple(removed_hands), pending

    @property
    def disputed_hands(self) -> tuple[LoggedHand, ...]:
        """The hands in force that a phone disputes, in the order of play."""
        return tuple(hand for hand in self.hands if hand.disputes)

    @property
    def added_hand_count(self) -> int:
        """The number of hands that were ever added, removed ones included."""
        return len(self.by_uid)

    def tenures(self, seats: Collection[str]) -> list[tuple[str, int]]:
        """Return the seat and the beginning of each player's time in one of these seats: `[("p1", 0), ("p1", 3)]`.

        The beginning is 0 for a first player, or else the number, from 1, of the substitution.
        """
        substitutes = enumerate((substitution.who for substitution in self.substitutions), 1)
        return [*((seat, 0) for seat in seats), *((seat, since) for since, seat in substitutes if seat in seats)]

    def renamed_at(self, substitution_count: int, renamed: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the changed names, keyed by id, of those at the table after `substitution_count` substitutions.

        A player who was renamed has the present name. `renamed`, if given, replaces the log's own changed names.
        """
        former_names = {
            substitution.who: substitution.former_name
            for substitution in reversed(self.substitutions[substitution_count:])
        }
        return _drop_missing({**(self.renamed if renamed is None else renamed), **former_names})

    def typed_at(self, substitution_count: int) -> dict[str, str]:
        """Return the names that `renamed_at` returns as they were typed in the match, before its book changed any."""
        former_names = {
            substitution.who: substitution.former_typed_name
            for substitution in reversed(self.substitutions[substitution_count:])
        }
        return _drop_missing({**self.typed, **former_names})

    def hand(self, uid: int) -> LoggedHand | None:
        """Return the hand in force with a uid; `None` if it was removed or never added."""
        hand = self.by_uid.get(uid)
        return None if hand is None or hand.removed else hand

    def hand_position(self, uid: int | None) -> int | None:
        """Return the position of a hand among those in force, from 1; `None` if the hand is not in force."""
        return next((position for position, hand in enumerate(self.hands, 1) if hand.uid == uid), None)

    def next_hand_in_force(self, uid: int) -> int | None:
        """Return the uid of the first hand in force after the hand with a `uid`; `None` if there is none."""
        index = self.entries.index(uid) + 1 if uid in self.by_uid else len(self.entries)
        return next((entry for entry in self.entries[index:] if isinstance(entry, int) and self.hand(entry)), None)

    @property
    def hand_numbers(self) -> tuple[int, ...]:
        """The numbers by which players call the hands in force and the next hand: `(1, 2, 2, 3)`.

        A redealt hand is not counted, so that the hand after it has the same number. While the last hand has only
        passes, the number of the next one is too low: see `MatchState.next_number`.
        """
        return tuple(accumulate((not logged.hand.is_redealt for logged in self.hands), initial=1))


def is_signed_by(actor: str, stamps: Iterable[Stamp]) -> bool:
    """Return whether the phone that signs as `actor` wrote one of the events with these stamps."""
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
"""The fields of `Renamed` that have texts about the match."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """The title, day, venue and note of a match after their last change."""

    title: str
    """The title; empty if none was entered, like the venue and the note."""
    played_on: str | None
    """The day that was entered, in ISO 8601; `None` without one."""
    day: str
    """The day in ISO 8601: `played_on` or, if none was entered, the day on which the match began."""
    venue: str
    note: str

    @property
    def remarks(self) -> dict[str, str]:
        """The texts that a form shows for editing, keyed by the fields in `REMARK_FIELDS`."""
        return dict(zip(REMARK_FIELDS, (self.title, self.day, self.venue, self.note), strict=True))


def occasion_of(setup: MatchSetup, log: MatchLog) -> Occasion:
    """Return the title, day, venue and note of a match after their last change."""
    title, played_on, venue, note = (log.remarks.get(name, getattr(setup, name)) for name in REMARK_FIELDS)
    return Occasion(title, played_on, match_day(played_on, setup.created_at, setup.zone), venue or "", note or "")


def match_day(played_on: str | None, created_at: datetime, zone: str | None) -> str:
    """Return the entered day of a match, or the day on which it began in its time zone, in ISO 8601."""
    return played_on or to_zone(created_at, zone).date().isoformat()


def to_zone(moment: datetime, zone: str | None) -> datetime:
    """Return a moment in a time zone, such as "America/Los_Angeles"; for an unknown one, in this machine's."""
    return moment.astimezone(ZoneInfo(zone) if zone and is_zone(zone) else None)


def is_zone(zone_name: str) -> bool:
    """Return whether there is a time zone with this name, such as "America/Los_Angeles"."""
    return zone_name in _zones()


@cache
def _zones() -> frozenset[str]:
    """Return the names of all time zones, read once."""
    return frozenset(available_timezones())
