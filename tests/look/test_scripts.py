"""What scripts add to a page, and that the page works without them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.look.conftest import CHROMIUM, QUIET, Phones


@pytest.fixture
def page(phones: Phones) -> Iterator[Page]:
    """Open an empty page on a phone."""
    page = phones.phone(390, 844).new_page()
    page.set_default_timeout(5000)
    yield page
    page.close()


@pytest.fixture
def plain_page(playwright_alone: Playwright) -> Iterator[Page]:
    """Open an empty page in a browser that runs no scripts."""
    browser = playwright_alone.chromium.launch(executable_path=CHROMIUM, args=QUIET)
    yield browser.new_context(java_script_enabled=False).new_page()
    browser.close()


def test_every_tap_swaps_the_foot_and_nothing_else(page: Page, look_address: str) -> None:
    page.goto(f"{look_address}/entry-empty")
    expect(page.locator("#main-button")).to_have_text("Who bid, and how much?")

    page.get_by_role("radio", name="Dan 3").check(force=True)

    expect(page.locator("#main-button")).to_contain_text("The rest to Them, and save")
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(page.get_by_role("radio", name="Dan 3")).to_be_focused()


def test_a_tap_asks_once_and_typing_asks_when_it_rests(page: Page, look_address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    page.goto(f"{look_address}/entry-refused")

    page.locator("#row-low").get_by_role("radio", name="Them").check(force=True)
    page.wait_for_timeout(700)
    after_a_tap = len(asked)
    page.get_by_role("textbox", name="Us, card points").press_sequentially("05", delay=30)
    page.wait_for_timeout(700)

    assert after_a_tap == 1
    assert len(asked) == 2
    expect(page.get_by_role("textbox", name="Us, card points")).to_be_focused()


def test_the_little_cards_follow_the_trump(page: Page, look_address: str) -> None:
    page.goto(f"{look_address}/entry-fourteen")
    assert page.locator("#row-off_jack .off-hearts").is_visible()

    page.get_by_role("radio", name="clubs").check(force=True)

    assert page.locator("#row-jack .trump-clubs").is_visible()
    assert page.locator("#row-off_jack .off-spades").is_visible()
    assert not page.locator("#row-off_jack .off-hearts").is_visible()


def test_a_second_tap_clears_what_may_stay_open(page: Page, look_address: str) -> None:
    page.goto(f"{look_address}/entry-ten")
    spades = page.get_by_role("radio", name="spades")
    expect(spades).to_be_checked()

    spades.tap(force=True)

    expect(spades).not_to_be_checked()
    expect(page.locator("#main-button")).to_contain_text("save")


def test_the_dashed_button_leads_to_what_is_missing(page: Page, look_address: str) -> None:
    page.goto(f"{look_address}/entry-empty")

    page.locator("#main-button").tap()

    expect(page.get_by_role("radio", name="Bea 2")).to_be_focused()
    expect(page).to_have_url(f"{look_address}/entry-empty")


def test_a_refusal_takes_the_focus_and_leads_to_the_row(page: Page, look_address: str) -> None:
    page.goto(f"{look_address}/entry-refused")
    expect(page.get_by_role("alert")).to_be_focused()

    page.get_by_role("link", name="High has to be somebody").tap()

    expect(page.locator("#row-high")).to_be_focused()


def test_the_start_button_says_who_deals(page: Page, look_address: str) -> None:
    page.goto(f"{look_address}/new")

    page.get_by_role("radio", name="Bea deals first").check(force=True)
    page.get_by_role("textbox", name="Name, seat 4").fill("Beatrice")

    expect(page.locator("[data-start]")).to_have_text("Start: Beatrice deals")


def test_another_phones_hand_comes_in_by_itself(page: Page, look_address: str) -> None:
    page.goto(f"{look_address}/begun")

    expect(page.locator("#board [data-score=us]")).to_have_text("19", timeout=6000)

    expect(page.locator("#turn")).to_contain_text("Ann deals hand 9.")
    expect(page.locator("#history tbody tr")).to_have_count(7)
    expect(page.locator("#foot")).to_contain_text("Undo")
    expect(page.locator("#board [data-score=us]")).to_have_class("digits pop")


def test_without_scripts_a_hand_is_posted_whole(plain_page: Page, look_address: str) -> None:
    page = plain_page
    page.goto(f"{look_address}/entry-open")

    page.get_by_role("button", name="The rest to Them, and save").click()

    expect(page.locator("body")).to_contain_text("call=Dan:3")
    expect(page.locator("body")).to_contain_text("rest=them")
    expect(page.locator("body")).to_contain_text("seq=9")
