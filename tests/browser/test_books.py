"""A family's evening: the first match begins a book, a second phone joins it, opens a match, and is removed."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.playing import play_hand
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones

NAMES = ("Ann", "Bea", "Cal", "Dan")
TITLE = "Ann & Cal v. Bea & Dan"


def start(phone: Page) -> str:
    """Start a match that the next hand ends, and return its path."""
    phone.goto("/new/partnership-pitch")
    for seat, name in enumerate(NAMES):
        phone.locator(f"[name=seat-{seat}]").fill(name)
    phone.locator("#paper summary").tap()
    phone.locator("[name=paper-score-1]").fill("18")
    with phone.expect_navigation():
        phone.locator(".bottom-bar .go").tap()
    return urlsplit(phone.url).path


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_second_phone_joins_the_book_opens_a_match_and_loses_both(phones: Phones, site: Site, scripts: bool) -> None:
    owner, guest = phones.new(scripts=scripts), phones.new(scripts=scripts)
    taps, others = TapCounter(owner), TapCounter(guest)
    path = start(owner)
    owner.goto("/")
    expect(owner.get_by_role("link", name="All matches")).to_have_count(0)

    play_hand(site.client().open(path), call="p4:4")
    owner.goto("/")
    taps.tap(owner.get_by_role("link", name="All matches"))
    expect(owner.locator("#matches")).to_contain_text("1 match")
    taps.tap(owner.get_by_role("link", name="Other phones"))
    taps.tap(owner.get_by_role("button", name="Watch and score"))
    expect(owner.locator(".pin")).to_be_visible()
    pin = "".join(owner.locator(".pin span").all_text_contents())

    guest.goto("/")
    others.tap(guest.get_by_role("link", name="Join"))
    guest.locator("#pin").fill(pin.lower())
    others.tap(guest.get_by_role("button", name="Join"))
    guest.locator("#holder").fill("Bea")
    others.tap(guest.get_by_role("button", name="Join"))
    expect(guest.get_by_role("link", name=TITLE)).to_be_visible()
    book = guest.url
    others.tap(guest.get_by_role("link", name=TITLE))
    expect(guest.locator("#board")).to_be_visible()
    match = guest.url
    assert path not in match

    owner.reload()
    taps.tap(owner.get_by_role("button", name="Remove Bea"))
    expect(owner.locator("body")).to_contain_text("Bea’s phone is removed.")

    for address in (book, match):
        guest.goto(address)
        expect(guest.locator("body")).to_contain_text("This phone was removed")
        expect(guest.locator("body")).not_to_contain_text("Cal")
    guest.goto("/")
    expect(guest.locator("#main")).not_to_contain_text("Cal")


def test_a_search_changes_the_list_while_somebody_types(phones: Phones, site: Site) -> None:
    owner = phones.new()
    path = start(owner)
    play_hand(site.client().open(path), call="p4:4")
    owner.goto("/")
    with owner.expect_navigation():
        TapCounter(owner).tap(owner.get_by_role("link", name="All matches"))
    owner.goto(f"{owner.url}?person=dan")
    owner.wait_for_load_state()  # before its scripts have run a page hears nobody type

    owner.locator("#person").fill("zoe")
    expect(owner.locator("#matches")).to_contain_text("No match fits.")
    expect(owner).to_have_url(re.compile("person=zoe"))
    owner.locator("#person").fill("dan")
    expect(owner.get_by_role("link", name=TITLE)).to_be_visible()
