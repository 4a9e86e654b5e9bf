"""Why a match ended, in two or three words."""

from typing import Any

import pytest

from scorekeeper.pitch.text.endings import ending_reason
from tests.acceptance.test_public_cases import CASES
from tests.common.each import each
from tests.pitch.compare.matches_again import played

OVER = [case["record"] for case in CASES if case["expect"].get("status") == "over"]


@each("record", OVER, lambda record: record["variant"])
def test_every_ending_has_its_reason(record: dict[str, Any]) -> None:
    state = played(record).state
    last = state.last_scored
    assert state.outcome
    assert last

    assert 0 < len(ending_reason(state.outcome, last)) <= 24


@pytest.mark.parametrize(
    ("tie_rule", "scores", "reason"),
    [
        ("bidder_first", {"Us": 19, "Them": 20}, "had the bid"),
        ("higher_score", {"Us": 19, "Them": 20}, "the higher score"),
        ("higher_score", {"Us": 18, "Them": 20}, "had the bid"),
    ],
)
def test_a_tie_is_the_bidders_or_the_better_scores(tie_rule: str, scores: dict[str, int], reason: str) -> None:
    taken = {"high": "Us", "low": "Us", "jack": "Us", "game": "Them"}
    record: dict[str, Any] = {
        "format": "pitch-record/1",
        "variant": "partnership-pitch",
        "house": {"win_rule": "first_to_target", "tie_rule": tie_rule},
        "sides": [{"name": "Us"}, {"name": "Them"}],
        "start": {"scores": scores},
        "hands": [{"bidder": "Us", "bid": 3, "taken": taken}],
    }
    state = played(record).state
    assert state.outcome

    assert ending_reason(state.outcome, state.results[-1]) == reason
