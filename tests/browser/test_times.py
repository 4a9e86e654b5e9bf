"""A phone shows times by its own clock, in the order of its region."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.pitch.text.phrases import AMERICAN, DateStyle
from tests.browser.actions import Site
from tests.browser.playing import begin_match, play_hand
from tests.common.chromium import Phones

BRITISH = DateStyle(is_month_first=False, has_twelve_hours=False)


def written(page: Page, site: Site) -> tuple[Locator, datetime]:
    """Open a page with a time, and return that, with the moment that it stands for."""
    match = play_hand(begin_match(site.client()), call="p4:3", took_low="s1")
    page.goto(f"{match.path}history/journal")
    shown = page.locator("time").first
    return shown, datetime.fromisoformat(shown.get_attribute("datetime") or "")


@pytest.mark.parametrize(
    ("zone", "locale", "style"),
    [("Pacific/Kiritimati", "en-US", AMERICAN), ("America/Adak", "en-GB", BRITISH)],
)
def test_a_time_is_the_phone_s_own(phones: Phones, site: Site, zone: str, locale: str, style: DateStyle) -> None:
    shown, at = written(phones.new(timezone_id=zone, locale=locale), site)

    expect(shown).to_have_text(style.time(at.astimezone(ZoneInfo(zone))))


def test_a_time_of_another_day_has_its_day(phones: Phones, site: Site) -> None:
    page = phones.new(timezone_id="America/Chicago", locale="en-US")
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=400))

    shown, moment = written(page, site)

    at = moment.astimezone(ZoneInfo("America/Chicago"))
    expect(shown).to_have_text(f"{AMERICAN.full_day(at)}, {AMERICAN.time(at)}")
