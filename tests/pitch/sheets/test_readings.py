"""A † stands beside each rule whose trace names an agreed reading, and beside no other."""

import re
from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.citations import CitedRule, citations
from scorekeeper.pitch.sheets.parts import Rule
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from tests.common.library import LIBRARY, every_ruleset
from tests.common.tables import table

READINGS = table(__file__, "readings.toml")


def rule_of(sheet: RuleSheet, rule_id: str) -> Rule:
    """Return a rule of a sheet."""
    return next(rule for rule in sheet.rules if rule_id in (rule.id, *rule.also))


def cited(ruleset: Ruleset, rule_id: str) -> CitedRule:
    """Return a rule as a verdict cites it."""
    return citations(ruleset, LIBRARY[ruleset.id]).by_id[rule_id]


# ---------- what the table agreed on ----------


@pytest.mark.parametrize("agreed", READINGS["agreed"], ids=lambda row: f"{row['game']}: {row['house']}")
def test_a_reading_stands_beside_what_was_agreed_but_not_for_all_of_it_nor_for_a_rule_of_the_house(
    agreed: dict[str, Any],
) -> None:
    base = LIBRARY[agreed["game"]]
    ruleset, _ = with_house(base, agreed["house"])

    rule = rule_of(rule_sheet(ruleset, base), agreed["rule"])

    assert (rule.mark, rule.is_interpretation) == (agreed["mark"], agreed["is_interpretation"])
    assert bool(cited(ruleset, agreed["rule"]).basis(LIBRARY.interpretations)) == agreed["is_interpretation"]


# ---------- the sentence about it ----------


def test_every_reading_has_its_sentence() -> None:
    sentences = {number: interpretation.sentence for number, interpretation in LIBRARY.interpretations.items()}

    assert [number for number, sentence in sentences.items() if not re.fullmatch(r"[A-Z][^`*()]+\.", sentence)] == []


@pytest.mark.parametrize("cites", READINGS["cited"], ids=lambda row: f"{row['game']}: {row['rule']}")
def test_a_cited_rule_says_what_it_rests_on(cites: dict[str, str]) -> None:
    assert cited(LIBRARY[cites["game"]], cites["rule"]).basis(LIBRARY.interpretations) == cites["basis"]


@every_ruleset
def test_a_citation_has_the_dagger_of_its_rule(ruleset: Ruleset) -> None:
    marked = {rule.id for rule in rule_sheet(ruleset).rules if rule.is_interpretation}
    rules = {rule.id: rule for rule in citations(ruleset).by_id.values()}

    assert {id_ for id_, rule in rules.items() if rule.is_interpretation} == marked
    assert all(rule.basis(LIBRARY.interpretations) for rule in rules.values() if rule.is_interpretation)
