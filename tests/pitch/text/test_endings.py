"""The sentences of how a match ends, before any side is near the end."""

from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.sheets.citations import citations
from scorekeeper.pitch.text.endings import goal_words, no_end_sentence, possible_endings_words
from tests.common.library import LIBRARY


@pytest.mark.parametrize(
    ("variant", "house", "may_tie", "words"),
    [
        ("colorado-ten-point", {}, True, "First to 42 at the end of a hand; if both reach it, the bidder wins."),
        ("partnership-pitch", {}, False, "First to 21 at the end of a hand, and only on a made bid."),
        ("partnership-pitch", {"win_by": 3}, False, "with a lead of 3."),
        ("partnership-pitch", {"set_limit": 3}, False, "Whoever is set 3 times loses."),
        ("nine-card-pitch", {}, False, "Scores count down from 21. First to 0 at the end of a hand."),
        ("charbonneau-ten-point", {}, True, "A moon can win or lose the match."),
        ("razzle-dazzle", {}, True, "A called partner wins only with a score of their own."),
        ("partnership-pitch", {"hands": 12}, False, "After 12 hands the highest score wins; tied:"),
        ("racehorse", {}, False, ""),
    ],
)
def test_how_a_match_ends(variant: str, house: dict[str, Any], may_tie: bool, words: str) -> None:
    ruleset, faults = with_house(LIBRARY[variant], house)

    assert not faults
    assert words in possible_endings_words(ruleset, may_tie=may_tie)
    assert bool(words) == bool(possible_endings_words(ruleset, may_tie=may_tie))


@pytest.mark.parametrize(
    ("variant", "goal", "words", "rule"),
    [
        (
            "cutthroat-pitch",
            "no target",
            "No score ends this match: it ends when you stop.",
            "No score ends the match.",
        ),
        (
            "money-pitch",
            "for money",
            "No score ends this match: you settle up in money when you stop.",
            "No score ends the match: settle up whenever someone joins or leaves.",
        ),
    ],
)
def test_a_match_without_an_end_is_for_money_only_where_money_is_paid(
    variant: str, goal: str, words: str, rule: str
) -> None:
    ruleset, faults = with_house(LIBRARY[variant], {"target": "none"})
    (cited,) = citations(ruleset, LIBRARY[variant]).ending_rules()

    assert not faults
    assert (goal_words(ruleset), no_end_sentence(ruleset), cited.text) == (goal, words, rule)
