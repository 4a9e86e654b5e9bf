"""Finding a game by tapping what one knows of it."""

from playwright.sync_api import Page, expect

from tests.browser.taps import TapCounter

TEN_POINTS = ("High", "Low", "Jack", "Off Jack", "Jokers", "Ten", "Three")


def tap(page: Page, name: str, value: str) -> None:
    with page.expect_response("**/new?**"):
        page.locator(f"input[name='{name}'][value='{value}']").tap()


def test_the_list_follows_every_tap(page: Page) -> None:
    page.goto("/new")

    tap(page, "seating", "partners")
    for card in TEN_POINTS:
        tap(page, "cards", card)
    expect(page.locator("#total")).to_have_text("10 points a hand")
    tap(page, "target", "52")
    expect(page.locator("#bottom_bar")).to_contain_text("Play Ten Point (Charbonneau)")

    tap(page, "rule-score_on_made", "points")

    expect(page.locator("#bottom_bar")).to_contain_text("Play Colorado Ten Point")
    expect(page.locator("#fits li").first).to_contain_text("Changed from the book: to 52.")


def test_a_second_tap_takes_an_answer_back(page: Page) -> None:
    page.goto("/new")
    tap(page, "target", "52")
    expect(page.locator("#clear a")).to_be_visible()

    tap(page, "target", "52")

    expect(page.locator("[name=target]:checked")).to_have_count(0)
    expect(page.locator("#fits h2")).to_have_text("Most played by four")


def test_another_number_takes_the_place_of_the_one_that_was_tapped(page: Page) -> None:
    page.goto("/new")
    tap(page, "target", "52")

    with page.expect_response("**/new?**other=33**"):
        page.locator("#other").fill("33")
    expect(page.locator("[name=target]:checked")).to_have_count(0)
    expect(page.locator("#fits li").first).not_to_contain_text("to 52")

    tap(page, "target", "21")
    expect(page.locator("#other")).to_have_value("")


def test_a_name_is_searched_for_while_it_is_typed(page: Page) -> None:
    page.goto("/new")
    page.get_by_text("I know its name").tap()

    page.locator("#q").press_sequentially("jick", delay=20)

    expect(page.locator("#found li").first).to_contain_text("Five-Point Smear")
    expect(page.locator("#q")).to_be_focused()


def test_back_from_the_table_shows_what_was_said(page: Page) -> None:
    page.goto("/new")
    tap(page, "target", "62")
    expect(page.locator("#clear a")).to_be_visible()
    page.locator("#bottom_bar a").tap()
    expect(page.locator(".rulecard")).to_contain_text("to 62")

    page.go_back()

    expect(page.locator("[name=target][value='62']")).to_be_checked()


def test_a_family_finds_its_game_and_starts_within_thirteen_taps(page: Page) -> None:
    page.goto("/new")
    taps = TapCounter(page)

    taps.tap(page.get_by_role("radio", name="partners"))
    for card in TEN_POINTS:
        taps.tap(page.locator(f"input[name=cards][value='{card}']"))
    taps.tap(page.get_by_role("radio", name="42", exact=True))
    expect(page.locator("#bottom_bar")).to_contain_text("Play Colorado Ten Point")
    taps.tap(page.locator("#bottom_bar a"))
    taps.tap(page.locator(".bottom-bar .go"))

    expect(page.locator("#board")).to_be_visible()
    assert taps.count == 11
