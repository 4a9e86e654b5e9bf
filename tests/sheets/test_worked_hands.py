"""The worked example is scored by the engine, and follows the rules."""

import pytest

from scorekeeper.paths import RULESETS
from scorekeeper.rules.library import read_library
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.worked_hands import worked_example

LIBRARY = read_library(RULESETS)
BID = [ruleset for ruleset in LIBRARY if ruleset.bidding.auction and ruleset.money.settles != "hand"]
UNBID = [ruleset for ruleset in LIBRARY if ruleset not in BID]


@pytest.mark.parametrize("ruleset", BID, ids=lambda ruleset: ruleset.id)
def test_one_bid_is_made_and_one_is_set(ruleset: Ruleset) -> None:
    example = worked_example(ruleset)

    assert example is not None
    assert [row.is_made for row in example.rows] == [True, False]
    assert {len(row.scores) for row in example.rows} == {len(example.sides)}


@pytest.mark.parametrize("ruleset", UNBID, ids=lambda ruleset: ruleset.id)
def test_where_no_bid_is_scored_there_is_no_example(ruleset: Ruleset) -> None:
    assert worked_example(ruleset) is None


def test_it_follows_what_a_made_bid_scores() -> None:
    by_points = worked_example(LIBRARY["colorado-ten-point"])
    by_bid = worked_example(with_house(LIBRARY["colorado-ten-point"], {"score_on_made": "bid"})[0])

    assert by_points is not None
    assert by_bid is not None
    assert (by_points.rows[0].scores[0], by_bid.rows[0].scores[0]) == ("+7", "+6")


def test_counting_down_it_subtracts() -> None:
    example = worked_example(LIBRARY["nine-card-pitch"])

    assert example is not None
    assert [row.scores[0][0] for row in example.rows] == ["−", "+"]


def test_a_called_partner_scores_the_same() -> None:
    example = worked_example(LIBRARY["pawnee-call-your-partner"])

    assert example is not None
    assert [row.scores[0] == row.scores[1] for row in example.rows] == [True, True]
