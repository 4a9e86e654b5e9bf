"""A tap while the server is out of reach: no page is left for the browser's own error, and what was entered stays."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import (
    Site,
    enter_hand,
    expect_text,
    go_offline,
    go_online,
    hands,
    over_plain_http,
    tap,
    tap_main_button,
)
from tests.common.chromium import Phones

UNREACHED = "Can’t reach the computer that keeps score. Check the Wi-Fi, then tap again."
pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def expect_to_stay(page: Page, url: str) -> None:
    """Check that a page is still there, and shows why."""
    expect_text(page, "#trouble [role=alert]", UNREACHED)
    assert page.url == url


def test_after_saving_offline_no_tap_leaves_the_page(page: Page, path: str, site: Site) -> None:
    page.goto(over_plain_http(site, f"{path}hands/new"))
    enter_hand(page)
    go_offline(page)
    tap_main_button(page)
    expect_text(page, "#outbox", "Saved on this phone. Hand 1 is sent when the Wi-Fi is back.")

    tap(page, "Back")

    expect_to_stay(page, over_plain_http(site, f"{path}hands/new"))
    go_online(page)
    expect_text(page, "#turn", "Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_link_is_followed_as_soon_as_the_network_is_back(page: Page, path: str, site: Site) -> None:
    url = over_plain_http(site, path)
    page.goto(url)
    go_offline(page)
    tap(page, "Record hand")
    expect_to_stay(page, url)

    go_online(page)
    expect(page.locator("#trouble")).to_be_empty()
    tap(page, "Record hand")

    expect(page.locator("#hand_form")).to_be_visible()
    page.go_back()
    expect(page.locator("#board")).to_be_visible()


@pytest.mark.parametrize("service_worker", [False, True])
def test_what_was_typed_stays_on_the_page_and_is_sent_by_the_next_tap(
    phones: Phones, path: str, site: Site, service_worker: bool
) -> None:
    page = phones.new(service_worker=service_worker)
    url = f"{site.url}{path}names" if service_worker else over_plain_http(site, f"{path}names")
    page.goto(url)
    if service_worker:
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.locator("[name=name-p1]").fill("Anna")
    go_offline(page)
    page.get_by_role("button", name="Save", exact=True).tap()
    expect_to_stay(page, url)
    expect(page.locator("[name=name-p1]")).to_have_value("Anna")

    go_online(page)
    page.get_by_role("button", name="Save", exact=True).tap()

    expect_text(page, "#board", "Anna & Cal")


def test_a_proxy_without_a_server_behind_counts_as_out_of_reach(page: Page, path: str) -> None:
    page.goto(path)
    url = page.url

    def nobody_behind(route: Route) -> None:
        route.fulfill(status=502, body="Bad Gateway")

    page.route("**/*", nobody_behind)
    tap(page, "Menu")

    expect_to_stay(page, url)
