"""The sentences about a hand that is settled: the bid, the winner, the winner by other rules, and what is undecided."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from scorekeeper.pitch.compare.alternatives import alternatives, changing_alternatives
from scorekeeper.pitch.compare.ruling import Ruling, make_record_ruling, make_ruling
from scorekeeper.pitch.compare.sentences import (
    alternative_sentence,
    ending_rule_sentences,
    outcome_and_scores,
    payments_and_settlement_words,
    reason_words,
    results_by_answer,
    ruling_hand_sentence,
    undecided_sentence,
)
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import MatchState, Start, play
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY, RULEBOOK
from tests.common.pace import counted_calls
from tests.common.tables import table
from tests.pitch.scoring.strategies import matches
from tests.scenarios.scene import Scene

HANDS = [
    Scene(fields.pop("ruleset"), fields.get("at_table", ["Us", "Them"]), fields)
    for fields in table(__file__, "rulings.toml")["hand"]
]
OBSERVED: dict[str, Callable[[Ruling, bool], Any]] = {
    "bid": lambda ruling, _: ruling_hand_sentence(ruling, IDS_AS_NAMES),
    "others": lambda ruling, _: other_rules(ruling),
    "open": lambda ruling, _: undecided_sentence(ruling),
    "answers": lambda ruling, _: [": ".join(line) for line in results_by_answer(ruling, IDS_AS_NAMES)],
    "ending": lambda ruling, stopped: outcome_and_scores(ruling.state, IDS_AS_NAMES, stopped=stopped),
    "rule": lambda ruling, _: ending_rule_sentences(ruling.state),
    "reason": lambda ruling, _: reason_words(ruling.state, IDS_AS_NAMES),
    "pays": lambda ruling, _: payments_and_settlement_words(ruling, IDS_AS_NAMES),
}


def other_rules(ruling: Ruling) -> list[str]:
    """Return each other rule by which somebody else wins, in a sentence."""
    return [alternative_sentence(alternative, IDS_AS_NAMES) for alternative in changing_alternatives(ruling.match)]


@pytest.mark.parametrize("scene", HANDS, ids=lambda scene: scene.name)
def test_a_hand_that_is_settled(scene: Scene) -> None:
    ruling = make_record_ruling(scene.record, RULEBOOK)

    assert {key: OBSERVED[key](ruling, scene.record.stopped) for key in scene.expected} == scene.expected
    open_options = set(ruling.state_before.ruleset.open_options)
    assert not {name for alternative in alternatives(ruling.match) for name in alternative.answers} & open_options


@given(matches())
def test_every_hand_of_every_table_is_settled_in_words(match: tuple[MatchState, tuple[Hand, ...]]) -> None:
    state, names = match[0], IDS_AS_NAMES
    for played in match[1]:
        ruling = make_ruling(
            state, played, Start(state.scores, state.hands_scored, state.sets), LIBRARY[state.ruleset.id]
        )
        state = play(state, played)

        assert ruling.state == state
        assert all(line[-1] == "." and ": ." not in line for line in other_rules(ruling))
        assert all(all(line) for line in results_by_answer(ruling, names))
        assert outcome_and_scores(state, names)
        assert reason_words(state, names)
        assert ruling_hand_sentence(ruling, names) or not state.ruleset.bidding.auction


COSTLY = [
    ("colorado-ten-point", "Us bid 6 | Us ace trey ten off-jack | Them the rest", {"Us": 37, "Them": 40}, {}),
    ("colorado-ten-point", "Us bid 6 | Us 6 points | Them 4 points", {"Us": 37, "Them": 40}, {}),
    # Game is tied among any of eight, of whom nobody wins by it.
    (
        "solo-with-bidding",
        "Dot bid 2 | Eve high | Hal low | Cal jack | nobody game",
        {"Ann": 41, "Bob": 41, "Cal": 41, "Dot": 41, "Eve": 41, "Fay": 40, "Gus": 40, "Hal": 41},
        {"target": 42},
    ),
    # Another deuce is in many sums of points.
    (
        "smear-five-point",
        "Gus bid 3 | Gus 3 points | Ann 0 points | Bob 0 points | Cal 1 points | Dot 0 points | Eve 2 points"
        " | Fay 1 points",
        {"Ann": 0, "Bob": 0, "Cal": 10, "Dot": 14, "Eve": 10, "Fay": 10, "Gus": 0},
        {"deuce": 2},
    ),
]


@pytest.mark.parametrize(("variant", "hand_text", "scores", "house"), COSTLY)
def test_other_rules_of_a_hand_cost_little(
    variant: str, hand_text: str, scores: dict[str, int], house: dict[str, Any]
) -> None:
    scene = Scene(variant, [*scores], {"start": scores, "house": house, "hands": [hand_text]})
    ruling, budget = make_record_ruling(scene.record, RULEBOOK), Budget()

    with counted_calls() as count:
        list(alternatives(ruling.match, budget))

    assert budget.spent_steps < 100_000
    assert count.calls < 900_000
