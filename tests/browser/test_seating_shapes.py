"""Pages on which a match begins, on small screens: the first questions are in sight above the button."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import pick
from tests.browser.page_checks import ABOVE_BAR
from tests.common.chromium import Phones


@pytest.mark.parametrize(
    ("path", "selector", "seen"),
    [
        ("/new/partnership-pitch", ".rt-note", 1),
        ("/new/oklahoma-ten-point?seats=6", ".seat .mk", 5),
        ("/new/colorado-six-player?seats=6", ".seat .mk", 5),
        *(
            (f"/house/new?base={game}", ".six .ask", 5)
            for game in ("partnership-pitch", "auction-pitch", "colorado-ten-point", "pedro")
        ),
    ],
)
def test_what_is_asked_is_nearly_all_in_sight_above_the_button(
    short_page: Page, path: str, selector: str, seen: int
) -> None:
    short_page.goto(path)

    in_sight = short_page.evaluate(ABOVE_BAR, selector)
    assert len(in_sight) == (6 if seen > 1 else 1)
    assert sum(in_sight) >= seen


@pytest.mark.parametrize("path", ["/", "/new", "/new/partnership-pitch"])
def test_on_its_side_the_button_is_in_sight(phones: Phones, path: str) -> None:
    page = phones.new(width=844, height=390)
    page.goto(path)

    expect(page.locator(".bottom-bar .go")).to_be_in_viewport(ratio=1)
    assert page.locator(".bottom-bar").evaluate("(it) => it.offsetHeight") < 90


def test_what_is_agreed_takes_two_lines_above_start(short_page: Page) -> None:
    short_page.goto("/new/oklahoma-ten-point?seats=6")

    lines = "(it) => Math.round(it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight))"
    assert short_page.locator(".terms").evaluate(lines) == 2


def test_start_names_what_is_still_asked_and_leads_there(short_page: Page) -> None:
    short_page.goto("/new/five-point-set-back")

    short_page.get_by_role("button", name="What if everyone passes?").tap()

    expect(short_page.get_by_role("group", name="What if everyone passes?")).to_be_in_viewport(ratio=1)
    pick(short_page, "house-all_pass", "dealer_forced")
    expect(short_page.get_by_role("button", name="Start")).to_be_visible()


def test_scores_so_far_are_those_of_the_sides_as_they_are_named_above(page: Page) -> None:
    page.goto("/new/partnership-pitch")
    page.locator("#paper summary").tap()
    page.locator("#seat-0").fill("Ann")

    expect(page.get_by_label("Ann & Seat 3")).to_have_id("paper-score-0")
