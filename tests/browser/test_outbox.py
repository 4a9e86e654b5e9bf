"""A hand that is saved without a network: it waits on the phone, nothing is lost, and nothing counts twice."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect
from sqlalchemy import delete
from sqlmodel import col, select

from scorekeeper.database.engine import db
from scorekeeper.database.tables import EventRow, LinkRow
from tests.browser.actions import (
    Site,
    TapCounter,
    enter_hand,
    expect_text,
    go_offline,
    go_online,
    hands,
    lose_answer,
    over_plain_http,
    pick,
    picks,
    record_elsewhere,
    record_hand,
    tap,
    tap_answers,
    tap_main_button,
)
from tests.browser.test_offline import open_match, wait_for_copies, wait_until
from tests.common.calling import took
from tests.common.chromium import Phones
from tests.common.guests import SCORER, change, invited
from tests.common.phone import Page as Answer

pytestmark = pytest.mark.usefixtures("network_errors_allowed")
SAVED = "1 Dan 3 made +1 1 +3 3"
"""The hand that most tests enter, as the server has it."""


@pytest.fixture
def installed(phones: Phones, path: str) -> Page:
    """Open the match on a phone that has a service worker."""
    page = phones.new(service_worker=True)
    open_match(page, path)
    return page


@pytest.fixture
def waiting(entered: Page) -> Page:
    """Save that hand while no hand reaches the server."""
    lose_saves(entered)
    keep(entered)
    return entered


def keep(page: Page, what: str = "Hand 1") -> None:
    """Save a hand that cannot be sent, so that it waits."""
    tap_main_button(page)
    expect_text(page, "#outbox", f"{what} is sent")


def save_offline(page: Page, path: str, call: str, what: str = "Hand 1", **others: str) -> None:
    """Enter a hand on the page out of the phone's memory, and save it, both without a network."""
    page.goto(f"{path}hands/new")
    go_offline(page)
    tap_answers(page, call, **others)
    expect_text(page, "#bottom_bar", "What you entered is safe.")
    keep(page, what)


def is_save(request: Request) -> bool:
    """Return whether a hand is saved, and not only discarded."""
    return request.method == "POST" and "do=discard" not in (request.post_data or "")


def lose_saves(page: Page) -> None:
    """Let no hand that is saved reach the server."""
    page.route("**/hands/new", lambda route: route.abort() if is_save(route.request) else route.continue_())


def discard(page: Page) -> None:
    """Discard the waiting hand, and confirm it."""
    for _ in range(2):
        page.locator("#outbox").get_by_role("button", name="Discard").first.tap()
    expect(page.locator("#outbox")).to_be_empty()


def expect_saved(page: Page, site: Site, path: str) -> None:
    """Check that the page shows the hand as saved, and that the server has it once."""
    expect_text(page, "#turn", "Hand 1 is saved.")
    assert hands(site, path) == [SAVED]


def bids(site: Site, path: str) -> list[str]:
    """Return the hands that the server has likewise, by their bids alone."""
    return [row[:7] for row in hands(site, path)]


def test_a_waiting_hand_survives_a_reload_and_another_page(waiting: Page, path: str, site: Site) -> None:
    waiting.reload()
    expect_text(waiting, "#outbox", "Hand 1 is sent")
    waiting.set_viewport_size({"width": 844, "height": 390})
    waiting.goto(path)
    expect_text(waiting, "#outbox", "Hand 1 is sent")
    assert hands(site, path) == []

    waiting.unroute("**/hands/new")
    tap(waiting, "Try now")
    expect_saved(waiting, site, path)


def test_a_waiting_hand_that_another_phone_wrote_first_is_decided_by_a_person(
    entered: Page, path: str, site: Site
) -> None:
    outbox = entered.locator("#outbox")
    go_offline(entered)
    keep(entered)
    record_elsewhere(site, path)

    go_online(entered)
    expect(outbox).to_contain_text("Another phone saved hand 1 first")
    entered.goto(path)
    expect(outbox).to_contain_text("Hand 1 is still on this phone.")
    tap(entered, "Check it")
    expect_text(entered, "#main", "On this phone")
    expect(entered.locator("h2", has_text="saved hand 1 first")).to_have_count(1)
    expect(outbox).to_be_empty()
    entered.go_back()
    expect(outbox).to_contain_text("Another phone saved hand 1 first")
    tap(entered, "Check it")
    tap(entered, "Add mine as hand 2")

    expect_text(entered, "#turn", "Hand 2 is saved.")
    expect(outbox).to_be_empty()
    assert hands(site, path) == ["2 Dan 3 made +1 5 +3 3", "1 Ann 2 made +4 4 0 0"]


