"""A hand that is saved without a network: nothing is lost, and nothing counts twice."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import enter_hand, go_offline, go_online, hands, record_hand
from tests.browser.conftest import Site, StartMatch
from tests.browser.page_steps import pick
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def test_going_offline_while_entering_a_hand_still_lets_it_be_saved(
    page: Page, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    go_offline(page)
    for name, value in (
        ("call", "p4:3"),
        ("took-high", "s2"),
        ("took-low", "s1"),
        ("took-jack", "s2"),
        ("took-game", "s2"),
    ):
        pick(page, name, value)
    expect(page.locator("#bottom_bar")).to_contain_text("What you entered is safe.")

    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Saved on this phone.")
    go_online(page)

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_waiting_hand_survives_a_reload_and_another_page(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)
    page.route("**/hands/new", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")

    page.reload()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(path)
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    assert hands(site, path) == []

    page.unroute("**/hands/new")
    page.get_by_role("button", name="Try now").tap()
    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_waiting_hand_that_another_phone_wrote_first_is_decided_by_a_person(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine, theirs = phones.new(), phones.new()
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    go_offline(mine)
    mine.locator("#main-button").tap()
    expect(mine.locator("#outbox")).to_contain_text("Saved on this phone")
    theirs.goto(path)
    record_hand(theirs, "Ann 2")

    go_online(mine)
    expect(mine.locator("#outbox")).to_contain_text("Another phone saved hand 1 first")
    mine.goto(path)
    expect(mine.locator("#outbox")).to_contain_text("Hand 1 is still on this phone.")
    mine.get_by_role("button", name="Check it").tap()
    expect(mine.locator("#main")).to_contain_text("On this phone")
    expect(mine.locator("h2", has_text="saved hand 1 first")).to_have_count(1)
    expect(mine.locator("#outbox")).to_be_empty()
    mine.go_back()
    expect(mine.locator("#outbox")).to_contain_text("Another phone saved hand 1 first")
    mine.get_by_role("button", name="Check it").tap()
    mine.get_by_role("button", name="Add mine as hand 2").tap()

    expect(mine.locator("#turn")).to_contain_text("Hand 2 is saved.")
    expect(mine.locator("#outbox")).to_be_empty()
    assert hands(site, path) == ["2 Dan 3 made +1 5 +3 3", "1 Ann 2 made +4 4 0 0"]


def test_when_the_other_hand_counts_nothing_waits_any_more(phones: Phones, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    mine, theirs = phones.new(), phones.new()
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    theirs.goto(path)
    record_hand(theirs, "Ann 2")

    mine.locator("#main-button").tap()
    mine.get_by_role("link", name="Use that one").tap()

    expect(mine.locator("#turn")).to_contain_text("deals hand 2")
    expect(mine.locator("#outbox")).to_be_empty()
    assert hands(site, path) == ["1 Ann 2 made +4 4 0 0"]


def test_two_waiting_hands_are_sent_in_their_order(phones: Phones, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page = phones.new()
    other = page.context.new_page()
    page.goto(f"{path}hands/new")
    enter_hand(page, "Dan 3")
    other.goto(f"{path}hands/new")
    TapCounter(other).tap(other.get_by_role("radio", name="Dan 2"))
    go_offline(page)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Saved on this phone")
    other.locator("#main-button").tap()
    expect(other.locator("#outbox .say")).to_have_count(2)

    go_online(page)

    expect(page.locator("#board")).to_be_visible(timeout=10_000)
    expect(other.locator("#outbox")).to_be_empty(timeout=10_000)
    assert hands(site, path) == ["2 Dan 2 made +1 2 +3 6", "1 Dan 3 made +1 1 +3 3"]


def test_discarding_a_waiting_hand_asks_first(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)
    go_offline(page)
    page.locator("#main-button").tap()

    page.get_by_role("button", name="Discard").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is only on this phone.")
    page.get_by_role("button", name="Keep it").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    page.get_by_role("button", name="Discard").tap()
    page.get_by_role("button", name="Discard").tap()
    expect(page.locator("#outbox")).to_be_empty()
    go_online(page)

    page.goto(path)
    expect(page.locator("#turn")).to_contain_text("deals hand 1")
    assert hands(site, path) == []


def test_an_impossible_waiting_hand_comes_back_to_be_corrected(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    go_offline(page)
    for name, value in (
        ("call", "p4:3"),
        ("took-high", "nobody"),
        ("took-low", "s1"),
        ("took-jack", "s2"),
        ("took-game", "s2"),
    ):
        pick(page, name, value)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")

    go_online(page)
    expect(page.locator("#outbox")).to_contain_text("Not saved yet")
    page.get_by_role("button", name="Check it").tap()
    expect(page.locator("#faults")).to_contain_text("Someone has to get High.")
    expect(page.locator("#outbox")).to_be_empty()
    TapCounter(page).tap(page.locator("#row-high").get_by_role("radio", name="Ann & Cal"))
    page.locator("#main-button").tap()

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 set +2 2 −3 −3"]


def test_an_unfinished_hand_that_waited_is_counted_and_not_saved(
    page: Page, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    go_offline(page)
    for name, value in (("call", "p4:3"), ("took-high", "s2")):
        pick(page, name, value)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")

    go_online(page)
    page.get_by_role("button", name="Check it").tap()

    expect(page.locator("#main-button")).to_have_text("3 left: who took Low, Jack, Game?")
    assert hands(site, path) == []


def test_a_waiting_hand_is_sent_from_the_home_page(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)
    page.route("**/hands/new", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    page.unroute("**/hands/new")

    page.goto("/")

    expect(page.locator("#outbox")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_slow_response_is_waited_for(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            page.wait_for_timeout(1500)
        route.continue_()

    page.route("**/hands/new", hold)
    page.locator("#main-button").tap(no_wait_after=True)

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.", timeout=10_000)
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_phone_that_lost_its_cookies_still_sends_its_hand(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)
    page.context.clear_cookies()

    page.locator("#main-button").tap()

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_waiting_hand_is_discarded_by_keyboard(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    enter_hand(page)
    go_offline(page)
    page.locator("#main-button").press("Enter")
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")

    page.get_by_role("button", name="Discard").press("Enter")
    expect(page.get_by_role("button", name="Discard")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name="Try now").first).to_be_focused()


def test_a_correction_waits_like_a_hand(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(path)
    record_hand(page, "Dan 3")
    page.goto(f"{path}hands/1")
    TapCounter(page).tap(page.locator("#row-game").get_by_role("radio", name="Ann & Cal"))
    go_offline(page)

    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("The correction of hand 1 is sent when the Wi-Fi is back.")
    go_online(page)

    expect(page.locator("#turn")).to_contain_text("Hand 1 is corrected.")
    assert hands(site, path) == ["1 Dan 3 made corrected: Game Bea & Dan → Ann & Cal +1 1 +3 3"]
