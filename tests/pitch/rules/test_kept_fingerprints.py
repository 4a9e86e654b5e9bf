"""The same rules have the same fingerprint, and those of the first edition keep theirs, whatever is added later."""

import re

import pytest

from scorekeeper.pitch.rules.house_rules import HouseRules, resolve, simplified, with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import ALPHABET, decode, encode, fingerprint
from tests.common.library import LIBRARY, every_ruleset

HOUSE = {"win_by": 2, "cut": True}
PRINTED = {
    "arizona-29": ("9MCG-W33Z", "1.dh0aU0OwIOUluCUHLyKMUIwuRjEDqZ1XCwA"),
    "auction-pitch": ("F9CC-Q72M", "1.KFxpx0OwIOUluCUHLyKMUIwuRjEDtWKvBQA"),
    "catch-five": ("CPPY-2D52", "1.XvCEh0OwIOUluCUHLyKMUIwuRjEDqRVXCwA"),
    "charbonneau-ten-point": ("K5QQ-GD82", "1.s-jYgUOwIOUluCUHLyKMUIwuRjEDe4urFgA"),
    "colorado-cutthroat": ("UUXM-J3LY", "1.h85pgkOwIOUluCUHLyKMUIwuRjEDS8ujFgA"),
    "colorado-fourteen-point": ("9RWC-2Q9K", "1.38gYg0OwIOUluCUHLyKMUIwuRjEDV6OhFgA"),
    "colorado-six-player": ("9UHP-988P", "1.9OWX10OwIOUluCUHLyKMUIwuRjEDWyOjFgA"),
    "colorado-ten-point": ("KQEB-9FGA", "1.yDgkFUOwIOUluCUHLyKMUIwuRjEDS0VeCwA"),
    "colorado-thirteen-point": ("BAVT-GVC6", "1.-9ofQ0OwIOUluCUHLyKMUIwuRjEDV3OiFgA"),
    "cutthroat-pitch": ("HS26-CHGZ", "1.Y9D_XUOwIOUluCUHLyKMUIwuRjEDvW1SCwA"),
    "double-pedro": ("BYR2-7YMX", "1.k8aCQUOwIOUluCUHLyKMUIwuRjEDpeFWCwA"),
    "fish-pitch": ("W9RX-762P", "1.QkCgKkOwIOUluCUHLyKMUIwuRjEDqaVWCwA"),
    "five-point-set-back": ("24VN-696R", "1.ifQ-7EOwIOUluCUHLyKMUIwuRjEDW-OsFgA"),
    "money-pitch": ("EM3S-MTG7", "1.wsRysEOwIOUluCUHLyKMUIwuRjEDuX1UCwA"),
    "moon-over-four": ("KC4K-L2JE", "1.AACy0EOwIOUluCUHLyKMUIwuRjEDrcFUCwA"),
    "nine-card-pitch": ("QDHV-WSES", "1.7za8ZEOwIOUluCUHLyKMUIwuRjEDvWlQCwA"),
    "oklahoma-six-point": ("KW9L-WU6Y", "1.z0AQ90OwIOUluCUHLyKMUIwuRjEDSzOsFgA"),
    "oklahoma-ten-point": ("MQRZ-5PJU", "1.rHzJ80OwIOUluCUHLyKMUIwuRjEDS21fCwA"),
    "partners-without-bidding": ("69M6-BG45", "1.XfIPGUOwIOUluCUHLyKMUIwuRjEDZ3OmFgA"),
    "partnership-pitch": ("TX49-N8AM", "1.oWNQ7UOwIOUluCUHLyKMUIwuRjEDs86uBQA"),
    "partnership-pitch-six": ("RVW2-HE6W", "1.6W-iFEOwIOUluCUHLyKMUIwuRjEDe5ulFgA"),
    "pawnee-call-your-partner": ("YWPP-PTZZ", "1.qVSLCkOwIOUluCUHLyKMUIwuRjEDZ0OgFgA"),
    "racehorse": ("QNMS-4UET", "1.fYHNWkOwIOUluCUHLyKMUIwuRjED0XiqBQA"),
    "razzle-dazzle": ("ATN5-MD23", "1.DQDETkOwIOUluCUHLyKMUIwuRjEDtSVSCwA"),
    "solo-for-two-or-three": ("QDVJ-VP97", "1.tEsGqEOwIOUluCUHLyKMUIwuRjEDe9OnFgA"),
    "solo-with-bidding": ("ZTEJ-BB56", "1.hD_9ZEOwIOUluCUHLyKMUIwuRjEDs4lTCwA"),
    "solo-without-bidding": ("B33K-XQLH", "1.0U7xWkOwIOUluCUHLyKMUIwuRjEDa4uoFgA"),
    "stauffer-ten-point": ("4T8S-WMUG", "1.GruFoUOwIOUluCUHLyKMUIwuRjEDS9OuFgA"),
    "tunkhannock-fourteen-point": ("LPL7-R57C", "1.fZ_0zUOwIOUluCUHLyKMUIwuRjEDT8uqFgA"),
}
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

    assert (house.variant, house.options, resolve(house, LIBRARY)[1]) == (ruleset_id, HOUSE, [])
    assert encode(HouseRules("Ours", ruleset_id, HOUSE)) == PRINTED[ruleset_id][1]


def test_rules_that_are_saved_lose_what_decides_nothing() -> None:
    saved = {
        ruleset_id: simplified(HouseRules("Ours", ruleset_id, HOUSE), LIBRARY).options
        for ruleset_id in PRINTED
        if ruleset_id in LIBRARY
    }

    # No score ends these two, so that nobody has to lead by anything.
    assert {ruleset_id for ruleset_id, options in saved.items() if options != HOUSE} == {"money-pitch", "racehorse"}
    assert saved["racehorse"] == {"cut": True}


@every_ruleset
def test_the_same_rules_have_the_same_fingerprint_whatever_they_are_called(ruleset: Ruleset) -> None:
    renamed = ruleset.changed(name="As the Millers play it", notes=["Bring pretzels."])

    assert fingerprint(renamed) == fingerprint(ruleset)
    assert re.fullmatch(rf"[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}", fingerprint(ruleset))


def test_no_two_variants_share_a_fingerprint() -> None:
    assert len({fingerprint(ruleset) for ruleset in LIBRARY}) == len(LIBRARY.rulesets)
