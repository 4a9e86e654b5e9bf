"""What the form of a new match means: who sits where, who deals first, and what differs from standard."""

import pytest

from scorekeeper.pages.new_match.form import read_form
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY

PITCH, CUTTHROAT, SIX = (LIBRARY[name] for name in ("partnership-pitch", "cutthroat-pitch", "partnership-pitch-six"))
FOUR = {"chairs": "4", "seat-0": "Ann", "seat-1": "Bea", "seat-2": "Cal", "seat-3": "Dan"}


def test_without_names_only_the_sides_play() -> None:
    form = read_form(PITCH, {"chairs": "4", "dealer": "1"})

    assert (form.players, form.sides) == (None, (("Us", ()), ("Them", ())))
    assert form.first_dealer == "Them"


def test_a_side_without_a_name_is_named_after_its_players() -> None:
    form = read_form(PITCH, {**FOUR, "side-0": "", "side-1": "Porch"})

    assert form.sides == (("Ann & Cal", ("Ann", "Cal")), ("Porch", ("Bea", "Dan")))


def test_six_make_the_sides_that_the_rules_have() -> None:
    names = {f"seat-{i}": name for i, name in enumerate("ABCDEF")}
    sides = read_form(SIX, {"chairs": "6", **names, "side-0": "Porch"}).sides

    assert sides is not None
    assert len(sides) == SIX.table.partners[6]
    assert sorted(name for _, team in sides for name in team) == list("ABCDEF")


@pytest.mark.parametrize("ruleset", [PITCH, CUTTHROAT])
def test_sides_that_nobody_named_are_left_to_the_rules(ruleset: Ruleset) -> None:
    form = read_form(ruleset, {**FOUR, "side-0": "", "side-1": " "})

    assert (form.players, form.sides) == (("Ann", "Bea", "Cal", "Dan"), None)


def test_spaces_around_and_inside_a_name_are_tidied() -> None:
    assert read_form(PITCH, {**FOUR, "seat-0": "  Ann \t Marie "}).names[0] == "Ann Marie"


@pytest.mark.parametrize("posted", ["", "9", "-1", "x", "1.5"])
def test_a_dealer_who_has_no_seat_is_the_first_player(posted: str) -> None:
    assert read_form(PITCH, {**FOUR, "dealer": posted}).first_dealer == "Ann"


@pytest.mark.parametrize("posted", ["", "0", "3", "99", "x"])
def test_an_impossible_number_of_seats_becomes_the_usual_one(posted: str) -> None:
    assert len(read_form(PITCH, {"seats": posted}).names) == len(read_form(PITCH, {}).names) == 4


def test_only_answers_that_differ_from_the_standard_rules_are_house_rules() -> None:
    form = read_form(PITCH, {**FOUR, "house-target": "21", "house-win_rule": "first_to_target", "house-low": ""})

    assert form.changed_answers == {"win_rule": "first_to_target"}
