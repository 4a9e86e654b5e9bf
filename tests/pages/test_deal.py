"""Somebody else deals, though another hand came in meanwhile, and a correction shows who."""

import pytest

from tests.common.calling import took
from tests.common.phone import Page, Phone
from tests.pages.conftest import record


def to_deal(match: Page) -> Page:
    """Tap the dealer's line."""
    return match.tap("Ann deals hand 1.")


def test_a_deal_shown_before_another_hand_is_asked_again(match: Page, other_phone: Phone) -> None:
    page = to_deal(match)
    record(other_phone.open(match.path), call="p4:3", took_low="s1")

    question = page.tap("Cal Dan bids first, and deals next")

    assert "Who deals hand 2?" in question.text


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
