"""Every page as the app really serves it: nothing cut, nothing too small to tap, nothing from axe or the console."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NETWORK_ERRORS, Site
from tests.browser.page_cases import PAGES
from tests.browser.page_checks import page_faults
from tests.chromium import Phones


@pytest.fixture(params=PAGES)
def case(request: pytest.FixtureRequest, site: Site, phones: Phones, still_page: Page) -> Iterator[Page]:
    """Open a page as somebody would come to it; in the end its console may have said nothing."""
    case, phone, page = PAGES[request.param], site.client(), still_page
    path = case.prepare(phone)
    if cookie := phone.client.get_cookie("scorekeeper"):
        page.context.add_cookies([{"name": "scorekeeper", "value": cookie.value, "url": site.url}])
    page.goto(path)
    case.step(page)
    yield page
    if case.is_offline:  # such a page goes on asking for as long as it is open
        phones.console[:] = [text for text in phones.console if not NETWORK_ERRORS.search(text)]


def test_a_page_has_no_faults(case: Page) -> None:
    assert page_faults(case) == {}
