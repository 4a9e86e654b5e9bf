"""What else changes where an older hand is corrected or inserted, in words."""

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.differences import new_winner_words, score_changes
from scorekeeper.narration.phrases import joined
from scorekeeper.narration.waiting import would_wait_words


def consequences(match: Match, after: Match, number: int) -> str:
    """Return how scores, winner, later dealers and what counts would change where the hand `number` does."""
    scores = score_changes(match.state, after.state, match.names)
    return joined(
        f"The score: {scores}." if scores else "",
        new_winner_words(match.state, after.state, match.names),
        _changed_dealer(match, after, number),
        would_wait_words(match.log, after.log),
    )


def _changed_dealer(match: Match, after: Match, number: int) -> str:
    """Return from which hand on others deal, where no hand is inserted."""
    old, new = ([*(hand.dealer for hand in state.results), state.dealer] for state in (match.state, after.state))
    if len(old) != len(new):
        return ""
    place = next((place for place in range(number, len(old)) if old[place] != new[place]), 0)
    dealer = new[place]
    return f"The deal moves: {match.name(dealer)} deals hand {place + 1}." if place and dealer else ""
