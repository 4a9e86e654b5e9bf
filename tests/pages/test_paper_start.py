"""A match begun on paper: its scores, hands and sets so far are entered when the match is set up."""

from tests.common.phone import Phone
from tests.pages.conftest import Begin, record
from tests.printing.pages import text_of


def test_the_match_goes_on_from_the_scores_on_paper(begin: Begin) -> None:
    match = begin(**{"paper-score-0": "12", "paper-score-1": "-3"}, paper_hands="5", dealer="2")

    assert match.scores == {"s1": "12", "s2": "−3"}
    assert "Cal deals hand 1." in match.text
    assert match.rows == ["From paper, 5 hands 12 −3"]
    after = record(match, call="p4:3", took_low="s1")
    assert after.scores == {"s1": "13", "s2": "0"}
    assert after.rows[1:] == ["From paper, 5 hands 12 −3"]


def test_what_is_typed_is_in_the_record_and_in_the_history_and_on_paper(begin: Begin, phone: Phone) -> None:
    match = begin(**{"paper-score-0": "12", "paper-score-1": "−3"}, paper_hands="1")

    record = match.record
    assert record["start"] == {"scores": {"Ann & Cal": 12, "Bea & Dan": -3}, "hands": 1}
    sentence = "From paper after 1 hand: Ann & Cal 12, Bea & Dan −3."
    assert sentence in phone.open(f"{match.path}history").text
    printed = phone.open(f"/print/sheet.pdf?match={match.path.split('/')[2]}&kind=result").response.data
    assert sentence in text_of(printed)


def test_sets_are_asked_where_they_matter(begin: Begin) -> None:
    match = begin("moon-over-four", **{"paper-sets-1": "2", "paper-score-0": "3"})

    assert match.record["start"]["sets"] == {"Bea": 2}


def test_an_open_number_may_be_any_as_well(begin: Begin) -> None:
    match = begin("moon-over-four", other_target="17", other_set_stake_cents="35")

    house = match.record["house"]
    assert (house["target"], house["set_stake_cents"]) == (17, 35)
