"""A phone with the service worker: the match opens offline, and a hand can be entered and waits."""

from collections.abc import Callable
from time import monotonic, sleep

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import (
    Site,
    expect_text,
    go_offline,
    go_online,
    hands,
    pick,
    record_elsewhere,
    record_hand,
    score,
    tap,
    tap_answers,
    tap_main_button,
)
from tests.common.chromium import TIMEOUT, Phones
from tests.common.library import LIBRARY

COPIES = """async () => {
  const pages = await caches.open("scorekeeper-pages");
  return (await pages.keys()).map(({ url }) => new URL(url).pathname).sort();
}"""

COPY = """async path => {
  const pages = await caches.open("scorekeeper-pages");
  return (await pages.match(path)).text();
}"""

OTHER_FILES = """async () => {
  const files = await caches.open("scorekeeper-files");
  for (let i = 0; i < 100; i++) await files.put(`/static/js/old.js?v=${i}`, new Response(""));
}"""

HAS_OTHER_FILES = """async () => {
  const files = await caches.open("scorekeeper-files");
  return Boolean(await files.match("/static/js/old.js?v=0"));
}"""

MISSING_FILES = """async path => {
  const [files, pages] = await Promise.all(["scorekeeper-files", "scorekeeper-pages"].map((name) => caches.open(name)));
  const text = await (await pages.match(path)).text();
  const names = [...text.matchAll(/(?:href|src)="(\\/static\\/[^"]+)"/g)].map(([, name]) => name);
  const found = await Promise.all(names.map((name) => files.match(name)));
  return names.length > 4 ? names.filter((_, i) => !found[i]) : ["none are named"];
}"""

MAX_PAGES = 40
"""Copies that a phone has beside those of matches."""

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


