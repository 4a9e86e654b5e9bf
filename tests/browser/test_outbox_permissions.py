"""A waiting hand on a phone that may no longer score, and on pages without locks or a secure context."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import enter_hand, go_offline, go_online, hands, over_plain_http
from tests.browser.conftest import Site, StartMatch
from tests.common.chromium import Phones
from tests.common.guests import SCORER, change, invited
from tests.common.phone import Page as Answer
from tests.common.reading import forms_of

LEASE = "scorekeeper.lease"
pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def link_number(owner: Answer) -> int:
    """Return the number of the phone that was let in."""
    room = owner.phone.open(f"{owner.path}room")
    return max(
        int(form.action.rpartition("/")[2]) for form in forms_of(room.root) if re.search(r"/room/\d+$", form.action)
    )


def test_a_hand_waits_while_its_phone_may_not_score(page: Page, site: Site, start_match: StartMatch) -> None:
    owner = site.client().open(start_match())
    page.goto(invited(owner, SCORER))
    page.get_by_role("button", name="Join").tap()
    expect(page.locator("#board")).to_be_visible()
    path = urlsplit(page.url).path
    page.goto(f"{path}hands/new")
    enter_hand(page)
    change(owner, "watcher", link_number(owner))

    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("This phone can watch but not score, so nothing was saved.")
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is still on this phone.")
    page.goto("/")
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is still on this phone.")
    change(owner, "scorer", link_number(owner))
    page.goto(path)

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, owner.path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_hand_stays_on_a_phone_whose_link_was_removed(page: Page, site: Site, start_match: StartMatch) -> None:
    owner = site.client().open(start_match())
    page.goto(invited(owner, SCORER))
    page.get_by_role("button", name="Join").tap()
    expect(page.locator("#board")).to_be_visible()
    page.goto(f"{urlsplit(page.url).path}hands/new")
    enter_hand(page)
    change(owner, "end", link_number(owner))

    page.locator("#main-button").tap()

    expect(page.locator("#outbox")).to_contain_text("link to the match")
    page.goto("/")
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is still on this phone.")
    page.get_by_role("button", name="Discard").tap()
    page.get_by_role("button", name="Discard").tap()
    expect(page.locator("#outbox")).to_be_empty()
    assert hands(site, owner.path) == []


def test_over_plain_http_a_hand_waits_as_well(phones: Phones, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page = phones.new(service_worker=True)
    page.goto(over_plain_http(site, f"{path}hands/new"))
    assert page.evaluate("[isSecureContext, 'serviceWorker' in navigator, 'locks' in navigator]") == [False] * 3
    expect(page.locator("link[rel=manifest]")).to_have_count(0)
    enter_hand(page)
    go_offline(page)

    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Saved on this phone. Hand 1 is sent when the Wi-Fi is back.")
    go_online(page)

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_one_of_several_pages_sends_even_without_locks(phones: Phones, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page = phones.new()
    page.goto(over_plain_http(site, f"{path}hands/new"))
    enter_hand(page)
    others = [page.context.new_page() for _ in range(3)]
    for other in others:
        other.goto(over_plain_http(site, path))
    go_offline(page)
    page.locator("#main-button").tap()
    for other in others:
        expect(other.locator("#outbox")).to_contain_text("Hand 1 is sent")
    go_online(page)

    for each in (page, *others):
        expect(each.locator("#board [data-score=s2]")).to_have_text("3", timeout=15_000)
        expect(each.locator("#outbox .say", has_text="goes in")).to_have_count(0)
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_page_without_locks_leaves_sending_to_the_one_that_has_begun(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page = phones.new()
    page.goto(over_plain_http(site, f"{path}hands/new"))
    enter_hand(page)
    go_offline(page)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    sent: list[str] = []
    page.context.on("request", lambda it: sent.append(it.url) if it.url.endswith("/hands/new") else None)

    page.evaluate(f"localStorage.setItem('{LEASE}', JSON.stringify({{ by: 'another', until: Date.now() + 60000 }}))")
    go_online(page)
    page.wait_for_timeout(500)  # the page has long tried by then
    assert sent == []
    page.evaluate(f"localStorage.removeItem('{LEASE}')")
    page.evaluate("dispatchEvent(new Event('online'))")

    expect(page.locator("#board [data-score=s2]")).to_have_text("3")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]
    assert len(sent) == 1


def test_a_page_without_locks_that_is_left_as_it_begins_to_send_holds_no_other_back(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page = phones.new()
    page.goto(over_plain_http(site, f"{path}hands/new"))
    enter_hand(page)
    page.route("**/hands/new", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    other = page.context.new_page()

    page.evaluate("dispatchEvent(new Event('online')); dispatchEvent(new Event('pagehide'))")
    page.goto("about:blank")
    other.goto(over_plain_http(site, path))

    expect(other.locator("#board [data-score=s2]")).to_have_text("3", timeout=5_000)  # less than a lease lasts
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_hand_is_sent_by_the_link_that_its_phone_has_now(
    page: Page, phones: Phones, site: Site, start_match: StartMatch
) -> None:
    owner, other = site.client().open(start_match()), phones.new()
    other.goto(invited(owner, SCORER))
    other.get_by_role("button", name="Join").tap()
    expect(other.locator("#board")).to_be_visible()
    passed_on = urlsplit(other.url).path
    page.goto(f"{passed_on}hands/new")
    enter_hand(page)
    change(owner, "end", link_number(owner))
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("link to the match")

    page.goto(invited(owner, SCORER))
    page.get_by_role("button", name="Join").tap()

    expect(page.locator("#outbox")).to_contain_text("Hand 1 is saved.")
    assert hands(site, owner.path) == ["1 Dan 3 made +1 1 +3 3"]
