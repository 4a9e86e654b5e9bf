"""A few words lead to the rules of the sheet that are nearest to them."""

from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.find_rule import MAX_FOUND_RULES, FoundRule, find_rules
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from tests.common.library import LIBRARY, each_ruleset
from tests.common.pace import loops_of
from tests.common.tables import table

WRITTEN: dict[str, list[dict[str, Any]]] = table(__file__, "../rules/questions.toml")
MAX_MILLISECONDS, LOOP = 10, 25


def found(game: str, text: str, *notes: str, **house: object) -> tuple[FoundRule, ...]:
    base = LIBRARY[game]
    ruleset, faults = with_house(base, house)
    assert not faults
    return find_rules(rule_sheet(ruleset, base).rules, notes, ruleset, LIBRARY.rule_index, text)


def ids(found_rule: FoundRule) -> set[str]:
    return {found_rule.rule.id, *found_rule.rule.also}


def first(ruleset: Ruleset, text: str) -> set[str]:
    return ids(find_rules(rule_sheet(ruleset).rules, (), ruleset, LIBRARY.rule_index, text)[0])


def is_about(found_rule: FoundRule, entry: dict[str, Any]) -> bool:
    wanted = {entry["rule"]} if isinstance(entry["rule"], str) else set(entry["rule"])
    return not wanted.isdisjoint(ids(found_rule))


@pytest.mark.parametrize(
    ("questions", "first_share", "found_share"), [("asked", 0.93, 0.99), ("fresh", 0.93, 0.98), ("spread", 0.86, 0.98)]
)
def test_nearly_all_questions_find_their_rule_and_most_find_it_first(
    questions: str, first_share: float, found_share: float
) -> None:
    about = [
        [is_about(rule, entry) for rule in found(entry["game"], entry["question"])] for entry in WRITTEN[questions]
    ]

    assert sum(any(answers[:1]) for answers in about) >= first_share * len(about)
    assert sum(map(any, about)) >= found_share * len(about)


@pytest.mark.parametrize("entry", WRITTEN["argued"], ids=lambda entry: str(entry["rule"]))
def test_what_nearly_every_table_asks_leads_to_a_line_of_its_own(entry: dict[str, Any]) -> None:
    questions = [(game, question) for game in entry["games"] for question in entry["questions"]]

    assert [text for game, text in questions if not any(is_about(rule, entry) for rule in found(game, text))] == []


@each_ruleset
@pytest.mark.parametrize("entry", WRITTEN["everywhere"], ids=lambda entry: entry["questions"][0])
def test_what_every_game_is_asked_leads_to_the_rule_that_answers_there(ruleset: Ruleset, entry: dict[str, Any]) -> None:
    assert [text for text in entry["questions"] if first(ruleset, text).isdisjoint(entry["rule"])] == []


@each_ruleset
def test_low_leads_to_low_or_to_the_deuce_in_its_place(ruleset: Ruleset) -> None:
    on_sheet = {rule_id for rule in rule_sheet(ruleset).rules for rule_id in (rule.id, *rule.also)}
    wanted = [rule_id for rule_id in ("count.low", "count.deuce") if rule_id in on_sheet][:1]

    assert all(rule_id in first(ruleset, text) for rule_id in wanted for text in ("who gets low", "what is low"))


@each_ruleset
def test_what_tables_argue_about_leads_to_the_rule_that_it_rests_on(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset)

    for argued in sheet.argued_questions:
        rules = find_rules(sheet.rules, (), ruleset, LIBRARY.rule_index, argued.question)
        assert argued.number in [hit.rule.number for hit in rules], argued.question


def test_three_rules_are_found_the_nearest_first() -> None:
    rules = found("partnership-pitch", "who gets low", low="held")

    assert len(rules) == MAX_FOUND_RULES
    assert rules[0].rule.text == "the side that holds the lowest trump in play, no matter who wins the trick."
    assert rules[0].rule.mark == "house"


@pytest.mark.parametrize(("text", "note"), [("low", "the Deuce takes the place of Low"), ("jack", ""), ("deuce", "")])
def test_a_card_in_the_place_of_an_award_says_so(text: str, note: str) -> None:
    assert note in found("colorado-ten-point", f"who gets the {text}")[0].note
    assert bool(note) == bool(found("colorado-ten-point", f"who gets the {text}")[0].note)


def test_a_note_of_the_house_is_found_by_its_own_words() -> None:
    nearest, *_ = found("partnership-pitch", "who brings the pie", "whoever loses brings the pie")

    assert (nearest.rule.text, nearest.rule.number) == ("whoever loses brings the pie", "")


@pytest.mark.parametrize(("text", "shares_word"), [("renege", True), ("reneeging", False)])
def test_a_misspelled_word_is_found_by_its_letters(text: str, shares_word: bool) -> None:
    nearest, *_ = found("partnership-pitch", text)

    assert nearest.rule.id == "argue.renege"
    assert nearest.shares_word is shares_word


@pytest.mark.parametrize("text", ["", "   ", "?", "♠", "🂡" * 80, "qqqq"])
def test_what_has_nothing_in_common_with_any_rule_finds_none(text: str) -> None:
    assert found("partnership-pitch", text) == ()


def test_a_search_takes_less_than_ten_milliseconds() -> None:
    ruleset = LIBRARY["tunkhannock-fourteen-point"]
    rules, texts = rule_sheet(ruleset).rules, [entry["question"] for entry in WRITTEN["asked"][:60]]
    assert LIBRARY.rule_index

    def search() -> None:
        for text in texts:
            find_rules(rules, (), ruleset, LIBRARY.rule_index, text)

    assert loops_of(search) * LOOP < MAX_MILLISECONDS * len(texts)


def test_examples_are_of_rules_that_there_are_and_every_rule_has_some() -> None:
    rules = [rule for game in LIBRARY for rule in rule_sheet(game).rules]
    on_sheets = {rule_id for rule in rules for rule_id in (rule.id, *rule.also)}

    assert {rule.id for rule in rules if not rule.also} - LIBRARY.examples_by_rule_id.keys() == set()
    strangers = LIBRARY.examples_by_rule_id.keys() - on_sheets - {"count.*"}
    assert [rule_id for rule_id in strangers if rule_id.partition(".")[2] not in QUESTIONS] == []


@pytest.mark.parametrize("entry", WRITTEN["first"], ids=lambda entry: entry["question"])
def test_words_of_one_game_or_about_one_award_lead_to_its_own_rule_in_a_sentence(entry: dict[str, Any]) -> None:
    rule = found(entry["game"], entry["question"])[0].rule

    assert {**entry, "id": rule.id, "sentence": rule.sentence}.items() >= entry.items()
