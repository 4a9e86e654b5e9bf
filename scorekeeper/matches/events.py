"""The events of a match: which role may write each kind, when it is refused, and what it does to the log.

A hand's uid is the `seq` of the event that added it. Seats are `p1`, `p2`, … clockwise, sides `s1`, `s2`, …; a side of
one player has the seat's id.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, get_args

from scorekeeper.access.roles import Link, is_same_phone
from scorekeeper.eventlog.fields import (
    Cents,
    Day,
    Flag,
    House,
    Markers,
    Names,
    Note,
    Notes,
    PlayerOfMoneyNight,
    SeatId,
    Seq,
    Statement,
    StoredHand,
    Title,
    Venue,
)
from scorekeeper.eventlog.stream import (
    OWNER,
    WATCHER,
    HandRefused,
    MatchClosed,
    NotAllowed,
    event_kind,
    refusal,
    refuse_any,
)
from scorekeeper.eventlog.stream import Event as Event
from scorekeeper.eventlog.stream import Redone as Redone
from scorekeeper.eventlog.stream import StoredEvent as StoredEvent
from scorekeeper.eventlog.stream import Undone as Undone
from scorekeeper.matches.log import (
    REMARK_FIELDS,
    Correction,
    LoggedHand,
    MatchLog,
    NextHandEvent,
    NextHandSettings,
    PaperRule,
    Substitution,
    is_signed_by,
    match_day,
    occasion_of,
)
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.drawings.markers import NUMBER_OF_MARKERS
from scorekeeper.pitch.records.json_parser import hand_faults
from scorekeeper.pitch.rules.entered_text import MAX_HANDS, name_faults, remark_faults
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import rules_notes_faults
from scorekeeper.pitch.scoring.hand import Hand, people_in
from scorekeeper.pitch.scoring.seats import name_key, unknown_player_fault


@dataclass(frozen=True, slots=True)
class MatchStream:
    """A match's setup and log as a phone writes to it, with the phone's link and its signature, `actor`."""

    setup: MatchSetup
    log: MatchLog
    link: Link
    actor: str

    def refuse_invalid_hand(self, hand: Hand) -> None:
        """Raise `HandRefused` for a hand that cannot be stored, or that names somebody who is not at the table."""
        refuse_any(hand_faults(hand), HandRefused)
        unknown_player_faults = (
            unknown_player_fault(path, who) for path, who in people_in(hand) if who not in self.setup.ids
        )
        refuse_any(unknown_player_faults, HandRefused)

    def hand_in_force(self, uid: int) -> LoggedHand:
        """Return the hand in force with a `uid`; raises `HandRefused` if it was removed or never added."""
        if (hand := self.logged_hand(uid)).removed:
            raise hand_refusal("This hand was deleted. Restore it first.")
        return hand

    def logged_hand(self, uid: int) -> LoggedHand:
        """Return the hand with a `uid`, in force or removed; raises `HandRefused` if it was never added."""
        if hand := self.log.by_uid.get(uid):
            return hand
        raise hand_refusal("There is no such hand in this match.")


def hand_refusal(message: str) -> HandRefused:
    """Return an exception to raise, with `message` as the only reason why a hand is refused."""
    return HandRefused([Fault("", "refused", message)])


Change = Event | Callable[[MatchStream], Event | Sequence[Event]]
"""An event to append to a match, or a function that takes the match's stream and returns one or several events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _EventOnHand(Event):
    by: SeatId | None = None
    """The seat or side whose phone wrote the event; `None` for a phone that no player holds."""


