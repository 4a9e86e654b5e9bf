"""The whole auction on a phone: call by call with taps, by keyboard alone, and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import TapCounter, choose_entry_mode, expect_text, give_rest, with_markers
from tests.common.chromium import Phones


def make_calls(taps: TapCounter, *calls: str) -> None:
    """Tap calls such as "Bea: pass", one after the other."""
    for call in calls:
        taps.tap(taps.page.locator(".call").get_by_role("button", name=call, exact=True))


@pytest.mark.parametrize("scripts", [True, False])
def test_an_auction_from_its_first_call_to_the_score(phones: Phones, path: str, scripts: bool) -> None:
    page = phones.new(scripts=scripts)
    page.goto(path)
    taps = TapCounter(page)
    taps.press("Record hand")
    choose_entry_mode(page, "Full auction")

    make_calls(taps, "Bea: pass", "Cal: 2", "Dan: 3", "Ann: pass")
    expect(page.locator("summary", has_text="Dan bid 3")).to_be_visible()
    taps.answer("Ann & Cal", "#row-low")
    give_rest(taps)
    expect_text(page, "#main-button", with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    taps.tap(page.locator("#main-button"))

    expect_text(page, "#turn", "Hand 1 is saved.")
    taps.press("Record hand")
    expect(page.get_by_role("heading", name="Cal to bid")).to_be_visible()


def press(page: Page, *keys: str) -> None:
    """Press keys, each after the response to the one before."""
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(60)
        expect(page.locator(".htmx-request")).to_have_count(0)


def test_an_auction_by_keyboard_alone(page: Page, path: str) -> None:
    page.goto(f"{path}hands/new?by=auction")
    passing = page.locator(".call").get_by_role("button", name="pass")
    passing.focus()

    press(page, "Enter", "Enter")
    expect(page.locator(".call").get_by_role("button", name="Dan: pass")).to_be_focused()
    press(page, "Tab", "Tab", "Enter")
    expect(page.get_by_role("heading", name="Ann to bid")).to_be_visible()
    page.locator(".call").get_by_role("button", name="Ann: pass").focus()
    press(page, "Enter")

    expect(page.locator("summary", has_text="Dan bid 3")).to_be_focused()
