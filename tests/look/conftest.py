"""The sample pages, served to Chromium on a phone's screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.apps import serving
from tests.chromium import Phones
from tests.look.table import look_app


@pytest.fixture(scope="session")
def samples_url() -> Iterator[str]:
    """Serve the sample pages while the tests run."""
    with serving(look_app()) as url:
        yield url


@pytest.fixture
def phones(browser: Browser, samples_url: str) -> Iterator[Phones]:
    """Open phones; in the end nothing may have been said on their consoles."""
    phones = Phones(browser, samples_url)
    yield phones
    phones.close()
    assert phones.console == []


@pytest.fixture
def page(phones: Phones) -> Page:
    """Open a page on a phone."""
    return phones.new(reduced_motion="reduce")
