"""Hands that wait while another phone writes: none counts twice, and none is compared with another place's."""

import pytest
from playwright.sync_api import Page, Request, expect
from sqlalchemy import delete
from sqlmodel import col, select

from scorekeeper.database.engine import db
from scorekeeper.database.tables import EventRow, LinkRow
from tests.browser.actions import enter_hand, go_offline, go_online, hands, lose_answer, over_plain_http, record_hand
from tests.browser.conftest import Site, StartMatch
from tests.browser.page_steps import pick, picks
from tests.browser.test_offline import open_match, wait_for_copies, wait_until
from tests.common.calling import took
from tests.common.chromium import Phones

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def save_offline(page: Page, path: str, call: str, what: str) -> None:
    """Enter a hand on the page out of the phone's memory, and save it."""
    page.goto(f"{path}hands/new")
    side = "s1" if call.startswith(("p1", "p3")) else "s2"
    for name, value in {"call": call, **took(side)}.items():
        pick(page, name, value)
    expect(page.locator("#bottom_bar")).to_contain_text("What you entered is safe.")
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text(f"{what} is sent when the Wi-Fi is back.")


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


def is_save(request: Request) -> bool:
    """Return whether a hand is saved, and not only discarded."""
    return request.method == "POST" and "do=discard" not in (request.post_data or "")


def test_a_resent_hand_lifts_no_later_one_over_another_phones(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    mine, theirs = phones.new(service_worker=True), phones.new()
    open_match(mine, path)
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    lose_answer(mine)
    mine.locator("#main-button").tap()
    expect(mine.locator("#outbox")).to_contain_text("Hand 1 is sent")
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
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")

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
    for name, value in {"call": "p4:3", **took("s2"), "took-high": "nobody"}.items():
        pick(page, name, value)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent when")
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
    mine.route("**/hands/new", lambda route: route.abort() if is_save(route.request) else route.continue_())
    mine.locator("#main-button").tap()
    expect(mine.locator("#outbox")).to_contain_text("Hand 1 is sent")
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
    open_match(mine, path)
    wait_for_copies(mine, f"{path}hands/new")
    go_offline(mine)
    save_offline(mine, path, "p4:3", "Hand 1")
    save_offline(mine, path, "p1:4", "The next hand")
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
    wait_until(lambda: "scorekeeper.seen." in page.evaluate("Object.keys(localStorage).join()"))
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
        for name, value in {"call": call, **took("s1" if call == "p1:4" else "s2")}.items():
            pick(tab, name, value)
    first.locator("#main-button").tap()
    expect(first.locator("#board")).to_have_attribute("data-next", "2")
    wait_until(lambda: "scorekeeper.seen." in first.evaluate("Object.keys(localStorage).join()"))
    first.context.route("**/hands/new", lambda route: route.abort() if is_save(route.request) else route.continue_())
    second.locator("#main-button").tap()
    expect(second.locator("#outbox")).to_contain_text("is sent")
    forget_all_but(site, path, 0)

    second.goto(path)
    second.get_by_role("button", name="Go on without").tap()
    theirs.goto(path)
    record_hand(theirs, "Ann 2")
    first.context.unroute_all()
    second.reload()

    expect(second.locator("#outbox")).to_contain_text("Another phone saved hand 1 first", timeout=10_000)
    assert hands(site, path) == ["1 Ann 2 made +4 4 0 0"]


def two_tabs_over_plain_http(phones: Phones, site: Site, path: str) -> tuple[Page, Page]:
    """Enter a hand on each of two pages of one phone, over http, where there is no service worker and are no locks."""
    page = phones.new()
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(over_plain_http(site, f"{path}hands/new"))
    enter_hand(page)
    for name, value in {"call": "p1:4", **took("s1")}.items():
        pick(other, name, value)
    expect(other.locator("#main-button")).to_contain_text("Save: made")
    return page, other


def test_over_plain_http_a_resent_hand_lifts_no_later_one_over_another_phones(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page, other = two_tabs_over_plain_http(phones, site, path)
    lose_answer(page)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    other.locator("#main-button").tap()
    expect(other.locator("#outbox .say")).to_have_count(2)
    theirs = phones.new()
    theirs.goto(path)
    record_hand(theirs, "Ann 2")

    go_online(page)

    expect(other.locator("#outbox")).to_contain_text("Another phone saved hand 2 first", timeout=15_000)
    assert hands(site, path) == ["2 Ann 2 made +4 5 0 3", "1 Dan 3 made +1 1 +3 3"]
