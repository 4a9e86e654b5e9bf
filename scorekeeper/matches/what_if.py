"""A stored match, to be scored again under other rules."""

from scorekeeper.matches.fold import Match
from scorekeeper.pitch.compare.comparison import PlayedMatch
from scorekeeper.pitch.rules.schema import Ruleset


def played_match(match: Match, base: Ruleset) -> PlayedMatch:
    """Return a kept match, up to the last hand that counts; `base` is its game as published."""
    hands = len(match.state.results)
    return PlayedMatch(
        rules=match.rules,
        base=base,
        start=match.setup.carried_over,
        first_dealer=match.setup.first_dealer,
        state=match.state,
        names=(*(match.names_in(place) for place in range(1, hands + 1)), match.names),
        stopped=match.log.is_stopped,
    )