@event_kind("hand")
class HandAdded(_EventOnHand):
    """A hand was recorded: at the end, or inserted before another one."""

    leaves_trace: ClassVar[bool] = True
    hand: StoredHand
    before: Seq | None = None
    """The uid of the hand before which the new one is inserted; `None` to add it at the end."""

    def changes_anything(self, stream: MatchStream) -> bool:
        stream.refuse_invalid_hand(self.hand)
        if stream.log.is_stopped:
            raise MatchClosed("stopped")
        if stream.log.added_hand_count >= MAX_HANDS:
            raise hand_refusal(f"A match has room for {MAX_HANDS} hands. Start a new one.")
        if self.before is not None:
            stream.hand_in_force(self.before)
        return True

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        added, undo = event.stamp, log.undone_by.get(event.seq)
        log.entries.insert(log.index_for_new_hand(self.before), event.seq)
        log.by_uid[event.seq] = LoggedHand(
            uid=event.seq,
            hand=self.hand,
            added=added,
            latest=added,
            removed=undo.stamp if undo else None,
            was_undone=undo is not None,
        )


@event_kind("correction")
class HandCorrected(_EventOnHand):
    """A hand was corrected: `hand` replaces it completely."""

    ends_draft: ClassVar[bool] = False
    uid: Seq
    hand: StoredHand

    def changes_anything(self, stream: MatchStream) -> bool:
        stream.refuse_invalid_hand(self.hand)
        return stream.hand_in_force(self.uid).hand != self.hand

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        if logged := log.by_uid.get(self.uid):
            correction = Correction(event.stamp, logged.hand, self.hand)
            log.change_hand(event, self.uid, hand=self.hand, corrections=(*logged.corrections, correction))


@event_kind("removal")
class HandRemoved(_EventOnHand):
    """A hand was deleted."""

    uid: Seq

    def changes_anything(self, stream: MatchStream) -> bool:
        return stream.logged_hand(self.uid).removed is None

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.change_hand(event, self.uid, removed=event.stamp, was_undone=False)


@event_kind("return")
class HandRestored(_EventOnHand):
    """A hand that was deleted or undone was restored to its former position."""

    uid: Seq

    def changes_anything(self, stream: MatchStream) -> bool:
        return stream.logged_hand(self.uid).removed is not None

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.change_hand(event, self.uid, removed=None, was_undone=False)


MAX_DISPUTES = 100
"""The most disputes in a match, including withdrawn ones, so that watching phones cannot fill the log."""


@event_kind("dispute", WATCHER)
class HandDisputed(_EventOnHand):
    """A phone disputed a hand or withdrew its dispute, or a scoring phone confirmed a disputed hand."""

    ends_draft: ClassVar[bool] = False
    uid: Seq
    version: Seq
    """The `seq` of the hand's last change that the phone had seen; a later change ends the dispute."""
    says: Statement

    @property
    def is_undoable(self) -> bool:
        # A phone that watches has its own button to withdraw a dispute, and must not use up the undo of the scorers.
        return self.says == "confirmed"

    def changes_anything(self, stream: MatchStream) -> bool:
        hand = stream.logged_hand(self.uid)
        is_as_seen = not hand.removed and hand.latest.seq == self.version
        match self.says:
            case "confirmed":
                if not stream.link.may_score:
                    raise NotAllowed
                return is_as_seen and bool(hand.disputes)
            case "withdrawn":
                return is_as_seen and is_signed_by(stream.actor, hand.disputes)
        if not is_as_seen:
            raise hand_refusal("This hand has changed since. Check it again.")
        if is_signed_by(stream.actor, hand.settled_disputes):
            raise hand_refusal("This hand was confirmed after you said so. Talk it over at the table.")
        if is_signed_by(stream.actor, hand.disputes):
            return False
        event_data = (event.data for event in stream.log.events)
        if sum(isinstance(other, HandDisputed) and other.says == "wrong" for other in event_data) >= MAX_DISPUTES:
            raise hand_refusal("That was said too often in this match. Talk it over at the table.")
        return True

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        hand = log.by_uid.get(self.uid)
        if hand is None or hand.latest.seq != self.version:
            return
        match self.says:
            case "wrong":
                hand = replace(hand, disputes=(*hand.disputes, event.stamp))
            case "withdrawn":
                others = (stamp for stamp in hand.disputes if not is_same_phone(stamp.actor, event.actor))
                hand = replace(hand, disputes=tuple(others))
            case "confirmed":
                hand = replace(hand, disputes=(), settled_disputes=(*hand.settled_disputes, *hand.disputes))
        log.by_uid[self.uid] = hand


