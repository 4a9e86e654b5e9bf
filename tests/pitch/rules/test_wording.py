"""The words of the rules: singular and plural are right, and no sentence contradicts its rule."""

import re
from collections.abc import Iterator

import pytest

from scorekeeper.pitch.rules.awards import award_description
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.phrases import digits, times_word
from scorekeeper.pitch.rules.questions import QUESTIONS, parse_word, rule_availabilities
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.text.endings import goal_words
from tests.common.ci import IS_CI
from tests.common.library import LIBRARY

ONES = re.compile(r"\b1 (hands|times|points|cards|tricks|sets|cents|changes|players|sides|jokers|rounds)\b")
SEVERALS = re.compile(r"\b([2-9]|\d\d+) (hand|time|point|card|trick|set|cent|change|player|side|joker|round)\b")


def sentences(ruleset: Ruleset, number: int) -> Iterator[tuple[str, str]]:
    """Yield every text about every option and award, with this number and with each word as the answer."""
    changed, _ = with_house(ruleset, {"target": number})
    for name, question in QUESTIONS.items():
        if name not in options() and name not in ruleset.awards:
            continue
        for text in (question.question_text(changed), question.title(changed)):
            yield name, text
        for word in question.answers:
            value = number if word == "n" else {"yes": True, "no": False, "none": None}.get(word, parse_word(word))
            yield name, question.label(value, changed)
            yield name, question.sentence(value, changed)


@pytest.mark.parametrize("number", [1, 2, 3, 10])
@pytest.mark.parametrize("variant", ["partnership-pitch", "razzle-dazzle", "cutthroat-pitch", "nine-card-pitch"])
def test_every_option_counts_in_the_right_form(variant: str, number: int) -> None:
    found = list(sentences(LIBRARY[variant], number))

    assert len(found) > 200
    assert [(name, text) for name, text in found if ONES.search(text) or SEVERALS.search(text)] == []


def test_how_often_and_how_many_are_said_in_words() -> None:
    limit, hands = QUESTIONS["set_limit"], QUESTIONS["hands"]
    ruleset = LIBRARY["partnership-pitch"]

    assert limit.sentence(1, ruleset) == "Whoever is set once loses the match."
    assert limit.sentence(3, ruleset) == "Whoever is set 3 times loses the match."
    assert hands.sentence(1, ruleset) == "The match ends after 1 hand."
    assert hands.sentence(12, ruleset) == "The match ends after 12 hands."
    assert (digits(1, "change"), digits(2, "change"), times_word(2)) == ("1 change", "2 changes", "twice")


def test_a_match_of_one_hand_says_so() -> None:
    ruleset, faults = with_house(LIBRARY["partnership-pitch"], {"length": "hands", "hands": 1})

    assert faults == []
    assert goal_words(ruleset) == "1 hand"


def test_game_is_described_as_it_is_won() -> None:
    base = LIBRARY["partnership-pitch"]
    by_ten, faults = with_house(base, {"game_rule": "ten_of_trumps"})

    assert faults == []
    assert award_description(base.kinds["game"], base.how_won("game")) == "the most card points in tricks"
    assert award_description(by_ten.kinds["game"], by_ten.how_won("game")) == "the ten of trumps, won in a trick"
    assert "card points" not in QUESTIONS["game"].question_text(by_ten)


VARIANTS = ("partnership-pitch", "razzle-dazzle", "colorado-ten-point", "racehorse")


@pytest.mark.parametrize("variant", VARIANTS if IS_CI else VARIANTS[:1])
def test_no_reason_explains_a_rule_by_its_own_name(variant: str) -> None:
    ruleset, found = LIBRARY[variant], []
    for name, option in options().items():
        for choice in option.choices or ():
            for key, availability in rule_availabilities(ruleset, {name: choice}).items():
                title = QUESTIONS[key.name].title(ruleset) if not key.is_worth else ruleset.awards[key.name].name
                if availability.reason.startswith((f"{title} means", f"{title} is ")):
                    found.append((title, availability.reason))

    assert found == []


@pytest.mark.parametrize(
    ("variant", "who"), [("double-pedro", "the dealer"), ("hoyle-auction-pitch", "the player who leads first")]
)
def test_trump_that_nobody_bid_for_is_named_before_anybody_draws(variant: str, who: str) -> None:
    sentence = QUESTIONS["all_pass"].sentence("unobliged", LIBRARY[variant])

    assert sentence == f"If everyone passes, nobody is bound: {who} names trump, and everyone scores what they take."
