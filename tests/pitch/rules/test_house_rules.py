"""House rules: the ruleset that they result in, what is wrong with them, and their file."""

import tomllib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given

from scorekeeper.pitch.rules.faults import BadRulesets
from scorekeeper.pitch.rules.house_rules import (
    HouseRules,
    differing_answers,
    house_rules_as_dict,
    house_rules_as_toml,
    minimal_answers,
    read_house_rules,
    resolve_house_rules,
    simplify_house_rules,
    with_house,
    without_moot_answers,
)
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY, MILLERS
from tests.common.tables import table
from tests.pitch.rules.random_house_rules import houses

FAULTS = table(__file__, "house_faults.toml")


def resolved(house: HouseRules) -> Ruleset:
    ruleset, faults = resolve_house_rules(house, LIBRARY)
    assert ruleset is not None, faults
    return ruleset


def fields(house: HouseRules) -> list[str]:
    return [fault.field for fault in resolve_house_rules(house, LIBRARY)[1]]


def read_faults(text: str) -> dict[str, str]:
    with pytest.raises(BadRulesets) as refused:
        read_house_rules(text.encode(), LIBRARY, "millers.toml")
    return {item.fault.field: item.fault.code for item in refused.value.faults}


def test_a_house_plays_its_variant_with_its_own_answers_name_and_notes() -> None:
    ruleset = resolved(MILLERS)

    assert (ruleset.name, ruleset.winning.target, ruleset.bidding.dealer_steal) == ("The Millers’ Pitch", 15, "no")
    assert ruleset.notes == ["Loser does the dishes."]
    assert ruleset.id == "partnership-pitch"


def test_stored_rules_keep_a_set_that_is_too_high_for_new_ones() -> None:
    house = HouseRules("Ours", "partnership-pitch", {"all_pass": "may_take_set", "forced_bid": 60})

    assert resolved(house).forced_bid == 60


def test_the_notes_of_the_variant_stay() -> None:
    base = LIBRARY["pawnee-call-your-partner"]

    ruleset = resolved(HouseRules("At the cabin", base.id, {}, ("Ours.",)))

    assert ruleset.notes == [*base.notes, "Ours."]


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        *((row["rules"], row["field"]) for row in FAULTS["rules"]),
        ({"house": {f"x{i}": 1 for i in range(81)}}, "house"),
    ],
)
def test_a_fault_is_reported_at_its_field(rules: dict[str, Any], field: str) -> None:
    answers, notes = rules.get("house", {}), tuple(rules.get("notes", ()))
    house = HouseRules(rules.get("name", "Ours"), rules.get("extends", "partnership-pitch"), answers, notes)

    assert field in fields(house)


@given(houses())
def test_simplified_house_rules_result_in_the_same_ruleset(house: HouseRules) -> None:
    base = LIBRARY[house.variant]
    assume(not with_house(base, house.options)[1])
    wanted, _ = with_house(base, without_moot_answers(base, house.options))

    short = simplify_house_rules(house, LIBRARY)

    assert with_house(base, short.options) == (wanted, [])
    assert simplify_house_rules(short, LIBRARY) == short


@given(houses())
def test_house_rules_with_the_same_result_simplify_alike(house: HouseRules) -> None:
    base = LIBRARY[house.variant]
    wanted, faults = with_house(base, house.options)
    assume(not faults)

    at_length = replace(house, options=differing_answers(base, wanted))

    fewest = without_moot_answers(base, minimal_answers(base, wanted))
    assert simplify_house_rules(at_length, LIBRARY).options == simplify_house_rules(house, LIBRARY).options == fewest


@given(houses())
def test_a_file_reads_as_the_rules_that_were_written(house: HouseRules) -> None:
    assume(not resolve_house_rules(house, LIBRARY)[1])

    again = read_house_rules(house_rules_as_toml(house).encode(), LIBRARY, "ours.toml")

    assert (again.name, again.notes) == (house.name, house.notes)
    assert resolve_house_rules(again, LIBRARY) == resolve_house_rules(house, LIBRARY)


@pytest.mark.parametrize("text", ['"]\nformat = 2', "back\\slash", 'say "hi"', "🂡 smörgås", "tab\there"])
def test_a_name_cannot_break_out_of_its_quotes(text: str) -> None:
    house = HouseRules("Ours", "partnership-pitch", {}, (text,))

    data = house_rules_as_dict(house)
    written = house_rules_as_toml(house).encode()

    assert tomllib.loads(written.decode()) == data


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        *((file["text"], file["faults"]) for file in FAULTS["file"]),
        *((text, {"": "not_toml"}) for text in ("x" * 40_000, "a = " + "[" * 20_000)),
    ],
)
def test_a_bad_file_is_refused_with_every_fault(text: str, faults: dict[str, str]) -> None:
    assert read_faults(text) == faults


def test_a_fault_names_the_file_the_field_what_was_found_and_what_is_allowed() -> None:
    with pytest.raises(BadRulesets) as refused:
        read_house_rules(
            b'format = 1\nname = "A"\nextends = "partnership-pitch"\n[house]\nall_pass = "shout"',
            LIBRARY,
            "millers.toml",
        )

    assert str(refused.value) == (
        "millers.toml: house.all_pass: 'shout' is not an answer here. Enter one of dealer_forced, redeal, "
        "may_take_set, pass_deal, unobliged."
    )


@pytest.mark.parametrize("value", [1.5, float("nan"), [], {}, "x" * 5000, 10**30, -1])
def test_an_answer_of_any_type_is_refused_at_its_option(value: Any) -> None:
    assert fields(HouseRules("Ours", "partnership-pitch", {"target": value, "jack": value})) == [
        "house.target",
        "house.jack",
    ]
