"""Replaying forty hands."""

from collections.abc import Callable, Mapping
from functools import partial

from scorekeeper.engine.auction import contract_of
from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, MatchState, replay
from scorekeeper.engine.scoring import score_hand
from scorekeeper.engine.seats import divide_sides
from scorekeeper.engine.taken import taken_of
from tests.bench.bench import Bench
from tests.bench.figure import Figure
from tests.bench.timing import medians, timed

LONGEST = 1.0
ROUNDS = 300


def replaying_figure(bench: Bench) -> Figure:
    """Time the replay against the scoring alone, of hands with known bids and awards."""
    match = bench.load(bench.codes[0])
    state, hands = match.state, [result.hand for result in match.state.results]
    opened = match.state_before(1)
    before = [opened.scores, *(result.scores for result in state.results)]
    scorings = [_scoring(state, result, scores) for result, scores in zip(state.results, before, strict=False)]

    def score() -> None:
        for scoring in scorings:
            scoring()

    real, floor = medians(timed(lambda: replay(opened, hands)), timed(score), rounds=ROUNDS)
    return Figure(
        name="replay_40_hands",
        value=real * 1000,
        floor=floor * 1000,
        limit=LONGEST,
        label="replay of 40 hands",
        floor_label="scoring them, with bids and awards worked out beforehand",
    )


def _scoring(state: MatchState, result: HandResult, before: Mapping[SideId, int]) -> Callable[[], object]:
    """Return the scoring of a hand, with its bid and its awards worked out."""
    contract, _ = contract_of(state.ruleset, state.seats, result.dealer, result.hand)
    hand_sides = divide_sides(state.ruleset, state.seats, contract.bidder, result.hand.partner)
    taken, _ = taken_of(state.ruleset, state.seats, hand_sides, result.hand)
    if taken is None:
        raise ValueError(f"hand {result.number} cannot be scored")
    return partial(score_hand, state.ruleset, state.seats, hand_sides, contract, taken, before)
