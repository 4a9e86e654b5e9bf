"""Which Pitch do you play: the page that finds a game."""

import re
from dataclasses import replace
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from scorekeeper.pages.find_game import views as find_game
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.web.library import library
from tests.common.gallery import TEN_TO_52
from tests.common.phone import Page, Phone
from tests.common.reading import Element, read
from tests.pages.conftest import Begin

COLORADO_TO_52 = "q=colorado+ten+point+to+52&game=colorado-ten-point"


def names(part: Element) -> list[str]:
    return [name.text for name in part.all("b")]


def found(page: Page) -> list[str]:
    return [element.one("b").text for element in page.one(id="found").all("span", class_="gname")]


def chosen(phone: Phone, asked: str, game: str) -> str:
    """Choose a game of those that were found, and return where the button leads."""
    page = phone.open(f"/new?{asked}&{urlencode({'game': game})}")
    return page.one(id="bottom_bar").one("a").attrs["href"] or ""


def fits(page: Page) -> list[str]:
    return names(page.one(id="found").all("ul")[0])


def test_every_game_is_listed_with_its_summary(phone: Phone) -> None:
    page = phone.open("/new")

    rows = page.one(id="found").all("li")
    assert len(rows) == 69
    assert all(re.search(r"\d points", row.all("small")[0].text) for row in rows)


