"""The counter for Game on a phone: a tap on each card as it turns up."""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import Lay, Pocket
from tests.browser.taps import Finger


@pytest.fixture
def counting(screen: Screen, lay: Lay) -> Finger:
    """Open the counter of both piles."""
    screen.goto(f"{lay()}hands/new")
    finger = Finger(screen)
    finger.tap(screen.get_by_role("radio", name="Dan 3"))
    finger.tap(screen.get_by_text("Count for Game"))
    for side in ("Us", "Them"):
        finger.tap(screen.get_by_text(f"{side}: tap the cards"))
    return finger


def rank(finger: Finger, name: str, how: str = "one more") -> None:
    """Tap a card in, or out."""
    finger.screen.get_by_role("group", name=name).get_by_role("button", name=how).tap()


def test_each_card_adds_what_it_is_worth(counting: Finger) -> None:
    screen = counting.screen
    for name in ("Us: tens", "Us: aces", "Us: tens", "Us: jacks", "Them: kings", "Them: queens"):
        rank(counting, name)

    expect(screen.locator("#pile-s1")).to_have_value("25")
    expect(screen.locator("#pile-s2")).to_have_value("5")
    expect(screen.locator("#main-button")).to_contain_text("made: Us +1, Them +3")

    rank(counting, "Us: tens", "one less")
    expect(screen.locator("#pile-s1")).to_have_value("15")


def test_a_pack_has_four_of_each(counting: Finger) -> None:
    for _ in range(6):
        rank(counting, "Us: tens")
    rank(counting, "Us: aces", "one less")

    expect(counting.screen.locator("#pile-s1")).to_have_value("40")


def test_a_sum_that_is_typed_takes_the_place_of_the_cards(counting: Finger) -> None:
    rank(counting, "Us: tens")
    counting.screen.locator("#pile-s1").fill("31")

    expect(counting.screen.locator("#cards-s1-10")).to_have_value("")
    expect(counting.screen.locator("#pile-s1")).to_have_value("31")


def test_the_count_is_saved_with_the_hand(counting: Finger) -> None:
    screen = counting.screen
    for name in ("Us: tens", "Us: aces", "Them: kings"):
        rank(counting, name)
    expect(screen.locator("#main-button")).to_contain_text("made: Us +1, Them +3")
    counting.tap(screen.locator("#main-button"))

    expect(screen.locator("#turn")).to_contain_text("Us +1, Them +3.")
    screen.goto(f"{screen.url.partition('?')[0]}hands/1")
    expect(screen.locator("#pile-s1")).to_have_value("14")


def test_without_scripts_the_numbers_are_typed(pocket: Pocket, lay: Lay) -> None:
    screen = pocket.phone(scripts=False)
    screen.goto(f"{lay()}hands/new")
    finger = Finger(screen)
    finger.tap(screen.get_by_role("radio", name="Dan 3"))
    finger.tap(screen.get_by_text("Count for Game"))
    for side, tens in (("Us", "1"), ("Them", "3")):
        finger.tap(screen.get_by_text(f"{side}: tap the cards"))
        screen.get_by_role("textbox", name=f"{side}: tens").fill(tens)
    expect(screen.get_by_role("button", name="one more")).to_have_count(0)

    finger.tap(screen.locator("#main-button"))

    expect(screen.locator("#pile-s1")).to_have_value("10")
    expect(screen.locator("#pile-s2")).to_have_value("30")
    expect(screen.locator("#main-button")).to_contain_text("made: Us 0, Them +4")
