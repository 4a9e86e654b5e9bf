"""The acceptance cases, ordinary, odd, and at the edge of what can be: records, and what must hold of their results."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.pitch.records.result import score_record
from tests.common.library import RULEBOOK

CASES = [
    json.loads(line)
    for name in ("public.jsonl", "odd.jsonl", "wider.jsonl", "edge.jsonl")
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}: {case['why'][:80]}")
def test_public_case(case: dict[str, Any]) -> None:
    result = score_record(case["record"], RULEBOOK)

    assert list(_differences(case["expect"], result)) == []


def _differences(expect: dict[str, Any], result: dict[str, Any]) -> list[str]:
    if expect.get("accepted"):
        return [] if result["status"] != "refused" else [f"refused: {result['faults']}"]
    found = [
        f"{key} is {result.get(key)}"
        for key in ("status", "winners")
        if expect.get(key, result.get(key)) != result.get(key)
    ]
    if expect.get("fault_field", ...) not in (..., *(fault["field"] for fault in result.get("faults", []))):
        found.append(f"faults are {result['faults']}")
    if "because_not" in expect and re.search(expect["because_not"], result["because"]):
        found.append(f"because is {result['because']}")
    found += _money("owed", expect.get("money"), result.get("money"))
    for number, wanted in enumerate(expect.get("hands", [])):
        hand = result["hands"][number]
        found += _money(f"hand {number + 1}", wanted.get("money"), hand.get("money"))
        found += [
            f"hand {number + 1} {key} is {hand.get(key)}"
            for key, value in wanted.items()
            if key != "money" and hand.get(key) != value
        ]
    return found


def _money(where: str, wanted: dict[str, int | str] | None, paid: dict[str, int] | None) -> list[str]:
    """Hold shares against exact ones: within a cent, and together nothing."""
    if wanted is None:
        return []
    if paid is None or set(paid) != set(wanted) or sum(paid.values()) != 0:
        return [f"{where}: {paid}"]
    return [f"{where}: {who} {paid[who]}" for who in wanted if abs(Fraction(wanted[who]) - paid[who]) >= 1]
