"""Every page as the app really serves it: nothing cut, nothing too small to tap, nothing from axe or the console."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NETWORK_ERRORS, Site
from tests.browser.page_cases import PAGES, PageCase, Play
from tests.browser.page_checks import page_faults
from tests.common.chromium import Phones
from tests.common.phone import Phone

PLAYED: dict[Play, tuple[Phone, str]] = {}
"""What was played for several cases, by which phone, and its path."""


def cases() -> Iterator[Any]:
    """Yield every case, those for which the same is played in one process."""
    first: dict[Play, str] = {}
    for name, case in PAGES.items():
        below = case.only_looks_below
        yield pytest.param(name, marks=pytest.mark.xdist_group(first.setdefault(below.play, name)) if below else ())


def opened(site: Site, case: PageCase) -> tuple[Phone, str]:
    """Return a phone for which all has been played that comes before the page of a case, and the path of that page."""
    phone, below = site.client(), case.only_looks_below
    if not below:
        return phone, case.prepare(phone)
    if below.play not in PLAYED:
        PLAYED[below.play] = phone, below.play(phone)
    phone, played = PLAYED[below.play]
    return phone, below.path(phone, played)


@pytest.fixture(params=cases())
def case(request: pytest.FixtureRequest, site: Site, phones: Phones, still_page: Page) -> Iterator[Page]:
    """Open a page as somebody would come to it; in the end its console may have said nothing."""
    case, page = PAGES[request.param], still_page
    phone, path = opened(site, case)
    if cookie := phone.client.get_cookie("scorekeeper"):
        page.context.add_cookies([{"name": "scorekeeper", "value": cookie.value, "url": site.url}])
    page.goto(path)
    case.step(page)
    yield page
    if case.is_offline:  # such a page goes on asking for as long as it is open
        phones.console[:] = [text for text in phones.console if not NETWORK_ERRORS.search(text)]


def test_a_page_has_no_faults(case: Page) -> None:
    assert page_faults(case) == {}
