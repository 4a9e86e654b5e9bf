"""Sharing from a phone: over https by the phone's own sheet, over plain http and without scripts by copying."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import Site, over_plain_http, tap
from tests.common.chromium import Phones
from tests.common.gallery import won

SHARES = "Navigator.prototype.share = async (it) => { window.shared = it; };"
NO_SHARES = "delete Navigator.prototype.share;"
SELECTED = (
    "(() => { const it = document.activeElement; return it.value?.slice(it.selectionStart, it.selectionEnd); })()"
)


@pytest.fixture
def path(site: Site) -> str:
    """Play until somebody has won."""
    return won(site.client()).path


def test_a_phone_shares_words_and_link(own_page: Page, path: str) -> None:
    own_page.add_init_script(SHARES)
    own_page.goto(path)
    tap(own_page, "Share")

    own_page.wait_for_function("() => window.shared")
    text = own_page.evaluate("window.shared.text")
    assert "Bea & Dan win" in text
    assert "/matches/watch-" in text
    assert path not in text


def test_over_plain_http_the_words_are_copied_at_once(phones: Phones, site: Site, path: str) -> None:
    page = phones.new(permissions=[])
    page.add_init_script(NO_SHARES)
    page.goto(over_plain_http(site, path))
    tap(page, "Share")

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("window.isSecureContext") is False
    assert page.url.endswith(path)


def test_the_page_of_the_words_selects_and_copies_them(phones: Phones, site: Site, path: str) -> None:
    page = phones.new(permissions=[])
    page.add_init_script(NO_SHARES)
    page.goto(over_plain_http(site, f"{path}share"))

    expect(page.locator("textarea")).to_be_focused()
    assert page.evaluate("window.isSecureContext") is False
    assert "Bea & Dan win" in page.evaluate(SELECTED)
    expect(page.locator("[data-send]")).to_be_hidden()
    page.locator("[data-copy]").tap()
    expect(page.get_by_text("Copied.")).to_be_visible()
