"""A question about the rules is answered by the sheet that it is asked of, or by nothing."""

import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.rules.house_rules import with_house
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.answers import MOST_ANSWERS, Answer, find_answers
from scorekeeper.sheets.rule_sheet import rule_sheet
from tests.library import LIBRARY, each_ruleset

FILE = Path(__file__).parent.parent / "rules" / "questions.toml"
WRITTEN: dict[str, list[dict[str, Any]]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
FEWEST_RIGHT, MOST_MILLISECONDS = 54, 10


def asked(game: str, question: str, **house: object) -> tuple[Answer, ...]:
    base = LIBRARY[game]
    ruleset, faults = with_house(base, house)
    assert not faults
    return find_answers(rule_sheet(ruleset, base).rules, ruleset, LIBRARY.speech, question)


def wanted(entry: dict[str, Any]) -> set[str]:
    return {entry["rule"]} if isinstance(entry["rule"], str) else set(entry["rule"])


def is_about(answer: Answer, entry: dict[str, Any]) -> bool:
    return not wanted(entry).isdisjoint((answer.rule.id, *answer.rule.also))


def test_sixty_questions_over_fifteen_games_are_written_down() -> None:
    assert len(WRITTEN["asked"]) == 60
    assert len({entry["game"] for entry in WRITTEN["asked"]}) == 15
    assert len(WRITTEN["none"]) == 20


def test_most_are_answered_by_the_right_rule_at_first_and_none_by_a_wrong_one() -> None:
    found = [(entry, asked(entry["game"], entry["question"])) for entry in WRITTEN["asked"]]

    wrong = [(entry["question"], it[0].rule.id) for entry, it in found if it and not is_about(it[0], entry)]
    said_wrong = [
        (entry["question"], it[0].says) for entry, it in found if it and it[0].says not in ("", entry.get("says"))
    ]
    right = [entry for entry, it in found if it and is_about(it[0], entry) and it[0].says == entry.get("says", "")]
    assert wrong == []
    assert said_wrong == []
    assert len(right) >= FEWEST_RIGHT


@pytest.mark.parametrize("entry", [*WRITTEN["none"], *WRITTEN["silent"]], ids=lambda entry: entry["question"])
def test_what_no_rule_answers_finds_nothing(entry: dict[str, Any]) -> None:
    assert asked(entry["game"], entry["question"]) == ()


def test_an_answer_is_the_sentence_of_the_table_that_asks() -> None:
    (answer,) = asked("partnership-pitch", "who gets low", low="held")

    assert answer.rule.text == "the side that holds the lowest trump in play, no matter who wins the trick."
    assert answer.rule.mark == "house"


@pytest.mark.parametrize(
    ("dealer_steal", "says"), [("yes", "Yes"), ("no", "No"), ("not_smudge", "Yes"), ("top_only", "")]
)
def test_yes_or_no_comes_first_where_the_rule_settles_it(dealer_steal: str, says: str) -> None:
    (answer,) = asked("partnership-pitch", "can the dealer steal", dealer_steal=dealer_steal)

    assert answer.says == says


@pytest.mark.parametrize(
    "question", ["can't the dealer steal", "who can steal", "can the dealer steal or not", "what if the dealer steals"]
)
def test_a_question_that_is_not_one_of_yes_or_no_gets_neither(question: str) -> None:
    assert [answer.says for answer in asked("partnership-pitch", question)] == [""]


def test_two_rules_that_fit_as_well_both_stand() -> None:
    assert [answer.rule.id for answer in asked("oklahoma-ten-point", "whats the jick")] == [
        "players.off_jack",
        "count.jack",
    ]


@pytest.mark.parametrize("question", ["", "   ", "?", "the", "♠", "point", "🂡" * 80, "a" * 80])
def test_what_asks_nothing_finds_nothing(question: str) -> None:
    assert asked("partnership-pitch", question) == ()


@each_ruleset
def test_whatever_game_is_asked_few_of_its_rules_answer_and_none_what_no_rule_answers(ruleset: Ruleset) -> None:
    rules = rule_sheet(ruleset).rules

    for entry in WRITTEN["asked"]:
        found = find_answers(rules, ruleset, LIBRARY.speech, entry["question"])
        assert len(found) <= MOST_ANSWERS
        assert {answer.rule for answer in found} <= set(rules)
    assert [find_answers(rules, ruleset, LIBRARY.speech, entry["question"]) for entry in WRITTEN["none"]] == [()] * 20


def test_a_question_takes_less_than_ten_milliseconds() -> None:
    ruleset = LIBRARY["tunkhannock-fourteen-point"]
    rules = rule_sheet(ruleset).rules
    spent = []
    for entry in WRITTEN["asked"]:
        begun = time.process_time()
        find_answers(rules, ruleset, LIBRARY.speech, entry["question"])
        spent.append(time.process_time() - begun)

    assert sorted(spent)[len(spent) // 2] * 1000 < MOST_MILLISECONDS


def test_what_leads_to_an_answer_names_rules_options_and_answers_that_there_are() -> None:
    ids = {rule_id for game in LIBRARY for rule in rule_sheet(game).rules for rule_id in (rule.id, *rule.also)}
    for name, questions in LIBRARY.speech.asked.items():
        for question in questions:
            option, _, cases = question.yes.partition(":")
            if option == "text":
                continue
            assert option in ("", "yes", "no") or option in QUESTIONS
            assert set(cases.replace("|", "").split()) <= set(QUESTIONS[option].answers) if cases else True
        _, dot, rule = name.partition(".")
        assert not dot or name in ids or rule in QUESTIONS or rule == "*", name


@each_ruleset
def test_what_tables_argue_about_is_answered_by_the_rule_that_it_rests_on(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset)

    for argument in sheet.arguments:
        found = find_answers(sheet.rules, ruleset, LIBRARY.speech, argument.question)
        assert argument.number in [answer.rule.number for answer in found], argument.question


@pytest.mark.parametrize(
    ("word", "meant"), [("negitive", "negativ"), ("smuge", "smudg"), ("dael", "deal"), ("hte", "ht")]
)
def test_a_misspelled_word_is_read_as_the_only_one_that_it_can_be(word: str, meant: str) -> None:
    assert LIBRARY.speech.heard(word, ()) == LIBRARY.speech.meaning([meant])


@pytest.mark.parametrize(
    ("game", "question", "says"),
    [
        ("auction-pitch", "do you have to lead trump", ""),
        ("oklahoma-ten-point", "do you have to lead trump", "Yes"),
        ("pidro", "do you have to lead trump", "Yes"),
        ("pedro", "do you have to lead trump", "No"),
        ("pedro", "can you lead off suit", "Yes"),
        ("seven-up", "do you bid", "No"),
        ("hoyle-auction-pitch", "do you have to bid to go out", "No"),
        ("partnership-pitch", "do you have to bid to go out", "Yes"),
    ],
)
def test_yes_and_no_are_what_the_very_sentence_says(game: str, question: str, says: str) -> None:
    assert asked(game, question)[0].says == says


@pytest.mark.parametrize("question", ["can a smudge be stolen", "can the dealer steal a smudge"])
def test_a_sheet_says_nothing_about_what_its_game_has_not(question: str) -> None:
    assert asked("auction-pitch", question) == ()
    assert asked("pedro", question) == ()
