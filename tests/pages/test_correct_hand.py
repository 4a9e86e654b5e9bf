"""Correcting any hand of a match, inserting one that was forgotten, and removing one."""

import pytest
from flask import Flask

from tests.common.calling import finish
from tests.common.interleaving import before_first_write
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


@pytest.fixture
def played(match: Page) -> Page:
    """Play two hands: +1 and +3, then +2 and +2."""
    record(match, call="p4:3", took_low="s1")
    return record(match, call="p1:2", took_low="s2", took_game="s2")


@pytest.mark.every_database
def test_a_correction_rescores_all_later_hands_and_shows_the_old_values(played: Page) -> None:
    correct = [link for link in played.open("history").all("a") if link.text == "Correct"][-1].attrs["href"]

    match = played.phone.open(correct).send("/1", {"took-game": "s1"}, press="Save")

    assert match.scores == {"s1": "4", "s2": "−1"}
    assert "Hand 1 is corrected." in match.text
    assert match.rows[1] == "1 Dan 3 set bid 3, took 2: set. Rule 6.8 corrected: Game Bea & Dan → Ann & Cal +2 2 −3 −3"
    first = match.tap("All hands").part("hand-1")
    assert [element.text for element in first.all("s")] == ["1", "3", "Bea & Dan"]
    assert "This phone corrected this" in first.text


@pytest.mark.every_database
def test_a_forgotten_hand_goes_before_another_and_takes_its_deal(played: Page) -> None:
    entry = played.tap("All hands").tap("Insert before")
    assert "Insert hand 2" in entry.text

    match = finish(entry.send("/hands/new", {"call": "p3:2"}))

    assert [row[:12] for row in match.rows] == ["3 Ann 2 made", "2 Cal 2 made", "1 Dan 3 made"]
    assert "Dan deals hand 4." in match.text


# ---------- taking a hand out ----------


def confirmation(played: Page, uid: int = 1) -> Page:
    return played.open(f"history/{uid}/remove")


@pytest.mark.every_database
def test_what_comes_after_it_is_scored_anew_and_the_notice_restores_it_where_it_was(played: Page) -> None:
    match = confirmation(played).send("/1/remove")
    match.tap("Restore")

    assert match.scores == {"s1": "2", "s2": "2"}
    assert "The hand is deleted." in match.text
    assert match.rows == ["1 Ann 2 made +2 2 +2 2"]
    back = played.open()
    assert back.scores == {"s1": "3", "s2": "5"}
    assert [row[0] for row in back.rows] == ["2", "1"]


def test_it_is_struck_in_the_list_and_can_be_restored_from_there_beside_another_hand(app: Flask, played: Page) -> None:
    confirmation(played).send("/1/remove")
    record(played, call="p3:2")
    history = played.open("history")
    assert "Dan 3" in history.one(class_="struck").text

    other_page = Phone(app.test_client()).open(played.path)
    with app.app_context(), before_first_write(app, lambda: record(other_page, call="p3:2")):
        history.send("/1/return")

    assert played.open().rows[3].startswith("1 Dan 3")


def test_who_would_win_instead_is_said_in_red(begin: Begin) -> None:
    match = begin(house_target="7")
    match = record(record(match, call="p2:4"), call="p2:4")

    page = confirmation(match)

    assert "Winner: nobody yet, not Bea & Dan." in page.faults
    page.send("/1/remove")
    assert "Winner: Bea & Dan." in match.open("history").tap("Restore").text


def test_what_changed_meanwhile_is_asked_again(played: Page, other_phone: Phone) -> None:
    page = confirmation(played)
    record(other_phone.open(played.path), call="p2:2")

    page = page.send("/1/remove")

    assert "Delete hand 1?" in page.text
    assert page.send("/1/remove").scores == {"s1": "2", "s2": "6"}


def test_a_deleted_hand_cannot_be_deleted_or_corrected(played: Page) -> None:
    confirmation(played).send("/1/remove")

    for path in ("history/1/remove", "hands/1"):
        assert played.open(path).response.headers["Location"].startswith(f"{played.path}history")
