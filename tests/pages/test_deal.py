"""Somebody else deals: two taps from the match page, and back with one."""

import pytest

from tests.common.calling import preview_part, took
from tests.common.phone import Page, Phone
from tests.pages.conftest import record


def to_deal(match: Page) -> Page:
    """Tap the dealer's line."""
    return match.tap("Ann deals hand 1.")


def test_the_deal_moves_with_two_taps_and_is_undone_with_one(match: Page) -> None:
    moved = to_deal(match).tap("Cal Dan bids first, and deals next")
    back = moved.send("/undo")

    assert "Cal deals next." in moved.text
    assert "Cal deals hand 1." in moved.part("turn").text
    assert "Dan bids first." in moved.part("turn").text
    assert "Ann deals hand 1." in back.part("turn").text
    assert "Cal deals hand 1." in back.send("/redo").part("turn").text


def test_a_deal_shown_before_another_hand_is_asked_again(match: Page, other_phone: Phone) -> None:
    page = to_deal(match)
    record(other_phone.open(match.path), call="p4:3", took_low="s1")

    question = page.tap("Cal Dan bids first, and deals next")

    assert "Who deals hand 2?" in question.text


def test_another_dealer_of_an_old_hand_moves_those_after_it(match: Page) -> None:
    record(match, call="p4:3", took_low="s1")
    edit = match.open("hands/1")

    counted = preview_part(edit, dealer="p3")
    saved = edit.send("/hands/1", {"dealer": "p3"}, press="Save")

    assert "The deal moves: Dan deals hand 2." in counted.text
    assert "Dan deals hand 2." in saved.part("turn").text


@pytest.mark.parametrize(("chosen", "next_dealer"), [({}, "Cal"), ({"dealer": "p4"}, "Ann")])
def test_a_hand_that_waited_on_its_phone_is_dealt_by_whoever_deals_then_or_was_chosen(
    match: Page, other_phone: Phone, chosen: dict[str, str], next_dealer: str
) -> None:
    """Its page was shown before the hand before it was in."""
    form = match.open("hands/new").form("/hands/new")
    assert form.fields["dealer"] == "p1"
    record(other_phone.open(match.path), call="p4:3", took_low="s1")

    fields = {**form.fields, "version": "1", **chosen, "call": "p3:2", **took("s1"), "do": "save"}
    after = match.phone.post(form.action, fields)

    assert f"{next_dealer} deals hand 3." in after.part("turn").text


def test_a_correction_shows_who_was_moved_the_deal(match: Page) -> None:
    record(to_deal(match).tap("Cal Dan bids first, and deals next"), call="p4:3", took_low="s1")

    page = match.open("hands/2")
    saved = page.send("/hands/2", {"took-low": "s2"}, press="Save")

    assert page.form("/hands/2").fields["dealer"] == "p3"
    assert page.part("q-bid").all(class_="who")[0].text == "B Dan"
    assert "Dan deals hand 2." in saved.part("turn").text
