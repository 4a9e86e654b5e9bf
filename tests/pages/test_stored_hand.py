"""Store a hand that was entered, without what can be derived."""

from dataclasses import replace

import pytest

from scorekeeper.pages.hand.in_progress import HandInProgress
from scorekeeper.pages.hand.input import HandInput
from scorekeeper.pitch.scoring.hand import Calls, Hand
from scorekeeper.pitch.scoring.match import open_match
from scorekeeper.pitch.scoring.seats import seat_table
from tests.common.library import LIBRARY

TAKEN = {"high": "A & C", "low": "A & C", "jack": None, "game": "A & C"}
CALLS: Calls = (("A", "pass"), ("B", 3), ("C", "pass"), ("D", "pass"))
ENTERED = Hand(bidder="B", bid=3, trump="spades", taken=TAKEN)


def store(entered: Hand, dealer: str | None = "D", *, calls: Calls = (), corrects: Hand | None = None) -> Hand:
    """Return how the first hand of a match at which four sit is stored; `dealer` is whose turn it is to deal."""
    ruleset = LIBRARY["five-point-set-back"]
    seats, _ = seat_table(ruleset, "ABCD", None)
    assert seats
    form = HandInput.from_hand(entered)
    before = open_match(ruleset, seats, dealer=dealer)
    return HandInProgress(before, replace(form, calls=calls or form.calls), corrects).to_hand()


@pytest.mark.parametrize(("dealer", "stored"), [("D", None), ("C", "C")])
def test_a_dealer_is_stored_only_where_another_was_expected(dealer: str, stored: str | None) -> None:
    assert store(replace(ENTERED, dealer=dealer)) == replace(ENTERED, dealer=stored)


@pytest.mark.parametrize(
    ("entered", "calls"),
    [(replace(ENTERED, bid=4), CALLS), (replace(ENTERED, bidder="C"), CALLS), (ENTERED, CALLS[:2])],
)
def test_calls_are_dropped_where_their_result_is_another(entered: Hand, calls: Calls) -> None:
    assert store(entered, calls=calls) == entered


def test_nothing_is_stored_after_an_auction_in_which_all_passed() -> None:
    calls: Calls = tuple((who, "pass") for who in "ABCD")

    assert store(Hand(auction=calls, trump="hearts", taken={})) == Hand(auction=calls)


@pytest.mark.parametrize("entered", [ENTERED, Hand(thrown_in="misdeal")])
def test_a_correction_keeps_what_no_form_asks_for(entered: Hand) -> None:
    was = Hand(bidder="A", bid=2, house={"jack": 2}, house_on="2026-11-20", note="rain")

    assert store(entered, corrects=was) == replace(entered, house={"jack": 2}, house_on="2026-11-20", note="rain")


def test_a_dealer_whom_the_stored_calls_tell_is_not_stored_again() -> None:
    entered = Hand(dealer="D", auction=CALLS, taken=TAKEN)

    assert store(entered, None).dealer == "D"
    assert store(entered, None, corrects=Hand(auction=CALLS)).dealer is None


@pytest.mark.parametrize("entered", ["D", None])
def test_a_dealer_who_was_stored_stays_stored_though_the_deal_has_moved_there_since(entered: str | None) -> None:
    was = replace(ENTERED, dealer="D")

    assert store(replace(ENTERED, dealer=entered), corrects=was) == was
