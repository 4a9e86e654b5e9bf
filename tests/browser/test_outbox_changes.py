"""A waiting hand that is changed, discarded or looked at: it is neither lost nor there twice."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import enter_hand, go_offline, go_online, hands, lose_answer, record_hand
from tests.browser.conftest import Site, StartMatch
from tests.browser.page_steps import pick, picks
from tests.browser.test_offline import open_match
from tests.browser.test_outbox_conflicts import is_save
from tests.common.calling import took
from tests.common.chromium import Phones

pytestmark = pytest.mark.usefixtures("network_errors_allowed")


def enter_offline(page: Page, path: str, call: str = "p4:3", **others: str) -> None:
    """Enter a hand and save it, both without a network."""
    page.goto(f"{path}hands/new")
    go_offline(page)
    tap_answers(page, call, **others)
    expect(page.locator("#bottom_bar")).to_contain_text("What you entered is safe.")
    page.locator("#main-button").tap()
    expect(page.locator("#main-button")).to_contain_text("Saved on this phone")


def tap_answers(page: Page, call: str, **others: str) -> None:
    """Tap who bid what, and that this side took all but what others did."""
    for name, value in {"call": call, **took("s1" if call.startswith(("p1", "p3")) else "s2", **others)}.items():
        pick(page, name, value)


def lose_saves(page: Page) -> None:
    """Let no hand that is saved reach the server."""
    page.route("**/hands/new", lambda route: route.abort() if is_save(route.request) else route.continue_())


def test_a_hand_that_was_entered_offline_can_still_be_changed(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    enter_offline(page, path, low="s1")

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
    enter_offline(mine, path, low="s1")
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
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)
    lose_answer(page)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    for _ in range(2):
        page.locator("#outbox").get_by_role("button", name="Discard").tap()
    expect(page.locator("#outbox")).to_be_empty()
    go_online(page)

    picks(*{"call": "p1:4", **took("s1")}.items())(page)
    page.locator("#main-button").tap()
    page.get_by_role("button", name="Use this one").tap()

    expect(page.locator("#turn")).to_contain_text("is corrected.")
    assert [row[:7] for row in hands(site, path)] == ["1 Ann 4"]


def test_a_hand_on_a_copy_of_the_page_of_a_discarded_one_is_compared_with_it_should_that_be_in(
    phones: Phones, start_match: StartMatch, site: Site
) -> None:
    path = start_match()
    page = phones.new(service_worker=True)
    open_match(page, path)
    page.goto(f"{path}hands/new")
    enter_hand(page)
    lose_answer(page)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
    for _ in range(2):
        page.locator("#outbox").get_by_role("button", name="Discard").tap()
    expect(page.locator("#outbox")).to_be_empty()

    page.goto(f"{path}hands/new")
    tap_answers(page, "p1:4")
    page.locator("#main-button").tap()
    expect(page.locator("#main-button")).to_contain_text("Saved on this phone")
    go_online(page)
    page.get_by_role("button", name="Check it").tap()
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
    enter_offline(mine, path)
    for _ in range(2):
        other.locator("#outbox").get_by_role("button", name="Discard").tap()

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
    path = start_match()
    page.goto(f"{path}hands/new")
    enter_hand(page)
    lose_saves(page)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Hand 1 is sent")
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
    mine.locator("#main-button").tap()
    expect(mine.locator("#outbox")).to_contain_text("Hand 2 is sent")
    theirs.goto(f"{path}hands/1")
    picks(("took-game", "s2"))(theirs)
    theirs.locator("#main-button").tap()
    expect(theirs.locator("#turn")).to_contain_text("Hand 1 is corrected.")

    mine.goto(f"{path}hands/new")

    expect(mine.locator("#outbox")).to_contain_text("Hand 2 is sent")
    expect(mine.locator("#hand_form [name=call]:checked")).to_have_count(0)
