"""A hand that is entered and not saved: it is a draft on the phone, and comes back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import (
    Site,
    TapCounter,
    choose_entry_mode,
    enter_hand,
    expect_text,
    picks,
    record_elsewhere,
    tap,
    tap_main_button,
    with_markers,
)

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def test_a_draft_comes_back_after_a_reload_and_from_the_match_page(page: Page, path: str) -> None:
    page.goto(path)
    tap(page, "Record hand")
    enter_hand(page)

    page.reload()
    expect_text(page, "#draft", "Everything you entered is still here.")
    expect_text(page, "#main-button", with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    page.go_back()
    tap(page, "Continue this hand")
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect_text(page, "#main-button", with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    tap_main_button(page)

    expect_text(page, "#turn", "Hand 1 is saved.")
    tap(page, "Record hand")
    expect_text(page, "#main-button", "Tap who bid, and how much")
    expect(page.locator("#draft")).to_be_empty()


def test_starting_over_empties_the_form_and_can_be_undone(entered: Page) -> None:
    entered.reload()

    tap(entered, "Start over")
    expect_text(entered, "#main-button", "Tap who bid, and how much")
    expect(entered.get_by_role("radio", name="Dan 3")).not_to_be_checked()
    tap(entered, "Restore")
    expect_text(entered, "#main-button", with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    tap(entered, "Start over")
    expect_text(entered, "#main-button", "Tap who bid, and how much")

    entered.reload()
    expect_text(entered, "#main-button", "Tap who bid, and how much")
    expect(entered.locator("#draft")).to_be_empty()


def test_a_draft_brings_back_the_questions_that_follow_from_its_answers(entry: Page) -> None:
    taps = TapCounter(entry)
    taps.answer("Bea smudge")
    taps.answer("yes, every one")
    expect_text(entry, "#main-button", "4 left")
    label = entry.locator("#main-button").inner_text()

    entry.reload()

    expect(entry.get_by_role("radio", name="yes, every one")).to_be_checked()
    expect(entry.locator("#main-button")).to_have_text(label, use_inner_text=True)


def test_a_draft_comes_back_with_its_board_folded(entry: Page) -> None:
    picks(("call", "p4:3"), ("trump", "hearts"), ("took-low", "s1"))(entry)

    entry.reload()

    expect_text(entry, "#told-line", "Dan bid 3")
    expect(entry.locator("#q-bid")).to_be_hidden()


def test_a_draft_of_an_auction_comes_back_call_by_call(entry: Page, path: str) -> None:
    taps = TapCounter(entry)
    choose_entry_mode(entry, "Full auction")
    for call in ("Bea: pass", "Cal: 2"):
        taps.tap(entry.locator(".call").get_by_role("button", name=call))

    entry.goto(path)
    entry.goto(f"{path}hands/new")

    expect_text(entry, "#draft", "Restored.")
    expect(entry.get_by_role("heading", name="Dan to bid")).to_be_visible()
    taps.tap(entry.locator(".call").get_by_role("button", name="Dan: 3"))
    entry.reload()
    expect(entry.get_by_role("heading", name="Ann to bid")).to_be_visible()


def test_a_draft_of_a_hand_that_another_phone_wrote_is_offered_and_then_conflicts(
    entered: Page, path: str, site: Site
) -> None:
    record_elsewhere(site, path)

    entered.reload()
    expect_text(entered, "#draft", "Started on this phone, but not saved.")
    expect_text(entered, "#main-button", "Tap who bid, and how much")
    tap(entered, "Resume")
    expect_text(entered, "#main-button", with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    tap_main_button(entered)

    expect(entered.get_by_role("alert")).to_contain_text("Another phone saved hand 1 first")
