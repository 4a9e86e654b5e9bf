"""A penalty for a misdeal or a renege: typed with the hand, counted against the side, shown wherever the hand is."""

from tests.common.calling import hand_fields, took
from tests.common.phone import Page
from tests.pages.conftest import Begin
from tests.printing.pages import text_of


def penalize(match: Page, **answers: str) -> Page:
    """Record a hand that Dan made, with penalties."""
    hand = {"call": "p4:3", **took("s2", low="s1"), **hand_fields(answers), "do": "save"}
    return match.open("hands/new").post("/hands/new", hand)


def test_it_counts_and_stands_in_the_history_in_the_log_and_on_paper(match: Page) -> None:
    saved = penalize(match, penalty_s2="2")

    assert saved.scores == {"s1": "1", "s2": "1"}
    history = match.open("history")
    assert "penalty 2 Bea & Dan −2" in history.text
    assert "penalty 2 for Bea & Dan" in match.open("history/journal").text
    code = match.code
    printed = match.phone.open(f"/print/sheet.pdf?match={code}&kind=result").response.data
    assert "penalty 2: Bea & Dan −2" in text_of(printed)


def test_a_misdeal_may_have_a_penalty_alone(match: Page) -> None:
    entry = match.tap("Record hand")

    saved = entry.send("/hands/new", {"penalty-s1": "1"}, press="Misdeal")

    assert saved.scores == {"s1": "−1", "s2": "0"}
    assert "Redeal. Ann deals again." in saved.text
    assert saved.rows == ["Misdeal penalty 1 for Ann & Cal Ann deals again −1 −1 0 0"]


def test_a_penalty_is_kept_where_the_dealer_takes_the_set(begin: Begin) -> None:
    match = begin(house_all_pass="may_take_set")
    entry = match.tap("Record hand")

    saved = entry.send("/hands/new", {"penalty-s2": "1"}, press="All passed: Ann goes set")

    assert "Ann" in saved.rows[0]
    assert saved.scores["s2"] == "−1"
    assert "penalty 1 Bea & Dan −1" in match.open("history").text


def test_a_correction_shows_it_and_may_take_it_away(match: Page) -> None:
    penalize(match, penalty_s2="2")
    edit = match.open("hands/1")

    assert edit.form("/hands/1").fields["penalty-s2"] == "2"
    saved = edit.send("/hands/1", {"penalty-s2": "", "penalty-s1": "3"}, press="Save")

    assert saved.scores == {"s1": "−2", "s2": "3"}
    log = match.open("history/journal").text
    assert "penalty of Bea & Dan 2 → not said, penalty of Ann & Cal not said → 3" in log


def test_the_other_sides_get_the_penalty_as_points_where_the_table_chooses_so(match: Page) -> None:
    entry = match.tap("Record hand")

    saved = entry.send("/hands/new", {"penalty-s1": "4", "others": "s1 s2"}, press="Misdeal")

    assert saved.scores == {"s1": "0", "s2": "4"}
    assert saved.rows == ["Misdeal 4 to Bea & Dan for the others’ mistake Ann deals again 0 0 +4 4"]
    history = match.open("history").text
    assert "for the others’ mistake 4 Rule 8.3 Bea & Dan +4" in history


def test_a_correction_begins_with_whose_mistake_it_was(match: Page) -> None:
    penalize(match, penalty_s2="2", others="s1 s2")
    edit = match.open("hands/1")
    form = edit.form("/hands/1")
    fields = dict(form.fields)
    assert (fields["penalty-s2"], fields.pop("others")) == ("2", "s1 s2")

    saved = match.phone.post(form.action, {**fields, "do": "save"})

    assert saved.scores == {"s1": "1", "s2": "1"}
    log = match.open("history/journal").text
    assert "penalty of Bea & Dan not said → 2" in log
    assert "points for the others’ mistake of Ann & Cal 2 → not said" in log


def test_a_renege_costs_game_or_the_match_where_the_sheet_says_so(begin: Begin) -> None:
    entry = begin("trinidad-all-fours").tap("Record hand")
    assert entry.form("/hands/new").offered["forfeits"] == {"none", "s1:game", "s2:game", "s1:match", "s2:match"}

    saved = entry.send("/hands/new", {"forfeits": "s1:match"}, press="Misdeal")

    assert "Ann & Cal lose the match by a renege." in saved.text
