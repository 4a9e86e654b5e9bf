"""A short match of every way to sit, from the first name to the verdict, with nothing but taps and names."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import give_rest
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones

PEOPLE = ("Ann", "Bea", "Cal", "Dan", "Eve", "Fay")
MOST_HANDS = 8


def begin(page: Page, ruleset_id: str, seats: int) -> None:
    """Sit down, agree the lowest target and whatever the book leaves open, and start."""
    page.goto(f"/new/{ruleset_id}?seats={seats}")
    for chair, name in enumerate(PEOPLE[:seats]):
        page.locator(f"[name=seat-{chair}]").fill(name)
    taps = TapCounter(page)
    for question in page.locator("fieldset.ask:has(input)").all():
        is_target = question.get_attribute("id") == "house-target"
        if is_target or not question.locator("input:checked").count():
            taps.tap(question.locator("input").first)
    page.get_by_role("button", name="Start").tap()
    expect(page.locator("#board")).to_be_visible()


def record(page: Page) -> None:
    """Record a hand in which the first to bid bids the highest number and takes everything."""
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="Record hand"))
    # What is looked for below is looked for at once, so the page of the hand has to be there.
    page.wait_for_url("**/hands/new")
    pairs, board = page.locator("[name=pair]"), page.locator("#q-bid .board-row").first.locator("input")
    if pairs.count():
        taps.tap(pairs.nth(1))
        taps.tap(page.locator("[name=bid][value='10']"))
    elif board.count():
        calls: list[str] = board.evaluate_all("all => all.map((it) => it.value)")
        highest = [call for call in calls if call.split(":")[1].isdigit()][-1]
        taps.tap(board.and_(page.locator(f"[value='{highest}']")))
    elif page.locator("#q-bid").count():
        taps.tap(page.locator("[name=bidder]").first)
        taps.tap(page.locator("[name=bid][value='10']"))
    if page.locator("#q-bid").count():
        give_rest(taps)
    else:
        taps.tap(page.locator("[name=rest]").first)
    expect(page.locator("#main-button:not(.no)")).to_be_visible()
    with page.expect_navigation():
        page.locator("#main-button").tap()


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
def test_a_match_is_played_to_its_end(still_page: Page, ruleset_id: str, seats: int, verb: str) -> None:
    page = still_page
    begin(page, ruleset_id, seats)

    hands = 0
    while not page.locator(".crown").count() and hands < MOST_HANDS:
        record(page)
        hands += 1

    expect(page.locator(".crown h2")).to_contain_text(f" {verb}")
    expect(page.locator(".why")).not_to_be_empty()
    expect(page.get_by_role("link", name="Play again")).to_be_visible()


def test_the_start_button_says_who_deals(page: Page) -> None:
    page.goto("/new/partnership-pitch")

    page.get_by_role("textbox", name="Name, seat 4").fill("Beatrice")
    page.get_by_role("radio", name="Seat 4 deals first").check(force=True)

    expect(page.locator("[data-start]")).to_have_text("Start: Beatrice deals")


def test_a_table_of_four_is_in_sight_above_start(phones: Phones) -> None:
    page = phones.new(height=664)
    page.goto("/new/partnership-pitch")

    above = page.locator(".bottom-bar").evaluate("(it) => it.getBoundingClientRect().top")
    assert page.locator(".rt-note").evaluate("(it) => it.getBoundingClientRect().bottom") <= above


@pytest.mark.parametrize("ruleset", ["oklahoma-ten-point", "colorado-six-player"])
def test_of_a_table_of_six_all_partners_but_the_nearest_are_in_sight_above_start(phones: Phones, ruleset: str) -> None:
    page = phones.new(height=664)
    page.goto(f"/new/{ruleset}?seats=6")

    above = page.locator(".bottom-bar").evaluate("(it) => it.getBoundingClientRect().top")
    markers = page.locator(".seat .mk").evaluate_all("(all) => all.map((it) => it.getBoundingClientRect().bottom)")
    assert len(markers) == 6
    assert sum(bottom <= above for bottom in markers) == 5


@pytest.mark.parametrize("path", ["/", "/new", "/new/partnership-pitch"])
def test_on_its_side_the_button_is_in_sight(phones: Phones, path: str) -> None:
    page = phones.new(width=844, height=390)
    page.goto(path)

    expect(page.locator(".bottom-bar .go")).to_be_in_viewport(ratio=1)
    assert page.locator(".bottom-bar").evaluate("(it) => it.offsetHeight") < 90


def test_what_is_agreed_takes_two_lines_above_start(phones: Phones) -> None:
    page = phones.new(height=664)
    page.goto("/new/oklahoma-ten-point?seats=6")

    lines = "(it) => Math.round(it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight))"
    assert page.locator(".terms").evaluate(lines) == 2


def test_who_wins_a_tie_is_asked_where_there_can_be_one(page: Page) -> None:
    tie = page.get_by_role("group", name="Both reach it on the same hand: who wins?")
    page.goto("/new/partnership-pitch#agree")
    expect(tie).not_to_be_visible()
    page.locator("[name=house-win_rule][value=first_to_target]").check(force=True)
    expect(tie).to_be_visible()

    page.goto("/new/nine-card-pitch#agree")
    page.locator("[name=house-win_rule][value=first_to_target]").check(force=True)

    expect(tie).to_have_count(0)
