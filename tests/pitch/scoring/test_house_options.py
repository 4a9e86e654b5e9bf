"""Every house option changes something in what comes of a match, or is marked as one of the sheet alone."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from scorekeeper.pitch.records.result import score_record
from scorekeeper.pitch.rules.options import Option, options
from tests.acceptance.test_public_cases import CASES
from tests.common.library import LIBRARY
from tests.pitch.scoring.random_records import random_record
from tests.pitch.scoring.small_matches import SHEET_ALONE
from tests.pitch.scoring.tables import RULEBOOK

RANDOM = 300
FEW = 40
"""Records in which an option of the sheet alone is tried."""
BESIDE: dict[str, dict[str, Any]] = {"length": {"hands": 1}}
"""Answers that another one needs beside it."""


TURNED_UP = {
    "format": "pitch-record/3",
    "variant": "seven-up",
    "players": ["A", "B", "C"],
    "hands": [
        {
            "dealer": "A",
            "taken": {"turned_jack": "A", "gift": "B", "high": "A", "low": "B", "jack": "C", "game": "A"},
            "times": {"turned_jack": 2},
        }
    ],
}
"""A gift, and a jack that was turned up twice: no other record has both."""


@cache
def records() -> tuple[dict[str, Any], ...]:
    return (
        TURNED_UP,
        *(case["record"] for case in CASES),
        *(random_record(Random(seed), LIBRARY) for seed in range(RANDOM)),
    )


def answers(option: Option) -> tuple[Any, ...]:
    if option.is_flag:
        return True, False
    lowest = option.lowest or 0
    return option.choices or (lowest, lowest + 1, lowest + 2, 7)


def what_comes_of(record: dict[str, Any], house: dict[str, Any]) -> object:
    """Return the result without its sentence; `None` where there are no such rules."""
    result = score_record({**record, "house": {**record.get("house", {}), **house}}, RULEBOOK)
    if any(fault["hand"] is None for fault in result.get("faults", ())):
        return None
    return {key: value for key, value in result.items() if key != "because"}


def changes(option: Option) -> Iterator[bool]:
    """Yield whether an answer changes what comes of a record, first where the game has another answer than most."""
    beside = BESIDE.get(option.name, {})
    played = [record for record in records() if record.get("variant") in LIBRARY]
    for record in sorted(played, key=lambda it: LIBRARY[it["variant"]].answer(option.name) == option.default):
        before = what_comes_of(record, {})
        for answer in answers(option):
            after = what_comes_of(record, {**beside, option.name: answer})
            yield before is not None and after is not None and after != before


@pytest.mark.parametrize("name", [name for name in options() if name not in SHEET_ALONE])
def test_an_option_changes_what_comes_of_some_match(name: str) -> None:
    assert any(changes(options()[name]))


@pytest.mark.parametrize("name", SHEET_ALONE)
def test_an_option_of_the_sheet_alone_changes_no_match(name: str) -> None:
    found = changes(options()[name])

    assert not any(next(found) for _ in range(FEW))
