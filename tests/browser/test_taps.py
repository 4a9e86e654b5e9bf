"""How many taps a hand takes in every ruleset, from the match page back to it; `-rP` prints the figures.

A typical hand (the look's "Taps"): who bid and what, the trump, the partner where one is called, two cards that went
elsewhere, three where a hand is worth more than six points, and the rest to the bidding side with one button.
"""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import Lay
from tests.browser.taps import Finger
from tests.web.test_every_ruleset import RULESETS

FEW_POINTS = 6
LIMITS = {True: 6, False: 8}


def answers(screen: Screen, name: str) -> list[str]:
    """Give the answers that a question offers."""
    values: list[str] = screen.locator(f"[name='{name}']").evaluate_all("all => all.map((it) => it.value)")
    return values


def pick(finger: Finger, name: str, value: str) -> None:
    """Tap an answer."""
    finger.tap(finger.screen.locator(f"[name='{name}'][value='{value}']"))


def tables() -> list[tuple[str, str]]:
    """Name every ruleset, with the fewest and with the most who can sit down to it."""
    found = []
    for ruleset_id, ruleset in RULESETS.items():
        table = ruleset.table
        sizes = sorted({*table.partners, *((table.fewest, table.most) if table.most else ())})
        found += [(ruleset_id, str(size) if len(sizes) > 1 else "") for size in sizes]
    return found


@pytest.mark.parametrize(("ruleset_id", "seats"), tables())
def test_a_typical_hand_takes_few_taps(screen: Screen, lay: Lay, ruleset_id: str, seats: str) -> None:
    ruleset = RULESETS[ruleset_id]
    is_small = ruleset.on_offer <= FEW_POINTS
    screen.goto(lay(ruleset_id, seats=seats))
    finger = Finger(screen)

    finger.tap(screen.get_by_role("link", name="Record hand"))
    expect(screen.locator("#hand_form")).to_be_visible()
    bid = str(ruleset.bottom_number)
    if calls := [call for call in answers(screen, "call") if call.endswith(f":{bid}")]:
        pick(finger, "call", calls[1])
    elif pairs := answers(screen, "pair"):
        pick(finger, "pair", next(pair for pair in pairs if not pair.endswith("alone")))
        pick(finger, "bid", bid)
    elif people := answers(screen, "bidder"):
        pick(finger, "bidder", people[1])
        pick(finger, "bid", bid)
    pick(finger, "trump", "spades")
    columns = answers(screen, "rest")
    for award in [*ruleset.in_play][1 : 3 if is_small else 4]:
        taker = next(who for who in columns if who not in ("bidders", "nobody", _bidding(screen)))
        pick(finger, f"took-{award}", taker)
    if not ruleset.bidding.auction:
        finger.tap(screen.locator(f"[name=rest][value={columns[0]}]"))
    finger.tap(screen.locator("#main-button"))

    expect(screen.locator("#turn")).to_contain_text("Hand 1 is in.")
    print(f"{ruleset_id}, {seats or 'all'} players, {ruleset.on_offer} points: {finger.taps} taps")
    assert finger.taps <= LIMITS[is_small]


def _bidding(screen: Screen) -> str:
    """Give the column of whoever bid: the first of the button's promise, "The rest to Us, and save"."""
    words = screen.locator("#main-button").inner_text()
    heads = screen.locator("[name=rest]").all()
    return next((head.get_attribute("value") or "" for head in heads if f"to {head.inner_text()}," in words), "")
