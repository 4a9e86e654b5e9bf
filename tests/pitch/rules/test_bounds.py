"""Every field of a ruleset has a bound: rulesets are files from anybody, and decide how much work scoring takes."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from scorekeeper.pitch.rules.faults import shape_faults
from scorekeeper.pitch.rules.groups.declare import MAX_POINTS, StrictModel
from scorekeeper.pitch.rules.house_rules import (
    MAX_RULES_NAME_LENGTH,
    MAX_RULES_NOTE_LENGTH,
    MAX_RULES_NOTES,
    HouseRules,
    resolve_house_rules,
    with_house,
)
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import MAX_NOTES_WITH_VARIANT, Listing, RuleExamples, Ruleset
from tests.common.library import LIBRARY


def unbounded(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    """Yield the path of each number, text and list in what pydantic made of a model that does not end anywhere."""
    match schema["type"]:
        case "literal" | "bool" | "none" | "definition-ref":
            return
        case "nullable" | "default" | "model" | "model-field" | "function-after":
            yield from unbounded(schema["schema"], path)
        case "definitions":
            for part in (schema["schema"], *schema["definitions"]):
                yield from unbounded(part, path)
        case "model-fields":
            for name, field in schema["fields"].items():
                yield from unbounded(field, f"{path}.{name}")
        case "union":
            for choice in schema["choices"]:
                yield from unbounded(choice, path)
        case "int" | "float" if not {"ge", "le"} <= schema.keys():
            yield path
        case "str" | "list" | "dict" | "tuple" | "set" if "max_length" not in schema:
            yield path
        case "int" | "float" | "str":
            return
        case "list":
            yield from unbounded(schema["items_schema"], f"{path}[]")
        case "dict":
            yield from unbounded(schema["keys_schema"], f"{path} keys")
            yield from unbounded(schema["values_schema"], f"{path}{{}}")
        case unknown:
            yield f"{path} is {unknown}"


@pytest.mark.parametrize("model", [Ruleset, Listing, RuleExamples])
def test_every_number_text_and_list_of_a_ruleset_is_bounded(model: type[StrictModel]) -> None:
    assert list(unbounded(model.__pydantic_core_schema__, model.__name__)) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("table.most", 3_000_000),
        ("table.fewest", -3_000_000),
        ("table.partners", {3_000_000: 2}),
        ("cards.dealt", 10**30),
        ("name", "x" * 61),
        ("also", ["x"] * 41),
        ("sheet.sentences", {"bid.own": {"text": "{target:>2000000000}"}}),
        ("sheet.sentences", {"bid.own": {"text": "{target.real}"}}),
    ],
    ids=lambda value: str(value)[:50],
)
def test_more_than_a_field_takes_is_refused(field: str, value: object) -> None:
    data = LIBRARY["partnership-pitch"].model_dump()
    group, _, name = field.rpartition(".")
    (data.setdefault(group, {}) if group else data)[name] = value

    with pytest.raises(ValidationError) as caught:
        Ruleset.model_validate(data)

    assert ".".join(map(str, caught.value.errors()[0]["loc"])).startswith(field)


def test_whatever_a_house_answers_is_within_the_bounds() -> None:
    """What a match keeps is read again: what can be written has to be readable."""
    highest = {name: option.highest for name, option in options().items() if option.highest}
    for variant in LIBRARY:
        notes, worth = ("x" * MAX_RULES_NOTE_LENGTH,) * MAX_RULES_NOTES, MAX_POINTS // len(variant.awards)
        named = HouseRules("x" * MAX_RULES_NAME_LENGTH, variant.id, notes=notes).with_name_and_notes(variant, variant)
        awards = {award_id: award.copy_with(on=True, points=worth) for award_id, award in named.awards.items()}
        groups = {
            group: getattr(named, group).copy_with(
                **{name: highest[name] for name in highest if options()[name].group == group}
            )
            for group in {options()[name].group for name in highest}
        }
        largest = named.copy_with(awards=awards, **groups)

        assert Ruleset.model_validate_json(largest.model_dump_json()) == largest


def test_a_house_has_no_more_notes_than_its_variant_leaves_room_for() -> None:
    wordy = LIBRARY["pedro"].copy_with(notes=["x"] * (MAX_NOTES_WITH_VARIANT - 3))

    assert resolve_house_rules(HouseRules("Ours", "pedro", notes=("x",) * 3), {"pedro": wordy})[1] == []
    ruleset, [fault] = resolve_house_rules(HouseRules("Ours", "pedro", notes=("x",) * 4), {"pedro": wordy})

    assert ruleset is None
    assert fault.message == "There are 4 notes; 3 fit beside those of Pedro."


LARGE_HAND = dict.fromkeys(("high", "low", "jack", "game", "ten"), 60)


def test_a_hand_is_worth_no_more_than_bids_can_be_offered_for() -> None:
    """Each award alone may be worth so much, but together they would be bids, and ways to share them, without end."""
    faults = with_house(LIBRARY["partnership-pitch"], LARGE_HAND)[1]
    ruleset = LIBRARY["partnership-pitch"]
    awards = {
        award_id: award.copy_with(on=award.on or award_id in LARGE_HAND, points=60)
        for award_id, award in ruleset.awards.items()
    }
    with pytest.raises(ValidationError) as caught:
        Ruleset.model_validate_json(ruleset.copy_with(awards=awards).model_dump_json())

    why = f"A hand is worth 300 points; {MAX_POINTS} fit"
    assert {fault.field for fault in faults} == LARGE_HAND.keys()
    assert {fault.message for fault in faults} == {f"{why}. Give some awards fewer."}
    assert [fault.message for fault in shape_faults(caught.value)] == [f"{why}."]


def test_few_play_where_a_partner_is_called() -> None:
    data = LIBRARY["pawnee-call-your-partner"].model_dump()
    data["table"]["most"] = 6
    assert Ruleset.model_validate(data).table.most == 6
    data["table"]["most"] = 7

    with pytest.raises(ValidationError, match="Up to 7 players call a partner; 6 fit"):
        Ruleset.model_validate(data)
