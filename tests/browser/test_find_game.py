"""Finding a game by its name, or by tapping what one knows of it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import TapCounter, expect_text
from tests.browser.page_checks import BROKEN_WORDS
from tests.common.chromium import Phones, set_text_size


def tap(page: Page, name: str, value: str) -> None:
    with page.expect_response("**/new?**"):
        page.locator(f"input[name='{name}'][value='{value}']").tap()


def test_the_words_and_the_games_follow_every_tap(page: Page) -> None:
    page.goto("/new")

    tap(page, "bid", "10")
    expect(page.locator("#q")).to_have_value("10 point")
    tap(page, "target", "52")
    expect(page.locator("#q")).to_have_value("10 point to 52")
    expect_text(page, "#heard", "6 games fit")
    expect(page.locator("#found li").first).to_contain_text("Ten Point (Charbonneau)")
    expect(page.locator(".bottom-bar")).to_be_hidden()

    tap(page, "game", "colorado-ten-point")

    expect_text(page, "#bottom_bar", "Play Colorado Ten Point")
    expect_text(page, "#bottom_bar", "to 52 instead of 42, 4 players")


def test_the_taps_follow_what_is_typed(page: Page) -> None:
    page.goto("/new")

    page.locator("#q").press_sequentially("ten point pitch for six to 31", delay=20)

    expect(page.locator("[name=bid][value='10']")).to_be_checked()
    expect(page.locator("[name=players][value='6']")).to_be_checked()
    expect(page.locator("#other")).to_have_value("31")
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("ten point pitch for six to 31")


def test_another_number_takes_the_place_of_the_one_that_was_tapped(page: Page) -> None:
    page.goto("/new")
    tap(page, "target", "52")

    with page.expect_response("**/new?**other=33**"):
        page.locator("#other").fill("33")
        page.locator("#other").press("Enter")
    expect(page.locator("[name=target]:checked")).to_have_count(0)
    expect(page.locator("#q")).to_have_value("to 33")

    tap(page, "target", "21")
    expect(page.locator("#other")).to_have_value("")


def test_games_are_searched_for_while_a_line_is_typed_and_enter_starts_none_of_them(page: Page) -> None:
    page.goto("/new")

    page.locator("#q").press_sequentially("setb", delay=20)
    expect(page.locator("#found li").first).to_contain_text("New England Setback")
    expect(page.locator("#q")).to_be_focused()
    tap(page, "players", "2")
    expect(page.locator("#found li").first).to_contain_text("Setback for two")
    page.locator("#q").press("Enter")
    expect(page.locator(".bottom-bar")).to_be_hidden()

    tap(page, "game", "setback-for-two")
    page.locator("#bottom_bar a").tap()

    page.wait_for_url("**/new/setback-for-two**")
    expect_text(page, ".terms", "To 11")


def test_back_from_the_table_shows_what_was_said(page: Page) -> None:
    page.goto("/new?answered=yes&cards=Off+Ace")
    tap(page, "target", "62")
    tap(page, "game", "eleven-point-pitch")
    page.locator("#bottom_bar a").tap()
    expect_text(page, ".terms", "To 62")

    page.go_back()

    expect(page.locator("[name=target][value='62']")).to_be_checked()


def test_a_family_finds_its_game_and_starts_within_five_taps(page: Page) -> None:
    page.goto("/new")
    taps = TapCounter(page)

    taps.tap(page.locator("input[name=bid][value='10']"))
    taps.tap(page.get_by_role("radio", name="42", exact=True))
    taps.tap(page.locator("input[name=game][value=colorado-ten-point]"))
    taps.tap(page.locator(".bottom-bar .go"))
    taps.tap(page.locator(".bottom-bar .go"))

    expect(page.locator("#board")).to_be_visible()
    assert taps.count == 5


def test_no_letter_of_a_title_in_two_lines_is_cut(phones: Phones) -> None:
    page = phones.new(width=320)
    page.goto("/new")

    room = """(it) => {
      const text = document.createRange(), pen = document.createElement("canvas").getContext("2d");
      text.selectNodeContents(it);
      pen.font = getComputedStyle(it).font;
      const { fontBoundingBoxAscent, actualBoundingBoxDescent } = pen.measureText("play");
      const second = text.getClientRects()[1].top + fontBoundingBoxAscent;
      return it.getBoundingClientRect().bottom - (second + actualBoundingBoxDescent);
    }"""
    assert page.locator(".bar h1 b").evaluate(room) >= -0.5


@pytest.mark.parametrize(("width", "text_size"), [(320, 16), (360, 16), (390, 16), (390, 24), (390, 32)])
def test_no_word_is_broken_where_games_are_compared(phones: Phones, width: int, text_size: int) -> None:
    page = phones.new(width=width)
    page.goto("/new?q=ten+point+pitch+to+52")
    set_text_size(page, text_size)

    assert page.evaluate(BROKEN_WORDS, ".vs") == []
