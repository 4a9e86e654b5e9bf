"""The big screen on real sizes: nothing is cut, digits are large, and it follows by itself."""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import House, Pocket
from tests.browser.places import PLACES
from tests.browser.tables import begun, evening, played

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
      return box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1;
    })
    .map((it) => it.outerHTML.slice(0, 90))"""
"""What does not fit on the screen, which nobody can scroll."""

OVERLAPPING = """() => [...document.querySelectorAll(".pc")].filter((card) => {
    const [digits, foot] = [".digits", ".pc-foot"].map((part) => card.querySelector(part).getBoundingClientRect());
    const lines = [...card.querySelectorAll(".digits svg")].map((it) => it.getBoundingClientRect().bottom);
    return Math.max(digits.bottom - digits.height * 0.15, ...lines) > foot.top + 2;
  }).map((card) => card.innerText)"""
"""Digits that lie over the line below them."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("place", ["tv", "tv-new", "tv-won", "tv-eight"])
def test_everything_fits_on_the_screen(pocket: Pocket, house: House, place: str, size: str) -> None:
    path = PLACES[place].lay(house.phone())
    width, height = SIZES[size]
    screen = pocket.phone(width=width, height=height, reduced_motion="reduce")

    screen.goto(path)
    screen.evaluate("document.fonts.ready")

    assert screen.evaluate(OUTSIDE) == []
    assert screen.evaluate(OVERLAPPING) == []


def height_of(screen: Screen) -> float:
    """Measure the digits, in hundredths of the screen's height."""
    size = float(screen.locator("[data-score]").first.evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)"))
    return 100 * size / float(screen.evaluate("innerHeight"))


@pytest.mark.parametrize(("place", "least"), [("tv", 36), ("tv-eight", 15)])
def test_the_score_is_read_from_across_the_room(pocket: Pocket, house: House, place: str, least: float) -> None:
    screen = pocket.phone(width=1920, height=1080)

    screen.goto(PLACES[place].lay(house.phone()))

    assert height_of(screen) >= least


def test_it_follows_within_two_and_a_half_seconds(pocket: Pocket, house: House) -> None:
    match = evening(begun(house.phone()))
    screen = pocket.phone(width=1280, height=720)
    screen.goto(f"{match.path}tv")

    played(match, call="p2:4")

    expect(screen.locator("#board tbody tr").first).to_contain_text("Bea 4 made", timeout=2500)
    expect(screen.locator("#told")).to_contain_text("Hand 8: Bea bid 4, made.")


def test_it_is_white_cards_on_felt_in_the_dark_too(pocket: Pocket, house: House) -> None:
    screen = pocket.phone(width=1280, height=720, color_scheme="dark")

    screen.goto(f"{begun(house.phone()).path}tv")

    assert screen.locator(".pc").first.evaluate("(it) => getComputedStyle(it).backgroundColor") == "rgb(255, 255, 255)"


def test_without_scripts_the_screen_shows_a_hand_that_was_written_meanwhile(pocket: Pocket, house: House) -> None:
    match = begun(house.phone())
    screen = pocket.phone(width=1280, height=720, scripts=False)
    screen.goto(f"{match.path}tv")

    played(match, call="p4:3")

    expect(screen.locator("#board")).to_contain_text("Dan 3 made", timeout=12_000)
