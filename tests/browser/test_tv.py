"""The big page on real sizes: nothing is cut, digits are large, and it follows by itself."""

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import Site
from tests.browser.playing import begin_match
from tests.common.chromium import Phones
from tests.common.gallery import evening, everybody_alone, won
from tests.common.guests import invited
from tests.common.phone import Page as Answer
from tests.common.phone import Phone


def stopped(phone: Phone) -> Answer:
    """Stop a match that phones may join."""
    match = evening(phone)
    invited(match)
    return match.open("stop").tap("Stop")


MATCHES: dict[str, Callable[[Phone], Answer]] = {
    "new": begin_match,
    "long names": partial(begin_match, seat_0="Alexandra", seat_2="Christopher"),
    "going on": evening,
    "won": won,
    "stopped": stopped,
    "eight": partial(everybody_alone, seats="8"),
}
SIZES = {
    "1080p": (1920, 1080),
    "720p": (1280, 720),
    "projector": (1024, 768),
    "tablet": (820, 1180),
    "wide": (2560, 1080),
}

OUTSIDE = """() => [...document.querySelectorAll("main *, header *")]
    .filter((it) => it.checkVisibility() && !it.closest(".vh, svg, .mark") && it.getBoundingClientRect().width > 0)
    .filter((it) => {
      const box = it.getBoundingClientRect();
      return box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1 ||
        it.matches(".why") && it.scrollHeight > it.clientHeight + parseFloat(getComputedStyle(it).fontSize) / 3 ||
        getComputedStyle(it).fontFamily.startsWith("Besley") && getComputedStyle(it).fontVariantNumeric !== "normal";
    })
    .map((it) => it.outerHTML.slice(0, 90))"""
"""What does not fit on the page, which nobody can scroll, or has the thin digits of the font."""

OVERLAPPING = """() => [...document.querySelectorAll(".pc")].filter((card) => {
    const [digits, line] = [".digits", ".pc-line"].map((part) => card.querySelector(part).getBoundingClientRect());
    const lines = [...card.querySelectorAll(".digits svg")].map((it) => it.getBoundingClientRect().bottom);
    const isCut = line.bottom > card.getBoundingClientRect().bottom + 1;
    return isCut || Math.max(digits.bottom - digits.height * 0.15, ...lines) > line.top + 2;
  }).map((card) => card.innerText)"""
"""Digits that lie over the line below them, or push it out of the card."""


@pytest.mark.parametrize("name", MATCHES)
def test_everything_fits_on_screens_of_every_size(still_page: Page, site: Site, name: str) -> None:
    still_page.goto(f"{MATCHES[name](site.client()).path}tv")
    still_page.evaluate("document.fonts.ready")

    faults = {}
    for size, (width, height) in SIZES.items():
        still_page.set_viewport_size({"width": width, "height": height})
        faults[size] = [*still_page.evaluate(OUTSIDE), *still_page.evaluate(OVERLAPPING)]

    assert {size: found for size, found in faults.items() if found} == {}


def height_of(page: Page) -> float:
    """Measure the digits, in hundredths of the page's height."""
    size = float(page.locator("[data-score]").first.evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)"))
    return 100 * size / float(page.evaluate("innerHeight"))


@pytest.mark.parametrize(("name", "least"), [("going on", 36), ("eight", 15)])
def test_the_score_is_read_from_across_the_room(phones: Phones, site: Site, name: str, least: float) -> None:
    page = phones.new(width=1920, height=1080)

    page.goto(f"{MATCHES[name](site.client()).path}tv")

    assert height_of(page) >= least


def test_cards_are_white_in_the_dark_theme_too_and_lines_are_whole(phones: Phones, site: Site) -> None:
    page = phones.new(width=1280, height=720, color_scheme="dark")

    page.goto(f"{won(site.client()).path}tv")

    assert page.locator(".pc").first.evaluate("(it) => getComputedStyle(it).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".draw path").last).to_have_css("stroke-dasharray", "none")
