"""A tap while the server is out of reach: no page is left for the browser's own error, and what was entered stays."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import enter_hand, go_offline, go_online, hands, over_plain_http
from tests.browser.conftest import Site, StartMatch
from tests.common.chromium import Phones

UNREACHED = "Can’t reach the computer that keeps score. Check the Wi-Fi, then tap again."
pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def expect_to_stay(page: Page, url: str) -> None:
    """Check that a page is still there, and says why."""
    expect(page.locator("#trouble [role=alert]")).to_contain_text(UNREACHED)
    assert page.url == url


def test_after_saving_offline_no_tap_leaves_the_page(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(over_plain_http(site, f"{path}hands/new"))
    enter_hand(page)
    go_offline(page)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Saved on this phone. Hand 1 is sent when the Wi-Fi is back.")

    page.get_by_role("link", name="Back").tap()

    expect_to_stay(page, over_plain_http(site, f"{path}hands/new"))
    go_online(page)
    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_link_is_followed_as_soon_as_the_network_is_back(page: Page, start_match: StartMatch, site: Site) -> None:
    url = over_plain_http(site, start_match())
    page.goto(url)
    go_offline(page)
    page.get_by_role("link", name="Record hand").tap()
    expect_to_stay(page, url)

    go_online(page)
    expect(page.locator("#trouble")).to_be_empty()
    page.get_by_role("link", name="Record hand").tap()

    expect(page.locator("#hand_form")).to_be_visible()
    page.go_back()
    expect(page.locator("#board")).to_be_visible()


@pytest.mark.parametrize("service_worker", [False, True])
def test_what_was_typed_stays_on_the_page_and_is_sent_by_the_next_tap(
    phones: Phones, start_match: StartMatch, site: Site, service_worker: bool
) -> None:
    path, page = start_match(), phones.new(service_worker=service_worker)
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

    expect(page.locator("#board")).to_contain_text("Anna & Cal")


def test_a_proxy_without_a_server_behind_counts_as_out_of_reach(page: Page, start_match: StartMatch) -> None:
    page.goto(start_match())
    url = page.url

    def nobody_behind(route: Route) -> None:
        route.fulfill(status=502, body="Bad Gateway")

    page.route("**/*", nobody_behind)
    page.get_by_role("link", name="Menu").tap()

    expect_to_stay(page, url)
