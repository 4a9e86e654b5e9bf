"""“That’s wrong” on one phone, and what the others show of it without being touched."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site, StartMatch
from tests.browser.playing import play_hand
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones
from tests.common.room import let_in


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_hand_is_called_wrong_and_confirmed_with_one_tap_each(
    phones: Phones, site: Site, start_match: StartMatch, scripts: bool
) -> None:
    path = start_match()
    play_hand(site.client().open(path), call="p1:3", took_low="s2")
    scoring, watching, tv = phones.new(), phones.new(scripts=scripts), phones.new()
    scoring.goto(path)
    tv.goto(f"{path}tv")
    watching.goto(let_in(site.app, path, "p2", role="watcher"))
    taps = TapCounter(watching)

    taps.tap(watching.get_by_role("button", name="That’s wrong"))

    expect(watching.locator("#turn")).to_contain_text("You said: That’s wrong.")
    expect(scoring.locator("#turn")).to_contain_text("Bea’s phone: That’s wrong.")
    expect(tv.locator("#board")).to_contain_text("Bea’s phone: That’s wrong.")
    assert taps.count == 1
    scoring.get_by_role("button", name="It’s right").tap()
    expect(tv.locator("#board")).not_to_contain_text("That’s wrong.")