@dataclass(frozen=True, slots=True, kw_only=True)
class _RetiredEvent(Event):
    """The base of the kinds of events that only earlier versions of the app wrote; they change nothing."""

    is_undoable: ClassVar[bool] = False


@event_kind("acceptance", None)
class HandAccepted(_RetiredEvent):
    """Somebody of another side accepted a hand."""

    by: SeatId | None = None
    uid: Seq
    version: Seq


@event_kind("agreement", None)
class AgreementSet(_RetiredEvent):
    """The rule that a hand counts only once another side has accepted it was turned on or off."""

    on: Flag


@event_kind("stop")
class Stopped(Event):
    """The match was stopped before there was a winner."""

    def changes_anything(self, stream: MatchStream) -> bool:
        return not stream.log.is_stopped

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.is_stopped = True


@event_kind("resume")
class Resumed(Event):
    """The match, which was stopped, was resumed."""

    def changes_anything(self, stream: MatchStream) -> bool:
        return stream.log.is_stopped

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.is_stopped = False


@event_kind("went_on")
class PlayersChanged(Event):
    """The match ended, because its money night continues with other players in another match."""

    is_undoable: ClassVar[bool] = False


@event_kind("rename", OWNER)
class Renamed(Event):
    """Players, sides or the match were renamed, or the day, place or note was changed.

    `None` stands for no change.
    """

    ends_draft: ClassVar[bool] = False
    names: Names = field(default_factory=dict)
    """The new names, keyed by seat or side id; an empty one names a side after its players again."""
    title: Title | None = None
    by_book: Flag | None = None
    """Whether the match's book renamed a person: the log keeps the typed name, and the match cannot undo it."""
    left: Names | None = None
    """The book's names for players who left, keyed by their seat and the `seq` of their substitution: "p1/7"."""
    played_on: Day | None = None
    place: Venue | None = None
    note: Note | None = None

    @property
    def is_undoable(self) -> bool:
        return not self.by_book

    @property
    def remarks(self) -> dict[str, str]:
        """The changed texts among title, day, place and note, keyed by field: `{"place": "Joe’s"}`."""
        return {name: text for name in REMARK_FIELDS if (text := getattr(self, name)) is not None}

    def changes_anything(self, stream: MatchStream) -> bool:
        return bool(self.names or self.remarks)

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.renamed = {**log.renamed, **self.names}
        if self.by_book:
            left = self.left or {}
            log.substitutions = tuple(
                replace(
                    substitution,
                    former_name=left.get(f"{substitution.who}/{substitution.seq}", substitution.former_name),
                )
                for substitution in log.substitutions
            )
            return
        log.typed = {**log.typed, **self.names}
        log.remarks = {**log.remarks, **self.remarks}


