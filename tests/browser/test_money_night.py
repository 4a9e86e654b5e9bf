"""A money night, tapped on a phone: a hand, somebody leaves and another joins, who owes whom, and the slip."""

import pytest
from playwright.sync_api import expect

from tests.browser.actions import give_rest
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_somebody_leaves_another_joins_and_the_night_says_who_owes_whom(phones: Phones, scripts: bool) -> None:
    page = phones.new(scripts=scripts)
    page.goto("/new/racehorse")
    for seat, name in enumerate(("Ann", "Bea", "Cal", "Dan")):
        page.locator(f"#seat-{seat}").fill(name)
    taps = TapCounter(page)
    taps.tap(page.locator(".bottom-bar .go"))
    taps.tap(page.get_by_role("link", name="Record hand"))
    taps.tap(page.get_by_role("radio", name="Bea 2"))
    if not scripts:  # what was tapped is counted first
        taps.tap(page.locator("#main-button"))
    give_rest(taps)
    taps.tap(page.locator("#main-button"))

    taps.tap(page.get_by_role("link", name="Somebody joins or leaves"))
    taps.tap(page.get_by_role("checkbox", name="Dan"))
    page.get_by_label("New player 1", exact=True).fill("Eve")
    taps.tap(page.get_by_role("button", name="Settle up and start"))

    expect(page.get_by_role("link", name="Record hand")).to_be_visible()
    taps.tap(page.get_by_role("link", name="Money night"))
    expect(page.locator("#night")).to_contain_text("Dan pays Bea $2")
    expect(page.locator("#night")).to_contain_text("Eve joins. Dan leaves.")
    taps.tap(page.get_by_role("button", name="Undo the change of players"))
    expect(page.get_by_role("link", name="Record hand")).to_be_visible()
    taps.tap(page.get_by_role("link", name="Money night"))
    expect(page.locator("#night")).not_to_contain_text("Eve joins")
    taps.tap(page.get_by_role("link", name="Print"))
    expect(page.get_by_role("img", name="Who owes whom, page 1 of 1")).to_be_visible()
