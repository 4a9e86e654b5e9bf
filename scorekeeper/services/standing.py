"""From what is stored to where a match stands: the one place that asks the engine.

What is known of the match as it was a moment ago is used again: a hand at the end is one hand to play, not forty.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scorekeeper.engine.hand import HandRecord
from scorekeeper.engine.matches import HandRefused as HandImpossible
from scorekeeper.engine.matches import MatchState, Start, open_match, replay
from scorekeeper.engine.record import Record, RecordFault, RefusedRecord, read_hand
from scorekeeper.engine.result import status_of
from scorekeeper.engine.seats import seat
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.log import LoggedHand, MatchLog
from scorekeeper.store.matches import Link, StoredMatch
from scorekeeper.store.names import UnknownWho, hand_with, start_with


@dataclass(frozen=True)
class LoadedMatch:
    """A match with everything that follows from its events."""

    match: StoredMatch
    link: Link
    log: MatchLog
    record: Record
    """The facts with everybody's present name: what an export writes."""
    state: MatchState
    """Where it stands by every hand that is written, and under which rules and which dealer it goes on."""
    replayed: MatchState
    """The same, before anybody moved the deal or changed the rules for the next hand."""
    counted: MatchState
    """Where it stands by the hands that count: before the first that another side has still to accept."""
    worked_out: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What pages have worked out from all but the link: every phone's link shares it."""

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Everybody's present name, by id."""
        return self.match.names(self.log.renamed)

    @cached_property
    def ids(self) -> Mapping[str, str]:
        """Everybody's id, by present name."""
        return {name: who for who, name in self.names.items()}

    @cached_property
    def marks(self) -> Mapping[str, int]:
        """Every side's marker, by present name."""
        return {self.names[side]: mark for side, mark in self.match.marks(self.log.marks).items()}

    @property
    def code(self) -> str:
        """The code of the link that led here."""
        return self.link.code

    @property
    def title(self) -> str:
        """What the match is called; empty where nobody said."""
        return self.log.title if self.log.title is not None else self.match.title

    @property
    def version(self) -> int:
        """What a form has to follow on: the next event is one more."""
        return self.log.version

    @property
    def status(self) -> str:
        """`in_progress`, `over` or `stopped`."""
        return status_of(self.counted, stopped=self.log.is_stopped)


class UnscorableMatch(Exception):
    """What is stored of a match cannot have been so; `faults` says why. Nothing of it is lost."""

    def __init__(self, faults: tuple[RecordFault, ...]) -> None:
        super().__init__("; ".join(item.fault.message for item in faults))
        self.faults = faults


def stand(
    match: StoredMatch, link: Link, log: MatchLog, ruleset: Ruleset, earlier: LoadedMatch | None = None
) -> LoadedMatch:
    """Say where a match stands, given where it stood `earlier`; raises `UnscorableMatch`."""
    try:
        record = record_of(match, log, earlier)
        replayed = _replayed(match, log, record, ruleset, earlier)
        state = _going_on(match, log, replayed)
        is_all = log.counted == len(log.hands)
        counted = state if is_all else replay(_opened(match, log, record, ruleset), record.hands[: log.counted])
        return LoadedMatch(match, link, log, record, state, replayed, counted)
    except RefusedRecord as refused:
        raise UnscorableMatch(refused.faults) from None


def record_of(match: StoredMatch, log: MatchLog, earlier: LoadedMatch | None = None) -> Record:
    """Write what is stored as a record, with everybody's present name; raises `RefusedRecord` for no hand."""
    names = match.names(log.renamed)
    known = earlier if earlier and earlier.names == names else None
    start = start_with(match.start, names)
    return Record(
        variant=match.variant,
        house=match.house,
        players=tuple(names[player.id] for player in match.seats) or None,
        sides=_sides(match, names) if match.has_named_sides(log.renamed) else None,
        start_scores=start.get("scores"),
        start_hands=start.get("hands"),
        start_sets=start.get("sets"),
        hands=tuple(_hands(match, log, names, known)),
        stopped=log.is_stopped,
        title=(log.title if log.title is not None else match.title) or None,
        played_on=match.played_on,
        place=match.place,
        note=match.note,
    )


