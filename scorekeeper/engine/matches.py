"""A match is a fold over its hands: the same function serves undo, correction and "as of hand 7"."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.engine.camps import Camps, camps_of
from scorekeeper.engine.contract import Contract, contract_of
from scorekeeper.engine.hand import Bid, HandRecord, SideId
from scorekeeper.engine.outcome import Outcome, Standing, by_hands, decide, several_there
from scorekeeper.engine.problems import hand_problems
from scorekeeper.engine.scoring import HandScore, needs_tricks, score_hand, score_taken_set
from scorekeeper.engine.seats import Seats
from scorekeeper.engine.settlement import settle
from scorekeeper.engine.taken import Taken, taken_of
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True, slots=True)
class Start:
    """What a match brings from paper."""

    scores: Mapping[SideId, int] = field(default_factory=dict)
    hands: int = 0
    sets: Mapping[SideId, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """One hand and what came of it."""

    number: int
    status: str
    """`bidding`, `bid`, `scored`, `thrown_in` or `after_end`."""
    hand: HandRecord
    ruleset: Ruleset
    """The rules in force in this hand."""
    scores: Mapping[SideId, int]
    """The scores after it."""
    deltas: Mapping[SideId, int]
    dealer: str | None = None
    next_dealer: str | None = None
    bidder: str | None = None
    bid: Bid | None = None
    score: HandScore | None = None
    camps: Camps | None = None
    overtook_pitch: bool = False
    set_taken_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """Where a match stands."""

    ruleset: Ruleset
    """The rules in force for the next hand."""
    seats: Seats
    scores: Mapping[SideId, int]
    sets: Mapping[SideId, int]
    paid: Mapping[SideId, int]
    """Cents paid directly so far."""
    scored: int = 0
    """Hands scored, those from before the record included."""
    overtime: bool = False
    dealer: str | None = None
    """Who deals the next hand, where it is known."""
    outcome: Outcome | None = None
    hands: tuple[HandResult, ...] = ()

    @property
    def money(self) -> dict[SideId, int] | None:
        """What each side is owed if the table settled now; `None` where nobody pays."""
        if not self.ruleset.pays:
            return None
        return settle(self.ruleset, self.scores, self.paid, self.sets, self.outcome.winners if self.outcome else ())


class HandRefused(Exception):
    """A hand cannot have been so; `number` counts from 1."""

    def __init__(self, number: int, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.number = number
        self.faults = tuple(faults)


def open_match(ruleset: Ruleset, seats: Seats, start: Start | None = None, dealer: str | None = None) -> MatchState:
    """Begin a match, from nothing or from what was carried over."""
    start = start or Start()
    zero = ruleset.winning.count_down_from or 0
    scores = {name: start.scores.get(name, zero) for name in seats.names}
    return MatchState(
        ruleset=ruleset,
        seats=seats,
        scores=scores,
        sets={name: start.sets.get(name, 0) for name in seats.names},
        paid=dict.fromkeys(seats.names, 0),
        scored=start.hands,
        overtime=ruleset.winning.tie_rule == "bidder_or_play_on" and several_there(ruleset, scores),
        dealer=dealer,
        outcome=by_hands(ruleset, scores, start.hands) if ruleset.winning.length == "hands" else None,
    )


def replay(state: MatchState, hands: Iterable[HandRecord]) -> MatchState:
    """Fold hands into a match; raises `HandRefused` at the first that cannot be."""
    hands = tuple(hands)
    for i, hand in enumerate(hands):
        state = play(state, hand, is_last=i == len(hands) - 1)
    return state


def play(state: MatchState, hand: HandRecord, *, is_last: bool = True) -> MatchState:
    """Add one hand; raises `HandRefused` where it cannot be, or stands unfinished before another."""
    number = len(state.hands) + 1
    if state.outcome:
        return _kept_after_end(state, hand, number)
    ruleset = _rules_in_force(state, hand.house, number)
    dealer, contract = _bidding(ruleset, state, hand, number)
    problems = hand_problems(ruleset, state.seats, hand, contract, is_last=is_last)
    if problems:
        raise HandRefused(number, problems)
    at_table = state
    if ruleset is not state.ruleset or dealer != state.dealer:
        at_table = replace(state, ruleset=ruleset, dealer=dealer)
    if hand.thrown_in or contract.all_passed:
        return _thrown_in(at_table, hand, number)
    if contract.set_taken_by:
        score = score_taken_set(ruleset, state.seats, contract.set_taken_by)
        return _scored(at_table, hand, number, contract, camps_of(ruleset, state.seats, None, None), score)
    together = ruleset.only_bidder_counts and hand.names_defenders
    camps = camps_of(ruleset, state.seats, contract.bidder, hand.partner, together=together)
    if not hand.is_played:
        return _unfinished(at_table, hand, number, contract, camps)
    taken, faults = taken_of(ruleset, state.seats, camps, hand)
    faults = faults or _tricks_against_points(ruleset, camps, contract, hand, taken)
    if faults or taken is None:
        raise HandRefused(number, faults)
    all_tricks = bool(hand.all_tricks)
    score = score_hand(ruleset, state.seats, camps, contract, taken, state.scores, all_tricks=all_tricks)
    return _scored(at_table, hand, number, contract, camps, score)


def _rules_in_force(state: MatchState, change: Mapping[str, Any] | None, number: int) -> Ruleset:
    if not change:
        return state.ruleset
    ruleset, faults = with_house(state.ruleset, change)
    if ruleset.winning.count_down_from != state.ruleset.winning.count_down_from:
        faults.append(
            Fault("count_down_from", "too_late", "Which way a match counts is settled before its first hand.")
        )
    if faults:
        raise HandRefused(number, [replace(fault, field=f"house.{fault.field}") for fault in faults])
    return ruleset


def _bidding(ruleset: Ruleset, state: MatchState, hand: HandRecord, number: int) -> tuple[str | None, Contract]:
    dealer = hand.dealer or state.dealer
    if hand.dealer is not None and state.seats.side_of(hand.dealer) is None:
        raise HandRefused(
            number, [Fault("dealer", "unknown_player", f"Nobody called {hand.dealer} sits at this table.")]
        )
    contract, faults = contract_of(ruleset, state.seats, dealer, hand)
    if faults:
        raise HandRefused(number, faults)
    return contract.dealer or dealer, contract


def _tricks_against_points(
    ruleset: Ruleset, camps: Camps, contract: Contract, hand: HandRecord, taken: Taken | None
) -> list[Fault]:
    """A side with every trick has every card that was captured."""
    if not (hand.all_tricks and needs_tricks(ruleset, contract) and taken):
        return []
    for award_id, group, _ in taken.awards:
        if group != 0 and ruleset.how_won(award_id) in ("captured", "card_points"):
            name, who = ruleset.awards[award_id].name, " & ".join(camps.groups[group])
            said = f"{who} took {name}, so the bidding side cannot have taken every trick."
            return [Fault("all_tricks", "not_every_trick", said)]
    return []


def _kept_after_end(state: MatchState, hand: HandRecord, number: int) -> MatchState:
    result = HandResult(
        number=number,
        status="after_end",
        hand=hand,
        ruleset=state.ruleset,
        scores=state.scores,
        deltas=dict.fromkeys(state.scores, 0),
        dealer=hand.dealer,
        bidder=hand.bidder,
        bid=hand.bid,
    )
    return replace(state, hands=(*state.hands, result))


def _thrown_in(state: MatchState, hand: HandRecord, number: int) -> MatchState:
    """Throw the cards in; the same dealer deals again."""
    result = HandResult(
        number=number,
        status="thrown_in",
        hand=hand,
        ruleset=state.ruleset,
        scores=state.scores,
        deltas=dict.fromkeys(state.scores, 0),
        dealer=state.dealer,
        next_dealer=state.dealer,
    )
    return replace(state, hands=(*state.hands, result))


def _unfinished(state: MatchState, hand: HandRecord, number: int, contract: Contract, camps: Camps) -> MatchState:
    result = HandResult(
        number=number,
        status="bid" if contract.is_bid else "bidding",
        hand=hand,
        ruleset=state.ruleset,
        scores=state.scores,
        deltas=dict.fromkeys(state.scores, 0),
        dealer=state.dealer,
        bidder=hand.bidder or contract.bidder,
        bid=contract.bid,
        camps=camps,
        overtook_pitch=contract.overtook_pitch,
    )
    return replace(state, hands=(*state.hands, result))


def _scored(
    state: MatchState, hand: HandRecord, number: int, contract: Contract, camps: Camps, score: HandScore
) -> MatchState:
    deltas = dict.fromkeys(state.scores, 0)
    for line in score.lines:
        deltas[line.side] += line.points
    scores = {side: points + deltas[side] for side, points in state.scores.items()}
    sets = _added(state.sets, score.sets)
    standing = Standing(scores, state.scores, sets, state.scored + 1, state.overtime)
    outcome, overtime = decide(state.ruleset, state.seats, standing, camps, contract, score)
    next_dealer = _next_dealer(state, contract, score)
    result = HandResult(
        number=number,
        status="scored",
        hand=hand,
        ruleset=state.ruleset,
        scores=scores,
        deltas=deltas,
        dealer=state.dealer,
        next_dealer=next_dealer,
        bidder=hand.bidder or contract.bidder,
        bid=contract.bid,
        score=score,
        camps=camps,
        overtook_pitch=contract.overtook_pitch,
        set_taken_by=contract.set_taken_by,
    )
    return MatchState(
        ruleset=state.ruleset,
        seats=state.seats,
        scores=scores,
        sets=sets,
        paid=_added(state.paid, score.payments),
        scored=state.scored + 1,
        overtime=overtime,
        dealer=next_dealer,
        outcome=outcome,
        hands=(*state.hands, result),
    )


def _added(so_far: Mapping[SideId, int], more: Mapping[SideId, int] | None) -> Mapping[SideId, int]:
    if not more:
        return so_far
    return {side: number + more.get(side, 0) for side, number in so_far.items()}


def _next_dealer(state: MatchState, contract: Contract, score: HandScore) -> str | None:
    """Pass the deal on: clockwise, or as Racehorse does (`002`)."""
    if state.ruleset.play.next_dealer == "racehorse" and contract.bidder is not None:
        return contract.bidder if score.made else state.seats.right_of(contract.bidder)
    return state.seats.left_of(state.dealer) if state.dealer is not None else None
