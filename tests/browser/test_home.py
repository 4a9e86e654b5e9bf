"""The home page on a phone: what is in sight at once, on an empty one and beside a match, and what is behind More."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import expect_text
from tests.common.chromium import Phones

IN_SIGHT = """() => {
  const bar = document.querySelector(".bottom-bar").getBoundingClientRect().top;
  return [...document.querySelectorAll("main .tiles a, figure, .bottom-bar a")]
    .filter((it) => it.getBoundingClientRect().bottom <= (it.closest(".bottom-bar") ? innerHeight : bar))
    .map((it) => it.matches("figure") ? "example" : it.textContent.trim());
}"""
"""What lies above the bar at the bottom edge, and in it."""
TILES = ["Who won?", "Rules", "Print", "People"]


@pytest.mark.parametrize("height", [664, 844])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_empty_home_has_everything_in_sight(phones: Phones, height: int, scheme: str) -> None:
    page = phones.new(height=height, color_scheme="dark" if scheme == "dark" else "light")
    page.goto("/")

    assert page.evaluate(IN_SIGHT) == ["example", *TILES, "Join", "New match"]
    assert page.evaluate("document.documentElement.scrollHeight") <= height


def test_beside_a_match_the_three_buttons_share_a_row(short_page: Page, path: str) -> None:
    short_page.goto(path)
    short_page.goto("/")

    assert short_page.evaluate(IN_SIGHT) == [*TILES, "Join", "New match", "Continue match"]
    boxes = [element.bounding_box() for element in short_page.locator(".bottom-bar a").all()]
    assert len({box["y"] for box in boxes if box}) == 1


def test_without_scripts_the_rest_is_behind_more(phones: Phones) -> None:
    page = phones.new(scripts=False)
    page.goto("/")
    settings = page.get_by_role("link", name="Settings")
    expect(settings).to_be_hidden()

    page.locator("summary", has_text="More").tap()
    settings.tap()

    expect_text(page, "h1", "Settings")
