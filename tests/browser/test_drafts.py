"""A hand that is entered and not saved: it is a draft on the phone, and comes back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import choose_way, enter_hand, record_hand, with_markers
from tests.browser.conftest import StartMatch
from tests.browser.page_steps import picks
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def test_a_draft_comes_back_after_a_reload_and_from_the_match_page(page: Page, start_match: StartMatch) -> None:
    path = start_match()
    page.goto(path)
    page.get_by_role("link", name="Record hand").tap()
    enter_hand(page)

    page.reload()
    expect(page.locator("#draft")).to_contain_text("Everything you entered is still here.")
    expect(page.locator("#main-button")).to_contain_text(with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    page.go_back()
    page.get_by_role("link", name="Continue this hand").tap()
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(page.locator("#main-button")).to_contain_text(with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    page.locator("#main-button").tap()

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    page.get_by_role("link", name="Record hand").tap()
    expect(page.locator("#main-button")).to_have_text("Tap who bid, and how much")
    expect(page.locator("#draft")).to_be_empty()


def test_starting_over_empties_the_form_and_can_be_undone(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    enter_hand(page)
    page.reload()

    page.get_by_role("button", name="Start over").tap()
    expect(page.locator("#main-button")).to_have_text("Tap who bid, and how much")
    expect(page.get_by_role("radio", name="Dan 3")).not_to_be_checked()
    page.get_by_role("button", name="Restore").tap()
    expect(page.locator("#main-button")).to_contain_text(with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    page.get_by_role("button", name="Start over").tap()
    expect(page.locator("#main-button")).to_have_text("Tap who bid, and how much")

    page.reload()
    expect(page.locator("#main-button")).to_have_text("Tap who bid, and how much")
    expect(page.locator("#draft")).to_be_empty()


def test_a_draft_brings_back_the_questions_that_follow_from_its_answers(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("radio", name="Bea smudge"))
    taps.tap(page.get_by_role("radio", name="yes, every one"))
    expect(page.locator("#main-button")).to_contain_text("4 left")
    label = page.locator("#main-button").inner_text()

    page.reload()

    expect(page.get_by_role("radio", name="yes, every one")).to_be_checked()
    expect(page.locator("#main-button")).to_have_text(label, use_inner_text=True)


def test_a_draft_comes_back_with_its_board_folded(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    picks(("call", "p4:3"), ("trump", "hearts"), ("took-low", "s1"))(page)

    page.reload()

    expect(page.locator("#told-line")).to_contain_text("Dan bid 3")
    expect(page.locator("#q-bid")).to_be_hidden()


def test_a_draft_of_an_auction_comes_back_call_by_call(page: Page, start_match: StartMatch) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    taps = TapCounter(page)
    choose_way(page, "Full auction")
    for call in ("Bea: pass", "Cal: 2"):
        taps.tap(page.locator(".call").get_by_role("button", name=call))

    page.goto(path)
    page.goto(f"{path}hands/new")

    expect(page.locator("#draft")).to_contain_text("Restored.")
    expect(page.get_by_role("heading", name="Dan to bid")).to_be_visible()
    taps.tap(page.locator(".call").get_by_role("button", name="Dan: 3"))
    page.reload()
    expect(page.get_by_role("heading", name="Ann to bid")).to_be_visible()


def test_a_draft_of_a_hand_that_another_phone_wrote_is_offered_and_then_conflicts(
    phones: Phones, start_match: StartMatch
) -> None:
    path = start_match()
    mine, theirs = phones.new(), phones.new()
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    theirs.goto(path)
    record_hand(theirs, "Ann 2")

    mine.reload()
    expect(mine.locator("#draft")).to_contain_text("Started on this phone, but not saved.")
    expect(mine.locator("#main-button")).to_have_text("Tap who bid, and how much")
    mine.get_by_role("button", name="Resume").tap()
    expect(mine.locator("#main-button")).to_contain_text(with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    mine.locator("#main-button").tap()

    expect(mine.get_by_role("alert")).to_contain_text("Another phone saved hand 1 first")
