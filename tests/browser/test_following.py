"""How soon other phones show what one phone has saved, in real browsers."""

import pytest
from playwright.sync_api import Page

from tests.browser.actions import Site, expect_text
from tests.browser.playing import begin_match, play_hand
from tests.common.chromium import Phones
from tests.common.nights import EIGHT, begin_night, join_night, night_path, seat_by_hand

PHONES = 4
COUNT = """() => {
  window.polls = 0;
  document.addEventListener("poll", () => window.polls++, true);
}"""


@pytest.fixture
def quiet(phones: Phones) -> Page:
    """Open a page on a phone with a clock of its own."""
    page = phones.new(is_own=True)
    page.clock.install()
    return page


def count_polls(page: Page, path: str) -> None:
    """Open a page, and count its polls from then on."""
    page.goto(path)
    page.evaluate(COUNT)


def test_a_saved_hand_is_on_other_phones_within_two_seconds_of_their_clocks(phones: Phones, site: Site) -> None:
    match = begin_match(site.client(), house_target="21")
    watchers = [phones.new(is_own=True) for _ in range(PHONES)]
    for number, page in enumerate(watchers):
        page.clock.install()
        page.goto(match.path)
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 60)  # ahead of a clock that goes on until then
        page.clock.run_for(400 * number)  # so that each polls at another time
        page.evaluate(COUNT)

    for number in (1, 2):
        play_hand(match, call=f"p{number}:2", took_low=f"s{3 - number}", took_jack=f"s{3 - number}")
        for page in watchers:
            page.clock.run_for(2000)
            expect_text(page, "#announcement", f"Hand {number}:")
            assert page.evaluate("window.polls") <= 2 * number


def polls_in_a_minute(page: Page) -> int:
    """Return how often a page polls in a minute of its clock."""
    before = page.evaluate("window.polls")
    page.clock.run_for(60_000)
    return int(page.evaluate("window.polls") - before)


@pytest.mark.parametrize(("rest", "after_ten_minutes", "after_an_hour"), [("", 12, 4), ("tv", 33, 33)])
def test_a_quiet_match_is_asked_about_less_often_but_not_by_a_tv(
    quiet: Page, path: str, rest: str, after_ten_minutes: int, after_an_hour: int
) -> None:
    count_polls(quiet, path + rest)

    assert polls_in_a_minute(quiet) == 33
    quiet.clock.fast_forward("10:00")
    assert abs(polls_in_a_minute(quiet) - after_ten_minutes) <= 1
    quiet.clock.fast_forward("01:00:00")
    assert abs(polls_in_a_minute(quiet) - after_an_hour) <= 1


def test_a_quiet_night_is_asked_about_all_evening(quiet: Page, site: Site) -> None:
    host = seat_by_hand(begin_night(site.client(), *EIGHT[:4]))
    seat = join_night(host, site.client(), name="Opal & Pete")
    keeper = night_path(join_night(host, site.client(), "scorer"))
    for path in (f"{keeper}/", f"{keeper}/wall", seat.path):
        count_polls(quiet, path)

        assert abs(polls_in_a_minute(quiet) - 33) <= 1, path
        quiet.clock.fast_forward("03:00:00")
        assert abs(polls_in_a_minute(quiet) - 33) <= 1, path


def test_a_quiet_page_asks_at_once_when_it_is_touched(quiet: Page, path: str) -> None:
    count_polls(quiet, path)
    quiet.clock.fast_forward("01:10:00")
    quiet.evaluate("window.polls = 0")

    quiet.mouse.click(5, 300)

    assert quiet.evaluate("window.polls") == 1
    assert polls_in_a_minute(quiet) == 33
    assert polls_in_a_minute(quiet) == 33  # it has been quiet for a minute only
