"""The hand in progress on several phones: seen while it is entered, continued, in nobody’s way."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import enter_hand, go_offline, go_online, hands, record_hand
from tests.browser.conftest import Site, StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones

pytestmark = pytest.mark.usefixtures("network_errors_allowed")
SOON = 8000
"""Milliseconds until an open page has asked again."""


@pytest.fixture
def mine(phones: Phones) -> Page:
    return phones.new()


@pytest.fixture
def theirs(phones: Phones) -> Page:
    return phones.new()


def test_an_open_match_page_shows_it_and_continues_it(
    mine: Page, theirs: Page, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    theirs.goto(path)
    mine.goto(f"{path}hands/new")
    enter_hand(mine)

    expect(theirs.locator(".going")).to_contain_text("Dan bid 3", timeout=SOON)
    theirs.get_by_role("link", name="Continue this hand").tap()
    expect(theirs.locator("#draft")).to_contain_text("Everything you entered is still here.")
    expect(theirs.get_by_role("radio", name="Dan 3")).to_be_checked()
    theirs.locator("#main-button").tap()

    expect(theirs.locator("#turn")).to_contain_text("Hand 1 is saved.")
    mine.locator("#main-button").tap()
    expect(mine.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert len(hands(site, path)) == 1


def test_what_this_phone_has_typed_is_not_overwritten(mine: Page, theirs: Page, start_match: StartMatch) -> None:
    path = start_match()
    mine.goto(f"{path}hands/new")
    theirs.goto(f"{path}hands/new")
    enter_hand(mine)
    enter_hand(theirs, "Bea 2")

    expect(mine.get_by_role("radio", name="Dan 3")).to_be_checked()
    mine.reload()

    expect(theirs.get_by_role("radio", name="Bea 2")).to_be_checked()


def test_what_was_entered_offline_reaches_the_others_once_there_is_a_network(
    mine: Page, theirs: Page, start_match: StartMatch
) -> None:
    path = start_match()
    theirs.goto(path)
    mine.goto(f"{path}hands/new")
    go_offline(mine)
    TapCounter(mine).tap(mine.get_by_role("radio", name="Dan 3"))

    go_online(mine)

    expect(theirs.locator(".going")).to_contain_text("Dan bid 3", timeout=SOON)


def test_back_online_the_draft_of_a_saved_hand_is_not_sent(mine: Page, theirs: Page, start_match: StartMatch) -> None:
    path = start_match()
    mine.goto(f"{path}hands/new")
    go_offline(mine)
    TapCounter(mine).tap(mine.get_by_role("radio", name="Dan 3"))
    theirs.goto(path)
    record_hand(theirs, "Ann 2")

    with mine.expect_response("**/preview"):
        go_online(mine)
    theirs.reload()

    expect(theirs.locator(".going")).to_have_count(0)
