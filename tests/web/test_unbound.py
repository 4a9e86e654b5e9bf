"""All passed, and nobody is bound: the hand is played without a bid, and everybody scores what they take."""

import pytest

from tests.common.calling import entry_form, say, way
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin

BUTTON = "All passed, play without a bid"
FOUR = {"took-high": "s1", "took-low": "s2", "took-jack": "nobody", "took-game": "s1"}


@pytest.fixture
def unbound(begin: Begin) -> Page:
    """Begin a match in which nobody is bound when all pass."""
    return begin("partnership-pitch", house_all_pass="unobliged")


def passed(match: Page) -> Page:
    """Enter that all passed in a new hand."""
    return match.tap("Record hand").send("/hands/new", press=BUTTON)


@pytest.mark.every_database
def test_a_hand_without_a_bid_is_saved(unbound: Page) -> None:
    match = passed(unbound).send("/hands/new", FOUR, press="Save")

    assert match.scores == {"s1": "2", "s2": "1"}


def test_the_entry_asks_for_no_bid_and_says_so(unbound: Page) -> None:
    page = passed(unbound)

    assert "All passed: nobody has a bid to make" in page.part("q-bid").text
    assert "call" not in entry_form(page).offered
    assert page.part("main-button").text == "4 left: who took High, Low, Jack, …?"
    assert not page.offers(BUTTON)


def test_it_can_be_taken_back_and_the_bid_that_was_tapped_is_there(unbound: Page) -> None:
    entry = unbound.tap("Record hand").send("/hands/new", {"call": "p4:3"}, press=BUTTON)

    back = entry.send("/hands/new", press="Change")

    assert entry_form(back).fields["call"] == "p4:3"
    assert back.offers(BUTTON)


def test_a_saved_hand_opens_as_it_was_and_can_be_given_a_bid(unbound: Page, phone: Phone) -> None:
    match = passed(unbound).send("/hands/new", FOUR, press="Save")

    page = phone.open(f"{match.path}hands/1")
    assert "nobody has a bid to make" in page.part("q-bid").text

    bid = page.send("/hands/1", press="Change").send("/hands/1", {"call": "p1:3"}, press="Save")
    assert bid.scores == {"s1": "−3", "s2": "1"}


def test_where_all_passed_call_by_call_the_hand_is_played(unbound: Page) -> None:
    page = say(way(unbound.tap("Record hand"), "auction"), *["pass"] * 4)

    assert page.has("row-high")
    match = page.send("/hands/new", FOUR, press="Save")
    assert match.scores == {"s1": "2", "s2": "1"}
