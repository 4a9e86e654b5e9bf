"""Evenings of phones with real pages: what they save is there once, whatever becomes of the Wi-Fi."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Site
from tests.storm.in_chromium import Evening
from tests.storm.in_process import InProcess
from tests.storm.storm import Storm


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_real_pages_loses_and_doubles_nothing(site: Site, browser: Browser, seed: int) -> None:
    storm = Evening(Storm(lambda: InProcess(site.app.test_client())), browser, site.url, seed).play()

    assert storm.acknowledged > 0
