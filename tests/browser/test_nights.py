"""A night of twelve tables in real browsers: the host taps, and the wall and three phones follow."""

from playwright.sync_api import expect

from tests.browser.actions import Site, expect_text
from tests.browser.page_checks import BROKEN_WORDS
from tests.common.chromium import Phones, set_text_size
from tests.common.nights import begin_night, join_night, night_path, seat_by_hand

PAIRS = [f"Al{number} & Bo{number}" for number in range(1, 25)]
OUTSIDE = """() => [...document.querySelectorAll(".step, .how, .wall-footer > *")].filter((it) => {
    const box = it.getBoundingClientRect();
    return box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1;
  }).map((it) => it.innerText)"""


SMALLEST_NAME = """() => Math.min(...[...document.querySelectorAll(".pr b")].map(
  (it) => parseFloat(getComputedStyle(it).fontSize)))"""


def test_a_host_a_wall_and_three_phones_play_a_round_of_twelve_tables(phones: Phones, site: Site) -> None:
    owner = site.client()
    host = seat_by_hand(begin_night(owner, *PAIRS, title="Twelve tables"))
    path = night_path(host)
    keeper = join_night(host, site.client(), "scorer")
    host_page, wall = phones.new(), phones.new(width=1920, height=1080)
    seats = []
    for name in ("Al1 & Bo1", "Al2 & Bo2", "Al24 & Bo24"):
        seat = join_night(host, site.client(), name=name)
        page = phones.new()
        page.goto(seat.path)
        seats.append(page)
    host_page.goto(night_path(keeper))
    wall.goto(f"{path}/wall")
    expect(seats[0].locator(".tcard .digits")).to_have_text("1")
    expect(seats[2].locator(".tcard .digits")).to_have_text("12")

    for table in range(12, 0, -1):
        host_page.locator(f"#t{table} button").first.click()
        expect(host_page.locator(f"#t{table} button").first).to_have_attribute("aria-pressed", "true")
        expect(host_page.locator(f"#t{table} button").first).to_be_focused()
    expect_text(wall, "#head", "12 of 12 tables done")
    assert wall.evaluate(OUTSIDE) == []
    assert wall.evaluate(SMALLEST_NAME) > 36

    host_page.get_by_role("button", name="Start round 2").click()
    expect(seats[0].locator(".tcard .digits")).to_have_text("2")
    expect(seats[1].locator(".tcard .digits")).to_have_text("1")
    expect(seats[2].locator(".tcard .digits")).to_have_text("1")
    expect_text(wall, "#head", "Round 2 of 6")


def test_a_long_title_lies_below_nothing_else_on_the_wall(phones: Phones, site: Site) -> None:
    wall = phones.new(width=1280, height=720)

    wall.goto(f"{night_path(begin_night(site.client(), title='Tournament ' * 5))}/wall")

    title_ends = wall.locator(".screen-head h1 a").evaluate("(it) => it.getBoundingClientRect().right")
    assert title_ends < wall.locator(".screen-head p").first.evaluate("(it) => it.getBoundingClientRect().left")


def test_no_name_breaks_in_large_text(phones: Phones, site: Site) -> None:
    page = phones.new(width=430)
    page.goto(seat_by_hand(begin_night(site.client(), "Ann & Maximiliana", "Eve & Jon")).path)

    set_text_size(page, 24)

    assert page.evaluate(BROKEN_WORDS, ".tabs button") == []
