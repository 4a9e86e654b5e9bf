"""The same rules have the same fingerprint, and those of the first edition keep theirs, whatever is added later."""

import re

import pytest

from scorekeeper.pitch.rules.house_rules import HouseRules, resolve_house_rules, simplify_house_rules, with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import FINGERPRINT_ALPHABET, decode, encode, fingerprint
from tests.common.library import LIBRARY, every_ruleset
from tests.common.tables import table

HOUSE = {"win_by": 2, "cut": True}
PRINTED: dict[str, list[str]] = table(__file__, "printed.toml")
"""What was printed and shared of each: its fingerprint, and the code of it with `HOUSE`."""
CHANGED = {"double-pedro": "D3JF-EFHG"}
"""The game that was found to be another one (R93) and to miss no point (R94), with its fingerprint since then."""


@pytest.mark.parametrize("ruleset_id", PRINTED)
def test_a_fingerprint_stays(ruleset_id: str) -> None:
    assert fingerprint(LIBRARY[ruleset_id]) == CHANGED.get(ruleset_id, PRINTED[ruleset_id][0])


def test_a_match_keeps_the_rules_of_a_game_that_changed() -> None:
    as_stored, faults = with_house(LIBRARY["catch-five"], {"off_five": True})

    assert not faults
    assert fingerprint(as_stored) == PRINTED["double-pedro"][0]


@pytest.mark.parametrize("ruleset_id", PRINTED)
def test_a_share_code_stays_and_is_read(ruleset_id: str) -> None:
    house = decode(PRINTED[ruleset_id][1])

    assert (house.variant, house.options, resolve_house_rules(house, LIBRARY)[1]) == (ruleset_id, HOUSE, [])
    assert encode(HouseRules("Ours", ruleset_id, HOUSE)) == PRINTED[ruleset_id][1]


def test_rules_that_are_saved_lose_what_decides_nothing() -> None:
    saved = {
        ruleset_id: simplify_house_rules(HouseRules("Ours", ruleset_id, HOUSE), LIBRARY).options
        for ruleset_id in PRINTED
        if ruleset_id in LIBRARY
    }

    # No score ends these two, so that nobody has to lead by anything.
    assert {ruleset_id for ruleset_id, options in saved.items() if options != HOUSE} == {"money-pitch", "racehorse"}
    assert saved["racehorse"] == {"cut": True}


@every_ruleset
def test_the_same_rules_have_the_same_fingerprint_whatever_they_are_called(ruleset: Ruleset) -> None:
    renamed = ruleset.copy_with(name="As the Millers play it", notes=["Bring pretzels."])

    assert fingerprint(renamed) == fingerprint(ruleset)
    assert re.fullmatch(rf"[{FINGERPRINT_ALPHABET}]{{4}}-[{FINGERPRINT_ALPHABET}]{{4}}", fingerprint(ruleset))


def test_no_two_variants_share_a_fingerprint() -> None:
    assert len({fingerprint(ruleset) for ruleset in LIBRARY}) == len(LIBRARY.rulesets)
