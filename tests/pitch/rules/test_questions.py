"""Every house option has a question, and a sentence for every answer."""

import pytest

from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.questions import (
    QUESTIONS,
    Question,
    answer_word,
    disputed_questions,
    parse_word,
    possible_answers,
)
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.each import each
from tests.common.library import LIBRARY

AWARDS = list(next(iter(LIBRARY)).awards)
each_option = each("option", sorted(options()))


def test_every_option_and_every_award_has_a_question() -> None:
    assert set(QUESTIONS) == {*options(), *AWARDS, *OWN_AWARD_IDS}


@each_option
def test_a_question_about_money_is_one_of_the_group_of_money(option: str) -> None:
    assert QUESTIONS[option].is_money == (options()[option].group == "money")


@each_option
def test_every_answer_of_an_option_has_words(option: str) -> None:
    given = set(QUESTIONS[option].answers)

    assert given - {"n", "none"} == _words_of(option) - {"none"}
    assert ("none" in given) == _may_be_none(option)


@each_option
def test_an_option_is_asked_for_a_number_where_it_takes_any(option: str) -> None:
    spec = options()[option]

    assert QUESTIONS[option].is_number == (not spec.choices and not spec.is_flag and option != "jokers")


def _words_of(option: str) -> set[str]:
    spec = options()[option]
    if spec.is_flag:
        return {"yes", "no"}
    return set(spec.choices) or ({"0", "1", "2"} if option == "jokers" else set())


def _may_be_none(option: str) -> bool:
    """Return whether "none" is an answer, or means that nothing is agreed yet."""
    try:
        options()[option].parse_answer("none" if "none" in options()[option].choices else None)
    except ValueError:
        return False
    return True


@each("question", QUESTIONS.values(), lambda question: question.option)
def test_the_answer_in_force_has_words_without_gaps(question: Question) -> None:
    assert [ruleset.id for ruleset in LIBRARY if not _has_words(question, ruleset)] == []


def _has_words(question: Question, ruleset: Ruleset) -> bool:
    answer = question.answer(ruleset)
    wording, sentence = question.question_text(ruleset), question.sentence(answer, ruleset)
    texts = (wording, question.title(ruleset), question.label(answer, ruleset))
    return wording.endswith("?") and sentence.endswith(".") and not [text for text in texts if "{" in text or not text]


def test_an_amount_of_money_is_in_dollars() -> None:
    ruleset = LIBRARY["money-pitch"]

    assert "$1.50" in QUESTIONS["moon_cents"].sentence(150, ruleset)


def test_an_answer_that_contradicts_the_others_is_not_possible() -> None:
    without_joker = possible_answers(LIBRARY["partnership-pitch"], "game_tie")

    assert without_joker == ("nobody", "all_tied_score", "non_dealer")


@pytest.mark.parametrize(
    ("house", "question"),
    [({"game": False}, "game_tie"), ({"game_rule": "ten_of_trumps"}, "game_tie"), ({"low": False}, "low")],
)
def test_what_cannot_happen_in_a_game_is_not_asked(house: dict[str, object], question: str) -> None:
    pitch = LIBRARY["partnership-pitch"]
    changed, faults = with_house(pitch, house)

    assert not faults
    disputed_options = [[question.option for question in disputed_questions(ruleset)] for ruleset in (pitch, changed)]
    assert [question in options for options in disputed_options] == [True, False]


@pytest.mark.parametrize(
    ("value", "word"), [(True, "yes"), (False, "no"), (None, "none"), (0, "0"), (1, "1"), ("made_bid", "made_bid")]
)
def test_a_value_is_written_as_forms_write_it(value: object, word: str) -> None:
    assert answer_word(value) == word


@pytest.mark.parametrize(("word", "value"), [("42", 42), ("yes", "yes"), ("none", "none"), ("٣", "٣"), ("-3", "-3")])
def test_a_word_from_a_link_is_read(word: str, value: object) -> None:
    assert parse_word(word) == value
