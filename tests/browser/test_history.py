"""All hands on a phone: a tap anywhere on a row opens it, and nothing lies under the bar."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import Site
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
def history(site: Site) -> str:
    """Play more hands than a phone shows, and return the address of their list."""
    match = begin_match(site.client())
    for _ in range(4):
        play_hand(match, call="p4:3", took_high="s1")
    for _ in range(14):
        match = match.tap("Record hand").send("/hands/new", press="Misdeal")
    return f"{match.path}history"


@pytest.mark.parametrize("top", [0, 30, 60, 90])
def test_nothing_is_covered_in_the_history(page: Page, history: str, top: int) -> None:
    page.goto(history)
    load_axe(page)
    page.evaluate(f"scrollTo(0, {top})")

    assert page.evaluate("document.documentElement.scrollHeight") > 900
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("part", [".no", ".bid", ".col >> nth=1", ".ico >> nth=-1"])
def test_a_tap_anywhere_on_a_row_opens_it_without_scripts(phones: Phones, history: str, part: str) -> None:
    page = phones.new(scripts=False)
    page.goto(history)
    row = page.locator(".hand").nth(-1)
    expect(row.locator("summary .ico").last).to_be_visible()

    row.locator("summary").locator(part).tap()

    expect(row.locator(".lines").first).to_be_visible()
