"""A hand of a pegged game: like cards are counted; a field for who pegged first where two sides reach the target."""

from tests.browser.playing import begin_match
from tests.common.phone import Page, Phone

TRUMPS = {"took-ace": "s1", "took-king": "s1", "took-queen": "s1", "took-jack": "s2", "took-nine": "s1"}
FIVES, NINES = "copies-five_1.five_2.five_3-", "copies-nine_1.nine_2.nine_3-"


def save(match: Page, **more: str) -> Page:
    """Save a hand of Phat with two plain nines and a plain five for us."""
    counts = {f"{NINES}s1": "2", f"{NINES}s2": "1", f"{FIVES}s1": "1", f"{FIVES}s2": "2"}
    answers = {**TRUMPS, **counts, "took-five": "s2", "took-game": "s1", **more}
    return match.open("hands/new").post("/hands/new", {**answers, "do": "save"})


def test_cards_that_are_alike_are_counted(phone: Phone) -> None:
    saved = save(begin_match(phone, "phat"))

    assert "+58" in saved.text
    assert "+30" in saved.text


def test_more_of_them_than_there_are_is_refused_and_stays(phone: Phone) -> None:
    refused = save(begin_match(phone, "phat"), **{f"{FIVES}s2": "3"})

    assert refused.status == 422
    assert "There are 3 Plain Fives: enter how many each took, 3 in all." in refused.text


def test_the_rest_of_them_is_given_in_sight(phone: Phone) -> None:
    form = begin_match(phone, "phat").tap("Record hand").form("/hands/new")
    answers = {**TRUMPS, "took-five": "s2", "took-game": "s1", f"{NINES}s1": "3", f"{FIVES}s1": "1"}

    counted = phone.post(form.action, {**form.fields, **answers, "do": "save"})
    given = phone.post(form.action, {**counted.form("/hands/new").fields, "rest": "s2"}).form("/hands/new").fields

    button = counted.part("main-button")
    assert button.text == "10 left: who took Plain Fives?"
    assert counted.has(button.attrs["data-leads"])
    assert (given[f"{FIVES}s1"], given[f"{FIVES}s2"]) == ("1", "2")


def test_who_was_first_is_asked_only_where_both_are_there(phone: Phone) -> None:
    match = begin_match(phone, "phat", **{"paper-score-0": "131", "paper-score-1": "160"})

    question = save(match)
    won = save(match, first_there="s2")

    assert "Who pegged 181 first?" in question.text
    assert "pegged it first" in won.text


def test_who_needs_the_muck_is_after_who_was_there_by_the_tricks(phone: Phone) -> None:
    """Ours make 180 in the tricks and the muck is eight more; theirs are 190 before it."""
    match = begin_match(phone, "phat", **{"paper-score-0": "130", "paper-score-1": "160"})

    won = save(match)

    assert "Bea & Dan pegged it first." in won.text
