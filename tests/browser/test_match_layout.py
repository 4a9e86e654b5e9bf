"""The match page as a family holds it: both scores and the way to the next hand in sight, whatever the size of text."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import Site, expect_text, tap
from tests.browser.page_checks import ABOVE_BAR, enlarge_text
from tests.browser.playing import begin_match, play_hand
from tests.common.chromium import Phones
from tests.common.gallery import everybody_alone

NAMES = {"seat_0": "Christopher", "seat_1": "Grandma", "seat_2": "Elizabeth", "seat_3": "Uncle Bill"}
ROWS = """(name) => {
  const tops = [...document.querySelectorAll(name)].filter((it) => it.checkVisibility())
    .map((it) => it.getBoundingClientRect()).map((box) => Math.round((box.top + box.bottom) / 2));
  return Math.max(...tops) - Math.min(...tops) <= 2;
}"""
"""Whether what a selector finds stands in one row."""


def played(site: Site, **answers: str) -> str:
    """Play three hands, of which one was set, and return where the match is."""
    match = begin_match(site.client(), **answers)
    for call, low in (("p4:3", "s1"), ("p2:4", "s1"), ("p1:3", "s2")):
        match = play_hand(match, call=call, trump="hearts", took_low=low)
    return match.path


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("names", [{}, NAMES])
def test_with_large_text_both_scores_stand_above_bars_of_one_row(
    phones: Phones, site: Site, width: int, names: dict[str, str]
) -> None:
    page = phones.new(width=width, height=664)
    page.goto(played(site, **names))
    enlarge_text(page)

    assert all(page.evaluate(ABOVE_BAR, ".pc .digits, .rowp .digits"))
    assert page.evaluate(ROWS, ".bar > *")
    assert page.evaluate(ROWS, "#bottom_bar .btn")
    expect(page.get_by_role("link", name="Record hand")).to_be_in_viewport(ratio=1)
    tap(page, "Undo")
    expect_text(page, "#bottom_bar", "Redo")
    enlarge_text(page)
    assert page.locator("#bottom_bar .go").evaluate("(it) => it.offsetWidth") >= 120


@pytest.mark.parametrize(("width", "height"), [(667, 375), (844, 390)])
def test_on_its_side_the_next_hand_is_in_sight_beside_the_score(
    phones: Phones, site: Site, width: int, height: int
) -> None:
    page = phones.new(width=width, height=height)
    page.goto(played(site, **NAMES))

    expect(page.get_by_role("link", name="Record hand")).to_be_in_viewport(ratio=1)
    assert page.locator(".page-head").evaluate("(it) => it.getBoundingClientRect().right") == width / 2


def test_cards_name_people_on_an_area_of_one_height(page: Page, site: Site) -> None:
    heights = []
    for names in ({}, NAMES):
        page.goto(played(site, **names))
        heights += page.locator(".pc-top").evaluate_all("(all) => all.map((it) => it.clientHeight)")

    assert len(set(heights)) == 1


def test_nothing_is_painted_behind_the_digits_in_colors_of_the_system(own_page: Page, path: str) -> None:
    """A browser's own plate behind them, as high as they are, would cover the names above."""
    own_page.emulate_media(forced_colors="active")
    own_page.goto(path)

    assert own_page.locator(".digits").first.evaluate("(it) => getComputedStyle(it).forcedColorAdjust") == "none"


def test_a_link_in_a_sentence_keeps_the_height_of_its_line(page: Page, site: Site) -> None:
    page.goto(played(site))

    line = page.locator(".turn > p:has(a)").first
    assert line.evaluate("(it) => it.clientHeight <= 2.5 * parseFloat(getComputedStyle(it).lineHeight)")


def test_the_points_of_a_hand_stand_in_one_line_where_everyone_is_alone(page: Page, site: Site) -> None:
    match = begin_match(site.client(), "cutthroat-pitch", seats="5")
    page.goto(play_hand(match, call="p1:3", took_low="p2").path)

    page.get_by_text("How it was counted").tap()
    line = page.locator(".hands .lines li").filter(has_text="High, Jack, Game")
    expect(line).to_be_visible()
    assert line.evaluate("(it) => it.clientHeight <= 2.5 * parseFloat(getComputedStyle(it).lineHeight)")


