"""Six and more who play alone, on a short screen: every score is seen, and below them how the match ends."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site
from tests.common.chromium import Phones
from tests.common.gallery import everybody_alone

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
