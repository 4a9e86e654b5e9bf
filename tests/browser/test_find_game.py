"""Finding a game by its name, or by tapping what one knows of it."""

from playwright.sync_api import Page, expect

from tests.browser.taps import TapCounter
from tests.chromium import Phones

TEN_POINTS = ("Off Jack", "Jokers", "Ten", "Three")


def tap(page: Page, name: str, value: str) -> None:
    with page.expect_response("**/new?**"):
        page.locator(f"input[name='{name}'][value='{value}']").tap()


def test_the_list_follows_every_tap(page: Page) -> None:
    page.goto("/new")

    for card in TEN_POINTS:
        tap(page, "cards", card)
    tap(page, "target", "52")
    expect(page.locator("#bottom_bar")).to_contain_text("2 games fit: which one?")
    page.locator("#bottom_bar a").tap()
    expect(page.locator("#fits h2")).to_have_text("2 games fit. Which is yours?")
    tap(page, "also", "-")
    expect(page.locator("#bottom_bar")).to_contain_text("Play Ten Point (Charbonneau)")

    tap(page, "rule-score_on_made", "points")

    expect(page.locator("#bottom_bar")).to_contain_text("Play Colorado Ten Point")
    expect(page.locator("#fits li").first).to_contain_text("To 52 instead of 42")


def test_a_second_tap_takes_an_answer_back(page: Page) -> None:
    page.goto("/new")
    tap(page, "target", "52")
    expect(page.locator("#clear a")).to_be_visible()

    tap(page, "target", "52")

    expect(page.locator("[name=target]:checked")).to_have_count(0)
    expect(page.locator("#fits h2")).to_have_text("Most played by four")


def test_four_are_assumed_until_a_number_is_tapped(page: Page) -> None:
    page.goto("/new")
    expect(page.locator(".usual")).to_have_class("pick usual assumed")

    tap(page, "players", "6")
    expect(page.locator(".usual")).to_have_class("pick usual")
    expect(page.locator("#seats")).to_contain_text("three pairs")

    tap(page, "players", "6")
    expect(page.locator(".usual")).to_have_class("pick usual assumed")
    expect(page.locator("#seats")).to_be_empty()


def test_another_number_takes_the_place_of_the_one_that_was_tapped(page: Page) -> None:
    page.goto("/new")
    tap(page, "target", "52")

    with page.expect_response("**/new?**other=33**"):
        page.locator("#other").fill("33")
    expect(page.locator("[name=target]:checked")).to_have_count(0)
    expect(page.locator("#fits li").first).not_to_contain_text("to 52")

    tap(page, "target", "21")
    expect(page.locator("#other")).to_have_value("")


def test_games_are_searched_for_while_a_line_is_typed_and_enter_starts_none_of_them(page: Page) -> None:
    page.goto("/new")

    page.locator("#q").press_sequentially("setb", delay=20)
    expect(page.locator("#found li").first).to_contain_text("New England Setback")
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#cards")).to_be_hidden()
    tap(page, "players", "2")
    expect(page.locator("#found li").first).to_contain_text("Setback for two")
    page.locator("#q").press("Enter")
    expect(page.locator(".bottom-bar")).to_be_hidden()

    tap(page, "game", "setback-for-two")
    page.locator("#bottom_bar a").tap()

    page.wait_for_url("**/new/setback-for-two**")
    expect(page.locator(".terms")).to_contain_text("To 11")


def test_questions_return_where_nothing_has_the_name(page: Page) -> None:
    page.goto("/new")

    page.locator("#q").press_sequentially("whist", delay=20)

    expect(page.locator("#found")).to_contain_text("No game is called “whist”. Tap what you play.")
    expect(page.locator("#cards")).to_be_visible()


def test_back_from_the_table_shows_what_was_said(page: Page) -> None:
    page.goto("/new?answered=yes&cards=Off+Ace")
    tap(page, "target", "62")
    expect(page.locator("#clear a")).to_be_visible()
    page.locator("#bottom_bar a").tap()
    expect(page.locator(".terms")).to_contain_text("To 62")

    page.go_back()

    expect(page.locator("[name=target][value='62']")).to_be_checked()


def test_a_family_finds_its_game_and_starts_within_seven_taps(page: Page) -> None:
    page.goto("/new")
    taps = TapCounter(page)

    for card in TEN_POINTS:
        taps.tap(page.locator(f"input[name=cards][value='{card}']"))
    taps.tap(page.get_by_role("radio", name="42", exact=True))
    expect(page.locator("#bottom_bar")).to_contain_text("games fit: which one?")
    expect(page.locator("#fits li").first).to_contain_text("Colorado Ten Point")
    taps.tap(page.locator("#fits li a").first)
    taps.tap(page.locator(".bottom-bar .go"))

    expect(page.locator("#board")).to_be_visible()
    assert taps.count == 7


def test_numbers_are_as_large_as_where_a_match_begins(page: Page) -> None:
    page.goto("/new")
    numbers = page.locator(":is(#players, #targets, #bids) .pick:not([for]) > span")

    assert set(numbers.evaluate_all("(all) => all.map((it) => getComputedStyle(it).fontSize)")) == {"20px"}


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
