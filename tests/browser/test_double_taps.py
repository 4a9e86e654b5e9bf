"""A button that writes, tapped again before the response arrives: it acts once, and no error is shown."""

import json
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import Site, Step, enter_hand, hands, name_players, no_step, on_answer, over_plain_http
from tests.browser.playing import begin_match, play_hand
from tests.common.chromium import TIMEOUT, Phones
from tests.common.phone import Page as Answer
from tests.common.phone import Phone
from tests.common.sent_forms import sizes
from tests.matches.files.test_records import RECORD

pytestmark = pytest.mark.usefixtures("network_errors_allowed")
Address = Callable[[str], str]
PAUSE = 20
"""Milliseconds."""


@pytest.fixture(params=["service worker", "plain http"])
def tapped(request: pytest.FixtureRequest, phones: Phones, site: Site) -> tuple[Page, Address]:
    """Open a phone that has a service worker, or one over plain http, which has none; and its addresses."""
    if request.param == "plain http":
        return phones.new(is_own=True), lambda path: over_plain_http(site, path)
    page = phones.new(service_worker=True)
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return page, lambda path: f"{site.url}{path}"


def choose_file(page: Page) -> None:
    """Choose a file with a match."""
    content = json.dumps(RECORD).encode()
    page.locator("#record").set_input_files({"name": "match.json", "mimeType": "application/json", "buffer": content})


def name_table(page: Page) -> None:
    """Name everybody at the table."""
    name_players(page, "Ann", "Bea", "Cal", "Dan")


def played(phone: Phone) -> Answer:
    """Play a hand."""
    return play_hand(begin_match(phone), call="p4:3")


def tap_twice(page: Page, button: Locator, held: Sequence[object]) -> None:
    """Tap a button, and again once the answer to the first tap is held."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box() or pytest.fail("there is no such button")
    for taps in range(2):
        for _ in range(TIMEOUT // PAUSE):
            if len(held) == taps:
                break
            page.wait_for_timeout(PAUSE)  # no wait on the page itself, which is about to be left
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize(
    ("address", "step", "button", "writes", "then"),
    [
        ("/transfer", choose_file, "button:has-text('Import')", "match", "#board"),
        ("/new/partnership-pitch", name_table, ".bottom-bar .go", "match", "#board"),
        ("", no_step, "[action$='/undo'] button", "event", "#bottom_bar [action$='/redo'] button"),
        ("delete", no_step, "[action$='/delete'] button", "event", "[action$='/restore'] button"),
        ("room", no_step, "[action$='/room/invite'] button >> nth=0", "invitation", ".qr"),
    ],
)
def test_a_button_that_is_tapped_twice_does_once_what_it_says(
    tapped: tuple[Page, Address], site: Site, address: str, step: Step, button: str, writes: str, then: str
) -> None:
    page, at = tapped
    page.goto(at(address if address.startswith("/") else played(site.client()).path + address))
    step(page)
    before, held = sizes(site.app), list[str]()
    on_answer(page, lambda _session, request_id: held.append(request_id))

    tap_twice(page, page.locator(button), held)

    expect(page.locator(then).first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert (sizes(site.app) - before)[writes] == 1


def test_a_hand_that_is_saved_by_two_taps_is_one(tapped: tuple[Page, Address], site: Site) -> None:
    page, at = tapped
    path = begin_match(site.client()).path
    page.goto(at(f"{path}hands/new"))
    enter_hand(page)
    held = list[Callable[[], object]]()
    on_answer(
        page,
        lambda session, request_id: held.append(
            lambda: session.send("Fetch.continueResponse", {"requestId": request_id})
        ),
    )

    tap_twice(page, page.locator("#main-button"), held)
    held[0]()

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]
