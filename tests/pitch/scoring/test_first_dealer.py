"""Who deals first in the next match, where the loser does."""

import pytest

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import MatchState, dealer_who_lost
from scorekeeper.pitch.scoring.outcome import Outcome
from scorekeeper.pitch.scoring.seats import Seats, Side
from tests.common.library import LIBRARY

PARTNERS = Seats((Side("us", ("ann", "cal")), Side("them", ("bea", "dan"))), ("ann", "bea", "cal", "dan"))
ALONE = Seats(tuple(Side(who, (who,)) for who in ("ann", "bea", "cal")), ("ann", "bea", "cal"))


def ended(
    seats: Seats, scores: dict[str, int], *winners: str, losers: tuple[str, ...] = (), rules: str = "partnership-pitch"
) -> MatchState:
    """Return a match without hands that ended so."""
    ruleset: Ruleset = LIBRARY[rules]
    state = MatchState(ruleset=ruleset, seats=seats, scores=scores, sets={}, paid={}, set_stakes={})
    return state._replace(outcome=Outcome(winners, "first_to_target", losers)) if winners else state


@pytest.mark.parametrize(
    ("state", "dealer"),
    [
        (ended(PARTNERS, {"us": 21, "them": 3}, "us"), "bea"),
        (ended(PARTNERS, {"us": 2, "them": 21}, "them"), "ann"),
        (ended(PARTNERS, {"us": 2, "them": 21}), None),
        (ended(ALONE, {"ann": 21, "bea": 9, "cal": 4}, "ann"), "cal"),
        (ended(ALONE, {"ann": 21, "bea": 4, "cal": 4}, "ann"), "bea"),
        (ended(ALONE, {"ann": 21, "bea": 9, "cal": 4}, "ann", losers=("bea",)), "bea"),
        (ended(ALONE, {"ann": 5, "bea": 5, "cal": 5}, "ann", "bea", "cal"), None),
    ],
)
def test_the_worst_loser_left_of_the_last_dealer_deals(state: MatchState, dealer: str | None) -> None:
    assert dealer_who_lost(state) == dealer
