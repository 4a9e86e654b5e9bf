"""Pages that stay open while the network is gone: they show that, and go on when it is back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import expect_text, go_offline, go_online, tap
from tests.common.chromium import Phones

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def test_a_call_made_offline_is_sent_when_the_network_is_back(page: Page, path: str) -> None:
    page.goto(f"{path}hands/new?by=auction")
    go_offline(page)
    tap(page.locator(".call"), "Bea: 2")
    expect_text(page, "#bottom_bar", "Can’t reach the computer that keeps score. What you entered is safe.")

    go_online(page)

    expect(page.get_by_role("heading", name="Cal to bid")).to_be_visible()
    expect(page.locator("#bottom_bar")).not_to_contain_text("out of reach")


def test_it_says_the_time_in_english_whatever_the_phone_speaks(phones: Phones, path: str) -> None:
    page = phones.new(locale="ar-EG")
    page.goto(path)

    go_offline(page)

    expect_text(page, "#touch time", re.compile(r"[0-9]{1,2}:[0-9]{2}( [AP]M)?"))


def test_a_page_counts_as_offline_after_two_failed_polls(page: Page, path: str) -> None:
    page.goto(path)
    tries: list[str] = []
    page.on("requestfailed", lambda request: tries.append(request.url))
    page.route("**/board?v=*", lambda route: route.abort())

    expect_text(page, "#touch", "Offline.", timeout=8000)
    assert len(tries) == 2
    page.unroute("**/board?v=*")
    expect(page.locator("#touch")).to_be_empty()


def test_a_page_says_from_when_its_score_is_while_the_server_asks_its_phone_to_wait(page: Page, path: str) -> None:
    page.goto(path)
    page.route("**/board?v=*", lambda route: route.fulfill(status=429, body="Wait a moment, then send it again."))

    expect_text(page, "#touch", "This score is from", timeout=8000)
    expect(page.locator("#board")).not_to_contain_text("Wait a moment")