def test_when_the_other_hand_counts_nothing_waits_any_more(entered: Page, path: str, site: Site) -> None:
    record_elsewhere(site, path)

    tap_main_button(entered)
    tap(entered, "Use that one")

    expect_text(entered, "#turn", "deals hand 2")
    expect(entered.locator("#outbox")).to_be_empty()
    assert hands(site, path) == ["1 Ann 2 made +4 4 0 0"]


@pytest.fixture
def second(entered: Page, path: str) -> Page:
    """Enter another hand on a second page of the phone, and save the first without a network."""
    page = entered.context.new_page()
    page.goto(f"{path}hands/new")
    TapCounter(page).answer("Dan 2")
    go_offline(entered)
    keep(entered)
    expect_text(page, "h1", "The next hand")
    return page


def test_two_waiting_hands_are_sent_in_their_order(entered: Page, second: Page, path: str, site: Site) -> None:
    tap_main_button(second)
    expect(second.locator("#outbox .say")).to_have_count(2)

    go_online(entered)

    expect(entered.locator("#board")).to_be_visible(timeout=10_000)
    expect(second.locator("#outbox")).to_be_empty(timeout=10_000)
    assert hands(site, path) == ["2 Dan 2 made +1 2 +3 6", "1 Dan 3 made +1 1 +3 3"]


def test_a_page_that_closed_as_its_hand_went_in_does_not_count_it_twice(entered: Page, second: Page) -> None:
    entered.evaluate(
        """() => {
          const key = Object.keys(localStorage).find((name) => name.startsWith("scorekeeper.kept."));
          localStorage.setItem("scorekeeper.sent", `[${localStorage.getItem(key)}]`);
        }"""
    )

    tap_main_button(second)
    expect(second.locator("#outbox .say")).to_have_count(2)

    kept = "Object.entries(localStorage).filter(([name]) => name.startsWith('scorekeeper.kept.'))"
    fields = second.evaluate(f"{kept}.map(([, text]) => Object.fromEntries(JSON.parse(text).fields).index)")
    assert sorted(fields) == ["1", "2"]


def test_discarding_a_waiting_hand_asks_first(entered: Page, path: str, site: Site) -> None:
    go_offline(entered)
    keep(entered)

    tap(entered, "Discard")
    expect_text(entered, "#outbox", "Hand 1 is only on this phone.")
    tap(entered, "Keep it")
    expect_text(entered, "#outbox", "Hand 1 is sent")
    discard(entered)
    go_online(entered)

    entered.goto(path)
    expect_text(entered, "#turn", "deals hand 1")
    assert hands(site, path) == []


def test_an_impossible_waiting_hand_comes_back_to_be_corrected(entry: Page, path: str, site: Site) -> None:
    go_offline(entry)
    tap_answers(entry, "p4:3", high="nobody", low="s1")
    keep(entry)

    go_online(entry)
    expect_text(entry, "#outbox", "Not saved yet")
    tap(entry, "Check it")
    expect_text(entry, "#faults", "Someone has to get High.")
    expect(entry.locator("#outbox")).to_be_empty()
    TapCounter(entry).answer("Ann & Cal", "#row-high")
    tap_main_button(entry)

    expect_text(entry, "#turn", "Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 set +2 2 −3 −3"]


def test_an_unfinished_hand_that_waited_is_counted_and_not_saved(entry: Page, path: str, site: Site) -> None:
    go_offline(entry)
    for name, value in (("call", "p4:3"), ("took-high", "s2")):
        pick(entry, name, value)
    keep(entry)

    go_online(entry)
    tap(entry, "Check it")

    expect_text(entry, "#main-button", "3 left: who took Low, Jack, Game?")
    assert hands(site, path) == []


