"""The counter for Game on a phone: a tap on each card as it turns up."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import expect_text
from tests.browser.conftest import StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones


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


@pytest.mark.parametrize("height", [844, 664])
def test_one_pile_that_decides_fills_the_row_of_game_while_it_is_typed(phones: Phones, path: str, height: int) -> None:
    page = phones.new(height=height)
    page.goto(f"{path}hands/new")
    taps, pile = TapCounter(page), page.locator("#pile-s1")
    game = page.locator("#row-game").get_by_role("radio", name="Ann & Cal")
    taps.answer("Dan 3")
    taps.tap(page.get_by_text("Count for Game"))

    pile.press_sequentially("4", delay=30)
    expect_text(page, "#bottom_bar", "4 of 80 decides nothing: count the other pile.")
    pile.press_sequentially("5", delay=30)
    expect(game).to_be_checked()
    expect(pile).to_be_focused()
    expect_text(page, "#main-button", "3 left: who took High, Low, Jack?")

    taps.press("Rest to Bea & Dan")
    expect(game).to_be_checked()
    taps.tap(page.locator("#main-button"))
    expect(page.locator("#history td.col")).to_have_text([re.compile(r"^\+1"), re.compile(r"^\+3")])
