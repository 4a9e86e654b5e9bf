"""Someone saved first at once: a hand waits on both until the other side has accepted it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, StartMatch
from tests.browser.playing import begin_match, play_hand
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones
from tests.common.guests import invited
from tests.common.phone import Page as Answer
from tests.common.room import let_in


def turn_on_acceptance(site: Site, path: str) -> Answer:
    """Turn the setting on, without a browser."""
    return site.client().open(f"{path}agreement").send("/agreement")


def expect_score(page: Page, side: str, number: str) -> None:
    """Wait for a score."""
    expect(page.locator(f"[data-score={side}]")).to_have_text(number)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_hand_is_accepted_with_one_tap(phones: Phones, site: Site, start_match: StartMatch, scripts: bool) -> None:
    path = start_match()
    match = turn_on_acceptance(site, path)
    ours, theirs = phones.new(), phones.new(scripts=scripts)
    ours.goto(let_in(site.app, path, "p1"))
    play_hand(match.phone.open(let_in(site.app, path, "p3")), call="p1:3", took_low="s2")
    theirs.goto(let_in(site.app, path, "p2"))
    taps = TapCounter(theirs)

    expect(ours.locator("#turn")).to_contain_text("Hand 1 waits for Bea & Dan.")
    expect_score(ours, "s1", "0")
    taps.tap(theirs.get_by_role("button", name="Accept"))

    expect_score(ours, "s1", "3")
    expect_score(theirs, "s1", "3")
    expect(ours.locator("#turn")).not_to_contain_text("waits")
    assert taps.count == 1


def test_a_hand_arrives_on_the_open_page_that_may_accept_it(
    phones: Phones, site: Site, start_match: StartMatch
) -> None:
    path = start_match()
    match = turn_on_acceptance(site, path)
    theirs = phones.new()
    theirs.goto(let_in(site.app, path, "s2"))
    expect(theirs.get_by_role("button", name="Accept")).to_have_count(0)

    play_hand(match, call="p1:3", took_low="s2")

    expect(theirs.get_by_role("button", name="Accept")).to_be_visible()
    expect(theirs.locator("#board")).to_contain_text("3 if accepted")


def test_the_verdict_waits_for_the_other_side(phones: Phones, site: Site, start_match: StartMatch) -> None:
    path = start_match(house_target="7")
    match = turn_on_acceptance(site, path)
    ours, theirs = phones.new(), phones.new()
    ours.goto(path)
    theirs.goto(let_in(site.app, path, "p2"))
    play_hand(match, call="p1:4")
    play_hand(match, call="p3:4")
    accept = theirs.get_by_role("button", name="Accept", exact=True)

    expect(theirs.locator("#turn")).to_contain_text("Is hand 1 right?")
    with theirs.expect_navigation():
        accept.tap()
    expect(theirs.locator("#turn")).to_contain_text("Is hand 2 right?")
    expect(ours.locator("#board")).not_to_contain_text("Ann & Cal win")
    with theirs.expect_navigation():
        accept.tap()

    expect(theirs.locator("#board")).to_contain_text("Ann & Cal win")
    expect(ours.locator("#board")).to_contain_text("Ann & Cal win")


def test_a_phone_that_joined_by_the_qr_code_accepts(phones: Phones, site: Site, start_match: StartMatch) -> None:
    owner = site.client()
    match = begin_match(owner)
    owner.open(f"{match.path}agreement").send("/agreement")
    address = invited(match)
    theirs = phones.new()

    theirs.goto(address)
    theirs.locator('label:has([name="seat"][value="p2"])').tap()
    with theirs.expect_navigation():
        theirs.get_by_role("button", name="Join").tap()
    play_hand(match, call="p1:3", took_low="s2")
    accept = theirs.get_by_role("button", name="Accept")
    expect(accept).to_be_visible()
    expect(theirs.get_by_role("button", name="Record hand")).to_have_count(0)
    with theirs.expect_navigation():
        accept.tap()

    expect_score(theirs, "s1", "3")
