"""The match page as a family holds it: both scores and the way to the next hand in sight, whatever the size of text."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.page_checks import enlarge_text
from tests.browser.playing import begin_match, play_hand, play_seven_hands
from tests.common.chromium import Phones
from tests.common.gallery import everybody_alone

NAMES = {"seat_0": "Christopher", "seat_1": "Grandma", "seat_2": "Elizabeth", "seat_3": "Uncle Bill"}
ABOVE_BAR = """() => {
  const bar = document.querySelector(".bottom-bar").getBoundingClientRect().top;
  const digits = [...document.querySelectorAll(".pc .digits, .rowp .digits")];
  return digits.every((it) => it.getBoundingClientRect().bottom <= bar);
}"""
ROWS = """(name) => {
  const tops = [...document.querySelectorAll(name)].filter((it) => it.checkVisibility())
    .map((it) => it.getBoundingClientRect()).map((box) => Math.round((box.top + box.bottom) / 2));
  return Math.max(...tops) - Math.min(...tops) <= 2;
}"""
"""Whether what a selector finds stands in one row."""


def played(site: Site, **answers: str) -> str:
    """Play a match on, and return its path."""
    return play_seven_hands(begin_match(site.client(), **answers)).path


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("names", [{}, NAMES])
def test_with_large_text_both_scores_stand_above_bars_of_one_row(
    phones: Phones, site: Site, width: int, names: dict[str, str]
) -> None:
    page = phones.new(width=width, height=664)
    page.goto(played(site, **names))
    enlarge_text(page)

    assert page.evaluate(ABOVE_BAR)
    assert page.evaluate(ROWS, ".bar > *")
    assert page.evaluate(ROWS, "#bottom_bar .btn")
    expect(page.get_by_role("link", name="Record hand")).to_be_in_viewport(ratio=1)


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


def test_who_won_and_why_are_on_one_screen(phones: Phones, site: Site) -> None:
    match = begin_match(site.client(), house_target="7", **NAMES)
    page = phones.new(height=664)
    page.goto(play_hand(play_hand(match, call="p2:4"), call="p2:4").path)

    for part in (page.locator(".crown h2"), page.locator(".why"), page.get_by_role("button", name="Share")):
        expect(part).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Play again")).to_be_in_viewport(ratio=1)


def test_more_opens_in_place_with_the_sums_of_the_deciding_hand_first(phones: Phones, site: Site) -> None:
    match = begin_match(site.client(), house_target="7")
    for _ in range(3):
        play_hand(match, call="p1:2", took_low="s2", took_game="s2")
    play_hand(match, call="p1:4", took_low="s2")
    play_hand(match, call="p1:4")
    path = play_hand(match, call="p3:4").path
    page = phones.new(height=664)
    page.goto(path)
    expect(page.locator("#turn")).not_to_contain_text("did not end it")

    page.locator("#more").tap()

    expect(page.locator("#turn")).to_contain_text("Hand 4 did not end it")
    expect(page.locator("#more")).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#more + .lines > ul")).to_be_visible()
    expect(page).to_have_url(re.compile(f"{path}$"))
    page.locator("#more").tap()
    expect(page.locator("#turn")).not_to_contain_text("did not end it")


def test_a_point_of_the_deciding_hand_opens_its_rule_in_place(phones: Phones, site: Site) -> None:
    match = begin_match(site.client(), house_target="7")
    path = play_hand(play_hand(match, call="p2:4"), call="p2:4").path
    page = phones.new(height=664)
    page.goto(path)
    page.locator("#more").tap()
    expect(page.locator("#more")).to_have_attribute("aria-expanded", "true")
    rules = page.locator("#turn [data-rule]:visible")
    high, game = (page.locator("#turn").get_by_role("link", name=f"{name}: rule") for name in ("High", "Game"))
    expect(rules).to_have_count(0)
    expect(high).to_have_attribute("aria-expanded", "false")

    high.tap()
    expect(rules).to_have_text("High 1: the side that holds the highest trump in play. Rule 6.1")
    expect(high).to_have_attribute("aria-expanded", "true")
    game.tap()
    expect(rules).to_have_text(re.compile(r"^Game 1: .*\sRule 6.4"))
    game.tap()
    expect(rules).to_have_count(0)
    expect(page).to_have_url(re.compile(f"{path}$"))
    assert len(page.context.pages) == 1


def test_without_scripts_a_point_leads_to_its_rule(phones: Phones, site: Site) -> None:
    page = phones.new(scripts=False)
    page.goto(played(site))

    page.get_by_text("How it was counted").tap()
    page.locator("#history .lines a[data-opens]").first.tap()

    expect(page).to_have_url(re.compile("/rules#count[.]"))
    assert len(page.context.pages) == 1


def test_for_two_seconds_the_way_back_stands_where_undo_was(page: Page, site: Site) -> None:
    page.goto(played(site))
    page.get_by_role("button", name="Undo").tap()

    back = page.locator(".undone > form button")
    expect(back).to_be_visible()
    undo = page.locator("#bottom_bar").get_by_role("button", name=re.compile("^Undo"))
    expect(undo).to_have_count(0)
    expect(back).to_be_hidden()
    expect(undo).to_be_visible()


LETTERS = """() => {
  const label = document.querySelector("#chart .at-level");
  return parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().a;
}"""


def test_the_text_of_the_chart_grows_with_the_page(phones: Phones, site: Site) -> None:
    page = phones.new()
    page.goto(play_seven_hands(begin_match(site.client())).path)
    before = page.evaluate(LETTERS)

    enlarge_text(page)

    assert page.evaluate(LETTERS) >= 1.8 * before
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")


SEEN = """(selector) => {
  const edge = document.querySelector(".bottom-bar").getBoundingClientRect().top;
  return [...document.querySelectorAll(selector)].every((it) => it.getBoundingClientRect().bottom <= edge);
}"""
"""Whether everything of a kind is seen whole above the bar as the page opens."""


def opened(phones: Phones, site: Site, seats: str) -> Page:
    page = phones.new(width=390, height=664)
    page.goto(everybody_alone(site.client(), seats).path)
    return page


@pytest.mark.parametrize("seats", ["6", "7", "8"])
def test_a_loser_sees_how_the_match_ends_without_scrolling(phones: Phones, site: Site, seats: str) -> None:
    page = opened(phones, site, seats)

    assert page.locator(".rowp").count() == int(seats)
    assert page.evaluate(SEEN, ".rowp")
    assert page.evaluate(SEEN, ".ends summary span")
