"""Undo and redo go back as far as the match does, on every phone, for as long as nothing new is written."""

from tests.common.phone import Page, Phone
from tests.pages.conftest import record


def played(match: Page, hands: int) -> Page:
    """Play some hands, all alike."""
    for _ in range(hands):
        match = record(match, call="p1:3", took_low="s2")
    return match


def test_undo_goes_to_the_beginning_and_redo_to_the_end(match: Page) -> None:
    page = played(match, 4)
    points = [page.scores]
    while page.has_form("/undo"):
        page = page.send("/undo")
        points.append(page.scores)

    for before in reversed(points[:-1]):
        page = page.send("/redo")
        assert page.scores == before

    assert [it["s1"] for it in points] == ["12", "9", "6", "3", "0"]
    assert not page.has_form("/redo")


def test_redo_is_there_after_a_reload_and_on_another_phone(match: Page, other_phone: Phone) -> None:
    played(match, 2).send("/undo")

    again, other = match.phone.open(match.path), other_phone.open(match.path)

    assert (again.offers("Redo"), other.offers("Redo")) == (True, True)
    assert other.send("/redo").scores == {"s1": "6", "s2": "2"}


def test_redo_comes_with_the_poll(match: Page) -> None:
    played(match, 1).send("/undo")

    part = match.phone.open(f"{match.path}board?v=1", part=True)

    assert part.part("bottom_bar").all("form", action=f"{match.path}redo")


def test_a_hand_undone_before_something_new_is_restored_from_the_history(match: Page) -> None:
    played(match, 1).send("/undo")
    record(match, call="p2:2", took_low="s1")

    history = match.phone.open(f"{match.path}history")
    back = history.tap("Restore")

    assert not match.phone.open(match.path).offers("Redo")
    assert "undone" in history.text
    assert match.phone.open(back.path.removesuffix("history")).scores == {"s1": "4", "s2": "4"}
