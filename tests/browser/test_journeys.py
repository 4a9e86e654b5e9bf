"""What a family does with it, tap by tap, on a phone: 390 by 844, touched."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import give_rest, with_markers
from tests.browser.conftest import StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones

NAMES = ("Ann", "Bea", "Cal", "Dan")


def test_a_first_match_is_started_with_four_taps_and_four_names(page: Page) -> None:
    taps = TapCounter(page)
    page.goto("/")

    taps.tap(page.get_by_role("link", name="New match"))
    taps.tap(page.get_by_role("link", name="Play Partnership Pitch"))
    for seat, name in enumerate(NAMES):
        page.locator(f"[name=seat-{seat}]").fill(name)
    taps.tap(page.get_by_role("radio", name="Seat 3 deals first"))
    expect(page.locator(".bottom-bar .go")).to_have_text("Start: Cal deals")
    taps.tap(page.locator(".bottom-bar .go"))

    expect(page.locator("#turn")).to_contain_text("Cal deals hand 1. Dan bids first.")
    assert taps.count == 4


@pytest.mark.parametrize("width", [390, 320])
def test_a_seat_shows_twelve_letters(phones: Phones, width: int) -> None:
    page = phones.new(width=width)
    page.goto("/new/partnership-pitch")

    for seat, name in enumerate(("Maximilianne", "Wilhelminaaa", "Bartholomews", "Christophers")):
        page.locator(f"[name=seat-{seat}]").fill(name)

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
    taps.tap(page.locator("#row-ace").get_by_role("radio", name="Ann & Cal"))
    expect(button).to_have_text("9 left: who took Jack, Off Jack, High Joker, …?")

    taps.tap(button)
    expect(page.locator("#row-jack input").first).to_be_focused()
    expect(page.locator("#row-jack")).to_be_in_viewport()
    expect(page.locator("#row-jack input:checked")).to_have_count(0)

    taps.tap(page.get_by_role("button", name="Rest to Bea & Dan"))
    expect(page.locator(".rest")).not_to_be_visible()
    expect(page.locator("#row-jack").get_by_role("radio", name="Bea & Dan")).to_be_checked()
    expect(button).to_have_text(with_markers("Save: set, Ann & Cal −7 / Bea & Dan +9"))
    taps.tap(page.locator("#row-trey").get_by_role("radio", name="Bea & Dan"))
    expect(page.locator(".rest")).to_be_visible()
    taps.tap(page.get_by_role("button", name="Rest to nobody"))
    taps.tap(button)

    expect(page.locator("#history td.col")).to_have_text([re.compile("^−7"), re.compile(r"^\+6")])


def test_a_second_tap_takes_an_answer_back(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps, low = TapCounter(page), page.locator("#row-low").get_by_role("radio", name="Ann & Cal")
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    taps.tap(low)
    expect(page.locator("#bottom_bar")).to_contain_text("3 left")

    taps.tap(low)

    expect(low).not_to_be_checked()
    expect(page.locator("#bottom_bar")).to_contain_text("4 left")


def test_a_refusal_takes_the_focus_and_keeps_what_was_tapped(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    for award in ("high", "jack"):
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name="nobody"))
    give_rest(taps)
    taps.tap(page.locator("#main-button"))

    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("alert")).to_contain_text("Someone has to get High.")
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(page.locator("#row-jack").get_by_role("radio", name="nobody")).to_be_checked()

    page.get_by_role("link", name="Someone has to get High.").tap()
    expect(page.locator("#row-high")).to_be_focused()
    taps.tap(page.locator("#row-high").get_by_role("radio", name="Ann & Cal"))
    taps.tap(page.locator("#main-button"))
    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")


def test_a_failure_is_shown_until_a_request_succeeds(page: Page, start_match: StartMatch, phones: Phones) -> None:
    page.goto(f"{start_match()}hands/new")
    taps, cookies = TapCounter(page), page.context.cookies()
    taps.tap(page.get_by_role("radio", name="Dan 3"))

    page.context.clear_cookies()
    taps.tap(page.get_by_role("radio", name="spades"))
    expect(page.locator("#trouble")).to_contain_text("open too long")
    expect(page.locator("#main-button")).to_have_text("4 left: who took High, Low, Jack, …?")

    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    taps.tap(page.get_by_role("radio", name="hearts"))
    expect(page.locator("#trouble")).to_be_empty()
    phones.console.clear()  # htmx tells the console of the failure, as it should


def test_a_proxy_error_keeps_the_answers_and_lets_the_hand_be_saved(
    page: Page, start_match: StartMatch, phones: Phones
) -> None:
    page.goto(f"{start_match()}hands/new")
    page.route("**/preview", lambda route: route.fulfill(status=502, body="<p>no</p>", content_type="text/html"))

    TapCounter(page).tap(page.get_by_role("radio", name="Dan 3"))

    expect(page.locator("#main-button")).to_contain_text("this phone keeps it until the Wi-Fi is back")
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    phones.console.clear()
