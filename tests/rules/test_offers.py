"""Every option is offered wherever the checker cannot say why not; `offers.txt` keeps where it can.

`python -m tests.rules.test_offers` writes `offers.txt` anew, so that a change of rule shows as a changed line.
"""

from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.offers import ONE_ANSWER, matrix, offers
from scorekeeper.rules.options import options
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.schema import Ruleset
from tests.rules.houses import LIBRARY, RULESETS, option_sets

KEPT = Path(__file__).parent / "offers.txt"


def written() -> str:
    """Write the matrix: under each option each reason, and the variants that it holds for."""
    reasons: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for option, variant, reason in matrix(LIBRARY.rulesets):
        reasons[option][reason or "offered"].append(variant)
    lines = []
    for option, found in reasons.items():
        lines.append(option)
        for reason, variants in sorted(found.items(), key=lambda item: (item[0] != "offered", item[0])):
            everywhere = len(variants) == len(RULESETS)
            lines.append(f"  {reason}: {'everywhere' if everywhere else ', '.join(sorted(variants))}")
    return "\n".join(lines) + "\n"


def test_the_matrix_of_options_and_variants_is_as_it_is_kept() -> None:
    assert written() == KEPT.read_text()


def test_every_option_and_every_award_is_offered_somewhere_to_begin_with_or_after_another_answer() -> None:
    first = {option for option, _, reason in matrix(LIBRARY.rulesets) if not reason}
    later = {"double_loss_on_overtake": {"pitching": True}}

    never = {option for option, _, _ in matrix(LIBRARY.rulesets)} - first - set(later)

    assert never == set()
    base = LIBRARY["partnership-pitch"]
    assert all(offers(base, said).options[option].is_open for option, said in later.items())


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_what_is_offered_can_stand(ruleset: Ruleset) -> None:
    found = offers(ruleset, {})

    refused = {
        name: with_house(ruleset, {name: answer})[1]
        for name, offer in (*found.options.items(), *found.awards.items())
        for answer in offer.answers
        if with_house(ruleset, {name: answer})[1] and (name, answer) not in CALL_FOR_MORE
    }

    assert refused == {}


CALL_FOR_MORE = {("moon", "stake"), ("moon", "money"), ("double_moon", True), ("length", "hands")}


@given(st.sampled_from(RULESETS).flatmap(lambda ruleset: st.tuples(st.just(ruleset), option_sets(ruleset))))
def test_whatever_has_been_said_an_option_is_offered_or_there_is_a_reason(
    told: tuple[Ruleset, dict[str, object]],
) -> None:
    found = offers(*told)

    assert all(offer.answers or offer.reason for offer in (*found.options.values(), *found.awards.values()))
    assert set(found.options) == set(options())


def test_an_answer_opens_the_questions_that_hang_on_it() -> None:
    base = LIBRARY["partnership-pitch"]

    assert not offers(base, {}).options["moon_made"].is_open
    assert offers(base, {"moon": "stake"}).options["moon_made"].is_open


def test_what_is_wrong_already_is_not_laid_at_other_answers() -> None:
    found = offers(LIBRARY["partnership-pitch"], {"min_bid": 9})

    assert found.options["dealer_steal"].answers == ("no", "not_smudge")


def test_low_has_one_answer() -> None:
    base = LIBRARY["partnership-pitch"]

    assert offers(base, {"low": "held"}).awards["low"].reason == ONE_ANSWER
    assert offers(base, {"low": 2}).options["low"].reason == ONE_ANSWER


if __name__ == "__main__":
    KEPT.write_text(written())
