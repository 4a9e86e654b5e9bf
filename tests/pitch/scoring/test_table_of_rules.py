"""The table at the head of the scoring module names tests that exist."""

from pathlib import Path

import pytest

from scorekeeper.pitch.rules.library import SOURCES_BY_NUMBER
from scorekeeper.pitch.scoring import hand_score

ROWS = [
    [cell.strip() for cell in line.strip("| ").split("|")]
    for line in (hand_score.__doc__ or "").splitlines()
    if line.startswith("| ")
][1:]


@pytest.mark.parametrize(("rule", "source", "tested_in"), ROWS)
def test_a_rule_has_a_source_and_a_test(rule: str, source: str, tested_in: str) -> None:
    tests = Path(__file__).parents[2]

    assert rule
    assert source.startswith((*SOURCES_BY_NUMBER, "house option", "the table decides"))
    assert any((tests / f"{tested_in}{ending}").exists() for ending in (".toml", ".py"))