def test_who_won_and_why_are_on_one_screen(short_page: Page, site: Site) -> None:
    match = begin_match(site.client(), house_target="7", **NAMES)
    short_page.goto(play_hand(play_hand(match, call="p2:4"), call="p2:4").path)

    for part in (
        short_page.locator(".crown h2"),
        short_page.locator(".why"),
        short_page.get_by_role("button", name="Share"),
    ):
        expect(part).to_be_in_viewport(ratio=1)
    expect(short_page.get_by_role("link", name="Play again")).to_be_in_viewport(ratio=1)


def test_more_opens_in_place_with_the_sums_of_the_deciding_hand_first(short_page: Page, site: Site) -> None:
    match = begin_match(site.client(), house_target="7")
    for _ in range(3):
        play_hand(match, call="p1:2", took_low="s2", took_game="s2")
    play_hand(match, call="p1:4", took_low="s2")
    play_hand(match, call="p1:4")
    path = play_hand(match, call="p3:4").path
    short_page.goto(path)
    expect(short_page.locator("#turn")).not_to_contain_text("did not end it")

    short_page.locator("#more").tap()

    expect_text(short_page, "#turn", "Hand 4 did not end it")
    expect(short_page.locator("#more")).to_have_attribute("aria-expanded", "true")
    expect(short_page.locator("#more + .lines > ul")).to_be_visible()
    expect(short_page).to_have_url(re.compile(f"{path}$"))
    short_page.locator("#more").tap()
    expect(short_page.locator("#turn")).not_to_contain_text("did not end it")


def test_a_point_of_the_deciding_hand_opens_its_rule_in_place(short_page: Page, site: Site) -> None:
    match = begin_match(site.client(), house_target="7")
    path = play_hand(play_hand(match, call="p2:4"), call="p2:4").path
    short_page.goto(path)
    short_page.locator("#more").tap()
    expect(short_page.locator("#more")).to_have_attribute("aria-expanded", "true")
    rules = short_page.locator("#turn [data-rule]:visible")
    high, game = (short_page.locator("#turn").get_by_role("link", name=f"{name}: rule") for name in ("High", "Game"))
    expect(rules).to_have_count(0)
    expect(high).to_have_attribute("aria-expanded", "false")

    high.tap()
    expect(rules).to_have_text("High 1: the side that holds the highest trump in play. Rule 6.1")
    expect(high).to_have_attribute("aria-expanded", "true")
    game.tap()
    expect(rules).to_have_text(re.compile(r"^Game 1: .*\sRule 6.4"))
    game.tap()
    expect(rules).to_have_count(0)
    expect(short_page).to_have_url(re.compile(f"{path}$"))
    assert len(short_page.context.pages) == 1


def test_for_two_seconds_the_way_back_stands_where_undo_was(page: Page, site: Site) -> None:
    page.goto(played(site))
    tap(page, "Undo")

    back = page.locator(".undone > form button")
    expect(back).to_be_visible()
    undo = page.locator("#bottom_bar").get_by_role("button", name=re.compile("^Undo"))
    expect(undo).to_have_count(0)
    expect(back).to_be_hidden()
    expect(undo).to_be_visible()


def test_with_large_text_the_words_that_find_a_rule_have_a_row(page: Page, site: Site) -> None:
    page.goto(f"{played(site)}what-if")
    enlarge_text(page)

    assert page.locator("#q").evaluate("(it) => it.offsetWidth") >= 300


LETTERS = """() => {
  const label = document.querySelector("#chart .at-level");
  return parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().a;
}"""


def test_the_text_of_the_chart_grows_with_the_page(page: Page, site: Site) -> None:
    page.goto(played(site))
    before = page.evaluate(LETTERS)

    enlarge_text(page)

    assert page.evaluate(LETTERS) >= 1.8 * before
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")


@pytest.mark.parametrize("seats", ["6", "7", "8"])
def test_a_loser_sees_how_the_match_ends_without_scrolling(short_page: Page, site: Site, seats: str) -> None:
    short_page.goto(everybody_alone(site.client(), seats).path)

    assert short_page.evaluate(ABOVE_BAR, ".rowp") == [True] * int(seats)
    assert all(short_page.evaluate(ABOVE_BAR, ".ends summary span"))
