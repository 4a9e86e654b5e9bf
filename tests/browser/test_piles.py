"""The counter for Game on a phone: a tap on each card as it turns up."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import TapCounter, expect_text
from tests.browser.conftest import StartMatch


@pytest.fixture
def counting(page: Page, start_match: StartMatch) -> TapCounter:
    """Open the counter of both piles."""
    page.goto(f"{start_match()}hands/new")
    taps = TapCounter(page)
    taps.answer("Dan 3")
    taps.tap(page.get_by_text("Count for Game"))
    for side in ("Ann & Cal", "Bea & Dan"):
        taps.tap(page.get_by_text(f"{side}: tap the cards"))
    return taps


def rank(taps: TapCounter, name: str, how: str = "one more") -> None:
    """Add a card, or take one away."""
    taps.page.get_by_role("group", name=name).get_by_role("button", name=how).tap()


def test_each_card_adds_what_it_is_worth(counting: TapCounter) -> None:
    page = counting.page
    for ours in ("tens", "aces", "tens", "jacks"):
        rank(counting, f"Ann & Cal: {ours}")
    for theirs in ("kings", "queens"):
        rank(counting, f"Bea & Dan: {theirs}")

    expect(page.locator("#pile-s1")).to_have_value("25")
    expect(page.locator("#pile-s2")).to_have_value("5")
    # All piles are counted: the row shows who has Game.
    expect(page.locator("#row-game").get_by_role("radio", name="Ann & Cal")).to_be_checked()
    expect_text(page, "#main-button", "3 left: who took High, Low, Jack?")

    rank(counting, "Ann & Cal: tens", "one less")
    expect(page.locator("#pile-s1")).to_have_value("15")


def test_a_deck_has_four_of_each(counting: TapCounter) -> None:
    for _ in range(6):
        rank(counting, "Ann & Cal: tens")
    rank(counting, "Ann & Cal: aces", "one less")

    expect(counting.page.locator("#pile-s1")).to_have_value("40")


def test_a_typed_sum_replaces_the_cards(counting: TapCounter) -> None:
    rank(counting, "Ann & Cal: tens")
    counting.page.locator("#pile-s1").fill("31")

    expect(counting.page.locator("#cards-s1-10")).to_have_value("")
    expect(counting.page.locator("#pile-s1")).to_have_value("31")
