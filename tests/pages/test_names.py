"""Names of players and sides changed during a match; they apply to all its hands."""

import pytest

from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


@pytest.mark.every_database
def test_a_player_is_renamed_everywhere(match: Page) -> None:
    match = record(match, call="p1:3")

    match = match.tap("Menu").tap("Names, date and place").send("/names", {"name-p1": "Anna", "title": "Thursday"})

    assert match.one("h1").text.startswith("Thursday")
    assert match.rows == ["1 Anna 3 made +4 4 0 0"]
    assert "Anna & Cal" in match.text


def test_names_that_two_phones_change_at_once_are_both_kept(match: Page, other_phone: Phone) -> None:
    mine = match.open("names")
    other_phone.open(match.path).open("names").send("/names", {"name-p1": "Anna", "title": "Thursday"})

    match = mine.send("/names", {"name-p2": "Beatrice"})

    assert match.one("h1").text.startswith("Thursday")
    assert "Anna & Cal" in match.text
    assert "Beatrice & Dan" in match.text


def test_a_refused_name_does_not_undo_what_another_phone_changed(match: Page, other_phone: Phone) -> None:
    mine = match.open("names")
    other_phone.open(match.path).open("names").send("/names", {"name-p1": "Anna"})

    match = mine.send("/names", {"name-p2": ""}).send("/names", {"name-p2": "Beatrice"})

    assert "Anna & Cal" in match.text


def test_a_name_keeps_its_hyphen_beside_a_score_below_zero(begin: Begin) -> None:
    match = begin("cutthroat-pitch", seat_0="Mary-Ann", seat_1="Bob")
    record(match, call="p1:4", took_low="p2")

    match = record(match, call="p1:4", took_low="p2").send("/undo")

    assert "Score: Mary-Ann −4, Bob 1, " in match.part("turn").text


def test_a_name_keeps_its_underscore_where_a_hand_is_deleted(begin: Begin) -> None:
    match = record(begin("cutthroat-pitch", seat_0="Mary_Ann", seat_1="Bob"), call="p1:3")

    match.open("history/1/remove").send("/remove")

    assert "Mary_Ann 3" in match.open("history").one(class_="struck").text
