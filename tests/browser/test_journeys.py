"""The journeys of a family, tap by tap, on a phone of 390 by 844 pixels."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import TapCounter, expect_text, give_rest, name_players, tap, with_markers
from tests.browser.conftest import StartMatch
from tests.common.chromium import Phones

NAMES = ("Ann", "Bea", "Cal", "Dan")


def test_a_first_match_is_started_with_four_taps_and_four_names(page: Page) -> None:
    taps = TapCounter(page)
    page.goto("/")

    taps.press("New match")
    taps.press("Play Partnership Pitch")
    name_players(page, *NAMES)
    taps.answer("Seat 3 deals first")
    expect_text(page, ".bottom-bar .go", "Start: Cal deals")
    taps.tap(page.locator(".bottom-bar .go"))

    expect_text(page, "#turn", "Cal deals hand 1. Dan bids first.")
    assert taps.count == 4


@pytest.mark.parametrize("width", [390, 320])
def test_a_seat_shows_twelve_letters(phones: Phones, width: int) -> None:
    page = phones.new(width=width)
    page.goto("/new/partnership-pitch")

    name_players(page, "Maximilianne", "Wilhelminaaa", "Bartholomews", "Christophers")

    seats = page.locator(".seat input[type=text]")
    hidden = seats.evaluate_all("(all) => all.map((it) => it.scrollWidth - it.clientWidth)")
    assert hidden == [0, 0, 0, 0]
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("height", [844, 664])
def test_nothing_is_saved_that_nobody_entered(phones: Phones, start_match: StartMatch, height: int) -> None:
    page = phones.new(height=height)
    page.goto(f"{start_match('colorado-ten-point')}hands/new")
    taps, button = TapCounter(page), page.locator("#main-button")
    taps.tap(page.get_by_role("radio", name="Cal", exact=True))
    taps.tap(page.get_by_role("radio", name="7", exact=True))
    taps.answer("Ann & Cal", "#row-ace")
    expect(button).to_have_text("9 left: who took Jack, Off Jack, High Joker, …?")

    taps.tap(button)
    expect(page.locator("#row-jack input").first).to_be_focused()
    expect(page.locator("#row-jack")).to_be_in_viewport()
    expect(page.locator("#row-jack input:checked")).to_have_count(0)

    taps.press("Rest to Bea & Dan")
    expect(page.locator(".rest")).not_to_be_visible()
    expect(page.locator("#row-jack").get_by_role("radio", name="Bea & Dan")).to_be_checked()
    expect(button).to_have_text(with_markers("Save: set, Ann & Cal −7 / Bea & Dan +9"))
    taps.answer("Bea & Dan", "#row-trey")
    expect(page.locator(".rest")).to_be_visible()
    taps.press("Rest to nobody")
    taps.tap(button)

    expect(page.locator("#history td.col")).to_have_text([re.compile("^−7"), re.compile(r"^\+6")])


def test_a_second_tap_takes_an_answer_back(entry: Page) -> None:
    taps, low = TapCounter(entry), entry.locator("#row-low").get_by_role("radio", name="Ann & Cal")
    taps.answer("Dan 3")
    taps.tap(low)
    expect_text(entry, "#bottom_bar", "3 left")

    taps.tap(low)

    expect(low).not_to_be_checked()
    expect_text(entry, "#bottom_bar", "4 left")


def test_a_refusal_takes_the_focus_and_keeps_what_was_tapped(entry: Page) -> None:
    taps = TapCounter(entry)
    taps.answer("Dan 3")
    for award in ("high", "jack"):
        taps.answer("nobody", f"#row-{award}")
    give_rest(taps)
    taps.tap(entry.locator("#main-button"))

    expect(entry.get_by_role("alert")).to_be_focused()
    expect(entry.get_by_role("alert")).to_contain_text("Someone has to get High.")
    expect(entry.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(entry.locator("#row-jack").get_by_role("radio", name="nobody")).to_be_checked()

    tap(entry, "Someone has to get High.")
    expect(entry.locator("#row-high")).to_be_focused()
    taps.answer("Ann & Cal", "#row-high")
    taps.tap(entry.locator("#main-button"))
    expect_text(entry, "#turn", "Hand 1 is saved.")


def test_a_failure_is_shown_until_a_request_succeeds(entry: Page, phones: Phones) -> None:
    taps, cookies = TapCounter(entry), entry.context.cookies()
    taps.answer("Dan 3")

    entry.context.clear_cookies()
    taps.answer("spades")
    expect_text(entry, "#trouble", "open too long")
    expect_text(entry, "#main-button", "4 left: who took High, Low, Jack, …?")

    entry.context.add_cookies(cookies)  # type: ignore[arg-type]
    taps.answer("hearts")
    expect(entry.locator("#trouble")).to_be_empty()
    phones.console.clear()  # htmx logs the failure, as it should


def test_a_proxy_error_keeps_the_answers_and_lets_the_hand_be_saved(entry: Page, phones: Phones) -> None:
    entry.route("**/preview", lambda route: route.fulfill(status=502, body="<p>no</p>", content_type="text/html"))

    TapCounter(entry).answer("Dan 3")

    expect_text(entry, "#main-button", "this phone keeps it until the Wi-Fi is back")
    expect(entry.get_by_role("radio", name="Dan 3")).to_be_checked()
    phones.console.clear()