def test_house_rules_that_lie_on_the_server_are_among_the_games_of_every_phone(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = HouseRules("Rose’s Pitch", "partnership-pitch", {"target": 15, "own_1": "5 captured Q: Black Lady"})
    theirs = replace(library(), houses=(ours,))
    monkeypatch.setattr(find_game, "library", lambda: theirs)

    page = phone.open("/new?q=rose")
    assert len(found(page)) == 1
    table = phone.open(chosen(phone, "q=rose", page.one("input", name="game").attrs["value"] or ""))

    assert "Rose’s Pitch" in table.text
    assert "To 15" in table.text


def test_what_four_play_most_is_offered_before_anything_is_said(phone: Phone) -> None:
    page = phone.open("/new")

    assert "Common for four" in page.text
    assert fits(page)[0] == "Partnership Pitch"
    assert "Play Partnership Pitch to 21, 4 players" in page.one(id="bottom_bar").text


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
    form = phone.open(f"/new?{urlencode({'q': text})}").form("/new#found")

    page = phone.open(f"/new?{urlencode({**form.fields, **tapped})}")

    assert page.one("input", name="q").attrs["value"] == written
    again = page.form("/new#found").fields
    assert {name: again.get(name) for name in tapped if name != "seating"} == {
        name: value for name, value in tapped.items() if name != "seating"
    }


def test_what_is_tapped_again_leaves_the_words(phone: Phone) -> None:
    form = phone.open("/new?q=ten+point+pitch+to+52+for+four").form("/new#found")

    page = phone.open(f"/new?{urlencode({name: field for name, field in form.fields.items() if name != 'target'})}")

    assert page.one("input", name="q").attrs["value"] == "ten point pitch for four"


def test_a_line_that_is_typed_over_takes_the_place_of_every_tap(phone: Phone) -> None:
    form = phone.open("/new?q=ten+point+pitch+to+52").form("/new#found")

    again = phone.open(f"/new?{urlencode({**form.fields, 'q': 'setback'})}").form("/new#found").fields

    assert (again["q"], again.get("target"), again.get("bid")) == ("setback", None, None)


def test_a_link_that_says_what_scores_is_written_into_the_words(phone: Phone) -> None:
    page = phone.open("/new?answered=yes&players=4&cards=Off+Jack&cards=Jokers&target=52")

    assert page.one("input", name="q").attrs["value"] == "4 players to 52 with the Jokers with the Off Jack"
    assert found(page)[0] == "Ten Point (Charbonneau)"


def test_with_whom_is_asked_from_four_on(phone: Phone) -> None:
    assert "two teams three pairs each alone" in phone.open("/new?players=6").one(id="seats").text
    assert "partners each alone" in phone.open("/new?players=4").one(id="seats").text
    assert not phone.open("/new?players=3").has("seats")


def test_what_a_game_that_was_tapped_assumes_is_dashed(phone: Phone) -> None:
    page = phone.open("/new?q=ten+point+pitch&game=colorado-ten-point")

    assumed = [label.text for label in page.one(id="taps").all("label") if "assumed" in (label.attrs["class"] or "")]
    assert assumed == ["4", "partners", "42"]


def test_four_are_assumed_until_somebody_taps(phone: Phone) -> None:
    def players(page: Page) -> tuple[list[str], list[str]]:
        picks = page.one(id="players").all("label")
        assumed = [pick.text for pick in picks if "assumed" in pick.attrs["class"]]
        return assumed, [pick.text for pick in picks if any("checked" in box.attrs for box in pick.all("input"))]

    assert players(phone.open("/new")) == (["4"], [])
    assert players(phone.open("/new?answered=yes&players=4")) == ([], ["4"])


def test_a_game_starts_with_what_was_said(phone: Phone) -> None:
    page = phone.open(f"/new?{COLORADO_TO_52}")
    best = page.one(id="bottom_bar").one("a")
    assert "to 52 instead of 42" in best.text

    table = phone.open(best.attrs["href"])
    match = table.send("colorado-ten-point", press="Start")

    assert "Colorado Ten Point To 52" in match.text


def test_what_was_changed_is_shown_where_the_table_is_set(phone: Phone) -> None:
    table = phone.open("/new/colorado-ten-point?seats=4&house-ten=no&house-game=yes&house-target=52")

    changed = table.one("div", **{"class": "changed"}).text
    assert "House rules" in changed
    assert "Nobody scores the Ten." in changed
    assert "as printed: 42" in table.text


def test_what_was_changed_is_played(phone: Phone) -> None:
    table = phone.open("/new/colorado-ten-point?seats=4&house-ten=no&house-game=yes")

    match = table.send("colorado-ten-point", press="Start")

    record = match.record
    assert record["house"] == {"game": 1, "ten": False}


def test_another_number_of_points_wins(phone: Phone) -> None:
    assert "house-target=33" in chosen(phone, "answered=yes&players=4&cards=Off+Ace&other=33", "eleven-point-pitch")


def test_where_no_game_is_what_was_said_the_nearest_says_how_it_differs_and_no_button_starts_it(phone: Phone) -> None:
    page = phone.open("/new?answered=yes&players=4&q=call+your+partner")
    found = page.one(id="found")

    assert names(found)[0] == "Pawnee Call Your Partner"
    assert next(word.text for word in found.all("em")) == "5 players"
    assert page.one(id="bottom_bar").all("a") == []


def test_a_game_for_partners_or_each_alone_starts_as_was_said(phone: Phone) -> None:
    table = phone.open(chosen(phone, "q=five+point+smear+4+players+each+alone", "smear-five-point"))

    assert table.form("smear-five-point").fields["seating"] == "alone"


def test_a_game_that_so_many_play_for_partners_starts_with_fewer_each_alone(phone: Phone) -> None:
    address = phone.open("/new?q=seven+up,+each+alone&game=seven-up").part("bottom_bar").one("a").attrs["href"] or ""

    assert "seats=2" in address


@pytest.mark.parametrize(
    ("text", "name"),
    [("whist", "whist"), ("do you have whist", "whist"), ("500 rummy", "rummy"), ("rummy 500", "rummy")],
)
def test_a_name_that_no_game_has_says_what_to_do_and_no_button_starts_another(
    phone: Phone, text: str, name: str
) -> None:
    page = phone.open(f"/new?{urlencode({'q': text})}")

    assert f"No game is called “{name}”. Tap what you play." in page.text
    assert "Common for four" in page.text
    assert page.part("bottom_bar").all("a") == []


def test_a_number_is_not_the_name_of_a_game(phone: Phone) -> None:
    assert "No game is called" not in phone.open("/new?q=3+or+4+players").text


def test_a_number_that_goes_on_from_a_word_is_not_how_many_play(phone: Phone) -> None:
    page = phone.open("/new?q=four+point+pitch+to+15+everyone+alone,+dealer+stuck+at+two")

    assert "players" not in page.form("/new#found").fields
    assert "Nebraska Four-Point Pitch" in found(page)


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


def test_a_name_is_looked_for_among_the_games_for_so_many(phone: Phone) -> None:
    page = phone.open("/new?answered=yes&players=2&q=setback")

    assert found(page) == ["Setback for two", "Auction Pitch (Hoyle)"]
    assert "2 games fit" in page.one(id="found").text


def test_nobody_starts_what_nobody_chose(phone: Phone) -> None:
    page = phone.open("/new?answered=yes&players=2&q=setback")
    assert page.one(id="bottom_bar").all("a") == []

    best = phone.open("/new?answered=yes&players=2&q=setback+to+15&game=setback-for-two").one(id="bottom_bar")

    assert "Play Setback for two to 15 instead of 11" in best.text


def test_games_that_fit_are_one_table_of_what_differs_with_what_one_alone_has_in_bold(phone: Phone) -> None:
    table = phone.open("/new?q=ten+point+pitch+to+52").one(class_="vs")
    heads, *rows = [
        element
        for element in table.all("div") + table.all("span")
        if "cols" in (element.attrs.get("class") or "").split()
    ]

    assert [element.text for element in heads.all("span")][:2] == ["Bids from", "Made bid scores"]
    assert "Moon: win or lose" in rows[0].text
    assert "win or lose" in [name.text for name in rows[0].all("b")]


def test_one_game_says_what_it_is(phone: Phone) -> None:
    found = phone.open("/new?q=seven+up").one(id="found")

    assert "1 game fits" in found.text
    assert library()["seven-up"].summary in found.text


def test_words_to_leave_out_lead_to_games_that_fit(phone: Phone) -> None:
    page = phone.open("/new?q=eighteen+point+pitch+to+52")
    assert "No game here has 18 points in a hand." in page.text
    (out,) = page.one(class_="drops").all("a")
    assert out.text == "eighteen point"

    again = phone.open(out.attrs["href"] or "")

    assert again.one("input", name="q").attrs["value"] == "pitch to 52"
    assert "games fit" in again.one(id="found").text


def test_the_games_that_this_phone_played_come_first(phone: Phone, begin: Begin) -> None:
    begin("nine-card-pitch", **{"house_all_pass": "redeal"})

    assert fits(phone.open("/new"))[0] == "Nine Card Pitch"


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/new", "/new/colorado-ten-point?seats=4&house-target=52"),
        ("/house/new", "/house/new?base=colorado-ten-point&target=52"),
        ("/rules", "/rules/colorado-ten-point?target=52"),
        ("/print", "/print?rules=colorado-ten-point&target=52"),
    ],
)
def test_the_same_page_finds_a_game_to_play_to_change_to_read_and_to_print(
    phone: Phone, address: str, leads_to: str
) -> None:
    best = phone.open(f"{address}?{COLORADO_TO_52}").one(id="bottom_bar").one("a")

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


