"""Undo back to the first hand and redo to the last, on this phone and on another."""

from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import House, Lay, Pocket
from tests.browser.tables import played
from tests.browser.taps import Finger
from tests.web.phone import Page

WITHIN = 2500


def tapped(screen: Screen, name: str) -> None:
    """Tap a button, and wait for the page that it brings."""
    with screen.expect_navigation():
        screen.get_by_role("button", name=name, exact=True).tap()


def three_hands(house: House, path: str) -> Page:
    """Play three hands without a screen."""
    match = house.phone().open(path)
    for _ in range(3):
        played(match, call="p1:3", took_low="s2")
    return match


def test_back_to_nothing_and_forward_again(screen: Screen, house: House, lay: Lay) -> None:
    path = lay()
    three_hands(house, path)
    score = screen.locator("[data-score=s1]")
    screen.goto(path)

    for number in ("6", "3", "0"):
        tapped(screen, "Undo")
        expect(score).to_have_text(number)
    expect(screen.get_by_role("button", name="Undo", exact=True)).to_have_count(0)
    screen.goto(path)
    for number in ("3", "6", "9"):
        tapped(screen, "Redo")
        expect(score).to_have_text(number)

    expect(screen.get_by_role("button", name="Redo", exact=True)).to_have_count(0)


def test_another_phone_brings_back_what_this_one_took(pocket: Pocket, house: House, lay: Lay) -> None:
    path = lay()
    three_hands(house, path)
    one, other = pocket.phone(), pocket.phone()
    one.goto(path)
    other.goto(path)

    tapped(one, "Undo")
    expect(other.get_by_role("button", name="Redo", exact=True)).to_be_visible(timeout=WITHIN)
    tapped(other, "Redo")

    expect(one.locator("[data-score=s1]")).to_have_text("9", timeout=WITHIN)
    expect(one.get_by_role("button", name="Redo", exact=True)).to_have_count(0)


def test_somebody_else_deals_with_two_taps(screen: Screen, lay: Lay) -> None:
    finger = Finger(screen)
    screen.goto(lay())

    finger.tap(screen.get_by_role("link", name="Ann deals hand 1."))
    finger.tap(screen.get_by_role("button", name="Cal Dan speaks first"))

    expect(screen.locator("#turn")).to_contain_text("Cal deals hand 1. Dan speaks first.")
    assert finger.taps == 2
