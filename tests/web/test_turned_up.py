"""A card turned up that wins the match: the hand is not played, and the entry asks for nothing more."""

from tests.gallery import brought_in
from tests.web.calling import entry_form
from tests.web.phone import Page, Phone


def thirteen_all(phone: Phone) -> Page:
    """Open the entry of a hand that begins at thirteen all."""
    sides = [{"name": "Us"}, {"name": "Them"}]
    start = {"scores": {"Us": 13, "Them": 13}}
    told = {"format": "pitch-record/1", "variant": "trinidad-all-fours", "sides": sides, "start": start, "hands": []}
    return brought_in(phone, told).tap("Record hand")


def test_a_winning_ace_is_saved_by_itself(phone: Phone) -> None:
    entry = thirteen_all(phone)
    form = entry_form(entry)

    shown = phone.post(form.action.replace("/new", "/preview"), {**form.fields, "took-turned_ace": "s1"})
    assert shown.part("main-button").text.startswith("Save: U Us +1")

    match = shown.send("/hands/new", press="Save")
    assert match.scores == {"s1": "14", "s2": "13"}
    assert "Us" in match.part("turn").text


def test_a_hand_that_no_turned_card_wins_is_asked_for_whole(phone: Phone) -> None:
    form = entry_form(entry := thirteen_all(phone))

    shown = phone.post(form.action.replace("/new", "/preview"), {**form.fields, "took-high": "s1"})

    assert entry.part("main-button").text == "4 left: who took High, Low, Jack, …?"
    assert shown.part("main-button").text == "3 left: who took Low, Jack, Game?"
