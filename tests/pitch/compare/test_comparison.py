"""A match scored again under other rules: who wins then, since which hand it differs, and what decides that."""

from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper.pitch.compare.alternatives import alternatives, changing_alternatives
from scorekeeper.pitch.compare.comparison import Comparison, PlayedMatch, compare
from scorekeeper.pitch.compare.sentences import (
    alternative_sentence,
    comparison_heading,
    comparison_sentence,
    first_difference_sentence,
)
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY
from tests.common.tables import table
from tests.pitch.compare.matches_again import played_record
from tests.scenarios.scene import Scene

MATCHES = {case["name"]: case for case in table(__file__, "comparisons.toml")["match"]}
AGAIN = [(match, again) for match, case in MATCHES.items() for again in case["again"]]
GIVEN = {"name", "rules", "game", "known"}
OBSERVED: dict[str, Callable[[Comparison], Any]] = {
    "changes": lambda again: [*again.changes],
    "winners": lambda again: "open" if again.winners is None else [*again.winners],
    "turns": lambda again: "open" if again.changes_winner is None else again.changes_winner,
    "heading": lambda again: comparison_heading(again, IDS_AS_NAMES),
    "why": lambda again: comparison_sentence(again, IDS_AS_NAMES),
    "lead": lambda again: again.question and again.question.reason,
    "asks": lambda again: question_words(again),
    "scores": lambda again: {side: sorted({end.scores[side] for end in again.ends}) for side in again.ends[0].scores},
    "since": lambda again: again.first_differing_hand,
    "differs": first_difference_sentence,
    "first": lambda again: again.first_difference,
    "hands": lambda again: len(again.state.results) if again.state else "open",
    "notes": lambda again: [*again.notes],
    "money": lambda again: again.state and again.state.money,
    "problem": lambda again: again.problem,
}


def match(name: str) -> PlayedMatch:
    case = MATCHES[name]
    return played_record(Scene(case["ruleset"], case.get("at_table", ["Us", "Them"]), case).record)


def question_words(again: Comparison) -> str:
    if (question := again.question) is None:
        return ""
    hand_number, what = question.key
    return f"{hand_number} {what}: {question.text} {', '.join(choice.label for choice in question.choices)}"


@pytest.mark.parametrize(("played", "again"), AGAIN, ids=[f"{played}: {again['name']}" for played, again in AGAIN])
def test_a_match_scored_again(played: str, again: dict[str, Any]) -> None:
    first = match(played)
    other, faults = with_house(first.rules, again.get("rules", {}))
    known_answers = {
        (int(hand_number), what): tuple(who) if isinstance(who, list) else who
        for key, who in again.get("known", {}).items()
        for hand_number, what in [key.split()]
    }
    expected = {key: value for key, value in again.items() if key not in GIVEN}

    scored = compare(first, LIBRARY[again["game"]] if "game" in again else other, known_answers=known_answers)

    assert not faults
    assert {key: OBSERVED[key](scored) for key in expected} == expected


def test_a_rule_that_is_asked_for_holds_all_the_way() -> None:
    changed = match("a target that changed in the match")

    unchanged = compare(changed, changed.rules, answers={"target": changed.rules.winning.target})

    assert unchanged.state
    assert (unchanged.winners, len(unchanged.state.results)) == ((), 4)


def test_of_too_many_open_hands_the_first_is_the_question() -> None:
    fields = {"house": {"target": 200}, "hands": ["Us bid 5 | Us 6 points | Them 4 points"] * 20}
    twenty = played_record(Scene("colorado-ten-point", ["Us", "Them"], fields).record)

    much = compare(twenty, with_house(twenty.rules, {"jack": 3, "ten": 2, "deuce": 4})[0])

    assert "too much was not written down" in much.problem
    assert much.question
    assert much.question.key[0] == 1


def test_other_answers_that_change_the_winner_are_told_in_a_sentence() -> None:
    thursday = match("Thursday")

    found = {
        alternative.answers.get("tie_rule") or str(alternative.answers): alternative.comparison
        for alternative in alternatives(thursday)
    }
    sentences = [alternative_sentence(alternative, IDS_AS_NAMES) for alternative in changing_alternatives(thursday)]

    assert found["higher_score"].winners == ("Them",)
    assert found["another_hand"].winners == ()
    assert found["{'high_joker': False, 'low_joker': False}"].changes_winner
    assert not found["{'win_rule': 'made_bid'}"].changes_winner
    assert len(sentences) == 2
    assert sentences[0].startswith("By the rule “If both reach 42 on the same hand, the better score wins")
    assert sentences[0].endswith("”: Them would win, 44 to 43.")


def test_a_house_rule_is_tried_as_the_game_was_published() -> None:
    to_fifteen = match("to 15 from paper")

    assert [
        alternative.comparison.winners
        for alternative in alternatives(to_fifteen)
        if alternative.answers == {"target": 21}
    ] == [()]
