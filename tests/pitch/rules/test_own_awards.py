"""A point of a house's own: an award under the house's name for it, and what is no such point."""

from typing import Any

import pytest
from hypothesis import given

from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS, OneTrump, Trump
from scorekeeper.pitch.rules.house_rules import (
    HouseRules,
    add_answers,
    derive_house_rules,
    minimal_answers,
    resolve_house_rules,
    with_house,
)
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.share_codes import fingerprint
from scorekeeper.pitch.text.rule_changes import changed_rule_sentences, house_answers_as_rules
from tests.common.library import LIBRARY
from tests.common.tables import table
from tests.pitch.rules.random_house_rules import sound_houses

BASE = LIBRARY["partnership-pitch"]
LADY = "5 captured Q: Black Lady"
RULES = with_house(BASE, {"own_1": LADY})[0]


def test_a_point_of_ones_own_is_a_point_like_any_other() -> None:
    award = RULES.in_play["own_1"]

    assert (award.name, award.points, award.unclaimed) == ("Black Lady", 5, True)
    assert RULES.kinds["own_1"] == OneTrump(Trump("Q"))
    assert RULES.points_per_hand == BASE.points_per_hand + 5
    assert RULES.counting_order[-1] == "own_1"
    assert "own_1" in RULES.awards_maybe_out_of_play
    assert QUESTIONS["own_1"].title(RULES) == "Black Lady"


def test_rules_without_one_are_as_they_were() -> None:
    assert with_house(BASE, {"own_1": "no"}) == (BASE, [])
    off = with_house(RULES, {"own_1": False})[0]
    assert minimal_answers(BASE, off) == {}
    assert fingerprint(off) == fingerprint(BASE)
    assert with_house(off, {"own_1": 5}) == (RULES, [])
    assert fingerprint(RULES) != fingerprint(BASE)


@pytest.mark.parametrize("refusal", table(__file__, "own_awards.toml")["refused"], ids=lambda row: str(row["answer"]))
def test_what_is_no_point_is_refused_at_its_answer(refusal: dict[str, Any]) -> None:
    (fault,) = with_house(BASE, {"own_1": refusal["answer"]})[1]

    assert (fault.field, fault.code) == ("own_1", refusal["code"])


def test_they_count_in_one_order_however_they_are_written() -> None:
    devil = "1 held 7: Devil"

    with_devil = with_house(BASE, {"own_2": devil})[0]
    for rules, house in ((BASE, {"own_2": devil, "own_1": LADY}), (with_devil, {"own_1": LADY})):
        assert with_house(rules, house)[0].counting_order[-2:] == ("own_1", "own_2")


@pytest.mark.parametrize("name", ["the Black Lady", "The Black Lady", "THE the Black Lady"])
def test_the_article_is_no_part_of_its_name(name: str) -> None:
    assert with_house(BASE, {"own_1": f"5 captured Q: {name}"}) == (RULES, [])


def test_another_name_or_card_is_another_answer() -> None:
    renamed = with_house(RULES, {"own_1": "5 captured Q: Dark Lady"})[0]

    assert minimal_answers(RULES, renamed) == {"own_1": "5 captured Q: Dark Lady"}
    assert minimal_answers(BASE, renamed) == {"own_1": "5 captured Q: Dark Lady"}
    assert minimal_answers(RULES, BASE) == {"own_1": False}


def test_a_table_may_give_it_other_points_or_drop_it() -> None:
    house = HouseRules("Ours", BASE.id, {"own_1": LADY})

    assert add_answers(house, {"own_1": 6}, LIBRARY)[0].options == {"own_1": "6 captured Q: Black Lady"}
    assert resolve_house_rules(add_answers(house, {"own_1": False}, LIBRARY)[0], LIBRARY) == resolve_house_rules(
        HouseRules("Ours", BASE.id), LIBRARY
    )


def test_it_is_said_with_its_card() -> None:
    (rule,) = house_answers_as_rules(BASE, RULES, {"own_1": LADY})

    assert (rule.title, rule.published) == ("Black Lady", "")
    assert rule.sentence == "The Black Lady, the queen of trumps, scores 5."
    assert changed_rule_sentences(BASE, RULES) == (rule.sentence,)
    assert changed_rule_sentences(RULES, BASE) == ("Nobody scores the Black Lady.",)
    dearer = with_house(RULES, {"own_1": 6})[0]
    assert changed_rule_sentences(RULES, dearer) == ("The Black Lady, the queen of trumps, scores 6.",)


@given(sound_houses())
def test_it_is_among_the_rules_that_a_ruleset_is_of(house: HouseRules) -> None:
    ruleset = resolve_house_rules(house, LIBRARY)[0]
    assert ruleset is not None
    again = derive_house_rules(ruleset, LIBRARY[house.variant])
    assert fingerprint(with_house(LIBRARY[house.variant], again.options)[0]) == fingerprint(ruleset)
    assert {*again.options} & {*OWN_AWARD_IDS} == {*house.options} & {*OWN_AWARD_IDS}