def test_changing_the_game_keeps_every_name(phone: Phone) -> None:
    finder = phone.open(TABLE).send(TABLE, {**NAMES, "dealer": "2"}, press="Choose another game")
    assert "Which Pitch do you play?" in finder.text

    other = phone.open("/new/colorado-ten-point?seats=4").form("colorado-ten-point").fields

    assert {name: other[name] for name in NAMES} == NAMES
    assert other["dealer"] == "2"


def test_reading_the_rules_keeps_names_and_answers(phone: Phone) -> None:
    rules = phone.open(TABLE).send(TABLE, {**NAMES, "house-target": "15"}, press="Rules")
    assert "15" in rules.text

    again = phone.open(TABLE).form(TABLE).fields

    assert again["seat-3"] == "Dan"
    assert again["house-target"] == "15"


def test_an_answer_to_one_game_is_not_carried_into_another(phone: Phone) -> None:
    phone.open(TABLE).send(TABLE, {**NAMES, "house-target": "15"}, press="Choose another game")

    assert phone.open("/new/colorado-ten-point").form("colorado-ten-point").fields["house-target"] == "42"


def test_a_match_that_starts_takes_the_names_along(phone: Phone) -> None:
    phone.open(TABLE).send(TABLE, NAMES, press="Choose another game")

    phone.open(TABLE).send(TABLE, press="Start")

    assert phone.open(TABLE).form(TABLE).fields["seat-0"] == ""


