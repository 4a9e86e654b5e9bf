"""Where several sides can go out on the same hand, so that a table has to agree who wins then."""

from typing import Any

import pytest

from scorekeeper.engine.outlook import tie_rule_decides
from scorekeeper.rules.house_rules import with_house
from tests.library import LIBRARY


@pytest.mark.parametrize(
    ("variant", "house", "decides"),
    [
        ("colorado-ten-point", {}, True),
        ("partnership-pitch", {"win_rule": "first_to_target"}, True),
        ("partnership-pitch", {"win_rule": "made_bid"}, False),
        ("cutthroat-pitch", {"win_rule": "made_bid"}, False),
        ("partnership-pitch", {"win_rule": "made_bid", "length": "hands", "hands": 3}, True),
        # The bidder and the partner who was called make the bid together.
        ("pawnee-call-your-partner", {"win_rule": "made_bid", "tie_rule": "higher_score"}, True),
        # The defenders stop at one against a made bid, and only they score against a set one.
        ("nine-card-pitch", {}, False),
        ("nine-card-pitch", {"defenders_stop_at_one": False}, True),
        # Only the bidder scores.
        ("partnership-pitch", {"win_rule": "first_to_target", "defenders_score": "none"}, False),
        ("solo-without-bidding", {}, True),
        # Nobody has said yet how far the match goes, or who may go out.
        ("arizona-29", {}, True),
    ],
)
def test_the_tie_rule_decides_where_several_can_go_out_at_once(
    variant: str, house: dict[str, Any], decides: bool
) -> None:
    ruleset, faults = with_house(LIBRARY[variant], house)

    assert not faults
    assert tie_rule_decides(ruleset) == decides


def test_three_alone_can_tie_where_two_cannot() -> None:
    ruleset, _ = with_house(LIBRARY["cutthroat-pitch"], {"win_rule": "first_to_target", "score_on_made": "nothing"})

    assert [tie_rule_decides(ruleset, sides) for sides in (2, 3)] == [False, True]
