"""Every page in each of its states: nothing cut, nothing too small to tap, nothing from axe or the console."""

import re
from collections.abc import Callable
from functools import partial
from itertools import count

import pytest
from playwright.sync_api import Page, Route, expect

from scorekeeper.access import invitations
from tests.browser.actions import (
    Site,
    Step,
    enter_hand,
    expect_text,
    go_offline,
    pick,
    picks,
    record_elsewhere,
    tap,
    tap_main_button,
    wait_for_count,
)
from tests.browser.page_checks import AXE_PATH, load_axe, page_faults
from tests.common.chromium import TEXT_SIZE, set_text_size
from tests.common.gallery import ROOMS, Pages, TakePhone, phone_of_its_own
from tests.common.phone import Page as Answer

WIDEST_LETTERS = "HKMXHKMXKM"
"""Of the ten that a code to join with is drawn from: what fits with these fits with all."""
ADDRESSES = count(1)
"""Of the phones that open pages, each an address of its own."""


def show(page: Page, answer: Answer) -> None:
    """Show a page as it was answered, with its styles and scripts, which hear of nothing new."""
    answers = [answer]

    def serve(route: Route) -> None:
        request = route.request
        if request.is_navigation_request() and answers:
            headers = {name: answer.response.headers[name] for name in ("Content-Type", "Content-Security-Policy")}
            route.fulfill(status=answer.status, headers=headers, body=answers.pop().response.data)
        elif "/static/" in request.url or request.url.endswith(AXE_PATH):
            route.continue_()
        elif request.resource_type == "image":
            route.fulfill(content_type="image/svg+xml", body='<svg xmlns="http://www.w3.org/2000/svg"/>')
        else:
            route.fulfill(status=204)

    page.unroute_all()
    page.route("**/*", serve)
    page.goto(answer.response.request.full_path)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_no_page_has_faults(
    site: Site, still_page: Page, room: Callable[[TakePhone], Pages], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "PIN_ALPHABET", WIDEST_LETTERS)
    faults, seen = {}, set[str]()
    for name, answer in room(partial(phone_of_its_own, site.app, ADDRESSES)):
        parts = set(re.findall(r' class="[^"]*"|<[a-z]+', answer.response.text))
        if not parts <= seen:  # what stands on others is laid out there
            show(still_page, answer)
            faults[name] = page_faults(still_page)
            still_page.evaluate("localStorage.clear()")
            set_text_size(still_page, TEXT_SIZE)
        seen |= parts
    assert {name: found for name, found in faults.items() if found} == {}


def save_offline(page: Page) -> None:
    """Save a hand while offline."""
    enter_hand(page)
    go_offline(page)
    tap_main_button(page)
    expect_text(page, "#outbox", "Saved on this phone")


def discard_waiting_hand(page: Page) -> None:
    """Discard a waiting hand, and confirm it."""
    save_offline(page)
    tap(page, "Discard")


def tap_offline(page: Page) -> None:
    """Tap while offline."""
    go_offline(page)
    pick(page, "call", "p4:3")
    expect_text(page, "#bottom_bar", "What you entered is safe.")


def return_to_draft(page: Page) -> None:
    """Come back to a hand that was not saved."""
    picks(("call", "p4:3"))(page)
    page.reload()
    expect_text(page, "#draft", "Restored.")
    wait_for_count(page)


@pytest.mark.parametrize("step", [save_offline, discard_waiting_hand, tap_offline, return_to_draft])
@pytest.mark.usefixtures("network_errors_allowed")
def test_nor_has_one_that_scripts_changed(still_page: Page, path: str, step: Step) -> None:
    still_page.goto(f"{path}hands/new")
    load_axe(still_page)  # while there is a network

    step(still_page)

    assert page_faults(still_page) == {}


@pytest.mark.usefixtures("network_errors_allowed")
def test_nor_has_one_that_is_watched_offline_while_a_hand_waits(still_page: Page, path: str, site: Site) -> None:
    still_page.goto(f"{path}hands/new")
    load_axe(still_page)  # while there is a network
    enter_hand(still_page)
    record_elsewhere(site, path)
    tap_main_button(still_page)
    expect(still_page.locator("[data-settles]")).to_be_visible()
    still_page.goto(path)
    expect_text(still_page, "#outbox", "is still on this phone")
    go_offline(still_page)
    expect_text(still_page, "#touch", "Offline.")

    assert page_faults(still_page) == {}
