"""Which Pitch do you play: the page that finds a game."""

import re
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from scorekeeper.pages.find_game import views as find_game
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.web.library import library
from tests.common.gallery import TEN_TO_52
from tests.common.phone import Page, Phone
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
    theirs = replace(library(), houses=(ours,))
    monkeypatch.setattr(find_game, "library", lambda: theirs)

    game = phone.open("/new?q=rose").one("input", name="game").attrs["value"]
    best = phone.open(f"/new?{urlencode({'q': 'rose', 'game': game})}").part("bottom_bar").one("a")

    table = phone.open(best.attrs["href"]).text
    assert "Rose’s Pitch" in table
    assert "To 15" in table


@pytest.mark.parametrize(
    ("text", "tapped", "written"),
    [
        ("ten point pitch", {"target": "52"}, "ten point pitch to 52"),
        ("ten point pitch to 42", {"target": "52"}, "ten point pitch to 52"),
        ("setback 4 players to 11", {"players": "2"}, "setback 2 players to 11"),
        ("three couples, ten point", {"players": "4"}, "4 players ten point"),
        ("ten point to 52", {"seating": "alone"}, "ten point to 52 each alone"),
        ("smear to 15 with jicks", {"bid": "10"}, "smear to 15 with jicks 10 point"),
        ("ten point to 52", {"other": "33"}, "ten point to 33"),
    ],
)
def test_what_is_tapped_is_written_into_the_words(
    phone: Phone, text: str, tapped: dict[str, str], written: str
) -> None:
    fields = phone.open(f"/new?{urlencode({'q': text})}").form("/new#found").fields

    page = phone.open(f"/new?{urlencode({**fields, **tapped})}")

    assert typed(page) == written
    assert "seating" in tapped or tapped.items() <= page.form("/new#found").fields.items()


def test_what_is_tapped_again_leaves_the_words(phone: Phone) -> None:
    fields = phone.open("/new?q=ten+point+pitch+to+52+for+four").form("/new#found").fields
    del fields["target"]

    assert typed(phone.open(f"/new?{urlencode(fields)}")) == "ten point pitch for four"


def test_a_line_that_is_typed_over_takes_the_place_of_every_tap(phone: Phone) -> None:
    form = phone.open("/new?q=ten+point+pitch+to+52").form("/new#found")

    again = phone.open(f"/new?{urlencode({**form.fields, 'q': 'setback'})}").form("/new#found").fields

    assert (again["q"], again.get("target"), again.get("bid")) == ("setback", None, None)


def test_what_was_changed_is_shown_where_the_table_is_set_and_played(phone: Phone) -> None:
    table = phone.open("/new/colorado-ten-point?seats=4&house-ten=no&house-game=yes&house-target=52")

    changed = table.one("div", class_="changed").text
    assert "House rules" in changed
    assert "Nobody scores the Ten." in changed
    assert "as printed: 42" in table.text

    match = table.send("colorado-ten-point", press="Start")

    assert match.record["house"] == {"game": 1, "ten": False, "target": 52}


def test_games_that_fit_are_one_table_of_what_differs_with_what_one_alone_has_in_bold(phone: Phone) -> None:
    heads, *rows = phone.open("/new?q=ten+point+pitch+to+52").one(class_="vs").all(class_="cols")

    assert [element.text for element in heads.all("span")][:2] == ["Bids from", "Made bid scores"]
    assert "Moon: win or lose" in rows[0].text
    assert "win or lose" in [name.text for name in rows[0].all("b")]


def test_words_to_leave_out_lead_to_games_that_fit(phone: Phone) -> None:
    page = phone.open("/new?q=eighteen+point+pitch+to+52")
    assert "No game here has 18 points in a hand." in page.text
    (out,) = page.one(class_="drops").all("a")
    assert out.text == "eighteen point"

    again = phone.open(out.attrs["href"])

    assert typed(again) == "pitch to 52"
    assert "games fit" in again.part("found").text


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


def test_a_very_long_draft_is_not_kept_rather_than_refused(phone: Phone) -> None:
    answer = phone.open(TABLE).post(TABLE, {"do": "change", "title": "x" * 9000}, follow=False).response

    assert answer.status_code == 303
    assert len(answer.headers.get("Set-Cookie", "")) < 4000


@pytest.mark.parametrize(
    ("text", "seating", "words", "found"),
    [
        ("pawnee", "alone", "pawnee each alone", "colorado-cutthroat"),
        ("pawnee each alone", "called", "pawnee call your partner", "pawnee-call-your-partner"),
        ("six-player partnership 2 teams", "pairs", "six-player partnership in pairs", "partnership-pitch-six"),
        ("hoyle six of us three pairs", "alone", "hoyle six of us each alone", "hoyle-auction-pitch"),
    ],
)
def test_another_way_to_sit_keeps_the_kind_of_the_game_and_finds_back(
    phone: Phone, text: str, seating: str, words: str, found: str
) -> None:
    fields = phone.open(f"/new?{urlencode({'q': text})}").form("/new#found").fields
    page = phone.open(f"/new?{urlencode({'q': text, **fields, 'seating': seating})}")

    assert typed(page) == words
    assert [field.attrs["value"] for field in page.all("input", name="game")] == [found]


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
