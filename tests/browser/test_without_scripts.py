"""Every journey with scripts off: page forms and links."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import TapCounter, expect_text, give_rest, name_players, score
from tests.common.chromium import Phones


@pytest.fixture
def page(phones: Phones) -> Page:
    """Open a page on a phone that runs no scripts."""
    return phones.new(scripts=False)


def record_hand(page: Page, bid: str, **took: str) -> None:
    """Record a hand from the match page: what is tapped is counted first, the rest is given, then it is saved."""
    taps = TapCounter(page)
    taps.tap(page.locator("#bottom_bar .go"))
    taps.answer(bid)
    for award, who in took.items():
        taps.answer(who, f"#row-{award}")
    taps.tap(page.locator("#main-button"))
    expect_text(page, ".bottom-bar .says", "left: who took")
    give_rest(taps)
    taps.tap(page.locator("#main-button"))
    expect_text(page, "#turn", re.compile(r"is saved\.|More"))


def test_a_match_from_start_to_verdict(page: Page) -> None:
    page.goto("/")
    taps = TapCounter(page)
    taps.press("New match")
    taps.tap(page.locator("label", has=page.locator("[name=players][value='3']")))
    taps.press("Show what fits")
    taps.press("Play Cutthroat Pitch")
    name_players(page, "Ann", "Bea", "Cal")
    taps.tap(page.locator("label", has=page.locator("[name=house-target][value='7']")))
    taps.tap(page.locator(".bottom-bar .go"))

    record_hand(page, "Bea 4", low="Ann")
    record_hand(page, "Cal 4")
    record_hand(page, "Cal 4")

    expect_text(page, ".crown h2", "Cal wins")
    assert [score(page, side) for side in ("p1", "p2", "p3")] == ["1", "−4", "8"]
    taps.tap(page.locator("#more"))
    expect_text(page, "#turn", "High, Low, Jack, Game")


@pytest.mark.parametrize("answered", [False, True])
def test_the_save_button_of_a_complete_hand_says_save_and_can_be_tapped(page: Page, path: str, answered: bool) -> None:
    page.goto(f"{path}hands/new")
    taps, button = TapCounter(page), page.locator("#main-button")
    taps.answer("Dan 3")
    if answered:
        taps.tap(button)
        expect_text(page, ".bottom-bar .says", "4 left: who took High, Low, Jack, …?")

    for award in ("high", "low", "jack", "game"):
        taps.answer("Bea & Dan", f"#row-{award}")

    expect(page.get_by_role("button", name="Save", exact=True)).to_have_id("main-button")
    assert button.inner_text() == ""  # what was missing before
    expect(button).to_have_css("border-style", "solid")
    taps.tap(button)
    expect_text(page, "#turn", "is saved.")