def test_a_waiting_hand_is_sent_from_the_home_page(waiting: Page, path: str, site: Site) -> None:
    waiting.unroute("**/hands/new")

    waiting.goto("/")

    expect_text(waiting, "#outbox", "Hand 1 is saved.")
    assert hands(site, path) == [SAVED]


def test_a_slow_response_is_waited_for(entered: Page, path: str, site: Site) -> None:
    def hold(route: Route) -> None:
        if route.request.method == "POST":
            entered.wait_for_timeout(1500)
        route.continue_()

    entered.route("**/hands/new", hold)
    entered.locator("#main-button").tap(no_wait_after=True)

    expect_saved(entered, site, path)


def test_a_phone_that_lost_its_cookies_still_sends_its_hand(entered: Page, path: str, site: Site) -> None:
    entered.context.clear_cookies()

    tap_main_button(entered)

    expect_saved(entered, site, path)


def test_a_waiting_hand_is_discarded_by_keyboard(entered: Page) -> None:
    go_offline(entered)
    entered.locator("#main-button").press("Enter")
    expect_text(entered, "#outbox", "Hand 1 is sent")

    entered.get_by_role("button", name="Discard").press("Enter")
    expect(entered.get_by_role("button", name="Discard")).to_be_focused()
    entered.keyboard.press("Tab")
    entered.keyboard.press("Enter")

    expect(entered.get_by_role("button", name="Try now").first).to_be_focused()


def test_a_correction_waits_like_a_hand(page: Page, path: str, site: Site) -> None:
    page.goto(path)
    record_hand(page, "Dan 3")
    page.goto(f"{path}hands/1")
    TapCounter(page).answer("Ann & Cal", "#row-game")
    go_offline(page)

    keep(page, "The correction of hand 1")
    go_online(page)

    expect_text(page, "#turn", "Hand 1 is corrected.")
    assert hands(site, path) == ["1 Dan 3 made corrected: Game Bea & Dan → Ann & Cal +1 1 +3 3"]


def test_a_hand_that_was_entered_offline_can_still_be_changed(page: Page, path: str, site: Site) -> None:
    save_offline(page, path, "p4:3", low="s1")

    pick(page, "took-low", "s2")
    expect_text(page, "#main-button", "this phone keeps it")
    tap_main_button(page)
    expect_text(page, "#main-button", "Saved on this phone")
    go_online(page)

    expect_text(page, "#turn", "Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made 0 0 +4 4"]


def test_a_changed_hand_keeps_its_place_before_the_next_one(page: Page, path: str, site: Site) -> None:
    other = page.context.new_page()
    other.goto(f"{path}hands/new")
    save_offline(page, path, "p4:3", low="s1")
    tap_answers(other, "p1:4")
    tap_main_button(other)
    expect(other.locator("#outbox .say")).to_have_count(2)

    pick(page, "took-low", "s2")
    expect_text(page, "#main-button", "this phone keeps it")
    tap_main_button(page)
    go_online(page)

    expect(other.locator("#outbox")).to_be_empty(timeout=15_000)
    assert bids(site, path) == ["2 Ann 4", "1 Dan 3"]


def test_what_is_saved_after_a_discarded_hand_is_compared_with_it_should_that_be_in(
    entered: Page, path: str, site: Site
) -> None:
    lose_answer(entered)
    keep(entered)
    discard(entered)
    go_online(entered)

    tap_answers(entered, "p1:4")
    tap_main_button(entered)
    tap(entered, "Use this one")

    expect_text(entered, "#turn", "is corrected.")
    assert bids(site, path) == ["1 Ann 4"]


def test_a_hand_that_another_page_discards_no_longer_says_that_it_is_saved(page: Page, path: str) -> None:
    other = page.context.new_page()
    other.goto(path)
    save_offline(page, path, "p4:3")
    discard(other)

    expect_text(page, "#main-button", "this phone keeps it")


def test_a_rule_that_is_looked_up_in_a_question_leaves_the_hand_waiting(entered: Page, path: str, site: Site) -> None:
    record_elsewhere(site, path)
    tap_main_button(entered)

    entered.locator("[data-settles] .lines a").first.tap()
    entered.wait_for_url("**/rules*")

    expect_text(entered, "#outbox", "Hand 1 is still on this phone.")


