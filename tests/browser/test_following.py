"""How soon another phone shows what one phone has saved, in real browsers."""

from random import Random
from time import perf_counter

from playwright.sync_api import expect

from tests.browser.conftest import House, Pocket
from tests.browser.tables import begun, played

HANDS = 8
SOON, AT_MOST = 2.0, 2.5


def test_a_saved_hand_is_on_the_other_phone_within_two_seconds(pocket: Pocket, house: House) -> None:
    chance, match = Random(9), begun(house.phone(), house_target="21")
    watcher = pocket.phone()
    watcher.goto(match.path)
    taken = []

    for number in range(1, HANDS + 1):
        watcher.wait_for_timeout(chance.uniform(0, 1800))
        us = number % 2
        other = "s2" if us else "s1"
        played(match, call="p1:2" if us else "p2:2", took_low=other, took_jack=other)
        saved = perf_counter()
        expect(watcher.locator("#told")).to_contain_text(f"Hand {number}:", timeout=4000)
        taken.append(perf_counter() - saved)

    assert max(taken) <= AT_MOST
    assert sorted(taken)[-2] <= SOON
