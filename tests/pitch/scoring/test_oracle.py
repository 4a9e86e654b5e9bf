"""The engine and the oracle name the same winners, in ordinary matches and in odd ones."""

import json
import os
from collections import Counter
from typing import Any

from scorekeeper.pitch.records.result import score_record
from tests.acceptance.test_public_cases import CASES
from tests.common.each import each
from tests.common.library import RULEBOOK
from tests.pitch.scoring.oracle import Verdict, judge
from tests.pitch.scoring.random_records import odd_record

MATCHES = int(os.environ.get("ORACLE_MATCHES", "600"))
"""How many random matches are tried; always the same ones."""


@each("case", CASES, lambda case: str(case["id"]))
def test_the_oracle_holds_to_the_cases(case: dict[str, Any]) -> None:
    expect = case["expect"]
    if expect.get("status") == "refused" or not expect.keys() & {"status", "winners", "hands"}:
        return

    verdict = judge(case["record"])

    assert verdict.status == expect.get("status", verdict.status)
    assert verdict.winners == expect.get("winners", verdict.winners)
    for deltas, hand in zip(verdict.deltas, expect.get("hands", ()), strict=False):
        assert deltas == hand.get("deltas", deltas)


def test_the_engine_and_the_oracle_name_the_same_winners() -> None:
    seen: Counter[str] = Counter()
    for seed in range(MATCHES):
        record = odd_record(seed)
        result = score_record(record, RULEBOOK)
        seen[result["status"]] += 1
        if result["status"] != "refused":
            verdict = judge(record)
            seen["undecided"] += verdict.undecided_hand is not None
            assert _scored(result) == _judged(verdict), f"match {seed}: {json.dumps(record)}\n{result['because']}"
            assert _is_decided_by_awards(verdict, result), f"match {seed}: {json.dumps(record)}\n{result['because']}"
    assert seen["refused"] < MATCHES / 10
    assert all(seen[status] for status in ("over", "in_progress", "stopped", "undecided")) or MATCHES < 600


def _scored(result: dict[str, Any]) -> tuple[Any, ...]:
    hand_numbers = [question["hand"] for question in result.get("asks", ())]
    return result["status"], sorted(result["winners"]), result["scores"], hand_numbers


def _judged(verdict: Verdict) -> tuple[Any, ...]:
    return (
        verdict.status,
        sorted(verdict.winners),
        verdict.scores,
        [verdict.undecided_hand] if verdict.undecided_hand else [],
    )


def _is_decided_by_awards(verdict: Verdict, result: dict[str, Any]) -> bool:
    """Return whether the winner follows from who took the awards that the question names."""
    awards = [award for question in result.get("asks", ()) for award in question["awards"]]
    winners: dict[tuple[object, ...], tuple[str, ...]] = {}
    is_pegged = result.get("asks") and not awards  # the question is who was first, not who took what
    return is_pegged or all(
        winners.setdefault(tuple(assignment.get(award, ()) for award in awards), won) == won
        for assignment, won in verdict.endings
    )
