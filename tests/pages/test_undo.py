"""Undo and redo of any event, back to the first, on every phone, until a new event is written."""

from datetime import timedelta

import pytest

from scorekeeper.pages.match import views
from tests.common.clock import clock_set
from tests.common.phone import Page, Phone
from tests.pages.conftest import record


@pytest.mark.every_database
def test_the_last_hand_is_undone_and_redone(match: Page) -> None:
    match = record(record(match, call="p4:3"), call="p1:2")

    undone = match.tap("Undo")
    reloaded = match.open()
    again = undone.tap("Redo")

    assert undone.scores == {"s1": "0", "s2": "4"}
    assert "Hand 2 undone." in undone.text
    assert "Redo hand 2 undone" in undone.part("bottom_bar").one(class_="undone").text
    assert not reloaded.part("bottom_bar").all(class_="undone")
    assert again.scores == match.scores


def test_an_undo_never_undoes_what_another_phone_wrote(match: Page, other_phone: Phone) -> None:
    match = record(match, call="p4:3")
    theirs = record(other_phone.open(match.path), call="p1:2")

    after = match.tap("Undo")

    assert after.scores == theirs.scores


def test_two_undos_of_one_phone_within_a_second_are_one(
    match: Page, other_phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "UNDO_PAUSE", timedelta(seconds=1))
    undone = record(record(match, call="p4:3"), call="p1:2").send("/undo")

    assert undone.send("/undo").scores == {"s1": "0", "s2": "4"}
    assert other_phone.open(match.path).send("/undo").scores == {"s1": "0", "s2": "0"}


def test_an_undo_counts_though_the_clock_went_back_since_the_one_before(
    match: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "UNDO_PAUSE", timedelta(seconds=1))
    undone = record(record(match, call="p4:3"), call="p1:2").send("/undo")

    with clock_set(timedelta(days=-1)):
        twice = undone.send("/undo")

    assert twice.scores == {"s1": "0", "s2": "0"}


# ---------- redo ----------


def played(match: Page, hands: int) -> Page:
    """Play some hands, all alike."""
    for _ in range(hands):
        match = record(match, call="p1:3", took_low="s2")
    return match


def test_redo_is_there_after_a_reload_and_on_another_phone(match: Page, other_phone: Phone) -> None:
    played(match, 2).send("/undo")

    again, other = match.open(), other_phone.open(match.path)

    assert (again.offers("Redo"), other.offers("Redo")) == (True, True)
    assert other.send("/redo").scores == {"s1": "6", "s2": "2"}


def test_redo_comes_with_the_poll(match: Page) -> None:
    played(match, 1).send("/undo")

    part = match.open("board?v=1", part=True)

    assert part.part("bottom_bar").all("form", action=f"{match.path}redo")


def test_a_hand_undone_before_something_new_is_restored_from_the_history(match: Page) -> None:
    played(match, 1).send("/undo")
    record(match, call="p2:2", took_low="s1")

    history = match.open("history")
    back = history.tap("Restore")

    assert not match.open().offers("Redo")
    assert "undone" in history.text
    assert match.phone.open(back.path.removesuffix("history")).scores == {"s1": "4", "s2": "4"}
