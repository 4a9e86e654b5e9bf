"""The hand entry on a small screen: rows are seen above the count, an award is one question, no name is broken."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site
from tests.browser.playing import begin_match
from tests.chromium import Phones

LONG = {"seat_0": "Maximiliane", "seat_1": "Christopher", "seat_2": "Bartholomew-Maximilian"}

SEEN = """(place) => {
  const rows = [...document.querySelectorAll(".tick[id^=row-]")], bar = document.querySelector(".bottom-bar");
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

FRAMES = """() => [...document.querySelectorAll(".tick[id^=row-]")].map((row) => {
  const frame = row.getBoundingClientRect(), cells = [...row.querySelectorAll(".pick:not(.nobody)")];
  const boxes = cells.map((it) => it.getBoundingClientRect());
  const rows = new Set(boxes.map((box) => Math.round(box.top))).size;
  const isInside = boxes.every((box) => box.left >= frame.left && box.right <= frame.right);
  return [rows, isInside && getComputedStyle(row).borderTopStyle === "solid"];
})"""
"""In how many lines the cells of each award stand, and whether a frame holds them."""


def entry(phones: Phones, site: Site, ruleset_id: str, width: int, height: int, **answers: str) -> Page:
    """Open the entry of a new match, and choose who bid what."""
    page = phones.new(width=width, height=height)
    page.goto(f"{begin_match(site.client(), ruleset_id, **answers).path}hands/new")
    return page


def test_every_row_of_ten_points_is_seen_beside_the_count(phones: Phones, site: Site) -> None:
    page = entry(phones, site, "colorado-ten-point", 390, 664)
    page.get_by_role("radio", name="Cal", exact=True).check(force=True)
    with page.expect_response("**/preview"):
        page.get_by_role("radio", name="6", exact=True).check(force=True)
    page.locator("#bottom_bar .boxes").wait_for()

    assert page.evaluate(SEEN, "open") >= 5
    assert page.evaluate(SEEN, "start") == page.evaluate(SEEN, "nearest") == 8
    assert page.locator(".bottom-bar").evaluate("(it) => it.offsetHeight") < 120


def test_the_link_to_its_rule_makes_no_row_taller_than_a_thumb_needs(phones: Phones, site: Site) -> None:
    page = entry(phones, site, "colorado-ten-point", 390, 664)
    heights = "() => [...document.querySelectorAll('.tick[id^=row-]')].map((row) => Math.round(row.offsetHeight))"

    assert page.locator(".tick .cite").count() == 8
    assert page.evaluate(heights) == [44] * 8


@pytest.mark.parametrize(("seats", "width", "lines"), [("6", 390, 1), ("8", 390, 1), ("6", 320, 1), ("8", 320, 2)])
def test_each_award_is_one_framed_question(phones: Phones, site: Site, seats: str, width: int, lines: int) -> None:
    page = entry(phones, site, "cutthroat-pitch", width, 844, seats=seats, **LONG)

    assert page.evaluate(FRAMES) == [[lines, True]] * 4


@pytest.mark.parametrize("ruleset_id", ["cutthroat-pitch", "partnership-pitch-six", "pawnee-call-your-partner"])
def test_long_names_are_shortened_and_never_broken(phones: Phones, site: Site, ruleset_id: str) -> None:
    page = entry(phones, site, ruleset_id, 320, 640, **LONG)

    assert page.locator(".short-name").count()
    assert page.evaluate(LINES) == []
