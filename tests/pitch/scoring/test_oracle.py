"""The engine and the oracle name the same winners, in ordinary matches and in odd ones."""

import json
import os
from collections import Counter
from random import Random
from typing import Any

from scorekeeper.pitch.records.result import score_record
from tests.acceptance.test_public_cases import CASES
from tests.common.each import each
from tests.common.library import LIBRARY, RULEBOOK
from tests.pitch.scoring.oracle import Verdict, judge
from tests.pitch.scoring.random_records import random_record

MATCHES = int(os.environ.get("ORACLE_MATCHES", "600"))
"""How many random matches are tried; always the same ones."""


@each("case", CASES, lambda case: str(case["id"]))
def test_the_oracle_holds_to_the_cases(case: dict[str, Any]) -> None:
    expect = case["expect"]
    if expect.get("status") == "refused" or not expect.keys() & {"status", "winners", "hands"}:
        return

    verdict = judge(case["record"], LIBRARY)

    assert verdict.status == expect.get("status", verdict.status)
    assert verdict.winners == expect.get("winners", verdict.winners)
    for deltas, hand in zip(verdict.deltas, expect.get("hands", ()), strict=False):
        assert deltas == hand.get("deltas", deltas)


def test_the_engine_and_the_oracle_name_the_same_winners() -> None:
    seen: Counter[str] = Counter()
    for seed in range(MATCHES):
        record = random_record(Random(seed), LIBRARY)
        result = score_record(record, RULEBOOK)
        seen[result["status"]] += 1
        if result["status"] != "refused":
            verdict = judge(record, LIBRARY)
            seen["asked"] += verdict.asks is not None
            assert _told(result) == _judged(verdict), f"match {seed}: {json.dumps(record)}\n{result['because']}"
            assert _tells(verdict, result), f"match {seed}: {json.dumps(record)}\n{result['because']}"
    assert seen["refused"] < MATCHES / 20
    assert all(seen[status] for status in ("over", "in_progress", "stopped", "asked")) or MATCHES < 600


def _told(result: dict[str, Any]) -> tuple[Any, ...]:
    asks = [asked["hand"] for asked in result.get("asks", ())]
    return result["status"], sorted(result["winners"]), result["scores"], asks


def _judged(verdict: Verdict) -> tuple[Any, ...]:
    return verdict.status, sorted(verdict.winners), verdict.scores, [verdict.asks] if verdict.asks else []


def _tells(verdict: Verdict, result: dict[str, Any]) -> bool:
    """Return whether the awards that are asked for tell who won."""
    asked = [award for question in result.get("asks", ()) for award in question["awards"]]
    winners: dict[tuple[object, ...], tuple[str, ...]] = {}
    is_pegged = result.get("asks") and not asked  # the table says who was first, whoever took what
    return is_pegged or all(
        winners.setdefault(tuple(told.get(award, ()) for award in asked), won) == won for told, won in verdict.tellings
    )
