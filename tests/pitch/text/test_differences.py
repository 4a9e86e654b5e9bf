"""What a correction changed, in words."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.matches.change_log import former_values_words, hand_changes_words
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.library import LIBRARY
from tests.common.tables import table

NAMES = {"p1": "Ann", "p2": "Bo", "s1": "Us", "s2": "Them"}
RULESET = LIBRARY["partnership-pitch"]
HAND = Hand(bidder="p1", bid=3, taken={"high": "s1", "low": "s2"}, card_points={"s1": 40}, all_tricks=False)


@pytest.mark.parametrize(
    ("fields", "screen", "paper"),
    [
        *((row["with"], row["screen"], row["paper"]) for row in table(__file__, "corrections.toml")["correction"]),
        (
            {"taken": {"high": None, "low": "bidders"}},
            "High Us → nobody, Low Them → the bidders",
            "High was Us’s, Low was Them’s",
        ),
        (
            {"taken": None, "points": {"s1": 3, "s2": 1}, "card_points": None},
            "High Us → not said, Low Them → not said, points of Us not said → 3, points of Them not said → 1, "
            "card points of Us 40 → not said",
            "the card points of Us were 40, High was Us’s, Low was Them’s",
        ),
    ],
)
def test_the_old_is_beside_the_new_and_paper_says_what_was_corrected(
    fields: dict[str, Any], screen: str, paper: str
) -> None:
    after = replace(HAND, **fields)

    assert hand_changes_words(HAND, after, NAMES, RULESET) == screen
    assert former_values_words(HAND, after, NAMES, RULESET) == paper


def test_paper_says_who_dealt_held_the_card_and_had_how_many_before() -> None:
    before = Hand(dealer="p1", bidder="p1", bid=3, alone=True, points={"bidders": 3, "defenders": 1}, all_tricks=True)
    after = Hand(dealer="p2", bidder="p1", bid=3, partner="p2", points={"bidders": 2, "defenders": 2})

    words = former_values_words(before, after, NAMES, RULESET)

    assert words == (
        "the dealer was Ann, the bidder played alone, the points of the bidders were 3,"
        " the points of the others were 1, every trick was taken"
    )


def test_paper_names_an_award_as_the_game_does() -> None:
    ruleset = next(ruleset for ruleset in LIBRARY if "Snoozer" in [award.name for award in ruleset.awards.values()])
    joker = next(award_id for award_id, award in ruleset.awards.items() if award.name == "Snoozer")

    words = former_values_words(Hand(taken={joker: "s1"}), Hand(taken={joker: "s2"}), NAMES, ruleset)

    assert words == "Snoozer was Us’s"
