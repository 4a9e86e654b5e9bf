"""An option is available unless a check has a reason against every other answer; `available_options.txt` has those.

`python -m tests.pitch.rules.test_available_options` writes that file, so that a change of a rule
shows as a changed line.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import ONE_LOW_ANSWER_MESSAGE
from scorekeeper.pitch.rules.questions import Availability, RuleKey, rule_availabilities, rule_keys
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY, every_ruleset
from tests.pitch.rules.random_house_rules import RULESETS, option_sets

KEPT = Path(__file__).parent / "available_options.txt"

pytestmark = pytest.mark.xdist_group("available options")  # in one process, which works those out once for all variants


def at_first(variant: str) -> Mapping[RuleKey, Availability]:
    """Return what is available before anything is answered."""
    return rule_availabilities(LIBRARY[variant], {})


def reasons() -> Iterator[tuple[str, str, str]]:
    """Yield every option and variant, and why no other answer is possible there; empty where one is."""
    for ruleset in LIBRARY:
        found = at_first(ruleset.id)
        for key in sorted(found, key=lambda key: not key.is_worth):
            yield f"the point for {key.name}" if key.is_worth else key.name, ruleset.id, found[key].reason


def written() -> str:
    """Return the content of the file: each option, with each reason and the variants that it applies to."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for option, variant, reason in reasons():
        found[option][reason or "offered"].append(variant)
    lines = []
    for option, by_reason in found.items():
        lines.append(option)
        for reason, variants in sorted(by_reason.items(), key=lambda item: (item[0] != "offered", item[0])):
            everywhere = len(variants) == len(RULESETS)
            lines.append(f"  {reason}: {'everywhere' if everywhere else ', '.join(sorted(variants))}")
    return "\n".join(lines) + "\n"


def test_the_reasons_are_those_of_the_file() -> None:
    assert written() == KEPT.read_text()


@every_ruleset
def test_an_available_answer_contradicts_nothing(ruleset: Ruleset) -> None:
    found = at_first(ruleset.id)

    refused = {
        key: with_house(ruleset, {key.name: answer})[1]
        for key, available in found.items()
        for answer in available.other_answers
        if with_house(ruleset, {key.name: answer})[1] and (key.name, answer) not in NEED_ANOTHER
    }

    assert refused == {}


NEED_ANOTHER = {("moon", "stake"), ("moon", "money"), ("double_moon", True), ("length", "hands")}


@given(st.sampled_from(RULESETS).flatmap(lambda ruleset: st.tuples(st.just(ruleset), option_sets(ruleset))))
def test_after_any_answers_an_option_is_available_or_there_is_a_reason(
    drawn: tuple[Ruleset, dict[str, object]],
) -> None:
    found = rule_availabilities(*drawn)

    assert all(available.other_answers or available.reason for available in found.values())
    assert set(found) == set(rule_keys(drawn[0]))


def test_an_answer_makes_the_options_available_that_depend_on_it() -> None:
    base = LIBRARY["partnership-pitch"]

    assert not rule_availabilities(base, {})[RuleKey("moon_made")].other_answers
    assert rule_availabilities(base, {"moon": "stake"})[RuleKey("moon_made")].other_answers


def test_a_fault_that_is_there_already_is_not_blamed_on_other_answers() -> None:
    found = rule_availabilities(LIBRARY["partnership-pitch"], {"min_bid": 9})

    assert found[RuleKey("dealer_steal")].other_answers == ("no", "not_smudge", "top_only", "below_top")


def test_low_has_one_answer() -> None:
    base = LIBRARY["partnership-pitch"]

    assert rule_availabilities(base, {"low": "held"})[RuleKey("low", is_worth=True)].reason == ONE_LOW_ANSWER_MESSAGE
    assert rule_availabilities(base, {"low": 2})[RuleKey("low")].reason == ONE_LOW_ANSWER_MESSAGE


if __name__ == "__main__":
    KEPT.write_text(written())