def _sides(match: StoredMatch, names: Mapping[str, str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((names[side.id], tuple(names[player] for player in side.seats)) for side in match.sides)


def _hands(
    match: StoredMatch, log: MatchLog, names: Mapping[str, str], known: LoadedMatch | None
) -> Iterator[HandRecord]:
    for number, logged in enumerate(log.hands, 1):
        if known and number <= len(known.log.hands) and _is_same(known.log.hands[number - 1], logged):
            yield known.record.hands[number - 1]
        else:
            yield _hand(logged, names, number, match.first_dealer if number == 1 else None)


def _is_same(one: LoggedHand, other: LoggedHand) -> bool:
    told = one.hand is other.hand and one.dealer == other.dealer
    return told and one.house == other.house and one.house_on == other.house_on


def _hand(logged: LoggedHand, names: Mapping[str, str], number: int, first_dealer: str | None) -> HandRecord:
    try:
        told = hand_with(_told(logged, first_dealer), names)
    except UnknownWho as unknown:
        fault = Fault(unknown.field, "unknown_player", str(unknown))
        raise RefusedRecord([RecordFault(number, fault)]) from None
    hand, faults = read_hand(told)
    if faults:
        raise RefusedRecord([RecordFault(number, fault) for fault in faults])
    return hand


def _told(logged: LoggedHand, first_dealer: str | None) -> dict[str, Any]:
    """Add to a hand what was said before it: who deals, and which rules hold from here."""
    told = dict(logged.hand)
    dealer = logged.dealer or first_dealer
    if dealer is not None:
        told.setdefault("dealer", dealer)
    if logged.house is not None:
        told["house"] = {**logged.house, **(told.get("house") or {})}
        if logged.house_on:
            told.setdefault("house_on", logged.house_on)
    return told


def _replayed(
    match: StoredMatch, log: MatchLog, record: Record, ruleset: Ruleset, earlier: LoadedMatch | None
) -> MatchState:
    if earlier and _goes_on_from(earlier, record):
        state, hands = earlier.replayed, record.hands[len(earlier.record.hands) :]
    else:
        state, hands = _opened(match, log, record, ruleset), record.hands
    try:
        return replay(state, hands)
    except HandImpossible as impossible:
        raise RefusedRecord([RecordFault(impossible.number, fault) for fault in impossible.faults]) from None


def _goes_on_from(earlier: LoadedMatch, record: Record) -> bool:
    """Say whether a record is an earlier one with more hands after it; an unfinished hand must not lie between."""
    old = earlier.record
    before = earlier.replayed.hands
    return (
        len(old.hands) <= len(record.hands)
        and all(one is other for one, other in zip(old.hands, record.hands, strict=False))
        and (old.players, old.sides) == (record.players, record.sides)
        and (len(old.hands) == len(record.hands) or not before or before[-1].status not in _UNFINISHED)
    )


_UNFINISHED = ("bidding", "bid")


def _opened(match: StoredMatch, log: MatchLog, record: Record, ruleset: Ruleset) -> MatchState:
    seats, faults = seat(ruleset, record.players, record.sides)
    if seats is None:
        raise RefusedRecord([RecordFault(None, fault) for fault in faults])
    start = Start(record.start_scores or {}, record.start_hands or 0, record.start_sets or {})
    dealer = match.names(log.renamed)[match.first_dealer] if match.first_dealer else None
    return open_match(ruleset, seats, start, dealer)


def _going_on(match: StoredMatch, log: MatchLog, state: MatchState) -> MatchState:
    """Let the next hand begin with the dealer and the rules that somebody asked for."""
    if log.next_dealer is not None:
        state = replace(state, dealer=match.names(log.renamed)[log.next_dealer])
    if log.next_house is not None:
        ruleset, faults = with_house(state.ruleset, log.next_house)
        if faults:
            raise RefusedRecord([RecordFault(None, fault) for fault in faults])
        state = replace(state, ruleset=ruleset)
    return state
