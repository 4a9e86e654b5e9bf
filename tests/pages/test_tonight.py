"""What a table has won tonight: other matches of the same people on the same sides, in one book, on one evening."""

from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.service import load_match
from tests.common.clock import clock_set
from tests.common.match_actions import store_names
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


def won(match: Page) -> Page:
    """Let the first side win a match to 7 with two hands."""
    return record(record(match, call="p1:4"), call="p1:4")


def again(match: Page) -> Page:
    """Play again, as the page offers it."""
    page = match.tap("Play again")
    return page.send("", press="Start")


def tonight(page: Page) -> str:
    """Return the line with the matches won tonight, empty where there is none."""
    return next((line.text for line in page.all("p", class_="tonight")), "")


def test_the_second_match_counts_the_first(begin: Begin) -> None:
    first = begin(house_target="7")
    assert tonight(first) == ""

    second = again(won(first))

    assert tonight(second) == "Tonight: Ann & Cal 1, Bea & Dan 0"
    assert "Tonight matches won A Ann & Cal 1 B Bea & Dan 0 Who won?" in second.phone.open("/").text


def test_the_sides_keep_the_places_of_their_cards_whoever_won_more(begin: Begin) -> None:
    first = begin(house_target="7")

    second = again(record(record(first, call="p2:4"), call="p2:4"))

    assert tonight(second) == "Tonight: Ann & Cal 0, Bea & Dan 1"
    assert "Tonight matches won A Ann & Cal 0 B Bea & Dan 1" in second.phone.open("/").text


def test_two_whose_stored_names_differ_in_capitals_alone_are_counted_apart(begin: Begin, app: Flask) -> None:
    first = begin("cutthroat-pitch", house_target="7")
    store_cal_and_cal(app, first)
    record(record(first, call="p4:4"), call="p4:4")

    second = begin("cutthroat-pitch", house_target="7")
    store_cal_and_cal(app, second)

    assert tonight(first.phone.open(second.path)) == "Tonight: Ann 0, Bea 0, Cal 0, cal 1"


def store_cal_and_cal(app: Flask, match: Page) -> None:
    """Call the fourth player cal, beside Cal, as a match may be stored that was played long ago."""
    with app.app_context():
        store_names(db.session, load_match(db.session, match.code), p4="cal")


@pytest.mark.parametrize(
    ("page", "fields"),
    [("", {}), ("delete", {}), ("names", {"played_on": "2026-01-02"})],
    ids=["undone", "deleted", "moved"],
)
def test_a_match_that_is_undone_or_deleted_or_of_another_day_leaves_it(
    begin: Begin, page: str, fields: dict[str, str]
) -> None:
    first = won(begin(house_target="7"))
    second = again(first)

    first.open(page).send(f"/{page or 'undo'}", fields)

    assert tonight(second.open()) == ""


def test_other_people_count_for_themselves(begin: Begin) -> None:
    won(begin(house_target="7"))

    assert tonight(begin(house_target="7", seat_3="Eve")) == ""


def test_people_who_change_sides_of_the_table_are_the_same(begin: Begin) -> None:
    won(begin(house_target="7"))

    turned = begin(seat_0="Bea", seat_1="Cal", seat_2="Dan", seat_3="Ann")

    assert tonight(turned) == "Tonight: Bea & Dan 0, Cal & Ann 1"


def won_before(begin: Begin, hours: float) -> Page:
    """Win a match this long ago."""
    with clock_set(timedelta(hours=-hours)):
        return won(begin(house_target="7"))


@pytest.mark.parametrize(("hours", "counted"), [(5.9, "Tonight: Ann & Cal 1, Bea & Dan 0"), (6.1, "")])
def test_six_hours_without_a_hand_end_an_evening(begin: Begin, hours: float, counted: str) -> None:
    assert tonight(again(won_before(begin, hours))) == counted


def test_a_match_between_two_others_makes_them_one_evening(begin: Begin) -> None:
    won_before(begin, 8)
    between = won_before(begin, 4)

    assert tonight(again(between)) == "Tonight: Ann & Cal 2, Bea & Dan 0"


def test_the_page_of_a_won_match_counts_it_too(begin: Begin) -> None:
    first = won(begin(house_target="7"))
    assert tonight(first) == ""

    assert tonight(won(again(first))) == "Tonight: Ann & Cal 2, Bea & Dan 0"


@pytest.mark.parametrize("is_again", [True, False])
def test_sides_without_names_count_by_the_chain_of_play_again(phone: Phone, is_again: bool) -> None:
    first = phone.open("/new/partnership-pitch").send("", {"house-target": "7"}, press="Start")
    over = record(record(first, call="s1:4"), call="s1:4")

    second = again(over) if is_again else phone.open("/new/partnership-pitch").send("", press="Start")

    assert tonight(second) == ("Tonight: We 1, They 0" if is_again else "")
