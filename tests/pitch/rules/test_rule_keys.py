"""What a house answers: options, and what awards are worth; Low is both."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorekeeper.pitch.rules.house_rules import differing_answers, with_house
from scorekeeper.pitch.rules.questions import RuleKey, overriding_answers, rule_keys
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import every_ruleset
from tests.pitch.rules.random_house_rules import RULESETS, option_sets


@every_ruleset
def test_every_answer_in_force_is_read_as_it_is_written(ruleset: Ruleset) -> None:
    for key in rule_keys(ruleset):
        if word := key.current_answer_word(ruleset):
            assert key.parse_answer(word) == key.current_answer(ruleset)


@pytest.mark.parametrize(
    ("answer", "is_worth"), [("held", False), (None, False), ("2", True), (2, True), ("no", True), (False, True)]
)
def test_low_is_an_option_or_an_award_by_its_answer(answer: object, is_worth: bool) -> None:
    assert RuleKey.of_answer("low", answer) == RuleKey("low", is_worth)


@given(
    st.sampled_from(RULESETS).flatmap(
        lambda ruleset: st.tuples(st.just(ruleset), option_sets(ruleset), option_sets(ruleset))
    )
)
def test_answers_laid_over_earlier_ones_give_the_wanted_rules(drawn: tuple[Ruleset, Any, Any]) -> None:
    base, first, second = drawn
    one, faults = with_house(base, first)
    two, more = with_house(one, second)
    assume(not faults and not more and not has_two_answers_for_low(base, two))
    answers = overriding_answers(base, {}, one)

    both, wrong = with_house(base, {**answers, **overriding_answers(base, answers, two)})

    assert wrong == []
    assert differing_answers(both, two) == {}


def has_two_answers_for_low(base: Ruleset, ruleset: Ruleset) -> bool:
    """Return whether both who scores Low and what it is worth differ: house rules have one answer for the two."""
    return ruleset.points.low != base.points.low and ruleset.worth("low") != base.worth("low")
