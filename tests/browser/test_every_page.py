"""Every page in each of its states: nothing cut, nothing too small to tap, nothing from axe or the console."""

import re
from collections.abc import Callable
from functools import partial
from itertools import count

import pytest
from playwright.sync_api import Page, Route

from scorekeeper.access import invitations
from tests.browser.conftest import NETWORK_ERRORS, Site, StartMatch
from tests.browser.page_checks import AXE_PATH, page_faults
from tests.browser.page_steps import (
    Step,
    discard_waiting_hand,
    return_to_draft,
    save_offline,
    tap_offline,
    watch_offline,
)
from tests.common.chromium import TEXT_SIZE, Phones, set_text_size
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
    monkeypatch.setattr(invitations, "ALPHABET", WIDEST_LETTERS)
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


@pytest.mark.parametrize(
    ("path", "step"),
    [
        ("hands/new", save_offline),
        ("hands/new", discard_waiting_hand),
        ("hands/new", tap_offline),
        ("hands/new", return_to_draft),
        ("", watch_offline),
    ],
)
def test_nor_has_one_that_scripts_changed(
    phones: Phones, still_page: Page, start_match: StartMatch, path: str, step: Step
) -> None:
    still_page.goto(start_match() + path)
    step(still_page)

    assert page_faults(still_page) == {}
    phones.console[:] = [text for text in phones.console if not NETWORK_ERRORS.search(text)]
