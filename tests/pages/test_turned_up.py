"""A turned-up card that wins the match: the hand is not played, and the form has no further question."""

from tests.browser.playing import begin_match
from tests.common.calling import preview
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone


def thirteen_all(phone: Phone) -> Page:
    """Open the entry of a hand that begins at thirteen all."""
    sides = [{"name": "Us"}, {"name": "Them"}]
    start = {"scores": {"Us": 13, "Them": 13}}
    record = {"format": "pitch-record/1", "variant": "trinidad-all-fours", "sides": sides, "start": start, "hands": []}
    return brought_in(phone, record).tap("Record hand")


def test_a_winning_ace_is_saved_by_itself(phone: Phone) -> None:
    shown = preview(thirteen_all(phone), took_turned_ace="s1")
    assert shown.part("main-button").text.startswith("Save: U Us +1")

    match = shown.send("/hands/new", press="Save")
    assert match.scores == {"s1": "14", "s2": "13"}
    assert "We had 13, and the Turned Ace makes 14: that wins at once." in match.part("turn").text


def test_a_hand_that_no_turned_card_wins_is_asked_for_whole(phone: Phone) -> None:
    entry = thirteen_all(phone)

    shown = preview(entry, took_high="s1")

    assert entry.part("main-button").text == "4 left: who took High, Low, Jack, …?"
    assert shown.part("main-button").text == "3 left: who took Low, Jack, Game?"


def test_a_card_that_was_turned_up_twice_is_no_fault_while_rows_are_open(phone: Phone) -> None:
    entry = begin_match(phone, "trinidad-all-fours").tap("Record hand")

    shown = preview(entry, took_turned_six="s1", times_turned_six="2")

    assert shown.part("main-button").text == "4 left: who took High, Low, Jack, …?"


def test_what_was_turned_up_counts_where_the_deck_ran_out_and_it_is_called_so(phone: Phone) -> None:
    entry = begin_match(phone, "trinidad-all-fours").tap("Record hand")
    kicked = {"took-turned_six": "s1", "times-turned_six": "2"}

    saved = entry.send("/hands/new", kicked, press="The deck ran out: deal again")

    assert saved.scores == {"s1": "4", "s2": "0"}
    assert saved.rows[0].startswith("Deck ran out")
    assert "All passed" not in saved.text
    assert kicked.items() <= saved.open("hands/1").form("/hands/1").fields.items()
