"""How many taps a hand takes in every ruleset, from the match page back to it; `-rP` prints the figures.

A typical hand (the look's "Taps"): who bid and what, the trump, the partner where one is called, two cards that went
elsewhere, three where a hand is worth more than six points, the rest to the bidding side, and the button that saves.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import TapCounter, bidding_side, choose_entry_mode, give_rest
from tests.browser.conftest import StartMatch
from tests.common.library import LAW_RULESETS, LIBRARY

FEW_POINTS = 6
LIMITS = {True: 7, False: 9}
"""More where a game of few points has two questions that are one tap elsewhere: who bid and what, or partners."""


def answers(page: Page, name: str) -> list[str]:
    """Return the answers that a question offers."""
    values: list[str] = page.locator(f"[name='{name}']").evaluate_all("all => all.map((it) => it.value)")
    return values


def pick(taps: TapCounter, name: str, value: str) -> None:
    """Tap an answer."""
    taps.tap(taps.page.locator(f"[name='{name}'][value='{value}']"))


def tables() -> list[tuple[str, str]]:
    """Return every ruleset, with the fewest and with the most players."""
    found = []
    for ruleset in LAW_RULESETS:
        table = ruleset.table
        sizes = sorted({*table.partners, *((table.fewest, table.most) if table.most else ())})
        found += [(ruleset.id, str(size) if len(sizes) > 1 else "") for size in sizes]
    return found


@pytest.mark.parametrize(("ruleset_id", "seats"), tables())
def test_a_typical_hand_takes_few_taps(still_page: Page, start_match: StartMatch, ruleset_id: str, seats: str) -> None:
    page, ruleset = still_page, LIBRARY[ruleset_id]
    is_small = ruleset.points_per_hand <= FEW_POINTS
    page.goto(start_match(ruleset_id, seats=seats))
    taps = TapCounter(page)

    taps.press("Record hand")
    expect(page.locator("#hand_form")).to_be_visible()
    bid = str(ruleset.min_bid_number)
    most = LIMITS[is_small]
    if calls := [call for call in answers(page, "call") if call.endswith(f":{bid}")]:
        pick(taps, "call", calls[1])
        if is_small and answers(page, "partner"):
            pick(taps, "partner", next(who for who in answers(page, "partner") if who != "alone"))
            most += 1
    elif pairs := answers(page, "pair"):
        pick(taps, "pair", next(pair for pair in pairs if not pair.endswith("alone")))
        pick(taps, "bid", bid)
    elif people := answers(page, "bidder"):
        pick(taps, "bidder", people[1])
        # The least is still to be agreed in some games, and was when the match started.
        pick(taps, "bid", answers(page, "bid")[0])
        most += is_small
    pick(taps, "trump", "spades")
    columns = answers(page, "rest")
    has_bidding = page.locator("#bottom_bar .took-by .mk").count()
    bidding = (bidding_side(page).get_attribute("value") or "") if has_bidding else ""
    awards = [award for award in ruleset.in_play if award not in ruleset.rare_awards]
    for award in awards[1 : 3 if is_small else 4]:
        pick(taps, f"took-{award}", next(who for who in columns if who not in ("bidders", "nobody", bidding)))
    taps.tap(page.locator(f"[name=rest][value={bidding or columns[0]}]"))
    taps.tap(page.locator("#main-button"))

    expect(page.locator("#turn")).to_contain_text(re.compile(r"Hand 1 is saved\.|More"))
    print(f"{ruleset_id}, {seats or 'all'} players, {ruleset.points_per_hand} points: {taps.count} taps")
    assert taps.count <= most


@pytest.mark.parametrize("number", ["43", "44"])
def test_a_bid_without_a_button_takes_one_tap_and_its_digits(
    still_page: Page, start_match: StartMatch, number: str
) -> None:
    page = still_page
    page.goto(start_match("king-pedro-sixty-two"))
    taps = TapCounter(page)

    taps.press("Record hand")
    expect(page.locator("#hand_form")).to_be_visible()
    pick(taps, "bidder", answers(page, "bidder")[1])
    pick(taps, "bid", "40")
    taps.tap(page.get_by_label("Another bid, 30 to 62"))
    page.keyboard.type(number)

    expect(page.locator("[name=bid]:checked")).to_have_count(0)
    expect(page.locator("#bottom_bar")).to_contain_text(f"of {number}")
    give_rest(taps)
    taps.tap(page.locator("#main-button"))
    expect(page.locator("#history tbody td").nth(1)).to_contain_text(re.compile(f"{number} made"))
    assert taps.count == 6

    taps.press("Record hand")
    pick(taps, "bid", number)
    assert taps.count == 8


def test_a_call_without_a_button_is_sent_by_enter(still_page: Page, start_match: StartMatch) -> None:
    page = still_page
    page.goto(start_match("king-pedro-sixty-two"))
    page.get_by_role("link", name="Record hand").tap()
    choose_entry_mode(page, "Full auction")
    # A bid may be typed without an auction as well, until the page has changed.
    expect(page.locator("#q-bid-h")).to_have_text("Bea to bid")

    page.get_by_label("Another bid, 30 to 62").fill("43")
    page.keyboard.press("Enter")

    expect(page.locator("#q-bid-h")).to_have_text("Cal to bid")
    expect(page.get_by_label("Another bid")).to_have_value("")
