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
from tests.common.reading import Element
from tests.pages.conftest import Begin


def found(page: Page) -> list[str]:
    return [element.one("b").text for element in page.part("found").all("span", class_="gname")]


def button(page: Page) -> Element | None:
    """Return the button that starts a game, if one was chosen."""
    return next(iter(page.part("bottom_bar").all("a")), None)


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
    best = button(phone.open(f"/new?{urlencode({'q': 'rose', 'game': game})}"))

    assert best
    table = phone.open(best.attrs["href"]).text
    assert "Rose’s Pitch" in table
    assert "To 15" in table


def test_what_four_play_most_is_offered_before_anything_is_said(phone: Phone) -> None:
    page = phone.open("/new")

    title, games = next(iter(sections(page).items()))
    assert title == "Common for four"
    assert games[0].startswith("Partnership Pitch: ")
    assert "Play Partnership Pitch to 21, 4 players" in page.part("bottom_bar").text


def test_what_is_typed_fills_the_taps(phone: Phone) -> None:
    taps = phone.open("/new?q=ten+point,+six+of+us+in+pairs,+to+31").form("/new#found").fields

    assert (taps["players"], taps["seating"], taps["bid"], taps["other"]) == ("6", "pairs", "10", "31")


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


def test_a_link_that_says_what_scores_is_written_into_the_words(phone: Phone) -> None:
    page = phone.open("/new?answered=yes&players=4&cards=Off+Jack&cards=Jokers&target=52")

    assert typed(page) == "4 players to 52 with the Jokers with the Off Jack"
    assert found(page)[0] == "Ten Point (Charbonneau)"


def test_with_whom_is_asked_from_four_on(phone: Phone) -> None:
    assert "two teams three pairs each alone" in phone.open("/new?players=6").part("seats").text
    assert "partners each alone" in phone.open("/new?players=4").part("seats").text
    assert not phone.open("/new?players=3").has("seats")


def assumed(page: Page) -> list[str]:
    """Return the answers that are dashed: they are assumed, and nobody has tapped them."""
    return [label.text for label in page.part("taps").all("label", class_="assumed")]


def test_what_a_game_that_was_tapped_assumes_is_dashed(phone: Phone) -> None:
    assert assumed(phone.open("/new?q=ten+point+pitch&game=colorado-ten-point")) == ["4", "partners", "42"]


def test_four_are_assumed_until_somebody_taps(phone: Phone) -> None:
    unasked, tapped = phone.open("/new"), phone.open("/new?answered=yes&players=4")

    assert (assumed(unasked), "players" in unasked.form("/new#found").fields) == (["4"], False)
    assert (assumed(tapped), tapped.form("/new#found").fields["players"]) == ([], "4")


def test_what_was_changed_is_shown_where_the_table_is_set_and_played(phone: Phone) -> None:
    table = phone.open("/new/colorado-ten-point?seats=4&house-ten=no&house-game=yes&house-target=52")

    changed = table.one("div", class_="changed").text
    assert "House rules" in changed
    assert "Nobody scores the Ten." in changed
    assert "as printed: 42" in table.text

    match = table.send("colorado-ten-point", press="Start")

    assert match.record["house"] == {"game": 1, "ten": False, "target": 52}


def test_where_no_game_is_what_was_said_the_nearest_says_how_it_differs_and_no_button_starts_it(phone: Phone) -> None:
    page = phone.open("/new?answered=yes&players=4&q=call+your+partner")

    nearest = page.part("found")
    assert nearest.all("b")[0].text == "Pawnee Call Your Partner"
    assert nearest.all("em")[0].text == "5 players"
    assert not button(page)


def test_a_game_that_so_many_play_for_partners_starts_with_fewer_each_alone(phone: Phone) -> None:
    best = button(phone.open("/new?q=seven+up,+each+alone&game=seven-up"))

    assert best
    assert "seats=2" in best.attrs["href"]


@pytest.mark.parametrize(("text", "name"), [("do you have whist", "whist"), ("rummy 500", "rummy")])
def test_a_name_that_no_game_has_says_what_to_do_and_no_button_starts_another(
    phone: Phone, text: str, name: str
) -> None:
    page = phone.open(f"/new?{urlencode({'q': text})}")

    assert f"No game is called “{name}”. Tap what you play." in page.text
    assert "Common for four" in page.text
    assert not button(page)


def test_a_number_is_not_the_name_of_a_game(phone: Phone) -> None:
    assert "No game is called" not in phone.open("/new?q=3+or+4+players").text


def test_a_game_in_which_only_trumps_are_played_is_found_by_that(phone: Phone) -> None:
    page = phone.open("/new?q=ten+point+pitch,+trumps+only")

    assert found(page)[:2] == ["Colorado Ten Point", "Ten Point (Charbonneau)"]
    assert "only trumps are played" in page.part("found").text