def test_a_match_that_is_resumed_from_a_question_leaves_the_hand_waiting(entered: Page, path: str, site: Site) -> None:
    record_elsewhere(site, path)
    site.client().open(f"{path}stop").send("/stop")
    tap_main_button(entered)

    tap(entered, "Resume")

    expect(entered.locator("#board")).to_be_visible()
    expect_text(entered, "#outbox", "Hand 1 is still on this phone.")


def test_a_part_of_the_next_hand_stays_while_another_waits(waiting: Page, path: str) -> None:
    waiting.goto(f"{path}hands/new")
    picks(("call", "p1:4"))(waiting)

    waiting.reload()

    expect(waiting.locator('[name="call"][value="p1:4"]')).to_be_checked()


def test_a_waiting_hand_is_not_offered_again_once_an_earlier_one_was_corrected(
    page: Page, path: str, site: Site
) -> None:
    record_elsewhere(site, path)
    page.goto(f"{path}hands/new")
    enter_hand(page)
    lose_saves(page)
    keep(page, "Hand 2")
    corrected = site.client().open(f"{path}hands/1").send("/hands/1", {"took-game": "s2"}, press="Save")
    assert "Hand 1 is corrected." in corrected.text

    page.goto(f"{path}hands/new")

    expect_text(page, "#outbox", "Hand 2 is sent")
    expect(page.locator("#hand_form [name=call]:checked")).to_have_count(0)


def two_hands_wait(page: Page, path: str) -> None:
    """Save two hands of one page without a network."""
    go_offline(page)
    save_offline(page, path, "p4:3", "Hand 1")
    save_offline(page, path, "p1:4", "The next hand")


def forget_all_but(site: Site, path: str, version: int) -> None:
    """Take the later events of a match from the server, as a restore from an older backup does."""
    code = path.strip("/").split("/")[-1]
    with site.app.app_context():
        of_match = select(LinkRow.match_id).where(col(LinkRow.code) == code).scalar_subquery()
        db.session.execute(delete(EventRow).where(col(EventRow.match_id) == of_match, col(EventRow.seq) > version))
        db.session.commit()


def wait_until_seen(page: Page) -> None:
    """Wait until a phone has noted the version that its page shows."""
    wait_until(lambda: "scorekeeper.seen." in page.evaluate("Object.keys(localStorage).join()"))


def test_a_resent_hand_lifts_no_later_one_over_another_phones(installed: Page, path: str, site: Site) -> None:
    installed.goto(f"{path}hands/new")
    enter_hand(installed)
    lose_answer(installed)
    keep(installed)
    save_offline(installed, path, "p1:4", "The next hand")
    record_elsewhere(site, path)

    go_online(installed)

    expect_text(installed, "#outbox", "Another phone saved hand 2 first")
    assert hands(site, path) == ["2 Ann 2 made +4 5 0 3", SAVED]


def test_a_hand_in_question_holds_no_later_one_back_and_is_found_on_every_page(
    installed: Page, path: str, site: Site
) -> None:
    outbox, main = installed.locator("#outbox"), installed.locator("#main")
    two_hands_wait(installed, path)
    record_elsewhere(site, path)
    record_elsewhere(site, path, "p2:2")

    go_online(installed)
    expect(outbox).to_contain_text("Another phone saved hand 1 first")
    expect(outbox).to_contain_text("Another phone saved hand 2 first")

    installed.goto(f"{path}history")
    expect(outbox).to_contain_text("Another phone saved hand 1 first")
    for theirs in ("Ann 2 made", "Bea 2 made"):
        installed.get_by_role("button", name="Check it").first.tap()
        expect(main).to_contain_text(theirs)
        tap(installed, "Use this one")
        expect_text(installed, "#turn", "Hand")

    expect_text(installed, "#history", "Ann 4")
    expect(outbox).to_be_empty()
    assert bids(site, path) == ["2 Ann 4", "1 Dan 3"]


