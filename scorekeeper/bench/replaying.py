"""Replaying forty hands."""

from dataclasses import dataclass

from scorekeeper.bench.figure import Figure
from scorekeeper.bench.house import House
from scorekeeper.bench.timing import medians, timed
from scorekeeper.engine.camps import Camps, camps_of
from scorekeeper.engine.contract import Contract, contract_of
from scorekeeper.engine.matches import HandResult, MatchState, Start, open_match, replay
from scorekeeper.engine.scoring import score_hand
from scorekeeper.engine.taken import Taken, taken_of

LONGEST = 1.0
ROUNDS = 300


def replaying_figure(house: House) -> Figure:
    """Time the replay against the scoring alone, of hands whose bid and awards are worked out already."""
    match = house.load(house.codes[0])
    state, record = match.state, match.record
    opened = open_match(state.ruleset, state.seats, Start(record.start_scores or {}))
    known = [_known(state, result) for result in state.hands]
    before = [opened.scores, *(result.scores for result in state.hands)]

    def score() -> None:
        for hand, scores in zip(known, before, strict=False):
            score_hand(state.ruleset, state.seats, hand.camps, hand.contract, hand.taken, scores)

    real, floor = medians(timed(lambda: replay(opened, record.hands)), timed(score), rounds=ROUNDS)
    return Figure(
        name="replay_40_hands",
        value=real * 1000,
        unit="ms",
        floor=floor * 1000,
        limit=LONGEST,
        told="replay of 40 hands",
        floor_told="scoring them, with bids and awards worked out beforehand",
    )


@dataclass(frozen=True, slots=True)
class _Known:
    camps: Camps
    contract: Contract
    taken: Taken


def _known(state: MatchState, result: HandResult) -> _Known:
    contract, _ = contract_of(state.ruleset, state.seats, result.dealer, result.hand)
    camps = camps_of(state.ruleset, state.seats, contract.bidder, result.hand.partner)
    taken, _ = taken_of(state.ruleset, state.seats, camps, result.hand)
    if taken is None:
        raise ValueError(f"hand {result.number} cannot be scored")
    return _Known(camps, contract, taken)
