"""How the scores went, hand by hand: what a chart is drawn from."""

from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, MatchState
from scorekeeper.engine.scoring import Reason

SET_REASONS = frozenset({Reason.WENT_SET, Reason.TOOK_SET, Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR})
"""Lines that a score sheet circles."""


@dataclass(frozen=True, slots=True)
class ScoreHistory:
    """One side's scores through a match."""

    side: SideId
    scores: tuple[int, ...]
    """What it began with, then its score after each hand."""
    sets: tuple[int, ...]
    """The numbers of the hands in which it was set."""


def score_histories(state: MatchState) -> tuple[ScoreHistory, ...]:
    """Return every side's scores up to the last hand that was played out while the match lasted.

    A hand that was dealt again is left out, as the next one has its number; not before that, where it had a penalty.
    """
    played = [hand for hand in state.results if hand.status == "scored" or hand.changes_scores]
    hands = {hand.number: hand for hand in played}.values()
    went_set = [sides_set(hand) for hand in hands]
    return tuple(
        ScoreHistory(
            side,
            (_begun(state, side), *(hand.scores[side] for hand in hands)),
            tuple(number for number, sides in enumerate(went_set, 1) if side in sides),
        )
        for side in state.seats.ids
    )


def sides_set(hand: HandResult) -> frozenset[SideId]:
    """Return the sides that a hand set."""
    if hand.score is None:
        return frozenset()
    return frozenset(line.side for line in hand.score.lines if line.reason in SET_REASONS)


def _begun(state: MatchState, side: SideId) -> int:
    if not state.results:
        return state.scores[side]
    first = state.results[0]
    return first.scores[side] - first.deltas[side]