def test_a_hand_that_is_continued_and_saved_offline_is_in_progress_no_more(
    installed: Page, path: str, site: Site
) -> None:
    page = installed
    page.goto(f"{path}hands/new")
    pick(page, "call", "p4:3")
    expect_text(page, "#bottom_bar", "left")
    page.goto(path)
    tap(page, "Continue this hand")
    expect_text(page, "#draft", "Everything you entered is still here.")
    wait_for_copies(page, f"{path}hands/new")
    go_offline(page)
    for name, value in took("s2").items():
        pick(page, name, value)
    expect_text(page, "#bottom_bar", "What you entered is safe.")
    keep(page)

    page.goto(path)
    expect_text(page, "#bottom_bar .go", "Record hand")
    page.locator("#bottom_bar .go").tap()
    expect(page.locator("#draft")).to_be_empty()
    expect(page.get_by_role("radio", name="Dan 3")).not_to_be_checked()

    go_online(page)
    expect_text(page, "#turn", "Hand 1 is saved.")
    assert bids(site, path) == ["1 Dan 3"]


def test_a_hand_behind_one_that_cannot_be_says_what_it_waits_for(installed: Page, path: str, site: Site) -> None:
    go_offline(installed)
    save_offline(installed, path, "p4:3", high="nobody")
    save_offline(installed, path, "p1:4", "The next hand")

    go_online(installed)

    waits = "The next hand is sent once Hand 1 is settled."
    expect_text(installed, "#outbox", waits)
    assert hands(site, path) == []


def test_discarding_a_waiting_hand_leaves_what_another_phone_has_in_progress(
    waiting: Page, phones: Phones, path: str, site: Site
) -> None:
    theirs = phones.new()
    theirs.goto(f"{path}hands/new")
    picks(("call", "p1:2"))(theirs)
    waiting.goto(path)

    tap(waiting, "Discard")
    with waiting.expect_response("**/hands/new"):
        tap(waiting, "Discard")

    assert site.client().open(path).offers("Continue this hand")


def test_a_hand_behind_a_discarded_one_meets_the_hand_of_another_phone_in_its_place(
    installed: Page, path: str, site: Site
) -> None:
    two_hands_wait(installed, path)
    for _ in range(2):
        installed.locator("#outbox").get_by_role("button", name="Discard").first.tap()
    record_elsewhere(site, path)

    go_online(installed)

    expect_text(installed, "#outbox", "Another phone saved hand 1 first")
    assert hands(site, path) == ["1 Ann 2 made +4 4 0 0"]


def test_what_a_restored_server_lost_is_said_and_sent_back(page: Page, path: str, site: Site) -> None:
    page.goto(path)
    record_hand(page, "Dan 3")
    record_hand(page, "Ann 2")
    expect(page.locator("#board")).to_have_attribute("data-next", "3")
    wait_until_seen(page)
    forget_all_but(site, path, 1)

    page.goto(path)
    expect_text(page, "#outbox", "This phone has seen hand 2, which the server no longer has")
    tap(page, "Send it back")

    expect_text(page, "#turn", "Hand 2 is saved.")
    expect(page.locator("#outbox")).to_be_empty()
    assert bids(site, path) == ["2 Ann 2", "1 Dan 3"]


def test_a_hand_behind_one_that_a_restored_server_lost_moves_up(page: Page, path: str, site: Site) -> None:
    second = page.context.new_page()
    for tab, call in ((page, "p4:3"), (second, "p1:4")):
        tab.goto(f"{path}hands/new")
        tap_answers(tab, call)
    tap_main_button(page)
    expect(page.locator("#board")).to_have_attribute("data-next", "2")
    wait_until_seen(page)
    for tab in (page, second):
        lose_saves(tab)
    tap_main_button(second)
    expect_text(second, "#outbox", "is sent")
    forget_all_but(site, path, 0)

    second.goto(path)
    tap(second, "Go on without")
    record_elsewhere(site, path)
    for tab in (page, second):
        tab.unroute_all()
    second.reload()

    expect_text(second, "#outbox", "Another phone saved hand 1 first")
    assert hands(site, path) == ["1 Ann 2 made +4 4 0 0"]


def join(page: Page, match: Answer) -> str:
    """Let a phone score, and return the address of the match there."""
    page.goto(invited(match, SCORER))
    tap(page, "Join")
    expect(page.locator("#board")).to_be_visible()
    return urlsplit(page.url).path


@pytest.fixture
def joined(page: Page, match: Answer) -> str:
    """Enter a hand on a phone that was let in to score, and return the address of the match there."""
    path = join(page, match)
    page.goto(f"{path}hands/new")
    enter_hand(page)
    return path


