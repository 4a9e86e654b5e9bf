"""Taking a hand out: what it changes is said first, it stays in sight, and it can be put back."""

import pytest

from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


@pytest.fixture
def played(match: Page) -> Page:
    """Play two hands: +1 and +3, then +2 and +2."""
    record(match, call="p4:3", took_low="s1")
    return record(match, call="p1:2", took_low="s2", took_game="s2")


def asked(played: Page, uid: int = 1) -> Page:
    return played.phone.open(f"{played.path}history/{uid}/remove")


def test_where_the_match_would_stand_is_said_before(played: Page, phone: Phone) -> None:
    page = asked(played)

    assert "Delete hand 1?" in page.text
    assert [it.text for it in page.root.all("span", class_="it")] == ["A Ann & Cal 3 2", "B Bea & Dan 5 2"]
    assert phone.open(played.path).scores == {"s1": "3", "s2": "5"}


@pytest.mark.every_database
def test_it_is_deleted_and_what_comes_after_is_scored_anew(played: Page) -> None:
    match = asked(played).send("/1/remove")

    assert match.scores == {"s1": "2", "s2": "2"}
    assert "The hand is deleted." in match.text
    assert match.rows == ["1 Ann 2 made +2 2 +2 2"]


@pytest.mark.every_database
def test_the_notice_restores_it_where_it_was(played: Page, phone: Phone) -> None:
    asked(played).send("/1/remove").tap("Restore")

    match = phone.open(played.path)
    assert match.scores == {"s1": "3", "s2": "5"}
    assert [row[0] for row in match.rows] == ["2", "1"]


def test_it_is_struck_in_the_list_and_can_be_restored_from_there(played: Page, phone: Phone) -> None:
    asked(played).send("/1/remove")
    record(played, call="p3:2")
    history = phone.open(f"{played.path}history")
    assert "Dan 3" in history.root.one(class_="struck").text

    history.send("/1/return")

    assert phone.open(played.path).rows[2].startswith("1 Dan 3")


def test_who_would_win_instead_is_said_in_red(begin: Begin) -> None:
    match = begin(house_target="7")
    match = record(record(match, call="p2:4"), call="p2:4")

    page = asked(match)

    assert "Nobody would have won: Bea & Dan would no longer win." in page.faults


def test_what_changed_meanwhile_is_asked_again(played: Page, other_phone: Phone) -> None:
    page = asked(played)
    record(other_phone.open(played.path), call="p2:2")

    page = page.send("/1/remove")

    assert "Delete hand 1?" in page.text
    assert page.send("/1/remove").scores == {"s1": "2", "s2": "6"}


def test_a_deleted_hand_cannot_be_deleted_or_corrected(played: Page, phone: Phone) -> None:
    asked(played).send("/1/remove")

    for path in ("history/1/remove", "hands/1"):
        assert phone.client.get(f"{played.path}{path}").headers["Location"].partition("#")[0] == f"{played.path}history"
