"""Which Pitch do you play: the page that finds a game."""

import pytest
from flask.testing import FlaskClient

from tests.gallery import TEN_TO_52
from tests.web.conftest import Begin
from tests.web.phone import Page, Phone
from tests.web.reading import Element, read

COLORADO_TO_52 = f"{TEN_TO_52}&rule-score_on_made=points"


def names(part: Element) -> list[str]:
    return [it.text for it in part.all("b")]


def fits(page: Page) -> list[str]:
    return names(page.root.one(id="fits").one("ul"))


def test_every_game_is_listed_with_its_summary(phone: Phone) -> None:
    page = phone.open("/new")

    rows = [row for part in ("fits", "others") for row in page.root.one(id=part).all("li")]
    assert len(rows) == 54
    assert all(row.one("small").text.endswith(".") for row in rows)


def test_what_four_play_most_is_offered_before_anything_is_said(phone: Phone) -> None:
    page = phone.open("/new")

    assert "Most played by four" in page.text
    assert fits(page)[0] == "Partnership Pitch"
    assert "Play Partnership Pitch four points, partners, to 21" in page.root.one(id="bottom_bar").text


def test_a_game_that_fits_says_so(phone: Phone) -> None:
    page = phone.open(f"/new?{TEN_TO_52}&rule-score_on_made=bid")

    assert "Ten Point (Charbonneau) Fits all you said." in page.text
    assert "10 points a hand" in page.root.one(id="total").text


def test_the_question_that_tells_two_games_apart_is_asked(phone: Phone) -> None:
    page = phone.open(f"/new?{TEN_TO_52}")

    assert "Does a made bid score what you took, or just the bid?" in page.root.one(id="fits").text


def test_a_game_starts_with_what_was_said(phone: Phone) -> None:
    page = phone.open(f"/new?{COLORADO_TO_52}")
    best = page.root.one(id="bottom_bar").one("a")
    assert "changed from the book: to 52" in best.text

    table = phone.open(best.attrs["href"])
    match = table.send("colorado-ten-point", press="Start")

    assert "Colorado Ten Point, to 52" in match.text


def test_what_was_changed_is_shown_where_the_table_is_set(phone: Phone) -> None:
    table = phone.open("/new/colorado-ten-point?seats=4&house-ten=no&house-game=yes&house-target=52")

    changed = table.root.one("div", **{"class": "changed"}).text
    assert "Changed from the book" in changed
    assert "Nobody scores the Ten." in changed
    assert "standard is 42" in table.text


def test_what_was_changed_is_played(phone: Phone) -> None:
    table = phone.open("/new/colorado-ten-point?seats=4&house-ten=no&house-game=yes")

    match = table.send("colorado-ten-point", press="Start")

    record = phone.client.get(f"{match.path}record.json").get_json()
    assert record["house"] == {"game": 1, "ten": False}


def test_another_number_of_points_wins(phone: Phone) -> None:
    page = phone.open("/new?answered=yes&players=4&cards=High&cards=Low&cards=Jack&cards=Game&other=33")

    assert "house-target=33" in page.root.one(id="bottom_bar").one("a").attrs["href"]


def test_a_name_finds_a_game_whatever_was_said(phone: Phone) -> None:
    found = phone.open("/new?answered=yes&players=4&q=call+your+partner").root.one(id="found")

    assert names(found)[0] == "Pawnee Call Your Partner"
    assert "Differs: 5 players." in found.text


def test_a_name_that_no_game_has_says_what_to_do(phone: Phone) -> None:
    assert "No game goes by “whist”. Try another word" in phone.open("/new?q=whist").text


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
    best = phone.open(f"{address}?{COLORADO_TO_52}").root.one(id="bottom_bar").one("a")

    assert best.attrs["href"] == leads_to
    assert phone.open(leads_to).status == 200


def test_what_was_said_is_what_the_editor_starts_from(phone: Phone) -> None:
    assert "1 change from standard Play to 52." in phone.open("/house/new?base=colorado-ten-point&target=52").text


@pytest.mark.parametrize(
    "asked", ["q=%01%ff&players=x&target=-1", "q=" + "x" * 500, "players=99", "cards=Queen&other=9999"]
)
def test_any_address_is_answered(client: FlaskClient, asked: str) -> None:
    assert client.get(f"/new?{asked}").status_code == 200


@pytest.mark.parametrize("page", ["/new", "/house/new", "/print", "/rules", "/settle/rules"])
def test_only_the_parts_that_change_are_sent_to_htmx(phone: Phone, page: str) -> None:
    part = phone.open(f"{page}?{TEN_TO_52}", part=True)

    ids = {it.attrs["id"] for it in part.root.inside if not isinstance(it, str)}
    assert ids == {"clear", "total", "fits", "found", "others", "bottom_bar"}


TABLE = "/new/partnership-pitch"
NAMES = {"seat-0": "Ann", "seat-1": "Bea", "seat-2": "Cal", "seat-3": "Dan"}


def test_changing_the_game_keeps_every_name(phone: Phone) -> None:
    finder = phone.open(TABLE).send(TABLE, {**NAMES, "dealer": "2"}, press="Change")
    assert "Which Pitch do you play?" in finder.text

    other = phone.open("/new/colorado-ten-point?seats=4").form("colorado-ten-point").fields

    assert {name: other[name] for name in NAMES} == NAMES
    assert other["dealer"] == "2"


def test_reading_the_rules_keeps_names_and_answers(phone: Phone) -> None:
    rules = phone.open(TABLE).send(TABLE, {**NAMES, "house-target": "15"}, press="Read the rules")
    assert "15" in rules.text

    again = phone.open(TABLE).form(TABLE).fields

    assert again["seat-3"] == "Dan"
    assert again["house-target"] == "15"


def test_an_answer_to_one_game_is_not_carried_into_another(phone: Phone) -> None:
    phone.open(TABLE).send(TABLE, {**NAMES, "house-target": "15"}, press="Change")

    assert phone.open("/new/colorado-ten-point").form("colorado-ten-point").fields["house-target"] == "42"


def test_a_match_that_starts_takes_the_names_along(phone: Phone) -> None:
    phone.open(TABLE).send(TABLE, NAMES, press="Change")

    phone.open(TABLE).send(TABLE, press="Start")

    assert phone.open(TABLE).form(TABLE).fields["seat-0"] == ""


def test_a_very_long_draft_is_not_kept_rather_than_refused(client: FlaskClient) -> None:
    page = read(client.get(TABLE).get_data(as_text=True))
    token = page.one("input", name="csrf_token").attrs["value"]
    posted = {"csrf_token": token, "do": "change", "title": "x" * 9000}

    answer = client.post(TABLE, data=posted)

    assert answer.status_code == 303
    assert len(answer.headers.get("Set-Cookie", "")) < 4000