def link_number(match: Answer) -> int:
    """Return the number of the phone that was let in."""
    rooms = (re.search(r"/room/(\d+)$", form.action) for form in match.open("room").forms)
    return max(int(found[1]) for found in rooms if found)


def test_a_hand_waits_while_its_phone_may_not_score(page: Page, site: Site, match: Answer, joined: str) -> None:
    outbox = page.locator("#outbox")
    change(match, "watcher", link_number(match))

    tap_main_button(page)
    expect(outbox).to_contain_text("This phone can watch but not score, so nothing was saved.")
    expect(outbox).to_contain_text("Hand 1 is still on this phone.")
    page.goto("/")
    expect(outbox).to_contain_text("Hand 1 is still on this phone.")
    change(match, "scorer", link_number(match))
    page.goto(joined)

    expect_saved(page, site, match.path)


@pytest.mark.usefixtures("joined")
def test_a_hand_stays_on_a_phone_whose_link_was_removed(page: Page, site: Site, match: Answer) -> None:
    change(match, "end", link_number(match))

    tap_main_button(page)

    expect_text(page, "#outbox", "link to the match")
    page.goto("/")
    expect_text(page, "#outbox", "Hand 1 is still on this phone.")
    discard(page)
    assert hands(site, match.path) == []


@pytest.fixture
def plain(page: Page, path: str, site: Site) -> Page:
    """Enter the first hand of the match over plain http, where a page has no locks."""
    page.goto(over_plain_http(site, f"{path}hands/new"))
    enter_hand(page)
    return page


def test_one_of_several_pages_sends_even_without_locks(plain: Page, path: str, site: Site) -> None:
    others = [plain.context.new_page() for _ in range(3)]
    for other in others:
        other.goto(over_plain_http(site, path))
    go_offline(plain)
    tap_main_button(plain)
    for other in others:
        expect_text(other, "#outbox", "Hand 1 is sent")
    go_online(plain)

    for each in (plain, *others):
        expect(each.locator("#board [data-score=s2]")).to_have_text("3", timeout=15_000)
        expect(each.locator("#outbox .say", has_text="goes in")).to_have_count(0)
    assert hands(site, path) == [SAVED]


LEASE = "scorekeeper.lease"


def test_a_page_without_locks_leaves_sending_to_the_one_that_has_begun(plain: Page, path: str, site: Site) -> None:
    go_offline(plain)
    keep(plain)
    sent: list[str] = []
    plain.context.on(
        "request", lambda request: sent.append(request.url) if request.url.endswith("/hands/new") else None
    )

    plain.evaluate(f"localStorage.setItem('{LEASE}', JSON.stringify({{ by: 'another', until: Date.now() + 60000 }}))")
    go_online(plain)
    plain.wait_for_timeout(500)  # the page has long tried by then
    assert sent == []
    plain.evaluate(f"localStorage.removeItem('{LEASE}')")
    plain.evaluate("dispatchEvent(new Event('online'))")

    expect(plain.locator("#board [data-score=s2]")).to_have_text("3")
    assert hands(site, path) == [SAVED]
    assert len(sent) == 1


def test_a_page_without_locks_that_is_left_as_it_begins_to_send_holds_no_other_back(
    plain: Page, path: str, site: Site
) -> None:
    lose_saves(plain)
    keep(plain)
    other = plain.context.new_page()

    plain.evaluate("dispatchEvent(new Event('online')); dispatchEvent(new Event('pagehide'))")
    plain.goto("about:blank")
    other.goto(over_plain_http(site, path))

    expect(other.locator("#board [data-score=s2]")).to_have_text("3", timeout=5_000)  # less than a lease lasts
    assert hands(site, path) == [SAVED]


def test_a_hand_is_sent_by_the_link_that_its_phone_has_now(
    page: Page, phones: Phones, site: Site, match: Answer
) -> None:
    page.goto(f"{join(phones.new(), match)}hands/new")
    enter_hand(page)
    change(match, "end", link_number(match))
    tap_main_button(page)
    expect_text(page, "#outbox", "link to the match")

    join(page, match)

    expect_text(page, "#outbox", "Hand 1 is saved.")
    assert hands(site, match.path) == [SAVED]
