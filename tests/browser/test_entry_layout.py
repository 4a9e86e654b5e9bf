"""The hand entry on a small screen: rows are seen above the count, an award is one question, no name is broken."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import Site, expect_text, pick, picks
from tests.browser.playing import begin_match
from tests.common.chromium import Phones

LONG = {"seat_0": "Maximiliane", "seat_1": "Christopher", "seat_2": "Bartholomew-Maximilian"}

SEEN = """(place) => {
  const rows = [...document.querySelectorAll(".award[id^=row-]")], bar = document.querySelector(".bottom-bar");
  const isSeen = (row) => {
    const box = row.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= bar.getBoundingClientRect().top;
  };
  if (place === "open") return rows.filter(isSeen).length;
  return rows.filter((row) => (row.scrollIntoView({ block: place }), isSeen(row))).length;
}"""
"""How many awards are seen whole above the bar, as the page opens or scrolled to one by one."""

LINES = """() => [...document.querySelectorAll(".short-name > span")]
    .filter((it) => it.checkVisibility())
    .filter((it) => it.getClientRects().length > 1 || it.offsetHeight > 1.6 * parseFloat(getComputedStyle(it).fontSize))
    .map((it) => it.textContent)"""
"""Words of names that stand in more than one line."""

SQUARES = """() => [...document.querySelectorAll(".award")].map((row) => {
  const frame = row.getBoundingClientRect(), cells = [...row.querySelectorAll(".pick:not(.nobody)")];
  const boxes = cells.map((it) => it.getBoundingClientRect());
  const lines = new Set(boxes.map((box) => Math.round(box.top))).size;
  const isInside = boxes.every((box) => box.left >= frame.left && box.right <= frame.right + 1);
  return [lines, isInside && boxes.every((box) => Math.min(box.width, box.height) > 43.5)];
})"""
"""In how many lines the squares of each award stand, and whether they are inside its row and large enough."""

FOUR = {"seat_0": "Grandma", "seat_1": "Uncle Bill", "seat_2": "Christopher", "seat_3": "Elizabeth"}
IN_SIGHT = """() => {
  const button = document.querySelector("#main-button").getBoundingClientRect();
  return button.top > 0 && button.bottom <= innerHeight;
}"""
"""Whether the button is in sight."""


def entry(phones: Phones, site: Site, ruleset_id: str, width: int = 390, /, **answers: str) -> Page:
    """Open the entry of a new match, and choose who bid what."""
    page = phones.new(width=width, height=664)
    page.goto(f"{begin_match(site.client(), ruleset_id, **answers).path}hands/new")
    return page


def test_all_of_a_hand_of_four_points_is_in_sight(phones: Phones, site: Site) -> None:
    page = entry(phones, site, "partnership-pitch", **FOUR)
    assert (page.evaluate(SEEN, "open"), page.evaluate(IN_SIGHT)) == (4, True)

    picks(("call", "p3:3"), ("trump", "hearts"))(page)
    expect(page.locator("#told-line")).to_be_visible()

    assert (page.evaluate(SEEN, "open"), page.evaluate(IN_SIGHT)) == (4, True)
    expect(page.locator("#q-bid")).to_be_hidden()


def test_every_row_of_ten_points_is_in_sight_once_the_board_is_folded(phones: Phones, site: Site) -> None:
    page = entry(phones, site, "colorado-ten-point", **FOUR)
    picks(("bidder", "p3"), ("bid", "6"), ("trump", "skip"), ("took-ace", "s1"))(page)
    page.locator("#bottom_bar .boxes").wait_for()

    assert (page.evaluate(SEEN, "open"), page.evaluate(IN_SIGHT)) == (8, True)
    assert page.locator(".bottom-bar").evaluate("(it) => it.offsetHeight") < 120


def test_no_row_is_taller_than_a_thumb_needs(phones: Phones, site: Site) -> None:
    page = entry(phones, site, "colorado-ten-point")
    heights = "() => [...document.querySelectorAll('.award .tick')].map((row) => Math.round(row.offsetHeight))"

    assert page.evaluate(heights) == [44] * 8


def test_a_tap_on_trump_folds_the_board_and_for_a_moment_no_row_is_hit(phones: Phones, site: Site) -> None:
    page = entry(phones, site, "partnership-pitch", **FOUR)
    picks(("call", "p3:3"), ("took-high", "s1"))(page)
    expect(page.locator("#told")).to_have_attribute("open", "")

    pick(page, "trump", "hearts")
    expect(page.locator("#told:not([open])")).to_have_class("told moved")
    expect(page.locator("#told:not([open])")).to_have_class("told")

    page.locator("#told-line").tap()
    pick(page, "call", "p2:2")
    expect_text(page, "#told-line", "Uncle Bill bid 2")
    expect(page.locator("#told")).to_have_attribute("open", "")
    pick(page, "trump", "hearts")
    expect(page.locator("#q-bid")).to_be_hidden()


def test_an_award_opens_one_rule_at_a_time(phones: Phones, site: Site) -> None:
    page = entry(phones, site, "partnership-pitch")
    rules = page.locator(".award details > p:visible")
    page.locator("#row-high summary").tap()
    expect(rules).to_have_text("The side that holds the highest trump in play. 1 point. Rule 6.1")

    page.locator("#row-low summary").tap()
    expect(rules).to_have_text("The side that takes the lowest trump in play. 1 point. Rule 6.2")

    page.locator("#row-low summary").tap()
    expect(rules).to_have_count(0)


@pytest.mark.parametrize(("seats", "width", "lines"), [("6", 390, 1), ("8", 390, 1), ("6", 320, 2), ("8", 320, 2)])
def test_many_alone_have_squares_of_their_own(phones: Phones, site: Site, seats: str, width: int, lines: int) -> None:
    page = entry(phones, site, "cutthroat-pitch", width, seats=seats, **LONG)

    assert page.evaluate(SQUARES) == [[lines, True]] * 4


@pytest.mark.parametrize("ruleset_id", ["cutthroat-pitch", "partnership-pitch-six", "pawnee-call-your-partner"])
def test_long_names_are_shortened_and_never_broken(phones: Phones, site: Site, ruleset_id: str) -> None:
    page = entry(phones, site, ruleset_id, 320, **LONG)

    assert page.locator(".short-name").count()
    assert page.evaluate(LINES) == []