def test_a_very_long_draft_is_not_kept_rather_than_refused(client: FlaskClient) -> None:
    page = read(client.get(TABLE).text)
    token = page.one("input", name="csrf_token").attrs["value"]
    posted = {"csrf_token": token, "do": "change", "title": "x" * 9000}

    answer = client.post(TABLE, data=posted)

    assert answer.status_code == 303
    assert len(answer.headers.get("Set-Cookie", "")) < 4000


def ways(page: Page) -> dict[str, str]:
    """Return what each tap on "With whom" says, with the game that it would make of it."""
    return {label.label: "".join(note.text for note in label.all("small")) for label in page.part("seats").all("label")}


@pytest.mark.parametrize(
    ("query", "says"),
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
    phone: Phone, query: str, says: dict[str, str]
) -> None:
    assert ways(phone.open(f"/new?{query}")) == says


@pytest.mark.parametrize(
    ("typed", "way", "words", "found"),
    [
        ("pawnee", "alone", "pawnee each alone", "colorado-cutthroat"),
        ("pawnee each alone", "called", "pawnee call your partner", "pawnee-call-your-partner"),
        ("six-player partnership 2 teams", "pairs", "six-player partnership in pairs", "partnership-pitch-six"),
        ("hoyle six of us three pairs", "alone", "hoyle six of us each alone", "hoyle-auction-pitch"),
    ],
)
def test_another_way_to_sit_keeps_the_kind_of_the_game_and_finds_back(
    phone: Phone, typed: str, way: str, words: str, found: str
) -> None:
    fields = phone.open(f"/new?{urlencode({'q': typed})}").form("/new#found").fields
    page = phone.open(f"/new?{urlencode({'q': typed, **fields, 'seating': way})}")

    assert page.one("input", id="q").attrs["value"] == words
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


def test_what_was_played_and_what_was_saved_have_headings_of_their_own(phone: Phone, begin: Begin) -> None:
    begin("colorado-ten-point", house_target="52")
    phone.open("/house/new?base=cinch&target=31").send("/house/new?base=cinch", press="Save")

    page = phone.open("/new")

    assert list(sections(page)) == ["Yours", "Played here", "Common for four"]
    assert [section.partition(":")[0] for section in sections(page)["Yours"]] == ["Our Cinch"]
    assert sections(page)["Played here"] == ["Colorado Ten Point: To 52, 10 points"]
    assert "/new/colorado-ten-point?seats=4&house-target=52" in [link.attrs.get("href") for link in page.all("a")]


def test_a_game_that_was_played_as_printed_has_its_own_target(begin: Begin, phone: Phone) -> None:
    begin("colorado-ten-point")

    assert sections(phone.open("/new"))["Played here"] == ["Colorado Ten Point: To 42, 10 points"]


def test_what_was_played_by_others_is_not_played_by_so_few(begin: Begin, phone: Phone) -> None:
    begin("colorado-ten-point")

    assert "Played here" not in sections(phone.open("/new?players=3"))


def test_a_match_by_rules_with_a_name_of_their_own_counts_for_these_alone(phone: Phone) -> None:
    saved = phone.open("/house/new?base=cinch&target=31").send("/house/new?base=cinch", press="Save")
    table = saved.tap("Play by these rules")
    table.send("cinch", press="Start")

    found = sections(phone.open("/new"))

    assert [value.partition(":")[0] for value in found["Yours"]] == ["Our Cinch"]
    assert "Played here" not in found
