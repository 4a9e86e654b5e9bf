"""The whole auction on a phone: call by call with taps, by keyboard alone, and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import choose_way, give_rest, with_markers
from tests.browser.conftest import StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones


def make_calls(taps: TapCounter, *calls: str) -> None:
    """Tap calls such as "Bea: pass", one after the other."""
    for call in calls:
        taps.tap(taps.page.locator(".call").get_by_role("button", name=call, exact=True))


@pytest.mark.parametrize("scripts", [True, False])
def test_an_auction_from_its_first_call_to_the_score(phones: Phones, start_match: StartMatch, scripts: bool) -> None:
    page = phones.new(scripts=scripts)
    page.goto(start_match())
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="Record hand"))
    choose_way(page, "Full auction")

    make_calls(taps, "Bea: pass", "Cal: 2", "Dan: 3", "Ann: pass")
    expect(page.locator("summary", has_text="Dan bid 3")).to_be_visible()
    taps.tap(page.locator("#row-low").get_by_role("radio", name="Ann & Cal"))
    give_rest(taps)
    expect(page.locator("#main-button")).to_have_text(with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    taps.tap(page.locator("#main-button"))

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved. Dan 3: made. Ann & Cal +1, Bea & Dan +3.")
    taps.tap(page.get_by_role("link", name="Record hand"))
    expect(page.get_by_role("heading", name="Cal to bid")).to_be_visible()


def test_each_call_is_one_request_and_announces_whose_turn_it_is(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new?by=auction")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    heard = page.locator("footer[aria-live=polite]")
    expect(heard).to_contain_text("Bea to bid")

    make_calls(TapCounter(page), "Bea: 2")

    expect(heard).to_contain_text("Cal to bid")
    assert len(asked) == 1
    assert page.url.endswith("hands/new?by=auction")


def test_a_call_that_may_not_be_made_says_why(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new?by=auction")
    taps = TapCounter(page)
    make_calls(taps, "Bea: 3", "Cal: 2, not now")

    expect(page.locator("#bottom_bar .says")).to_contain_text("Bea has bid 3: bid higher, or pass.")
    expect(page.get_by_role("heading", name="Cal to bid")).to_be_visible()


def test_a_tap_on_a_call_goes_back_to_it(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new?by=auction")
    taps = TapCounter(page)
    make_calls(taps, "Bea: pass", "Cal: 2", "Dan: 3", "Ann: pass")
    taps.tap(page.locator("summary", has_text="Dan bid 3"))
    taps.tap(page.get_by_role("button", name="Cal, 2: back to this call"))

    expect(page.get_by_role("heading", name="Cal to bid")).to_be_visible()
    make_calls(taps, "Cal: pass", "Dan: pass", "Ann: 2")
    expect(page.locator("summary", has_text="Ann bid 2")).to_be_visible()


def test_going_back_keeps_what_was_tapped_after_the_bidding(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new?by=auction")
    taps = TapCounter(page)
    make_calls(taps, "Bea: pass", "Cal: pass", "Dan: 3", "Ann: pass")
    taps.tap(page.get_by_role("radio", name="hearts"))
    taps.tap(page.locator("#row-low").get_by_role("radio", name="Ann & Cal"))
    taps.tap(page.locator("summary", has_text="Dan bid 3"))
    taps.tap(page.get_by_role("button", name="Ann, pass: back to this call"))
    make_calls(taps, "Ann: 4")

    expect(page.get_by_role("radio", name="hearts")).to_be_checked()
    expect(page.locator("#row-low").get_by_role("radio", name="Ann & Cal")).to_be_checked()


def test_changing_the_way_of_entry_keeps_the_answers(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    taps.tap(page.locator("#row-low").get_by_role("radio", name="Ann & Cal"))

    choose_way(page, "Points only")
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(page.locator("#row-low")).to_have_count(0)
    choose_way(page, "Full auction")
    expect(page.locator("#way-menu > summary")).to_be_focused()
    choose_way(page, "By cards")

    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(page.locator("#row-low").get_by_role("radio", name="Ann & Cal")).to_be_checked()


def press(page: Page, *keys: str) -> None:
    """Press keys, each after the response to the one before."""
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(60)
        expect(page.locator(".htmx-request")).to_have_count(0)


def test_a_hand_by_keyboard_alone(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    page.locator("#way-menu > summary").focus()
    press(page, "Tab")
    expect(page.get_by_role("radio", name="Bea 2")).to_be_focused()

    press(page, "Space", "ArrowRight", "ArrowRight")
    expect(page.get_by_role("radio", name="Bea 4")).to_be_checked()
    press(page, "ArrowLeft", "Tab", "ArrowRight")
    expect(page.get_by_role("radio", name="Bea 3")).to_be_checked()
    expect(page.get_by_role("radio", name="hearts")).to_be_checked()
    page.locator("#row-low").get_by_role("radio", name="Ann & Cal").focus()
    press(page, "Space")
    expect(page.locator("footer[aria-live=polite]")).to_contain_text("Bea & Dan 0 of 3, Ann & Cal 1")
    expect(page.locator("footer[aria-live=polite]")).to_contain_text("3 left: who took High, Jack, Game?")
    page.get_by_role("button", name="Rest to Bea & Dan").focus()
    press(page, "Enter")
    expect(page.locator("footer[aria-live=polite]")).to_contain_text(with_markers("made, Bea & Dan +3 / Ann & Cal +1"))
    expect(page.locator("#main-button")).to_be_focused()
    press(page, "Enter")

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved. Bea 3: made. Ann & Cal +1, Bea & Dan +3.")


def test_an_auction_by_keyboard_alone(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new?by=auction")
    passing = page.locator(".call").get_by_role("button", name="pass")
    passing.focus()

    press(page, "Enter", "Enter")
    expect(page.locator(".call").get_by_role("button", name="Dan: pass")).to_be_focused()
    press(page, "Tab", "Tab", "Enter")
    expect(page.get_by_role("heading", name="Ann to bid")).to_be_visible()
    page.locator(".call").get_by_role("button", name="Ann: pass").focus()
    press(page, "Enter")

    expect(page.locator("summary", has_text="Dan bid 3")).to_be_focused()
