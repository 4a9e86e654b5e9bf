"""A database that cannot be written for a while: the page sends its form again, and a waiting hand shows why."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.web import errors
from tests.browser.actions import Site, expect_text, hands, tap_main_button
from tests.pages.test_unsaved import read_only

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "RETRY_SECONDS", 1)


def test_a_page_that_was_not_saved_sends_itself_again(page: Page, path: str, site: Site) -> None:
    page.goto(f"{path}names")
    page.locator("input[value=Ann]:not([type=hidden])").fill("Anna")

    with read_only(site.app):
        page.get_by_role("button", name="Save", exact=True).tap()
        expect_text(page, ".say", "Everything you entered is still here")
        expect_text(page, ".say", "This page tries again by itself until it works.")

    expect(page.get_by_text("This page tries again")).to_have_count(0, timeout=15_000)
    page.goto(path)
    expect_text(page, "#board", "Anna & Cal")


def test_a_hand_that_was_not_saved_says_why_it_waits(entered: Page, path: str, site: Site) -> None:
    with read_only(site.app):
        tap_main_button(entered)
        expect_text(
            entered,
            "#outbox",
            "Saved on this phone. The computer that keeps score can’t save anything right now. "
            "Hand 1 is sent as soon as it can.",
        )

    expect_text(entered, "#turn", "Hand 1 is saved.", timeout=15_000)
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]