def rename_change(names: Mapping[str, str], title: str | None = None, **remarks: str | None) -> Change:
    """Return a change of names and of the match's title, day, place and note.

    An empty name names a side after its players; an empty day is the day on which the match began. The change raises
    `Refused` for an unknown id, an invalid text or a name that is taken.
    """

    def rename(stream: MatchStream) -> Renamed:
        setup, log = stream.setup, stream.log
        present_names = setup.record_names(log.renamed)
        named_after_players = {side.id for side in setup.sides if side.seats} - {seat.id for seat in setup.seats}
        faults: list[Fault] = []
        for who, name in names.items():
            if who not in present_names:
                faults.append(Fault(f"names.{who}", "unknown_player", "There is no such seat at this table."))
            elif name or who not in named_after_players:
                faults += name_faults(f"names.{who}", name)
        entered_remarks = {"title": title, **remarks}
        if entered_remarks.get("played_on") == "":
            entered_remarks["played_on"] = match_day(None, setup.created_at, setup.zone)
        refuse_any([*faults, *remark_faults(**entered_remarks)])
        sides_without_name = {side.id for side in setup.sides if not setup.stored_name(side, log.renamed)}
        new_names = {
            who: name
            for who, name in names.items()
            if (name != present_names[who] or setup.is_nameless(who, log.renamed))
            and (name or who not in sides_without_name)
        }
        renamed = {**log.renamed, **new_names}
        # Names have to be distinct in every hand, also among players who have left a seat.
        for count in range(len(log.substitutions), -1, -1):
            refuse_any(setup.seating_faults(log.renamed_at(count, renamed), log.renamed_at(count)))
        present_remarks = occasion_of(setup, log).remarks
        new_remarks: dict[str, Any] = {
            name: text for name, text in entered_remarks.items() if text != present_remarks[name]
        }
        return Renamed(names=new_names, **new_remarks)

    return rename


@event_kind("marks")
class MarkersChanged(Event):
    """Sides took other markers."""

    ends_draft: ClassVar[bool] = False
    marks: Markers
    """The new markers, keyed by side id; two sides that swap their markers are both in it."""

    def changes_anything(self, stream: MatchStream) -> bool:
        return bool(self.marks)

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.changed_markers = {**log.changed_markers, **self.marks}


def marker_change(side: str, marker: int) -> Change:
    """Return a change of a side's marker; a side that has the new marker gets the old one.

    The change raises `Refused` for an unknown side or marker.
    """

    def change_marker(stream: MatchStream) -> MarkersChanged:
        present_markers = stream.setup.markers(stream.log.changed_markers)
        if side not in present_markers:
            raise refusal("mark", "There is no such side at this table.")
        if not 1 <= marker <= NUMBER_OF_MARKERS:
            raise refusal("mark", "There is no such marker to choose.")
        if present_markers[side] == marker:
            return MarkersChanged(marks={})
        swapped_markers = {
            who: present_markers[side] for who, old_marker in present_markers.items() if old_marker == marker
        }
        return MarkersChanged(marks={side: marker, **swapped_markers})

    return change_marker


@event_kind("deletion", OWNER)
class Deleted(Event):
    """The match was deleted."""

    def changes_anything(self, stream: MatchStream) -> bool:
        return not stream.log.is_deleted

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.is_deleted = True


@event_kind("undeletion", OWNER)
class Undeleted(Event):
    """The match was restored."""

    def changes_anything(self, stream: MatchStream) -> bool:
        return stream.log.is_deleted

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.is_deleted = False


@event_kind("rules", OWNER)
class RulesChanged(NextHandEvent):
    """House options changed from the next hand on, or the table agreed on a rule that is only on paper."""

    house: House
    """The changed answers, keyed by option; empty if only `notes` were added."""
    on: Day | None = None
    """The day of the change."""
    notes: Notes | None = None
    """Newly agreed rules that no option covers: they are only on paper, and change no score."""

    @property
    def ends_draft(self) -> bool:
        return bool(self.house)

    def changes_anything(self, stream: MatchStream) -> bool:
        refuse_any(rules_notes_faults(self.notes or ()))
        return bool(self.house or self.notes)

    def add_to(self, pending: NextHandSettings) -> NextHandSettings:
        paper_rules = (PaperRule(note, self.on) for note in self.notes or ())
        pending = replace(pending, on_paper=(*pending.on_paper, *paper_rules))
        if not self.house:
            return pending
        return replace(pending, house={**(pending.house or {}), **self.house}, house_on=self.on or pending.house_on)


