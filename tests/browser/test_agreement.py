"""Two phones at once: a hand waits on both until the other side has tapped."""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import House, Lay, Pocket
from tests.browser.tables import begun, played
from tests.browser.taps import Finger
from tests.web.guests import invited
from tests.web.phone import Page
from tests.web.room import let_in

WITHIN = 2500
"""Milliseconds until every open page has followed."""


def agreeing(house: House, path: str) -> Page:
    """Turn the setting on, without a screen."""
    return house.phone().open(f"{path}agreement").send("/agreement")


def score(screen: Screen, side: str, number: str, within: int = WITHIN) -> None:
    """Wait for a score."""
    expect(screen.locator(f"[data-score={side}]")).to_have_text(number, timeout=within)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_hand_is_accepted_with_one_tap(pocket: Pocket, house: House, lay: Lay, scripts: bool) -> None:
    path = lay()
    match = agreeing(house, path)
    ours, theirs = pocket.phone(), pocket.phone(scripts=scripts)
    ours.goto(let_in(house.app, path, "p1"))
    played(match.phone.open(let_in(house.app, path, "p3")), call="p1:3", took_low="s2")
    theirs.goto(let_in(house.app, path, "p2"))
    finger = Finger(theirs)

    expect(ours.locator("#turn")).to_contain_text("Hand 1 waits for Them.", timeout=WITHIN)
    score(ours, "s1", "0")
    finger.tap(theirs.get_by_role("button", name="Accept"))

    score(ours, "s1", "3")
    score(theirs, "s1", "3")
    expect(ours.locator("#turn")).not_to_contain_text("waits")
    assert finger.taps == 1


def test_a_hand_arrives_on_the_open_page_that_may_accept_it(pocket: Pocket, house: House, lay: Lay) -> None:
    path = lay()
    match = agreeing(house, path)
    theirs = pocket.phone()
    theirs.goto(let_in(house.app, path, "s2"))
    expect(theirs.get_by_role("button", name="Accept")).to_have_count(0)

    played(match, call="p1:3", took_low="s2")

    expect(theirs.get_by_role("button", name="Accept")).to_be_visible(timeout=WITHIN)
    expect(theirs.locator("#board")).to_contain_text("3 if accepted")


def test_the_verdict_waits_for_the_other_side(pocket: Pocket, house: House, lay: Lay) -> None:
    path = lay(house_target="7")
    match = agreeing(house, path)
    ours, theirs = pocket.phone(), pocket.phone()
    ours.goto(path)
    theirs.goto(let_in(house.app, path, "p2"))
    played(match, call="p1:4")
    played(match, call="p3:4")
    accept = theirs.get_by_role("button", name="Accept")

    expect(theirs.locator("#turn")).to_contain_text("Is hand 1 right?", timeout=WITHIN)
    with theirs.expect_navigation():
        accept.tap()
    expect(theirs.locator("#turn")).to_contain_text("Is hand 2 right?")
    expect(ours.locator("#board")).not_to_contain_text("Us win")
    with theirs.expect_navigation():
        accept.tap()

    expect(theirs.locator("#board")).to_contain_text("Us win")
    expect(ours.locator("#board")).to_contain_text("Us win", timeout=WITHIN)


def test_a_phone_that_comes_in_by_the_picture_accepts(pocket: Pocket, house: House, lay: Lay) -> None:
    owner = house.phone()
    match = begun(owner)
    owner.open(f"{match.path}agreement").send("/agreement")
    address = invited(match)
    theirs = pocket.phone()

    theirs.goto(address)
    theirs.locator('label:has([name="seat"][value="p2"])').tap()
    with theirs.expect_navigation():
        theirs.get_by_role("button", name="Come in").tap()
    played(match, call="p1:3", took_low="s2")
    accept = theirs.get_by_role("button", name="Accept")
    expect(accept).to_be_visible(timeout=WITHIN)
    expect(theirs.get_by_role("button", name="Record hand")).to_have_count(0)
    with theirs.expect_navigation():
        accept.tap()

    score(theirs, "s1", "3")
