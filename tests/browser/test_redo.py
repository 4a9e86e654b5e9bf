"""Undo back to the first hand and redo to the last, on this phone and on another."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, StartMatch
from tests.browser.playing import play_hand
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones
from tests.common.phone import Page as Answer


def tapped(page: Page, name: str) -> None:
    """Tap a button, and wait for the page that it brings."""
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile(f"^{name}")).locator("visible=true").tap()


def three_hands(site: Site, path: str) -> Answer:
    """Play three hands without a browser."""
    match = site.client().open(path)
    for _ in range(3):
        play_hand(match, call="p1:3", took_low="s2")
    return match


def test_undo_to_the_first_hand_and_redo_to_the_last(page: Page, site: Site, start_match: StartMatch) -> None:
    path = start_match()
    three_hands(site, path)
    score = page.locator("[data-score=s1]")
    page.goto(path)

    for number in ("6", "3", "0"):
        tapped(page, "Undo")
        expect(score).to_have_text(number)
    expect(page.get_by_role("button", name=re.compile("^Undo"))).to_have_count(0)
    page.goto(path)
    for number in ("3", "6", "9"):
        tapped(page, "Redo")
        expect(score).to_have_text(number)

    expect(page.get_by_role("button", name="Redo", exact=True)).to_have_count(0)


def test_another_phone_redoes_what_this_one_undid(phones: Phones, site: Site, start_match: StartMatch) -> None:
    path = start_match()
    three_hands(site, path)
    one, other = phones.new(), phones.new()
    one.goto(path)
    other.goto(path)

    tapped(one, "Undo")
    expect(other.get_by_role("button", name="Redo", exact=True)).to_be_visible()
    tapped(other, "Redo")

    expect(one.locator("[data-score=s1]")).to_have_text("9")
    expect(one.get_by_role("button", name="Redo", exact=True)).to_have_count(0)


def test_somebody_else_deals_with_two_taps(page: Page, start_match: StartMatch) -> None:
    taps = TapCounter(page)
    page.goto(start_match())

    taps.tap(page.get_by_role("link", name="Ann deals hand 1."))
    taps.tap(page.get_by_role("button", name="Cal Dan bids first"))

    expect(page.locator("#turn")).to_contain_text("Cal deals hand 1. Dan bids first.")
    assert taps.count == 2
