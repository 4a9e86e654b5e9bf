"""Every journey with scripts off: page forms and links."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import give_rest, score
from tests.browser.conftest import StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones


@pytest.fixture
def page(phones: Phones) -> Page:
    """Open a page on a phone that runs no scripts."""
    return phones.new(scripts=False)


def record_hand(page: Page, bid: str, **took: str) -> None:
    """Record a hand from the match page: what is tapped is counted first, the rest is given, then it is saved."""
    taps = TapCounter(page)
    taps.tap(page.locator("#bottom_bar .go"))
    taps.tap(page.get_by_role("radio", name=bid))
    for award, who in took.items():
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name=who))
    taps.tap(page.locator("#main-button"))
    expect(page.locator(".bottom-bar .says")).to_contain_text("left: who took")
    give_rest(taps)
    taps.tap(page.locator("#main-button"))
    expect(page.locator("#turn")).to_contain_text(re.compile(r"is saved\.|More"))


def test_a_match_from_start_to_verdict(page: Page) -> None:
    page.goto("/")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="New match"))
    taps.tap(page.locator("label", has=page.locator("[name=players][value='3']")))
    taps.tap(page.get_by_role("button", name="Show what fits"))
    taps.tap(page.get_by_role("link", name="Play Cutthroat Pitch"))
    for seat, name in enumerate(("Ann", "Bea", "Cal")):
        page.locator(f"[name=seat-{seat}]").fill(name)
    taps.tap(page.locator("label", has=page.locator("[name=house-target][value='7']")))
    taps.tap(page.locator(".bottom-bar .go"))

    record_hand(page, "Bea 4", low="Ann")
    record_hand(page, "Cal 4")
    record_hand(page, "Cal 4")

    expect(page.locator(".crown h2")).to_have_text("Cal wins")
    assert [score(page, side) for side in ("p1", "p2", "p3")] == ["1", "−4", "8"]
    taps.tap(page.locator("#more"))
    expect(page.locator("#turn")).to_contain_text("High, Low, Jack, Game")


@pytest.mark.parametrize("answered", [False, True])
def test_the_save_button_of_a_complete_hand_says_save_and_can_be_tapped(
    page: Page, start_match: StartMatch, answered: bool
) -> None:
    page.goto(f"{start_match()}hands/new")
    taps, button = TapCounter(page), page.locator("#main-button")
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    if answered:
        taps.tap(button)
        expect(page.locator(".bottom-bar .says")).to_have_text("4 left: who took High, Low, Jack, …?")

    for award in ("high", "low", "jack", "game"):
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name="Bea & Dan"))

    expect(page.get_by_role("button", name="Save", exact=True)).to_have_id("main-button")
    assert button.inner_text() == ""  # what was missing before
    expect(button).to_have_css("border-style", "solid")
    taps.tap(button)
    expect(page.locator("#turn")).to_contain_text("is saved.")