def test_words_that_were_left_out_are_shown(phone: Phone) -> None:
    page = phone.open("/new?q=colorado+nine+points")

    assert "“colorado” is left out: nothing fits with it." in page.part("found").text
    assert "left out" not in phone.open("/new?q=colorado+ten+points").text


def test_words_that_no_game_has_together_are_named(phone: Phone) -> None:
    page = phone.open("/new?q=call+your+partner,+six+of+us,+to+32")

    assert "No game here has both “call your partner” and “six of us”." in page.part("found").text


def test_a_name_is_looked_for_among_the_games_for_so_many_and_nobody_starts_what_nobody_chose(phone: Phone) -> None:
    page = phone.open("/new?answered=yes&players=2&q=setback")

    assert found(page) == ["Setback for two", "Auction Pitch (Hoyle)"]
    assert "2 games fit" in page.part("found").text
    assert not button(page)

    best = phone.open("/new?answered=yes&players=2&q=setback+to+15&game=setback-for-two").part("bottom_bar")

    assert "Play Setback for two to 15 instead of 11" in best.text


def test_games_that_fit_are_one_table_of_what_differs_with_what_one_alone_has_in_bold(phone: Phone) -> None:
    heads, *rows = phone.open("/new?q=ten+point+pitch+to+52").one(class_="vs").all(class_="cols")

    assert [element.text for element in heads.all("span")][:2] == ["Bids from", "Made bid scores"]
    assert "Moon: win or lose" in rows[0].text
    assert "win or lose" in [name.text for name in rows[0].all("b")]


def test_one_game_says_what_it_is(phone: Phone) -> None:
    found = phone.open("/new?q=seven+up").part("found").text

    assert "1 game fits" in found
    assert library()["seven-up"].summary in found


def test_words_to_leave_out_lead_to_games_that_fit(phone: Phone) -> None:
    page = phone.open("/new?q=eighteen+point+pitch+to+52")
    assert "No game here has 18 points in a hand." in page.text
    (out,) = page.one(class_="drops").all("a")
    assert out.text == "eighteen point"

    again = phone.open(out.attrs["href"])

    assert typed(again) == "pitch to 52"
    assert "games fit" in again.part("found").text


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/new", "/new/colorado-ten-point?seats=4&house-target=52"),
        ("/house/new", "/house/new?base=colorado-ten-point&target=52"),
        ("/rules", "/rules/colorado-ten-point?target=52"),
        ("/print", "/print?rules=colorado-ten-point&target=52"),
        ("/settle/rules", "/settle?v=1&rules=colorado-ten-point&seats=4&house-target=52"),
    ],
)
def test_the_same_page_finds_a_game_to_play_to_change_to_read_to_print_and_to_settle(
    phone: Phone, address: str, leads_to: str
) -> None:
    best = button(phone.open(f"{address}?q=colorado+ten+point+to+52&game=colorado-ten-point"))

    assert best
    assert best.attrs["href"] == leads_to
    assert phone.open(leads_to).status == 200


def test_what_was_said_is_what_the_editor_starts_from(phone: Phone) -> None:
    assert "1 change Play to 52." in phone.open("/house/new?base=colorado-ten-point&target=52").text


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


def seatings(page: Page) -> dict[str, str]:
    """Return the seatings under "With whom", each with the game that it would lead to."""
    return {label.label: "".join(note.text for note in label.all("small")) for label in page.part("seats").all("label")}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=pawnee", {"each alone": "Colorado Cutthroat", "bidder calls a partner": ""}),
        ("q=pawnee+each+alone", {"each alone": "", "bidder calls a partner": "Pawnee Call Your Partner"}),
        ("q=ten+point+to+52&game=colorado-ten-point", {"partners": "", "each alone": "Colorado Cutthroat"}),
        (
            "q=five-point+smear+six+of+us",
            {"two teams": "no five-point game", "three pairs": "no five-point game", "each alone": ""},
        ),
        ("q=six+of+us", {"two teams": "", "three pairs": "", "each alone": ""}),
    ],
)
def test_another_way_to_sit_says_which_game_it_means_before_it_is_tapped(
    phone: Phone, query: str, expected: dict[str, str]
) -> None:
    assert seatings(phone.open(f"/new?{query}")) == expected


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


def test_the_game_that_was_tapped_is_followed_to_another_way_to_sit(phone: Phone) -> None:
    page = phone.open("/new?q=six+of+us&said=six+of+us&players=6&seating=teams&game=oklahoma-ten-point")

    assert "Play Colorado Six Player" in page.part("bottom_bar").text


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