@event_kind("dealer")
class DealerMoved(NextHandEvent):
    """The deal of the next hand was moved to another player."""

    who: SeatId

    def changes_anything(self, stream: MatchStream) -> bool:
        if stream.log.is_stopped:
            raise MatchClosed("stopped")
        if self.who not in stream.setup.ids:
            raise refusal("dealer", "There is no such seat at this table.")
        return stream.log.pending.dealer != self.who

    def add_to(self, pending: NextHandSettings) -> NextHandSettings:
        return replace(pending, dealer=self.who)


@event_kind("sits_in")
class PlayerSubstituted(NextHandEvent):
    """New players took seats from the next hand on; earlier hands keep the players who left."""

    names: Names
    """The names of the substitutes, keyed by seat id."""

    def changes_anything(self, stream: MatchStream) -> bool:
        if stream.log.is_stopped:
            raise MatchClosed("stopped")
        return any([self._changes_seat(stream, who, name) for who, name in self.names.items()])

    def _changes_seat(self, stream: MatchStream, who: str, name: str) -> bool:
        """Return whether `name` is a new player in the seat `who`; raises `Refused` for an invalid change."""
        setup, log = stream.setup, stream.log
        present_names, original_names = setup.record_names(log.renamed), setup.record_names(log.renamed_at(0))
        if who not in {seat.id for seat in setup.seats}:
            raise refusal("who", "Choose who leaves.")
        if present_names[who] == name:
            return False
        refuse_any(name_faults("name", name))
        # A side that is named after its players keeps its original name in records.
        side_names = {
            names[side.id]
            for side in setup.sides
            if side.seats != (side.id,)
            for names in (present_names, original_names)
        }
        if name_holder := {
            name_key(taken_name): taken_name for taken_name in (*side_names, *present_names.values())
        }.get(name_key(name)):
            raise refusal("name", f"{name_holder} is at this table already. Choose another name.")
        renamed_after = {**log.renamed, who: name}
        refuse_any(replace(fault, field="name") for fault in setup.seating_faults(renamed_after, log.renamed))
        return True

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        NextHandEvent.apply(self, log, event)
        substitutions = (Substitution(event.seq, who, log.renamed.get(who), log.typed.get(who)) for who in self.names)
        log.substitutions = (*log.substitutions, *substitutions)
        log.renamed, log.typed = {**log.renamed, **self.names}, {**log.typed, **self.names}

    def add_to(self, pending: NextHandSettings) -> NextHandSettings:
        substitutes, count = {**(pending.substitutes or {}), **self.names}, pending.substitution_count + len(self.names)
        return replace(pending, substitutes=substitutes, substitution_count=count)


@event_kind("payment")
class PaymentRecorded(Event):
    """A payment of a debt from a money night was recorded."""

    ends_draft: ClassVar[bool] = False
    debtor: PlayerOfMoneyNight
    creditor: PlayerOfMoneyNight
    cents: Cents

    def apply(self, log: MatchLog, event: StoredEvent) -> None:
        log.payments = (*log.payments, event)


HandEvent = HandAdded | HandCorrected | HandRemoved | HandRestored | HandDisputed
"""An event about one hand."""
MatchEvent = (
    HandEvent
    | HandAccepted
    | AgreementSet
    | Stopped
    | Resumed
    | PlayersChanged
    | Renamed
    | MarkersChanged
    | Deleted
    | Undeleted
    | RulesChanged
    | DealerMoved
    | PlayerSubstituted
    | PaymentRecorded
    | Undone
    | Redone
)
"""An event of a match, of any kind."""


def hand_uid_of(event: StoredEvent) -> int | None:
    """Return the uid of the hand that an event adds, corrects, deletes or restores; `None` for other events."""
    match event.data:
        case HandAdded():
            return event.seq
        case HandCorrected(uid=uid) | HandRemoved(uid=uid) | HandRestored(uid=uid):
            return uid
        case _:
            return None


EVENT_KINDS: Mapping[str, type[Event]] = {arg.kind: arg for arg in get_args(MatchEvent)}
"""The classes of a match's events, keyed by the name of their kind in the database: `{"hand": HandAdded, …}`."""
