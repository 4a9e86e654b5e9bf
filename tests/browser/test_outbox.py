"""A hand that is saved without a network: it waits on the phone, nothing is lost, and nothing counts twice."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect
from sqlalchemy import delete
from sqlmodel import col, select

from scorekeeper.database.engine import db
from scorekeeper.database.tables import EventRow, LinkRow
from tests.browser.actions import enter_hand, go_offline, go_online, hands, lose_answer, over_plain_http, record_hand
from tests.browser.conftest import Site, StartMatch
from tests.browser.page_steps import pick, picks
from tests.browser.taps import TapCounter
from tests.browser.test_offline import open_match, wait_for_copies, wait_until
from tests.common.calling import took
from tests.common.chromium import Phones
from tests.common.guests import SCORER, change, invited
from tests.common.phone import Page as Answer
from tests.common.reading import forms_of

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def entered(page: Page, start_match: StartMatch) -> str:
    """Enter the first hand of a match, and return the address of the match."""
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)
    return path


def tap_answers(page: Page, call: str, **others: str) -> None:
    """Tap who bid what, and that this side took all but what others did."""
    for name, value in {"call": call, **took("s1" if call.startswith(("p1", "p3")) else "s2", **others)}.items():
        pick(page, name, value)


def keep(page: Page, what: str = "Hand 1") -> None:
    """Save a hand that cannot be sent, so that it waits."""
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text(f"{what} is sent")


def save_offline(page: Page, path: str, call: str, what: str = "Hand 1", **others: str) -> None:
    """Enter a hand on the page out of the phone's memory, and save it, both without a network."""
    page.goto(f"{path}hands/new")
    go_offline(page)
    tap_answers(page, call, **others)
    expect(page.locator("#bottom_bar")).to_contain_text("What you entered is safe.")
    keep(page, what)


def is_save(request: Request) -> bool:
    """Return whether a hand is saved, and not only discarded."""
    return request.method == "POST" and "do=discard" not in (request.post_data or "")


def lose_saves(page: Page) -> None:
    """Let no hand that is saved reach the server."""
    page.route("**/hands/new", lambda route: route.abort() if is_save(route.request) else route.continue_())


def discard(page: Page) -> None:
    """Discard what waits, which is asked first."""
    for _ in range(2):
        page.locator("#outbox").get_by_role("button", name="Discard").first.tap()
    expect(page.locator("#outbox")).to_be_empty()


def expect_saved(page: Page, site: Site, path: str) -> None:
    """Check that the page says so, and that the server has the hand once."""
    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_waiting_hand_survives_a_reload_and_another_page(page: Page, start_match: StartMatch, site: Site) -> None:
    path = entered(page, start_match)
    lose_saves(page)
    keep(page)

    page.reload()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(path)
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    assert hands(site, path) == []

    page.unroute("**/hands/new")
    page.get_by_role("button", name="Try now").tap()
    expect_saved(page, site, path)