@pytest.fixture
def page(phones: Phones, path: str) -> Page:
    """Open a match on a phone that takes the service worker."""
    page = phones.new(service_worker=True)
    open_match(page, path)
    return page


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for what the page itself does not show."""
    end = monotonic() + TIMEOUT / 1000
    while not is_so():
        assert monotonic() < end
        sleep(0.05)


def cached_paths(page: Page) -> list[str]:
    """Return the paths of the pages that the phone has copies of."""
    found: list[str] = page.evaluate(COPIES)
    return found


def wait_for_copies(page: Page, *paths: str) -> None:
    """Wait until copies of these pages are there."""
    wait_until(lambda: set(paths) <= set(cached_paths(page)))


def wait_until_forgotten(page: Page, path: str) -> None:
    """Wait until no page of a match is cached."""
    wait_until(lambda: not [found for found in cached_paths(page) if found.startswith(path)])


def open_match(page: Page, path: str) -> None:
    """Open a match, and wait until it is cached."""
    page.goto(path)
    wait_for_copies(page, "/", "/offline", path, f"{path}hands/new")
    page.wait_for_function("navigator.serviceWorker.controller !== null")


def test_the_match_opens_offline_and_a_hand_waits(page: Page, path: str, site: Site) -> None:
    record_hand(page, "Dan 3")
    wait_until(lambda: "Dan bid 3" in page.evaluate(COPY, path))
    go_offline(page)

    page.goto(path)
    assert score(page, "s2") == "4"
    expect_text(page, "#touch", "Offline. This score is from")
    tap(page, "Record hand")
    tap_answers(page, "p1:2", low="s2")
    expect_text(page, "#bottom_bar", "What you entered is safe.")
    tap_main_button(page)
    expect_text(page, "#outbox", "Hand 2 is sent when the Wi-Fi is back.")
    page.goto(path)
    expect_text(page, "#outbox", "Hand 2 is sent when the Wi-Fi is back.")
    assert len(hands(site, path)) == 1

    go_online(page)
    expect_text(page, "#turn", "Hand 2 is saved.")
    assert hands(site, path) == ["2 Ann 2 made +3 3 +1 5", "1 Dan 3 made 0 0 +4 4"]


def test_two_hands_entered_on_one_copy_are_two_hands(page: Page, path: str, site: Site) -> None:
    go_offline(page)
    for call, heading in (("p4:3", "Hand 1"), ("p1:2", "The next hand")):
        page.goto(f"{path}hands/new")
        expect_text(page, "h1", heading)
        tap_answers(page, call)
        expect_text(page, "#bottom_bar", "What you entered is safe.")
        tap_main_button(page)
        expect_text(page, "#main-button", "Saved on this phone")
    expect_text(page, "#outbox", "Hand 1 is sent")
    expect_text(page, "#outbox", "The next hand is sent")
    page.goto(path)

    go_online(page)

    expect_text(page, "#turn", "Hand 2 is saved.")
    assert hands(site, path) == ["2 Ann 2 made +4 4 0 4", "1 Dan 3 made 0 0 +4 4"]


def test_a_form_that_is_started_over_knows_what_the_phone_has_sent_meanwhile(page: Page, path: str, site: Site) -> None:
    go_offline(page)
    page.goto(f"{path}hands/new")
    tap_answers(page, "p4:3")
    tap_main_button(page)
    expect_text(page, "#main-button", "Saved on this phone")
    page.goto(f"{path}hands/new")
    pick(page, "call", "p3:4")
    page.goto(f"{path}hands/new")
    expect_text(page, "#draft", "Restored.")

    go_online(page)
    expect_text(page, "#outbox", "Hand 1 is saved")
    tap(page, "Start over")
    expect_text(page, "#main-button", "Tap who bid, and how much")
    pick(page, "call", "p1:2")
    expect_text(page, "#main-button", "4 left")
    tap(page, "Rest to Ann & Cal")
    expect_text(page, "#main-button", "Save: made")
    tap_main_button(page)

    expect_text(page, "#turn", "Hand 2 is saved.")
    assert hands(site, path) == ["2 Ann 2 made +4 4 0 4", "1 Dan 3 made 0 0 +4 4"]


def test_a_page_never_opened_before_says_so_offline(page: Page, path: str) -> None:
    go_offline(page)

    page.goto(f"{path}history")
    expect_text(page, "#main", "It hasn’t opened that page before")
    page.get_by_role("link", name="Home").last.tap()

    expect(page.get_by_role("heading", name="Scorekeeper")).to_be_visible()


def test_the_match_and_the_page_that_needs_no_network_survive_many_others(page: Page, path: str) -> None:
    others = [f"/rules/{ruleset.id}" for ruleset in LIBRARY]
    for other in others[: MAX_PAGES + 5]:
        page.goto(other)
    wait_until(lambda: others[MAX_PAGES + 4] in cached_paths(page) and others[0] not in cached_paths(page))
    go_offline(page)

    page.goto(path)
    tap(page, "Record hand")
    expect(page.get_by_role("radio", name="Dan 3")).to_be_visible()
    page.goto("/people/nobody")
    expect_text(page, "#main", "This phone is offline.")
    page.get_by_role("link", name="Home").last.tap()
    expect(page.get_by_role("heading", name="Scorekeeper")).to_be_visible()


def test_a_copy_keeps_its_files_whatever_else_was_loaded(page: Page, path: str) -> None:
    page.evaluate(OTHER_FILES)
    page.goto("/rules/pedro")
    wait_until(lambda: page.evaluate(HAS_OTHER_FILES) is False)

    assert page.evaluate(MISSING_FILES, path) == []


def test_a_copy_is_deleted_when_its_link_is_gone(page: Page, path: str) -> None:
    page.route("**/*", lambda route: route.continue_())
    page.context.route(
        f"**{path}", lambda route: route.fulfill(status=410, body="<p>over</p>", content_type="text/html")
    )

    page.goto(path)

    wait_until_forgotten(page, path)


def test_copies_are_deleted_with_their_match(page: Page, path: str) -> None:

    page.goto(f"{path}delete")
    tap(page, "Delete")
    expect(page.get_by_role("button", name="Restore")).to_be_visible()

    wait_until_forgotten(page, path)


def test_posts_and_polls_are_never_cached(page: Page, path: str, site: Site) -> None:
    with page.expect_response("**/board?v=*") as answer:
        pass
    assert answer.value.status == 204

    record_elsewhere(site, path, "p4:3")

    expect(page.locator("#board [data-score=s2]")).to_have_text("4")
    assert [found for found in cached_paths(page) if "board" in found or "preview" in found] == []


def test_a_copy_follows_what_other_phones_write(page: Page, site: Site, path: str) -> None:
    record_elsewhere(site, path, "p4:3")
    expect(page.locator("#board [data-score=s2]")).to_have_text("4")
    wait_until(lambda: "Dan bid 3" in page.evaluate(COPY, path))
    go_offline(page)

    page.reload()

    assert score(page, "s2") == "4"
