"""A question about the rules is answered by the sheet that it is asked of, or by nothing."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.find_rule import MOST_ANSWERS, NONE, SEVERAL_AWARDS, Answer, find_answers
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from tests.common.library import LIBRARY, each_ruleset
from tests.common.pace import loops_of

FILE = Path(__file__).parent.parent / "rules" / "questions.toml"
WRITTEN: dict[str, list[dict[str, Any]]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
MOST_MILLISECONDS, LOOP = 10, 25


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


@pytest.mark.parametrize(
    ("questions", "fewest", "fewest_said"),
    [
        ("asked", 54, 54),
        ("messy", 60, 60),
        ("stranger", 56, 44),
        ("later", 155, 75),
        ("kitchen", 58, 40),
        ("family", 60, 50),
    ],
)
def test_most_are_answered_by_the_right_rule_at_first_and_none_by_a_wrong_one(
    questions: str, fewest: int, fewest_said: int
) -> None:
    found = [(entry, asked(entry["game"], entry["question"])) for entry in WRITTEN[questions]]

    wrong = [(entry["question"], it[0].rule.id) for entry, it in found if it and not is_about(it[0], entry)]
    said_wrong = [
        (entry["question"], it[0].says) for entry, it in found if it and it[0].says not in ("", entry.get("says"))
    ]
    right = [(entry, it[0].says) for entry, it in found if it and is_about(it[0], entry)]
    assert wrong == []
    assert said_wrong == []
    assert len(right) >= fewest
    assert sum(says == entry.get("says", "") for entry, says in right) >= fewest_said


@pytest.mark.parametrize(
    "entry",
    [
        *WRITTEN["none"],
        *WRITTEN["silent"],
        *WRITTEN["unrelated"],
        *WRITTEN["stranger_none"],
        *WRITTEN["later_none"],
        *WRITTEN["kitchen_none"],
        *WRITTEN["family_none"],
    ],
    ids=lambda entry: entry["question"],
)
def test_what_no_rule_answers_finds_nothing(entry: dict[str, Any]) -> None:
    assert asked(entry["game"], entry["question"]) == ()


@pytest.mark.parametrize("entry", WRITTEN["argued"], ids=lambda entry: str(entry["rule"]))
def test_what_nearly_every_table_asks_is_answered_by_a_line_of_its_own(entry: dict[str, Any]) -> None:
    found = {(game, it): asked(game, it) for game in entry["games"] for it in entry["questions"]}

    wrong = {it: answers for it, answers in found.items() if not (answers and is_about(answers[0], entry))}
    assert wrong == {}


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
    assert {answer.says for answer in asked("partnership-pitch", question)} == {""}


def test_neither_yes_nor_no_is_said_where_another_rule_fits_nearly_as_well() -> None:
    answers = asked("razzle-dazzle", "if dealer has to take it for two can he go higher")

    assert len(answers) > 1
    assert {answer.says for answer in answers} == {""}


def test_what_is_asked_the_other_way_around_gets_no_answer_of_its_opposite() -> None:
    answer, *_ = asked("colorado-cutthroat", "the jack's in the undealt cards, is that point lost")

    assert (answer.rule.id, answer.says) == ("count.missing", "")


def test_what_a_card_is_worth_is_no_question_about_where_it_ranks() -> None:
    answer, *_ = asked("double-king-pede", "king of trumps how many")

    assert "count.king" in answer.rule.also


def test_two_rules_that_fit_nearly_as_well_both_stand() -> None:
    answers = asked("colorado-ten-point", "misdeal")

    assert [answer.rule.id for answer in answers] == ["argue.wrong_deal", "deal.misdeal"]


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
    rules, questions = rule_sheet(ruleset).rules, [entry["question"] for entry in WRITTEN["asked"]]

    def ask() -> None:
        for question in questions:
            find_answers(rules, ruleset, LIBRARY.speech, question)

    assert loops_of(ask) * LOOP < MOST_MILLISECONDS * len(questions)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("can the dealer steal", "Yes"),
        ("can the dealer steal. ♥", ""),
        ("The dealer can steal for how much", ""),
        ("lowest the dealer can steal for", ""),
        ("the bid is stolen by the dealer, who has it then", ""),
    ],
)
def test_yes_or_no_is_said_where_the_last_words_ask_for_it(question: str, says: str) -> None:
    answer, *_ = asked("partnership-pitch", question)

    assert answer.rule.id == "bid.dealer_steal"
    assert answer.says == says


def test_what_leads_to_an_answer_names_rules_options_and_answers_that_there_are() -> None:
    ids = {rule_id for game in LIBRARY for rule in rule_sheet(game).rules for rule_id in (rule.id, *rule.also)}
    for rule_id, examples in LIBRARY.speech.asked.items():
        for question in examples.questions:
            option, _, cases = question.yes.partition(":")
            if option == "text":
                assert cases.count("|") == 1, question.yes
                continue
            assert option in ("", "yes", "no") or option in QUESTIONS, question.yes
            assert set(cases.replace("|", "").split()) <= set(QUESTIONS[option].answers) if cases else True
        known = rule_id in ids or rule_id.partition(".")[2] in QUESTIONS or rule_id == SEVERAL_AWARDS
        assert known or rule_id.startswith(NONE), rule_id


def test_every_rule_of_every_sheet_has_examples() -> None:
    ids = {rule.id for game in LIBRARY for rule in rule_sheet(game).rules if not rule.also}

    assert ids - LIBRARY.speech.asked.keys() == set()


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
    assert LIBRARY.speech.heard(word).weights.keys() == LIBRARY.speech.meaning([meant])


@pytest.mark.parametrize(
    ("game", "question", "says"),
    [
        ("auction-pitch", "do you have to lead trump", ""),
        ("oklahoma-ten-point", "do you have to lead trump", ""),
        ("eleven-point-pitch", "do you have to lead trump", "No"),
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
