"""A table at which some have a name: an empty seat is called by its number, and counts once it is named."""

import json
import re

import pytest
from flask import Flask

from scorekeeper.club.figures import counting
from scorekeeper.database.engine import db
from scorekeeper.matches import load
from scorekeeper.pages.prints.views import match_score_sheet
from scorekeeper.pitch.text.dates import AMERICAN
from scorekeeper.printing.kinds import KINDS, draft_sheet
from scorekeeper.printing.print_options import PrintOptions
from tests.common.books import book_of
from tests.common.guests import WATCHER, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    counting._cache.clear()


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match of Ann and somebody against Bea and somebody; the third seat deals."""
    return begin(seat_2="", seat_3="", dealer="2", house_target="7")


def won(match: Page) -> Page:
    """Play to the end: the third seat bids 4 twice, and makes it."""
    return record(record(match, call="p3:4"), call="p3:4")


def rename(match: Page, **names: str) -> Page:
    """Name seats later."""
    asked = match.phone.open(f"{match.path.partition('?')[0]}names")
    return asked.send("/names", {f"name-{who}": name for who, name in names.items()})


def test_a_seat_without_a_name_is_called_by_its_number(match: Page, other_phone: Phone) -> None:
    over = won(match)

    assert "Seat 3 deals hand 1. Seat 4 bids first." in match.text
    for page in (over, let_in(over, other_phone, WATCHER)):
        assert "Ann & Seat 3 win" in page.text
        assert "Bea & Seat 4" in page.text
    assert "Seat 3 bid 4" in over.phone.open(f"{over.path}history").text


def test_a_seat_without_a_name_is_never_broken_before_its_number(match: Page, phone: Phone) -> None:
    for path in (match.path, f"{match.path}hands/new", "/"):
        shown = re.sub(r'"[^"]*"', "", phone.client.get(path).get_data(as_text=True))

        assert "Seat\u00a0" in shown
        assert "Seat " not in shown


def test_what_is_typed_says_what_the_sides_will_be_called(phone: Phone) -> None:
    page = phone.open("/new/partnership-pitch")
    shown = phone.post("/new/partnership-pitch", {**page.form("partnership-pitch").fields, "seat-0": "Ann"})

    assert "Ann & Seat 3, Seat 2 & Seat 4. Names are optional." in shown.text


@pytest.mark.parametrize("game", ["cutthroat-pitch", "partnership-pitch-six", "pawnee-call-your-partner"])
def test_one_name_is_enough_in_every_seating(phone: Phone, game: str) -> None:
    page = phone.open(f"/new/{game}").send(game, {"seat-1": "Bea"}, press="Start")

    assert page.offers("Record hand")
    assert "Bea" in page.text
    assert "Seat 1" in page.text


def test_side_names_and_a_seat_without_one_go_together(begin: Begin, phone: Phone) -> None:
    over = won(begin(seat_2="", side_1="Porch", house_target="7"))

    assert "Ann & Seat 3 win" in over.text
    assert over.tap("Play again").form("/partnership-pitch").fields["side-0"] == ""


def test_two_of_one_name_are_refused_also_beside_an_empty_seat(begin: Begin) -> None:
    assert "Ann is there twice. Give each a different name." in begin(seat_1="", seat_2="Ann").faults
    assert "Seat 2 is there twice. Give each a different name." in begin(seat_1="", seat_2="Seat 2").faults


def test_a_partner_without_a_name_is_nobodys_partner(match: Page, phone: Phone) -> None:
    won(match)
    people = phone.open(f"{book_of(phone).path}people")
    ann = phone.open(next(it.attrs["href"] for it in people.root.all("a") if "Ann" in it.text.split()))

    assert "with Seat 3 won 8–0" in ann.text
    assert ann.text.count("Seat") == 1


def test_a_seat_counts_once_it_is_named(match: Page, phone: Phone) -> None:
    named = rename(won(match), p3="Cal")
    people = phone.open(f"{book_of(phone).path}people")

    assert "Ann & Cal win" in named.text
    assert "Cal 1 of 1" in people.text
    assert "Seat" not in people.text
    assert "1 of 1 match" in phone.open(f"{book_of(phone).path}?person=cal").text


def test_play_again_leaves_the_seat_empty_and_counts_for_the_evening(match: Page) -> None:
    asked = won(match).tap("Play again")
    again = asked.send("/partnership-pitch", press="Start")

    assert [asked.form("/partnership-pitch").fields[f"seat-{i}"] for i in range(4)] == ["Ann", "Bea", "", ""]
    assert "Tonight: Ann & Seat 3: 1, Bea & Seat 4: 0" in again.text.replace("\u00a0", " ")


def test_a_record_says_which_seats_have_no_name_and_comes_back_so(
    match: Page, phone: Phone, other_phone: Phone
) -> None:
    file = won(match).phone.open(f"{match.path.partition('?')[0]}record.json").response.data
    said = json.loads(file)
    back = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.json", file)
    people = other_phone.open(f"{book_of(other_phone).path}people")

    assert said["format"] == "pitch-record/5"
    assert said["players"] == ["Ann", "Bea", "Seat 3", "Seat 4"]
    assert said["unnamed"] == ["Seat 3", "Seat 4"]
    assert json.loads(other_phone.open(f"{back.path}record.json").response.data) == said
    assert "Ann 1 of 1" in people.text
    assert "Seat" not in people.text


def test_paper_and_tables_call_the_seat_by_its_number(match: Page, app: Flask, phone: Phone) -> None:
    code = won(match).path.split("/")[2]
    with app.test_request_context():
        sheet = match_score_sheet(load.load_match(db.session, code, load.head_of(db.session, code)), AMERICAN)
        said = draft_sheet(KINDS["result"], sheet, PrintOptions()).body

    assert "Seat\u00a03" in said
    assert phone.open(f"/matches/{code}/result.pdf").status == 200
