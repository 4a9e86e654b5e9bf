"""The menu of a match, by what a phone may do, the settings, and what the home page leads to."""

import pytest

from tests.common.guests import SCORER, WATCHER, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import TILES, Begin, record


def rows(page: Page) -> list[str]:
    """Return what a menu offers, row by row."""
    lists = page.all("ul", class_="list")
    return [(row.all("a") or row.all("button") or [row])[0].label for found in lists for row in found.all("li")]


WATCHED = ["All hands", "Rules", "Show on TV", "Whose phone is this?"]


def test_a_watching_phone_sees_only_what_it_can_use(match: Page, other_phone: Phone) -> None:
    assert rows(let_in(match, other_phone, WATCHER, "p2").tap("Menu")) == WATCHED


def test_a_scoring_phone_neither_deletes_nor_lets_others_in(match: Page, other_phone: Phone) -> None:
    found = rows(let_in(match, other_phone, SCORER, "p2").tap("Menu"))

    assert "Names, date and place" in found
    assert not {"Other phones", "Delete this match", "Change a rule"} & set(found)


def test_the_rows_end_with_how_things_are(begin: Begin, other_phone: Phone) -> None:
    match = record(begin(house_target="15"), call="p1:3")
    let_in(match, other_phone, SCORER, "p2")

    text = match.open("menu").text

    assert "hand 2" in text
    assert "All hands look back, correct one 1" in text
    assert "Partnership Pitch, to 15, 1 change" in text
    assert "Ann & Cal, Bea & Dan" in text
    assert "Other phones QR code or PIN 1 connected" in text


def test_the_tv_is_reached_by_a_page_that_says_how(match: Page) -> None:
    page = match.tap("Menu").tap("Show on TV")

    assert page.path == f"{match.path}tv/open"
    assert "/join" in page.text
    assert page.one(class_="pin").attrs["aria-label"].startswith("PIN: ")
    assert page.one(class_="qr").all("svg")
    assert page.tap("Open on this device").path == f"{match.path}tv"


def test_a_tv_joins_with_the_pin_and_shows_large_numbers(match: Page, other_phone: Phone) -> None:
    page = match.tap("Menu").tap("Show on TV")
    pin = page.one(class_="pin").attrs["aria-label"].removeprefix("PIN: ").replace(", ", "")

    shown = other_phone.open("/join").send("/join", {"pin": pin}).send("", press="This is the TV")

    assert shown.path.endswith("/tv")
    assert shown.path != f"{match.path}tv"
    assert shown.scores == {"s1": "0", "s2": "0"}


def test_a_watcher_opens_the_tv_on_its_own_device_only(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, WATCHER)
    match.open("room?let=watcher").send("/room/close")

    page = other_phone.open(mine.path).tap("Menu").tap("Show on TV")

    assert not page.all(class_="pin")
    assert page.tap("Open on this device").path == f"{mine.path}tv"


@pytest.mark.club
def test_home_leads_to_pages_that_there_are(phone: Phone) -> None:
    home = phone.open("/")

    tiles = home.one("ul", class_="tiles").all("a")

    more = home.one("details", class_="more").all("a")
    assert [tile.text for tile in tiles] == TILES
    assert [found.label for found in more] == ["Ladder night", "Our own rules", "Settings"]
    # Where a phone has played nothing yet, the hand to settle leads on to the choice of rules.
    assert {phone.open(found.attrs["href"]).status for found in (*tiles, *more)} == {200, 303}


def test_an_example_shows_whoever_has_played_nothing_what_a_match_ends_like(phone: Phone, begin: Begin) -> None:
    empty = phone.open("/")
    example = empty.one("figure")

    assert example.text.startswith("Example Partnership Pitch to 21")
    assert example.text.endswith("Ann & Cal win 21 22 They bid 3, made it and have 21.")
    assert "We’ll keep score." in empty.text

    begin()

    assert not phone.open("/").all("figure")
    assert "We’ll keep score." not in phone.open("/").text


def test_at_most_two_tables_play_again(phone: Phone, begin: Begin) -> None:
    for game in ("partnership-pitch", "cutthroat-pitch", "nine-card-pitch"):
        begin(game)

    again = [link for link in phone.open("/").all("a") if link.attrs["href"].startswith("/new/again/")]

    assert len(again) == 2
