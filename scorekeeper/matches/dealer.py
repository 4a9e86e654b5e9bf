"""Who deals the next hand of a match, in words."""

from itertools import pairwise

from scorekeeper.matches.fold import Match
from scorekeeper.pitch.scoring.outlook import Outlook

_PLACES = ("You", "Left of you", "Your partner", "Right of you")


def dealer_words(match: Match, ahead: Outlook) -> tuple[str, str]:
    """Return who deals the next hand, and who bids first if that is known: "Dan deals hand 8.", "Ann bids first."."""
    number, verb_ = match.state.next_number, "bid" if match.state.ruleset.has_bidding else "lead"
    if ahead.dealer is None:
        return f"Hand {number} is next.", ""
    if (place := _dealing_place(match, ahead.dealer)) is None:
        first = f"{match.names[ahead.bids_first]} {verb_}s first." if ahead.bids_first else ""
        return f"{match.names[ahead.dealer]} deals hand {number}.", first
    deals, bids = (
        f"{_PLACES[at]} {does}{'s' if at else ''}" for at, does in ((place, "deal"), ((place + 1) % 4, verb_))
    )
    return f"{deals} hand {number}.", f"{bids} first."


def _dealing_place(match: Match, dealer: str) -> int | None:
    """Return which of four places deals next, seen from the first, where nobody has a name; `None` if nobody knows."""
    first = next((side.unnamed for side in match.setup.sides if side.id == match.setup.first_dealer), 0)
    sizes = [players for players, sides in match.state.ruleset.table.partners.items() if sides == 2]
    if match.pronouns != "we" or not first or sizes != [4]:
        return None
    # Only sides are known: each time that the other one deals, the deal has passed to the left.
    dealers = [match.setup.first_dealer, *(result.dealer for result in match.state.results), dealer]
    return (first - 1 + sum(one != other for one, other in pairwise(dealers))) % 4
