"""How the scores went, hand by hand: what a chart is drawn from."""

from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.scoring import Reason

SET_REASONS = frozenset({Reason.WENT_SET, Reason.TOOK_SET, Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR})
"""Lines that the pencil rings."""


@dataclass(frozen=True, slots=True)
class Course:
    """One side's way through a match."""

    side: SideId
    scores: tuple[int, ...]
    """What it began with, then its score after each hand."""
    sets: tuple[int, ...]
    """The hands in which it was set, counted from 1."""


def courses(state: MatchState) -> tuple[Course, ...]:
    """Give every side's way up to the last hand that was played out while the match lasted."""
    hands = [hand for hand in state.hands if hand.status in ("scored", "thrown_in")]
    went_set = [sides_set(hand) for hand in hands]
    return tuple(
        Course(
            name,
            (_begun(state, name), *(hand.scores[name] for hand in hands)),
            tuple(number for number, sides in enumerate(went_set, 1) if name in sides),
        )
        for name in state.seats.names
    )


def sides_set(hand: HandResult) -> frozenset[SideId]:
    """Name the sides that a hand set."""
    if hand.score is None:
        return frozenset()
    return frozenset(line.side for line in hand.score.lines if line.reason in SET_REASONS)


def _begun(state: MatchState, name: SideId) -> int:
    if not state.hands:
        return state.scores[name]
    first = state.hands[0]
    return first.scores[name] - first.deltas[name]
