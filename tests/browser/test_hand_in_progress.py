"""The hand in progress on several phones: seen while it is entered, continued, in nobody’s way."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import (
    Site,
    TapCounter,
    enter_hand,
    expect_text,
    go_offline,
    go_online,
    hands,
    record_elsewhere,
    tap,
    tap_main_button,
)
from tests.common.chromium import Phones

pytestmark = pytest.mark.usefixtures("network_errors_allowed")
SOON = 8000
"""Milliseconds until an open page has polled again."""


@pytest.fixture
def theirs(phones: Phones) -> Page:
    return phones.new()


def test_an_open_match_page_shows_it_and_continues_it(page: Page, theirs: Page, path: str, site: Site) -> None:
    theirs.goto(path)
    page.goto(f"{path}hands/new")
    enter_hand(page)

    expect_text(theirs, ".going", "Dan bid 3", timeout=SOON)
    tap(theirs, "Continue this hand")
    expect_text(theirs, "#draft", "Everything you entered is still here.")
    expect(theirs.get_by_role("radio", name="Dan 3")).to_be_checked()
    tap_main_button(theirs)

    expect_text(theirs, "#turn", "Hand 1 is saved.")
    tap_main_button(page)
    expect_text(page, "#turn", "Hand 1 is saved.")
    assert len(hands(site, path)) == 1


def test_what_this_phone_has_typed_is_not_overwritten(page: Page, theirs: Page, path: str) -> None:
    page.goto(f"{path}hands/new")
    theirs.goto(f"{path}hands/new")
    enter_hand(page)
    enter_hand(theirs, "Bea 2")

    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    page.reload()

    expect(theirs.get_by_role("radio", name="Bea 2")).to_be_checked()


def test_what_was_entered_offline_reaches_the_others_once_there_is_a_network(
    page: Page, theirs: Page, path: str
) -> None:
    theirs.goto(path)
    page.goto(f"{path}hands/new")
    go_offline(page)
    TapCounter(page).answer("Dan 3")

    go_online(page)

    expect_text(theirs, ".going", "Dan bid 3", timeout=SOON)


def test_back_online_the_draft_of_a_saved_hand_is_not_sent(page: Page, site: Site, path: str) -> None:
    page.goto(f"{path}hands/new")
    go_offline(page)
    TapCounter(page).answer("Dan 3")
    record_elsewhere(site, path)

    with page.expect_response("**/preview"):
        go_online(page)

    assert not site.client().open(path).offers("Continue this hand")
