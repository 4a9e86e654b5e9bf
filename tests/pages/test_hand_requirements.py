"""A hand in progress as a value, without a request: what it lacks, what is open, and the hand that it makes."""

from typing import Any

import pytest

from scorekeeper.pages.hand.in_progress import HandInProgress, fault_target, first_missing, hand_requirements
from scorekeeper.pages.hand.input import HandInput
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.match import Start, open_match
from scorekeeper.pitch.scoring.seats import Seats, Side
from tests.common.library import LIBRARY
from tests.common.tables import table

PARTNERS = Seats((Side("s1", ("p1", "p3")), Side("s2", ("p2", "p4"))), ("p1", "p2", "p3", "p4"))
NAMES = {"p1": "Ann", "p2": "Bea", "p3": "Cal", "p4": "Dan", "s1": "Us", "s2": "Them"}
BID = {"call": "p4:3", "trump": "spades"}
TOOK = {"took-high": "s2", "took-low": "s1", "took-jack": "nobody", "took-game": "s2"}


def entered(fields: dict[str, str], ruleset_id: str = "partnership-pitch") -> HandInProgress:
    """Return the first hand of a match, which Ann deals, with these fields."""
    before = open_match(LIBRARY[ruleset_id], PARTNERS, Start(), "p1")
    return HandInProgress(before, HandInput.parse(fields, NAMES))


@pytest.mark.parametrize("lacking", table(__file__, "hand_forms.toml")["lacking"], ids=lambda row: row["label"])
def test_the_first_thing_that_is_missing_has_a_label_and_a_target(lacking: dict[str, Any]) -> None:
    missing = first_missing(hand_requirements(entered(lacking["entered"])))

    assert missing
    assert (missing.label(NAMES), missing.target) == (lacking["label"], lacking["target"])


def test_a_whole_hand_lacks_nothing() -> None:
    assert first_missing(hand_requirements(entered({**BID, **TOOK}))) is None


def test_a_hand_that_is_dealt_again_as_all_passed_lacks_nothing() -> None:
    hand = entered({"by": "auction", "calls": "p2:pass p3:pass p4:pass p1:pass"}, "eleven-point-pitch")

    assert hand.ended_unplayed
    assert first_missing(hand_requirements(hand)) is None


def test_the_piles_of_a_bidder_and_a_called_partner_are_one() -> None:
    rules, _ = with_house(LIBRARY["schmier-for-five"], {"defenders_score": "each"})
    seats = Seats((Side("s1"), Side("s2"), Side("s3")))
    form = HandInput.parse({"bidder": "s1", "partner": "s2", "pile-s1": "30", "pile-s2": "15"}, seats.ids)

    assert HandInProgress(open_match(rules, seats), form).derived_game_taker == "s1"


def test_the_rest_goes_only_where_nothing_is() -> None:
    form = entered({**BID, "took-low": "s1"}).with_rest("s2")

    assert form.taken == {"high": "s2", "low": "s1", "jack": "s2", "game": "s2"}


def test_a_call_that_is_not_allowed_is_not_kept() -> None:
    hand = entered({"by": "auction", "calls": "p2:3 p3:2"})

    assert hand.call_refusal
    assert hand.calls_to_keep == (("p2", 3),)


@pytest.mark.parametrize(
    ("field", "target"),
    [
        ("taken.high", "row-high"),
        ("taken.five", ""),
        ("auction.2", "q-bid"),
        ("points", "count-s1"),
        ("penalties.s2", "penalty-s2"),
        ("forfeits.s1", "penalties"),
        ("trump", "trump"),
        ("all_tricks", ""),
        ("note", ""),
    ],
)
def test_a_fault_leads_to_where_it_is_entered(field: str, target: str) -> None:
    assert fault_target(entered(BID), field) == target
