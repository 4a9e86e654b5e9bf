"""A family's evening: the first match begins a book, a second phone joins it, opens a match, and is removed."""

import re
from urllib.parse import urlsplit

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
