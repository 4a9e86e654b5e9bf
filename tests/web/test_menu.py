"""The menu of a match, by what a phone may do, the settings, and what the home page leads to."""

import pytest

from tests.web.conftest import Begin, record
from tests.web.guests import SCORER, WATCHER, let_in
from tests.web.phone import Page, Phone


def rows(page: Page) -> list[str]:
    """Return what a menu offers, row by row."""
    lists = page.root.all("ul", class_="list")
    return [(row.all("a") or row.all("button") or [row])[0].label for it in lists for row in it.all("li")]


WATCHED = ["All hands", "Rules", "Show on TV", "Whose phone is this?"]


def test_a_watching_phone_sees_only_what_it_can_use(match: Page, other_phone: Phone) -> None:
    assert rows(let_in(match, other_phone, WATCHER, "p2").tap("Menu")) == WATCHED


def test_what_ends_a_match_stands_apart_at_the_end(match: Page) -> None:
    menu = match.tap("Menu")

    assert rows(menu)[-2:] == ["Stop for tonight", "Delete this match"]
    last = menu.root.all("ul", class_="last")
    assert [it.label for it in last[0].all("a")] == ["Stop for tonight", "Delete this match"]


def test_a_scoring_phone_neither_deletes_nor_lets_others_in(match: Page, other_phone: Phone) -> None:
    found = rows(let_in(match, other_phone, SCORER, "p2").tap("Menu"))

    assert "Names, date and place" in found
    assert not {"Other phones", "Delete this match", "Change a rule"} & set(found)


def test_the_rows_end_with_how_things_are(begin: Begin, other_phone: Phone) -> None:
    match = record(begin(house_target="15"), call="p1:3")
    let_in(match, other_phone, SCORER, "p2")

    text = match.phone.open(f"{match.path}menu").text

    assert "hand 2" in text
    assert "All hands look back, correct one 1" in text
    assert "Partnership Pitch, to 15, 1 change" in text
    assert "Ann & Cal, Bea & Dan" in text
    assert "2 connected" in text
    assert "Let the other side accept each hand off" in text
    match.phone.open(f"{match.path}agreement").send("/agreement")
    assert "Let the other side accept each hand on" in match.phone.open(f"{match.path}menu").text


def test_a_watcher_has_no_page_of_names(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, WATCHER)

    assert other_phone.open(f"{mine.path}names").status == 403


def test_the_tv_is_reached_by_a_page_that_says_how(match: Page) -> None:
    page = match.tap("Menu").tap("Show on TV")

    assert page.path == f"{match.path}tv/open"
    assert "/join" in page.text
    assert page.root.one(class_="pin").attrs["aria-label"].startswith("PIN: ")
    assert page.root.one(class_="qr").all("svg")
    assert page.tap("Open on this device").path == f"{match.path}tv"


def test_a_tv_joins_with_the_pin_and_shows_large_numbers(match: Page, other_phone: Phone) -> None:
    page = match.tap("Menu").tap("Show on TV")
    pin = page.root.one(class_="pin").attrs["aria-label"].removeprefix("PIN: ").replace(", ", "")

    shown = other_phone.open("/join").send("/join", {"pin": pin}).send("", press="This is the TV")

    assert shown.path.endswith("/tv")
    assert shown.path != f"{match.path}tv"
    assert shown.scores == {"s1": "0", "s2": "0"}


def test_a_watcher_opens_the_tv_on_its_own_device_only(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, WATCHER)
    match.phone.open(f"{match.path}room?let=watcher").send("/room/close")

    page = other_phone.open(mine.path).tap("Menu").tap("Show on TV")

    assert not page.root.all(class_="pin")
    assert page.tap("Open on this device").path == f"{mine.path}tv"


def test_home_leads_to_pages_that_there_are(phone: Phone) -> None:
    home = phone.open("/")

    tiles = home.root.one("ul", class_="tiles").all("a")

    assert [it.text for it in tiles] == ["Who won?", "Ladder night", "Rules", "Our own rules", "Print", "Settings"]
    # Where a phone has played nothing yet, the hand to settle leads on to the choice of rules.
    assert {phone.open(it.attrs["href"]).status for it in tiles} == {200, 303}
    assert "More" in [it.text for it in home.root.all("h2")]


def test_the_tagline_goes_while_a_match_is_open(phone: Phone, begin: Begin) -> None:
    assert "Real cards, house rules" in phone.open("/").text

    begin()

    assert "Real cards, house rules" not in phone.open("/").text


def test_at_most_two_tables_play_again(phone: Phone, begin: Begin) -> None:
    for game in ("partnership-pitch", "cutthroat-pitch", "nine-card-pitch"):
        begin(game)

    again = [it for it in phone.open("/").root.all("a") if it.attrs["href"].startswith("/new/again/")]

    assert len(again) == 2


@pytest.mark.parametrize("part", ["Light or dark", "Back up", "Restore"])
def test_settings_are_one_page(phone: Phone, part: str) -> None:
    assert part in [it.text for it in phone.open("/").tap("Settings").root.all("h2")]


def test_the_theme_is_chosen_in_the_settings(phone: Phone) -> None:
    page = phone.open("/settings").send("/theme", press="Dark")

    assert page.path == "/settings"
    assert 'data-theme="dark"' in page.response.text


def test_a_file_is_restored_from_the_settings(match: Page, other_phone: Phone) -> None:
    record(match, call="p4:3")
    kept = match.phone.open(f"{match.path}record.json").response.data

    restored = other_phone.upload(other_phone.open("/settings"), "/transfer", "a.json", kept)

    assert restored.scores == {"s1": "0", "s2": "4"}
