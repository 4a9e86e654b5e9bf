"""Every sample page: nothing cut, nothing too small to tap, nothing that axe or the console finds."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.page_checks import ReusedPage, page_faults
from tests.chromium import Phones
from tests.look.samples import SAMPLES


@pytest.fixture(scope="module")
def reused(browser: Browser, samples_url: str) -> Iterator[ReusedPage]:
    """Open a page that all tests of this module use."""
    phones = Phones(browser, samples_url)
    yield ReusedPage(phones)
    phones.close()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_has_no_faults(reused: ReusedPage, name: str) -> None:
    page = reused.reset()
    page.goto(f"/{name}")
    page.evaluate("document.fonts.ready")

    assert page_faults(page) == {}
    assert reused.phones.console == []
