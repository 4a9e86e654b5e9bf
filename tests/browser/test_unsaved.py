"""A database that cannot be written for a while: the page sends itself again, and a waiting hand says why it waits."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.web import errors
from tests.browser.actions import enter_hand, hands
from tests.browser.conftest import Site, StartMatch
from tests.pages.test_unsaved import read_only

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "RETRY_SECONDS", 1)


def test_a_page_that_was_not_saved_sends_itself_again(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}names")
    page.locator("input[value=Ann]:not([type=hidden])").fill("Anna")

    with read_only(site.app):
        page.get_by_role("button", name="Save", exact=True).tap()
        expect(page.locator(".say")).to_contain_text("Everything you entered is still here")
        expect(page.locator(".say")).to_contain_text("This page tries again by itself until it works.")

    expect(page.get_by_text("This page tries again")).to_have_count(0, timeout=15_000)
    page.goto(path)
    expect(page.locator("#board")).to_contain_text("Anna & Cal")


def test_a_hand_that_was_not_saved_says_why_it_waits(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)

    with read_only(site.app):
        page.locator("#main-button").tap()
        expect(page.locator("#outbox")).to_contain_text(
            "Saved on this phone. The computer that keeps score can’t save anything right now. "
            "Hand 1 is sent as soon as it can."
        )

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.", timeout=15_000)
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]
