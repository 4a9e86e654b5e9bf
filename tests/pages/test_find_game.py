"""Which Pitch do you play: the page that finds a game."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from scorekeeper.pages.find_game import views as find_game
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.web.library import library
from tests.common.gallery import TEN_TO_52
from tests.common.phone import Page, Phone
from tests.common.tables import table
from tests.pages.conftest import Begin


def typed(page: Page) -> str:
    """Return the text in the search field."""
    return page.one("input", name="q").attrs["value"]


def test_every_game_is_listed_with_its_summary(phone: Phone) -> None:
    rows = phone.open("/new").part("found").all("li")

    assert len(rows) == 69
    assert all(re.search(r"\d points", row.all("small")[0].text) for row in rows)


def test_house_rules_that_lie_on_the_server_are_among_the_games_of_every_phone(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = HouseRules("Rose’s Pitch", "partnership-pitch", {"target": 15, "own_1": "5 captured Q: Black Lady"})
    theirs = replace(library(), house_rules=(ours,))
    monkeypatch.setattr(find_game, "library", lambda: theirs)

    game = phone.open("/new?q=rose").one("input", name="game").attrs["value"]
    best = phone.open(f"/new?{urlencode({'q': 'rose', 'game': game})}").part("bottom_bar").one("a")

    table = phone.open(best.attrs["href"]).text
    assert "Rose’s Pitch" in table
    assert "To 15" in table


@pytest.mark.parametrize(
    "row", table(__file__, "searches.toml")["tap"], ids=lambda row: f"{row['typed']} {row['tapped']}"
)
def test_what_is_tapped_is_written_into_the_words(phone: Phone, row: dict[str, Any]) -> None:
    fields = phone.open(f"/new?{urlencode({'q': row['typed']})}").form("/new#found").fields

    page = phone.open(f"/new?{urlencode({**fields, **row['tapped']})}")

    assert typed(page) == row["words"]
    assert "seating" in row["tapped"] or row["tapped"].items() <= page.form("/new#found").fields.items()
    found = [field.attrs["value"] for field in page.all("input", name="game")]
    assert "finds" not in row or found == [row["finds"]]


def test_what_is_tapped_again_leaves_the_words(phone: Phone) -> None:
    fields = phone.open("/new?q=ten+point+pitch+to+52+for+four").form("/new#found").fields
    del fields["target"]

    assert typed(phone.open(f"/new?{urlencode(fields)}")) == "ten point pitch for four"


def test_a_line_that_is_typed_over_takes_the_place_of_every_tap(phone: Phone) -> None:
    form = phone.open("/new?q=ten+point+pitch+to+52").form("/new#found")

    again = phone.open(f"/new?{urlencode({**form.fields, 'q': 'setback'})}").form("/new#found").fields

    assert (again["q"], again.get("target"), again.get("bid")) == ("setback", None, None)


@pytest.mark.parametrize("page", ["/new", "/house/new", "/print", "/rules", "/settle/rules"])
def test_only_the_parts_that_change_are_sent_to_htmx(phone: Phone, page: str) -> None:
    part = phone.open(f"{page}?{TEN_TO_52}", part=True)

    ids = {child.attrs["id"] for child in part.root.inside if not isinstance(child, str)}
    assert ids == {"clear", "taps", "found", "bottom_bar"}


TABLE = "/new/partnership-pitch"
NAMES = {"seat-0": "Ann", "seat-1": "Bea", "seat-2": "Cal", "seat-3": "Dan"}


def test_names_and_no_answers_are_carried_into_another_game_until_a_match_starts(phone: Phone) -> None:
    typed = {**NAMES, "dealer": "2", "house-target": "15"}
    phone.open(TABLE).send(TABLE, typed, press="Choose another game")

    other = phone.open("/new/colorado-ten-point?seats=4").form("colorado-ten-point").fields
    phone.open(TABLE).send(TABLE, press="Start")

    assert {**NAMES, "dealer": "2", "house-target": "42"}.items() <= other.items()
    assert phone.open(TABLE).form(TABLE).fields["seat-0"] == ""


def test_a_long_note_leaves_no_older_players(phone: Phone) -> None:
    for typed in (NAMES, {"seat-0": "Eve", "note": "я" * 450}):
        phone.open(TABLE).send(TABLE, typed, press="Choose another game")

    assert phone.open("/new/colorado-ten-point?seats=4").form("colorado-ten-point").fields["seat-0"] == "Eve"


def test_a_very_long_draft_is_not_kept_rather_than_refused(phone: Phone) -> None:
    answer = phone.open(TABLE).post(TABLE, {"do": "change", "title": "x" * 9000}, follow=False).response

    assert answer.status_code == 303
    assert len(answer.headers.get("Set-Cookie", "")) < 4000


def sections(page: Page) -> dict[str, list[str]]:
    """Return the games under each heading of the list, the lines below their names included."""
    part = page.part("found")
    titles = [heading.text for heading in part.all("h2")]
    return {
        title: [f"{row.one('b').text}: {row.one('small').text}" for row in rows.all("li")]
        for title, rows in zip(titles, part.all("ul"), strict=False)
    }


@pytest.mark.parametrize(
    ("house", "row"),
    [
        ({"house_target": "52"}, "Colorado Ten Point: To 52, 10 points"),
        ({}, "Colorado Ten Point: To 42, 10 points"),
    ],
)
def test_what_was_played_and_what_was_saved_have_headings_of_their_own(
    phone: Phone, begin: Begin, house: dict[str, str], row: str
) -> None:
    begin("colorado-ten-point", **house)
    phone.open("/house/new?base=cinch&target=31").send("/house/new?base=cinch", press="Save")

    shown, for_three = sections(phone.open("/new")), sections(phone.open("/new?players=3"))

    assert list(shown) == ["Yours", "Played here", "Common for four"]
    assert [found.partition(":")[0] for found in shown["Yours"]] == ["Our Cinch"]
    assert shown["Played here"] == [row]
    assert "Played here" not in for_three


def test_a_match_by_rules_with_a_name_of_their_own_counts_for_these_alone(phone: Phone) -> None:
    saved = phone.open("/house/new?base=cinch&target=31").send("/house/new?base=cinch", press="Save")
    saved.tap("Play by these rules").send("cinch", press="Start")

    assert "Played here" not in sections(phone.open("/new"))
