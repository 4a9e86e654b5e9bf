"""What the new-match form says: who sits where, who deals first, and what differs from the book."""

import pytest

from scorekeeper import paths
from scorekeeper.rules.library import read_library
from scorekeeper.web.forms.new_match import first_dealer, fresh, from_form, house_of, players_and_sides

LIBRARY = read_library(paths.RULESETS)
PITCH, CUTTHROAT, SIX = (LIBRARY[name] for name in ("partnership-pitch", "cutthroat-pitch", "partnership-pitch-six"))
FOUR = {"chairs": "4", "seat-0": "Ann", "seat-1": "Bea", "seat-2": "Cal", "seat-3": "Dan"}


def test_partners_sit_opposite() -> None:
    players, sides = players_and_sides(PITCH, from_form(PITCH, FOUR))

    assert players == ("Ann", "Bea", "Cal", "Dan")
    assert sides == (("Us", ("Ann", "Cal")), ("Them", ("Bea", "Dan")))


def test_without_names_only_the_sides_play() -> None:
    draft = from_form(PITCH, {"chairs": "4", "dealer": "1"})

    assert players_and_sides(PITCH, draft) == (None, (("Us", ()), ("Them", ())))
    assert first_dealer(PITCH, draft) == "Them"


def test_a_side_without_a_name_is_called_after_its_players() -> None:
    _, sides = players_and_sides(PITCH, from_form(PITCH, {**FOUR, "side-0": "", "side-1": "Porch"}))

    assert sides == (("Ann & Cal", ("Ann", "Cal")), ("Porch", ("Bea", "Dan")))


def test_sides_that_nobody_named_are_left_to_the_rules() -> None:
    players, sides = players_and_sides(PITCH, from_form(PITCH, {**FOUR, "side-0": "", "side-1": " "}))

    assert (players, sides) == (("Ann", "Bea", "Cal", "Dan"), None)


def test_six_make_the_sides_that_the_rules_have() -> None:
    names = {f"seat-{i}": name for i, name in enumerate("ABCDEF")}
    _, sides = players_and_sides(SIX, from_form(SIX, {"chairs": "6", **names, "side-0": "Porch"}))

    assert sides is not None
    assert len(sides) == SIX.table.partners[6]
    assert sorted(name for _, team in sides for name in team) == list("ABCDEF")


def test_everyone_alone_has_no_sides() -> None:
    assert players_and_sides(CUTTHROAT, from_form(CUTTHROAT, FOUR)) == (("Ann", "Bea", "Cal", "Dan"), None)


def test_spaces_around_and_inside_a_name_are_tidied() -> None:
    assert from_form(PITCH, {**FOUR, "seat-0": "  Ann \t Marie "}).names[0] == "Ann Marie"


@pytest.mark.parametrize("said", ["", "9", "-1", "x", "1.5"])
def test_a_dealer_who_does_not_sit_there_is_the_first(said: str) -> None:
    assert first_dealer(PITCH, from_form(PITCH, {**FOUR, "dealer": said})) == "Ann"


@pytest.mark.parametrize("said", ["", "0", "3", "99", "x"])
def test_a_table_that_there_is_not_has_the_usual_size(said: str) -> None:
    assert from_form(PITCH, {"seats": said}).seats == fresh(PITCH).seats == 4


def test_only_what_differs_from_the_book_is_the_house_s() -> None:
    draft = from_form(PITCH, {**FOUR, "house-target": "21", "house-win_rule": "first_to_target", "house-low": ""})

    assert house_of(PITCH, draft) == {"win_rule": "first_to_target"}


def test_an_option_that_there_is_not_is_passed_on_to_be_refused() -> None:
    assert house_of(PITCH, from_form(PITCH, {**FOUR, "house-drinks": "free"})) == {"drinks": "free"}
