"""The first language that a browser requests determines the format of dates, the clock and the paper size."""

import re
from datetime import UTC, datetime

import pytest

from scorekeeper.pitch.text.phrases import AMERICAN, DateStyle
from scorekeeper.web.locale import region_of
from tests.common.phone import Page, Phone
from tests.pages.conftest import record

ENGLISH = {"Accept-Language": "en-GB,en;q=0.9"}
BRITISH = DateStyle(is_month_first=False, has_twelve_hours=False)


@pytest.mark.parametrize("language", ["", "*", "en", "en-US", "en-us", "es-US", "xx", "en-XX", "../etc", "x" * 400])
def test_the_american_way_is_the_usual_one(language: str) -> None:
    assert (region_of(language).dates, region_of(language).paper) == (AMERICAN, "letter")


@pytest.mark.parametrize(
    ("languages", "month_first", "twelve", "paper"),
    [
        ("en-CA fr-CA", True, True, "letter"),
        ("en-GB de de-AT sr-Latn en-150", False, False, "a4"),
        ("en-AU es-419", False, True, "a4"),
        ("ja", True, False, "a4"),
    ],
)
def test_every_region_has_its_own(languages: str, month_first: bool, twelve: bool, paper: str) -> None:
    style = DateStyle(is_month_first=month_first, has_twelve_hours=twelve)

    found = {language: region_of(language) for language in languages.split()}
    assert {name: (region.dates, region.paper) for name, region in found.items()} == dict.fromkeys(
        found, (style, paper)
    )


@pytest.mark.parametrize(
    ("hour", "expected"), [(0, "12:05 AM"), (1, "1:05 AM"), (12, "12:05 PM"), (13, "1:05 PM"), (23, "11:05 PM")]
)
def test_the_clock_of_twelve_hours(hour: int, expected: str) -> None:
    assert AMERICAN.time(datetime(2026, 11, 21, hour, 5, tzinfo=UTC)) == expected


def opened(phone: Phone, path: str, headers: dict[str, str]) -> Page:
    return Page(phone.client.get(path, headers=headers), phone)


@pytest.mark.parametrize(("headers", "clock"), [({}, r"\d?\d:\d\d [AP]M"), (ENGLISH, r"\d\d:\d\d")])
def test_a_time_is_an_element_that_the_phone_can_move(
    match: Page, phone: Phone, headers: dict[str, str], clock: str
) -> None:
    record(match, call="p4:3", took_low="s1")

    page = opened(phone, f"{match.path}history", headers)
    (written,) = page.all("time")

    assert re.fullmatch(clock, written.text)
    assert written.attrs["data-show"] == "moment"
    assert abs(datetime.fromisoformat(written.attrs["datetime"]) - datetime.now(UTC)).total_seconds() < 600
    assert "js/times" in page.response.text


@pytest.mark.parametrize(("headers", "style"), [({}, AMERICAN), (ENGLISH, BRITISH)])
def test_a_list_has_the_day_as_the_reader_writes_it(
    match: Page, phone: Phone, headers: dict[str, str], style: DateStyle
) -> None:
    stopped = record(match, call="p4:3", took_low="s1").tap("Menu").tap("Stop for tonight").send("/stop")
    today = style.day(datetime.now().astimezone())

    home = opened(phone, "/", headers)

    assert stopped.status == 200
    assert f"{today}: Bea & Dan 3, Ann & Cal 1; stopped" in home.text


@pytest.mark.parametrize(("headers", "style"), [({}, AMERICAN), (ENGLISH, BRITISH)])
def test_a_match_without_a_title_is_called_by_its_people_and_its_day(
    match: Page, phone: Phone, headers: dict[str, str], style: DateStyle
) -> None:
    today = style.day(datetime.now().astimezone())

    assert opened(phone, match.path, headers).one("title").text == f"Ann & Cal v. Bea & Dan, {today} · Scorekeeper"


def test_the_title_of_a_match_is_followed_by_its_people(match: Page) -> None:
    match.tap("Menu").tap("Names, date and place").send("/names", {"title": "Friday"})

    page = match.open()

    assert page.one("title").text == "Friday: Ann & Cal v. Bea & Dan · Scorekeeper"


@pytest.mark.parametrize(
    ("headers", "first"), [({}, "Letter"), (ENGLISH, "A4"), ({"Accept-Language": "fr-CA"}, "Letter")]
)
def test_the_paper_of_the_region_is_chosen(match: Page, phone: Phone, headers: dict[str, str], first: str) -> None:
    printing = opened(phone, f"/print?match={match.path.split('/')[2]}", headers)
    rules = opened(phone, "/rules/partnership-pitch", headers)

    assert printing.one("input", name="paper", checked="").attrs["value"] == first.lower()
    links = [link.text for link in rules.all("a") if link.text.startswith("Print on")]
    assert links == [f"Print on {first}", f"Print on {'A4' if first == 'Letter' else 'Letter'}"]


def test_a_paper_that_is_asked_for_is_printed_on(phone: Phone) -> None:
    answer = phone.client.get("/rules/partnership-pitch.pdf?paper=a4")

    assert answer.headers["Content-Disposition"].endswith("A4.pdf")


PUBLIC = ["/", "/new", "/rules", "/rules/partnership-pitch", "/print"]


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_page_says_what_it_is_and_is_found(other_phone: Phone, path: str) -> None:
    page = other_phone.open(path)

    assert len(page.one("meta", name="description").attrs["content"]) > 40
    assert not page.all("meta", name="robots")
    assert page.response.headers["X-Robots-Tag"] == "all"
    assert page.one("title").text


@pytest.mark.parametrize(
    "path",
    [
        *("{match}", "{match}history", "{match}menu", "{match}rules", "{match}tv"),
        *("/", "/print", "/house", "/join", "/rules/partnership-pitch?target=15"),
    ],
)
def test_a_page_that_shows_a_match_or_a_house_is_not_found(match: Page, phone: Phone, path: str) -> None:
    page = phone.open(path.format(match=match.path))

    assert page.one("meta", name="robots").attrs["content"] == "noindex"
    assert not page.all("meta", name="description")
    assert page.response.headers["X-Robots-Tag"] == "noindex, nofollow"
