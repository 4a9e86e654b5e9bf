"""A penalty for a misdeal or a renege: typed with the hand, counted against the side, shown wherever the hand is."""

from tests.common.calling import hand_fields, took
from tests.common.phone import Page
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


def test_a_correction_shows_it_and_may_take_it_away(match: Page) -> None:
    penalize(match, penalty_s2="2")
    edit = match.open("hands/1")

    assert edit.form("/hands/1").fields["penalty-s2"] == "2"
    saved = edit.send("/hands/1", {"penalty-s2": "", "penalty-s1": "3"}, press="Save")

    assert saved.scores == {"s1": "−2", "s2": "3"}
    log = match.open("history/journal").text
    assert "penalty of Bea & Dan 2 → not said, penalty of Ann & Cal not said → 3" in log


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
