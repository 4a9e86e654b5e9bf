"""Who deals first in the match after this one, where the house says that the loser deals."""

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import MatchState
from scorekeeper.engine.target import comparable


def dealer_who_lost(state: MatchState) -> str | None:
    """Return the first player of the losing side to the left of whoever dealt last; `None` where nobody lost.

    Of several sides that lost, it is the one with the worst score.
    """
    losing = _losing_sides(state)
    chairs = state.seats.chairs
    last = next((result.dealer for result in reversed(state.results) if result.dealer in chairs), None)
    first = chairs.index(last) + 1 if last else 0
    clockwise = (*chairs[first:], *chairs[:first])
    return next((who for who in clockwise if state.seats.side_of(who) in losing), None)


def _losing_sides(state: MatchState) -> tuple[SideId, ...]:
    if state.outcome is None:
        return ()
    lost = state.outcome.losers or tuple(side for side in state.seats.ids if side not in state.outcome.winners)
    worth = {side: comparable(state.ruleset, state.scores[side]) for side in lost}
    return tuple(side for side in lost if worth[side] == min(worth.values()))
