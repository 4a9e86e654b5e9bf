"""A short match of every way to sit, from the first name to the verdict, with nothing but taps and names."""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.taps import Finger

PEOPLE = ("Ann", "Bea", "Cal", "Dan", "Eve", "Fay")
MOST_HANDS = 8


def begin(screen: Screen, ruleset_id: str, seats: int) -> None:
    """Sit down, agree the lowest target and whatever the book leaves open, and start."""
    screen.goto(f"/new/{ruleset_id}?seats={seats}")
    for chair, name in enumerate(PEOPLE[:seats]):
        screen.locator(f"[name=seat-{chair}]").fill(name)
    finger = Finger(screen)
    for question in screen.locator("fieldset.ask").all():
        is_target = question.get_attribute("id") == "house-target"
        if is_target or not question.locator("input:checked").count():
            finger.tap(question.locator("input").first)
    screen.get_by_role("button", name="Start").tap()
    expect(screen.locator("#board")).to_be_visible()


def record(screen: Screen) -> None:
    """Let the first to speak bid all that can be bid by number, and take everything."""
    finger = Finger(screen)
    finger.tap(screen.get_by_role("link", name="Record hand"))
    pairs, board = screen.locator("[name=pair]"), screen.locator("#q-bid .board-row").first.locator("input")
    if pairs.count():
        finger.tap(pairs.nth(1))
        finger.tap(screen.locator("[name=bid][value='10']"))
    elif board.count():
        numbers = [it for it in board.all() if it.get_attribute("value").split(":")[1].isdigit()]  # type: ignore[union-attr]
        finger.tap(numbers[-1])
    elif screen.locator("#q-bid").count():
        finger.tap(screen.locator("[name=bidder]").first)
        finger.tap(screen.locator("[name=bid][value='10']"))
    if not screen.locator("#q-bid").count():
        finger.tap(screen.locator("[name=rest]").first)
    expect(screen.locator("#main-button:not(.no)")).to_be_visible()
    with screen.expect_navigation():
        screen.locator("#main-button").tap()


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "verb"),
    [
        pytest.param("partnership-pitch", 4, "win", id="two pairs"),
        pytest.param("partnership-pitch-six", 6, "win", id="three pairs"),
        pytest.param("colorado-six-player", 6, "win", id="three against three"),
        pytest.param("cutthroat-pitch", 3, "wins", id="everyone alone"),
        pytest.param("razzle-dazzle", 5, "win", id="a partner called for each hand"),
        pytest.param("solo-for-two-or-three", 3, "wins", id="the bidder against the rest"),
        pytest.param("solo-without-bidding", 4, "wins", id="alone and without bids"),
        pytest.param("partners-without-bidding", 4, "win", id="partners without bids"),
    ],
)
def test_a_match_is_played_to_its_end(screen: Screen, ruleset_id: str, seats: int, verb: str) -> None:
    begin(screen, ruleset_id, seats)

    hands = 0
    while not screen.locator(".crown").count() and hands < MOST_HANDS:
        record(screen)
        hands += 1

    expect(screen.locator(".crown h2")).to_contain_text(f" {verb}")
    expect(screen.locator(".why")).not_to_be_empty()
    expect(screen.get_by_role("link", name="Play again")).to_be_visible()