def test_a_waiting_hand_that_another_phone_wrote_first_is_decided_by_a_person(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine, theirs = phones.new(), phones.new()
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    go_offline(mine)
    keep(mine)
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


def one_waits_and_one_is_entered(phones: Phones, path: str) -> tuple[Page, Page]:
    """Enter a hand on each of two pages of one phone, and save the first without a network."""
    page = phones.new()
    other = page.context.new_page()
    page.goto(f"{path}hands/new")
    enter_hand(page, "Dan 3")
    other.goto(f"{path}hands/new")
    TapCounter(other).tap(other.get_by_role("radio", name="Dan 2"))
    go_offline(page)
    keep(page)
    return page, other


def test_two_waiting_hands_are_sent_in_their_order(phones: Phones, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page, other = one_waits_and_one_is_entered(phones, path)
    other.locator("#main-button").tap()
    expect(other.locator("#outbox .say")).to_have_count(2)

    go_online(page)

    expect(page.locator("#board")).to_be_visible(timeout=10_000)
    expect(other.locator("#outbox")).to_be_empty(timeout=10_000)
    assert hands(site, path) == ["2 Dan 2 made +1 2 +3 6", "1 Dan 3 made +1 1 +3 3"]


def test_a_page_that_closed_as_its_hand_went_in_does_not_count_it_twice(
    phones: Phones, start_match: StartMatch
) -> None:
    path = start_match()
    page, other = one_waits_and_one_is_entered(phones, path)
    page.evaluate(
        """() => {
          const key = Object.keys(localStorage).find((name) => name.startsWith("scorekeeper.kept."));
          localStorage.setItem("scorekeeper.sent", `[${localStorage.getItem(key)}]`);
        }"""
    )

    other.locator("#main-button").tap()
    expect(other.locator("#outbox .say")).to_have_count(2)

    kept = "Object.entries(localStorage).filter(([name]) => name.startsWith('scorekeeper.kept.'))"
    fields = other.evaluate(f"{kept}.map(([, text]) => Object.fromEntries(JSON.parse(text).fields).index)")
    assert sorted(fields) == ["1", "2"]


def test_discarding_a_waiting_hand_asks_first(page: Page, start_match: StartMatch, site: Site) -> None:
    path = entered(page, start_match)
    go_offline(page)
    page.locator("#main-button").tap()

    page.get_by_role("button", name="Discard").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is only on this phone.")
    page.get_by_role("button", name="Keep it").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    discard(page)
    go_online(page)

    page.goto(path)
    expect(page.locator("#turn")).to_contain_text("deals hand 1")
    assert hands(site, path) == []


def test_an_impossible_waiting_hand_comes_back_to_be_corrected(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(f"{path}hands/new")
    go_offline(page)
    tap_answers(page, "p4:3", high="nobody", low="s1")
    keep(page)

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
    keep(page)

    go_online(page)
    page.get_by_role("button", name="Check it").tap()

    expect(page.locator("#main-button")).to_have_text("3 left: who took Low, Jack, Game?")
    assert hands(site, path) == []


def test_a_waiting_hand_is_sent_from_the_home_page(page: Page, start_match: StartMatch, site: Site) -> None:
    path = entered(page, start_match)
    lose_saves(page)
    keep(page)
    page.unroute("**/hands/new")

    page.goto("/")

    expect(page.locator("#outbox")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_slow_response_is_waited_for(page: Page, start_match: StartMatch, site: Site) -> None:
    path = entered(page, start_match)

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            page.wait_for_timeout(1500)
        route.continue_()

    page.route("**/hands/new", hold)
    page.locator("#main-button").tap(no_wait_after=True)

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.", timeout=10_000)
    assert hands(site, path) == ["1 Dan 3 made +1 1 +3 3"]


def test_a_phone_that_lost_its_cookies_still_sends_its_hand(page: Page, start_match: StartMatch, site: Site) -> None:
    path = entered(page, start_match)
    page.context.clear_cookies()

    page.locator("#main-button").tap()

    expect_saved(page, site, path)


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

    keep(page, "The correction of hand 1")
    go_online(page)

    expect(page.locator("#turn")).to_contain_text("Hand 1 is corrected.")
    assert hands(site, path) == ["1 Dan 3 made corrected: Game Bea & Dan → Ann & Cal +1 1 +3 3"]


def test_a_hand_that_was_entered_offline_can_still_be_changed(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    save_offline(page, path, "p4:3", low="s1")

    pick(page, "took-low", "s2")
    expect(page.locator("#main-button")).to_contain_text("this phone keeps it")
    page.locator("#main-button").tap()
    expect(page.locator("#main-button")).to_contain_text("Saved on this phone")
    go_online(page)

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")
    assert hands(site, path) == ["1 Dan 3 made 0 0 +4 4"]


def test_a_changed_hand_keeps_its_place_before_the_next_one(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine = phones.new()
    other = mine.context.new_page()
    other.goto(f"{path}hands/new")
    save_offline(mine, path, "p4:3", low="s1")
    tap_answers(other, "p1:4")
    other.locator("#main-button").tap()
    expect(other.locator("#outbox .say")).to_have_count(2)

    pick(mine, "took-low", "s2")
    expect(mine.locator("#main-button")).to_contain_text("this phone keeps it")
    mine.locator("#main-button").tap()
    go_online(mine)

    expect(other.locator("#outbox")).to_be_empty(timeout=15_000)
    assert [row[:7] for row in hands(site, path)] == ["2 Ann 4", "1 Dan 3"]


def test_what_is_saved_after_a_discarded_hand_is_compared_with_it_should_that_be_in(
    page: Page, start_match: StartMatch, site: Site
) -> None:
    path = entered(page, start_match)
    lose_answer(page)
    keep(page)
    discard(page)
    go_online(page)

    tap_answers(page, "p1:4")
    page.locator("#main-button").tap()
    page.get_by_role("button", name="Use this one").tap()

    expect(page.locator("#turn")).to_contain_text("is corrected.")
    assert [row[:7] for row in hands(site, path)] == ["1 Ann 4"]


def test_a_hand_that_another_page_discards_no_longer_says_that_it_is_saved(
    phones: Phones, start_match: StartMatch
) -> None:
    path = start_match()
    mine = phones.new()
    other = mine.context.new_page()
    other.goto(path)
    save_offline(mine, path, "p4:3")
    discard(other)

    expect(mine.locator("#main-button")).to_contain_text("this phone keeps it")


def in_question(phones: Phones, site: Site, path: str, then: Callable[[Page], None] = lambda _page: None) -> Page:
    """Return a page that asks which of two hands counts."""
    mine, theirs = phones.new(), phones.new()
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    theirs.goto(path)
    record_hand(theirs, "Ann 2")
    then(theirs)
    mine.locator("#main-button").tap()
    expect(mine.locator("[data-settles]")).to_be_visible()
    return mine


def test_a_rule_that_is_looked_up_in_a_question_leaves_the_hand_waiting(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine = in_question(phones, site, path)

    mine.locator("[data-settles] .lines a").first.tap()
    mine.wait_for_url("**/rules*")

    expect(mine.locator("#outbox")).to_contain_text("Hand 1 is still on this phone.")


def test_a_match_that_is_resumed_from_a_question_leaves_the_hand_waiting(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    def stop(theirs: Page) -> None:
        theirs.goto(f"{path}stop")
        theirs.locator("#main form button, .bottom-bar button").first.tap()
        expect(theirs.get_by_role("button", name="Resume")).to_be_visible()

    path = start_match()
    mine = in_question(phones, site, path, stop)

    mine.get_by_role("button", name="Resume").tap()

    expect(mine.locator("#board")).to_be_visible()
    expect(mine.locator("#outbox")).to_contain_text("Hand 1 is still on this phone.")


def test_a_part_of_the_next_hand_stays_while_another_waits(page: Page, start_match: StartMatch) -> None:
    path = entered(page, start_match)
    lose_saves(page)
    keep(page)
    page.goto(f"{path}hands/new")
    picks(("call", "p1:4"))(page)

    page.reload()

    expect(page.locator('[name="call"][value="p1:4"]')).to_be_checked()


def test_a_waiting_hand_is_not_offered_again_once_an_earlier_one_was_corrected(
    phones: Phones, start_match: StartMatch
) -> None:
    path = start_match()
    mine, theirs = phones.new(), phones.new()
    theirs.goto(path)
    record_hand(theirs, "Ann 2")
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    lose_saves(mine)
    keep(mine, "Hand 2")
    theirs.goto(f"{path}hands/1")
    picks(("took-game", "s2"))(theirs)
    theirs.locator("#main-button").tap()
    expect(theirs.locator("#turn")).to_contain_text("Hand 1 is corrected.")

    mine.goto(f"{path}hands/new")

    expect(mine.locator("#outbox")).to_contain_text("Hand 2 is sent")
    expect(mine.locator("#hand_form [name=call]:checked")).to_have_count(0)


def two_hands_wait(mine: Page, path: str) -> None:
    """Save two hands of one page without a network."""
    open_match(mine, path)
    go_offline(mine)
    save_offline(mine, path, "p4:3", "Hand 1")
    save_offline(mine, path, "p1:4", "The next hand")


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


def test_a_resent_hand_lifts_no_later_one_over_another_phones(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine, theirs = phones.new(service_worker=True), phones.new()
    open_match(mine, path)
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    lose_answer(mine)
    keep(mine)
    save_offline(mine, path, "p1:4", "The next hand")
    theirs.goto(path)
    record_hand(theirs, "Ann 2")

    go_online(mine)

    expect(mine.locator("#outbox")).to_contain_text("Another phone saved hand 2 first", timeout=10_000)
    assert hands(site, path) == ["2 Ann 2 made +4 5 0 3", "1 Dan 3 made +1 1 +3 3"]


def test_a_hand_in_question_holds_no_later_one_back_and_is_found_on_every_page(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine, theirs = phones.new(service_worker=True), phones.new()
    two_hands_wait(mine, path)
    theirs.goto(path)
    record_hand(theirs, "Ann 2")
    theirs.goto(path)
    record_hand(theirs, "Bea 2")

    go_online(mine)
    expect(mine.locator("#outbox")).to_contain_text("Another phone saved hand 1 first", timeout=10_000)
    expect(mine.locator("#outbox")).to_contain_text("Another phone saved hand 2 first")

    mine.goto(f"{path}history")
    expect(mine.locator("#outbox")).to_contain_text("Another phone saved hand 1 first")
    mine.get_by_role("button", name="Check it").first.tap()
    expect(mine.locator("#main")).to_contain_text("Ann 2 made")
    mine.get_by_role("button", name="Use this one").tap()
    expect(mine.locator("#turn")).to_contain_text("Hand 1")
    mine.get_by_role("button", name="Check it").tap()
    expect(mine.locator("#main")).to_contain_text("Bea 2 made")
    mine.get_by_role("button", name="Use this one").tap()

    expect(mine.locator("#history")).to_contain_text("Ann 4")
    expect(mine.locator("#outbox")).to_be_empty()
    assert [row[:7] for row in hands(site, path)] == ["2 Ann 4", "1 Dan 3"]


def test_a_hand_that_is_continued_and_saved_offline_is_in_progress_no_more(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page = phones.new(service_worker=True)
    open_match(page, path)
    page.goto(f"{path}hands/new")
    pick(page, "call", "p4:3")
    expect(page.locator("#bottom_bar")).to_contain_text("left")
    page.goto(path)
    page.get_by_role("link", name="Continue this hand").tap()
    expect(page.locator("#draft")).to_contain_text("Everything you entered is still here.")
    wait_for_copies(page, f"{path}hands/new")
    go_offline(page)
    for name, value in took("s2").items():
        pick(page, name, value)
    expect(page.locator("#bottom_bar")).to_contain_text("What you entered is safe.")
    keep(page)

    page.goto(path)
    expect(page.locator("#bottom_bar .go")).to_have_text("Record hand")
    page.locator("#bottom_bar .go").tap()
    expect(page.locator("#draft")).to_be_empty()
    expect(page.get_by_role("radio", name="Dan 3")).not_to_be_checked()

    go_online(page)
    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.", timeout=10_000)
    assert [row[:7] for row in hands(site, path)] == ["1 Dan 3"]


def test_a_hand_behind_one_that_cannot_be_says_what_it_waits_for(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page = phones.new(service_worker=True)
    open_match(page, path)
    go_offline(page)
    page.goto(f"{path}hands/new")
    tap_answers(page, "p4:3", high="nobody")
    keep(page)
    save_offline(page, path, "p1:4", "The next hand")

    go_online(page)

    expect(page.locator("#outbox")).to_contain_text("The next hand is sent once Hand 1 is settled.", timeout=10_000)
    assert hands(site, path) == []


def test_discarding_a_waiting_hand_leaves_what_another_phone_has_in_progress(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine, theirs = phones.new(), phones.new()
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    lose_saves(mine)
    keep(mine)
    theirs.goto(f"{path}hands/new")
    picks(("call", "p1:2"))(theirs)
    mine.goto(path)

    mine.get_by_role("button", name="Discard").tap()
    with mine.expect_response("**/hands/new"):
        mine.get_by_role("button", name="Discard").tap()

    assert site.client().open(path).offers("Continue this hand")


def test_a_hand_behind_a_discarded_one_meets_the_hand_of_another_phone_in_its_place(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine, theirs = phones.new(service_worker=True), phones.new()
    two_hands_wait(mine, path)
    mine.locator("#outbox").get_by_role("button", name="Discard").first.tap()
    mine.locator("#outbox").get_by_role("button", name="Discard").first.tap()
    theirs.goto(path)
    record_hand(theirs, "Ann 2")

    go_online(mine)

    expect(mine.locator("#outbox")).to_contain_text("Another phone saved hand 1 first", timeout=10_000)
    assert hands(site, path) == ["1 Ann 2 made +4 4 0 0"]


def test_what_a_restored_server_lost_is_said_and_sent_back(phones: Phones, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page = phones.new()
    page.goto(path)
    record_hand(page, "Dan 3")
    record_hand(page, "Ann 2")
    expect(page.locator("#board")).to_have_attribute("data-next", "3")
    wait_until_seen(page)
    forget_all_but(site, path, 1)

    page.goto(path)
    expect(page.locator("#outbox")).to_contain_text("This phone has seen hand 2, which the server no longer has")
    page.get_by_role("button", name="Send it back").tap()

    expect(page.locator("#turn")).to_contain_text("Hand 2 is saved.")
    expect(page.locator("#outbox")).to_be_empty()
    assert [row[:7] for row in hands(site, path)] == ["2 Ann 2", "1 Dan 3"]


def test_a_hand_behind_one_that_a_restored_server_lost_moves_up(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    first, theirs = phones.new(), phones.new()
    second = first.context.new_page()
    for tab, call in ((first, "p4:3"), (second, "p1:4")):
        tab.goto(f"{path}hands/new")
        tap_answers(tab, call)
    first.locator("#main-button").tap()
    expect(first.locator("#board")).to_have_attribute("data-next", "2")
    wait_until_seen(first)
    for tab in (first, second):
        lose_saves(tab)
    second.locator("#main-button").tap()
    expect(second.locator("#outbox")).to_contain_text("is sent")
    forget_all_but(site, path, 0)

    second.goto(path)
    second.get_by_role("button", name="Go on without").tap()
    theirs.goto(path)
    record_hand(theirs, "Ann 2")
    for tab in (first, second):
        tab.unroute_all()
    second.reload()

    expect(second.locator("#outbox")).to_contain_text("Another phone saved hand 1 first", timeout=10_000)
    assert hands(site, path) == ["1 Ann 2 made +4 4 0 0"]


def join(page: Page, owner: Answer) -> str:
    """Let a phone score, and return the address of the match there."""
    page.goto(invited(owner, SCORER))
    page.get_by_role("button", name="Join").tap()
    expect(page.locator("#board")).to_be_visible()
    return urlsplit(page.url).path


def link_number(owner: Answer) -> int:
    """Return the number of the phone that was let in."""
    room = owner.open("room")
    return max(
        int(form.action.rpartition("/")[2]) for form in forms_of(room.root) if re.search(r"/room/\d+$", form.action)
    )


def test_a_hand_waits_while_its_phone_may_not_score(page: Page, site: Site, start_match: StartMatch) -> None:
    owner = site.client().open(start_match())
    path = join(page, owner)
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

    expect_saved(page, site, owner.path)


def test_a_hand_stays_on_a_phone_whose_link_was_removed(page: Page, site: Site, start_match: StartMatch) -> None:
    owner = site.client().open(start_match())
    page.goto(f"{join(page, owner)}hands/new")
    enter_hand(page)
    change(owner, "end", link_number(owner))

    page.locator("#main-button").tap()

    expect(page.locator("#outbox")).to_contain_text("link to the match")
    page.goto("/")
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is still on this phone.")
    discard(page)
    assert hands(site, owner.path) == []


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


LEASE = "scorekeeper.lease"


def test_a_page_without_locks_leaves_sending_to_the_one_that_has_begun(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page = phones.new()
    page.goto(over_plain_http(site, f"{path}hands/new"))
    enter_hand(page)
    go_offline(page)
    keep(page)
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
    lose_saves(page)
    keep(page)
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
    page.goto(f"{join(other, owner)}hands/new")
    enter_hand(page)
    change(owner, "end", link_number(owner))
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("link to the match")

    page.goto(invited(owner, SCORER))
    page.get_by_role("button", name="Join").tap()

    expect(page.locator("#outbox")).to_contain_text("Hand 1 is saved.")
    assert hands(site, owner.path) == ["1 Dan 3 made +1 1 +3 3"]
