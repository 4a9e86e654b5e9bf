"""The whole auction on a phone: call by call with a finger, by keys alone, and without scripts."""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import Lay, Pocket
from tests.browser.taps import Finger


def say(finger: Finger, *calls: str) -> None:
    """Tap calls such as "Bea: pass", one after the other."""
    for call in calls:
        finger.tap(finger.screen.locator(".call").get_by_role("button", name=call, exact=True))


@pytest.mark.parametrize("scripts", [True, False])
def test_an_auction_from_its_first_call_to_the_score(pocket: Pocket, lay: Lay, scripts: bool) -> None:
    screen = pocket.phone(scripts=scripts)
    screen.goto(lay())
    finger = Finger(screen)
    finger.tap(screen.get_by_role("link", name="Record hand"))
    finger.tap(screen.get_by_role("button", name="Call by call"))

    say(finger, "Bea: pass", "Cal: 2", "Dan: 3", "Ann: pass")
    expect(screen.locator("summary", has_text="Dan bid 3")).to_be_visible()
    finger.tap(screen.locator("#row-low").get_by_role("radio", name="Us"))
    finger.tap(screen.locator("#main-button"))

    expect(screen.locator("#turn")).to_contain_text("Hand 1 is in. Dan 3: made. Us +1, Them +3.")
    finger.tap(screen.get_by_role("link", name="Record hand"))
    expect(screen.get_by_role("heading", name="Cal is to speak")).to_be_visible()


def test_each_call_is_one_swap_and_the_screen_reader_hears_whose_turn_it_is(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new?by=auction")
    asked: list[str] = []
    screen.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    heard = screen.locator("footer[aria-live=polite]")
    expect(heard).to_contain_text("Bea is to speak")

    say(Finger(screen), "Bea: 2")

    expect(heard).to_contain_text("Cal is to speak")
    assert len(asked) == 1
    assert screen.url.endswith("hands/new?by=auction")


def test_a_call_that_may_not_be_made_says_why(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new?by=auction")
    finger = Finger(screen)
    say(finger, "Bea: 3", "Cal: 2, not now")

    expect(screen.locator("#foot .says")).to_have_text("Bea has bid 3: bid higher, or pass.")
    expect(screen.get_by_role("heading", name="Cal is to speak")).to_be_visible()


def test_a_tap_on_a_call_goes_back_to_it(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new?by=auction")
    finger = Finger(screen)
    say(finger, "Bea: pass", "Cal: 2", "Dan: 3", "Ann: pass")
    finger.tap(screen.locator("summary", has_text="Dan bid 3"))
    finger.tap(screen.get_by_role("button", name="Cal, 2: back to this call"))

    expect(screen.get_by_role("heading", name="Cal is to speak")).to_be_visible()
    say(finger, "Cal: pass", "Dan: pass", "Ann: 2")
    expect(screen.locator("summary", has_text="Ann bid 2")).to_be_visible()


def test_going_back_loses_nothing_that_was_tapped_after_the_bidding(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new?by=auction")
    finger = Finger(screen)
    say(finger, "Bea: pass", "Cal: pass", "Dan: 3", "Ann: pass")
    finger.tap(screen.get_by_role("radio", name="hearts"))
    finger.tap(screen.locator("#row-low").get_by_role("radio", name="Us"))
    finger.tap(screen.locator("summary", has_text="Dan bid 3"))
    finger.tap(screen.get_by_role("button", name="Ann, pass: back to this call"))
    say(finger, "Ann: 4")

    expect(screen.get_by_role("radio", name="hearts")).to_be_checked()
    expect(screen.locator("#row-low").get_by_role("radio", name="Us")).to_be_checked()


def test_three_ways_one_tap_apart_keep_what_was_tapped(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new")
    finger = Finger(screen)
    finger.tap(screen.get_by_role("radio", name="Dan 3"))
    finger.tap(screen.locator("#row-low").get_by_role("radio", name="Us"))

    finger.tap(screen.get_by_role("button", name="By counts"))
    expect(screen.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(screen.locator("#row-low")).to_have_count(0)
    finger.tap(screen.get_by_role("button", name="Call by call"))
    expect(screen.get_by_role("button", name="Call by call")).to_be_focused()
    finger.tap(screen.get_by_role("button", name="By cards"))

    expect(screen.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(screen.locator("#row-low").get_by_role("radio", name="Us")).to_be_checked()


def press(screen: Screen, *keys: str) -> None:
    """Press keys, each after what the one before brought."""
    for key in keys:
        screen.keyboard.press(key)
        screen.wait_for_timeout(60)
        expect(screen.locator(".htmx-request")).to_have_count(0)


def test_a_hand_by_keys_alone(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new")
    screen.get_by_role("button", name="Call by call").focus()
    press(screen, "Tab")
    expect(screen.get_by_role("radio", name="Bea 2")).to_be_focused()

    press(screen, "Space", "ArrowRight", "ArrowRight")
    expect(screen.get_by_role("radio", name="Bea 4")).to_be_checked()
    press(screen, "ArrowLeft", "Tab", "ArrowRight")
    expect(screen.get_by_role("radio", name="Bea 3")).to_be_checked()
    expect(screen.get_by_role("radio", name="hearts")).to_be_checked()
    screen.locator("#row-low").get_by_role("radio", name="Us").focus()
    press(screen, "Space")
    expect(screen.locator("footer[aria-live=polite]")).to_contain_text("Them 0 of 3, Us 1")
    expect(screen.locator("footer[aria-live=polite]")).to_contain_text("made: Us +1, Them +3")
    screen.locator("#main-button").focus()
    press(screen, "Enter")

    expect(screen.locator("#turn")).to_contain_text("Hand 1 is in. Bea 3: made. Us +1, Them +3.")


def test_an_auction_by_keys_alone(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new?by=auction")
    passing = screen.locator(".call").get_by_role("button", name="pass")
    passing.focus()

    press(screen, "Enter", "Enter")
    expect(screen.locator(".call").get_by_role("button", name="Dan: pass")).to_be_focused()
    press(screen, "Tab", "Tab", "Enter")
    expect(screen.get_by_role("heading", name="Ann is to speak")).to_be_visible()
    screen.locator(".call").get_by_role("button", name="Ann: pass").focus()
    press(screen, "Enter")

    expect(screen.locator("summary", has_text="Dan bid 3")).to_be_focused()
