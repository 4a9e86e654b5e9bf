"""How a match ends, said before anybody is near."""

from typing import Any

import pytest

from scorekeeper.narration.endings import ends_words
from scorekeeper.rules.overlay import with_house
from tests.engine.strategies import LIBRARY


@pytest.mark.parametrize(
    ("variant", "house", "may_tie", "said"),
    [
        ("colorado-ten-point", {}, True, "First to 42 at the end of a hand; both there: the bidders."),
        ("partnership-pitch", {}, False, "First to 21 at the end of a hand, and only on a made bid."),
        ("partnership-pitch", {"win_by": 3}, False, "with a lead of 3."),
        ("partnership-pitch", {"set_limit": 3}, False, "Whoever is set 3 times loses."),
        ("nine-card-pitch", {}, False, "Scores count down from 21. First to 0 at the end of a hand."),
        ("charbonneau-ten-point", {}, True, "A moon can win or lose the match."),
        ("razzle-dazzle", {}, True, "A called partner does not win with the bidder."),
        ("partnership-pitch", {"hands": 12}, False, "After 12 hands the highest score wins; tied:"),
        ("racehorse", {}, False, ""),
    ],
)
def test_how_a_match_ends(variant: str, house: dict[str, Any], may_tie: bool, said: str) -> None:
    ruleset, faults = with_house(LIBRARY[variant], house)

    assert not faults
    assert said in ends_words(ruleset, may_tie=may_tie)
    assert bool(said) == bool(ends_words(ruleset, may_tie=may_tie))
