"""All hands on a phone: a tap anywhere on a row opens it, and nothing lies under the bar."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.page_checks import load_axe
from tests.browser.playing import begin_match, play_hand
from tests.common.chromium import Phones

COVERED = """async () => {
  const rules = { "target-size": { enabled: true } };
  const found = await axe.run(document, { runOnly: ["target-size"], rules, preload: false });
  return found.violations.flatMap((it) => it.nodes.map((node) => node.html.slice(0, 80)));
}"""
"""What a thumb cannot tap because something else lies over a part of it."""


@pytest.fixture
def long_match(site: Site) -> tuple[str, Site]:
    """Play more hands than a phone shows."""
    match = begin_match(site.client())
    for _ in range(4):
        play_hand(match, call="p4:3", took_high="s1")
    for _ in range(14):
        match = match.tap("Record hand").send("/hands/new", press="Misdeal")
    return match.path, site


@pytest.mark.parametrize("top", [0, 30, 60, 90])
def test_nothing_is_covered_in_the_history(page: Page, long_match: tuple[str, Site], top: int) -> None:
    page.goto(f"{long_match[0]}history")
    load_axe(page)
    page.evaluate(f"scrollTo(0, {top})")

    assert page.evaluate("document.documentElement.scrollHeight") > 900
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("part", [".no", ".bid", ".col >> nth=1", ".ico >> nth=-1"])
def test_a_tap_anywhere_on_a_row_opens_it_without_scripts(
    phones: Phones, long_match: tuple[str, Site], part: str
) -> None:
    page = phones.new(scripts=False)
    page.goto(f"{long_match[0]}history")
    row = page.locator(".hand").nth(-1)
    expect(row.locator("summary .ico").last).to_be_visible()

    row.locator("summary").locator(part).tap()

    expect(row.locator(".lines").first).to_be_visible()


def test_a_row_of_the_match_page_opens_its_hand(page: Page, site: Site) -> None:
    match = play_hand(begin_match(site.client()), call="p4:3", took_low="s1")
    page.goto(match.path)

    page.locator("#history a", has_text="Dan 3").tap()

    expect(page.locator(".hand[open]")).to_contain_text("High, Jack, Game")
