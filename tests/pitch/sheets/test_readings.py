"""A † stands beside each rule whose trace names an agreed reading, and beside no other."""

import re

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.citations import CitedRule, citations
from scorekeeper.pitch.sheets.parts import Rule
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from tests.common.library import LIBRARY, every_ruleset


def rule_of(sheet: RuleSheet, rule_id: str) -> Rule:
    """Return a rule of a sheet."""
    return next(rule for rule in sheet.rules if rule_id in (rule.id, *rule.also))


def cited(ruleset: Ruleset, rule_id: str) -> CitedRule:
    """Return a rule as a verdict cites it."""
    return citations(ruleset, LIBRARY[ruleset.id]).by_id[rule_id]


# ---------- what the table agreed on ----------


@pytest.mark.parametrize(
    ("ruleset_id", "house", "rule_id", "mark", "is_interpretation"),
    [
        ("partners-without-bidding", {"target": 21}, "win.target", "interpretation", True),
        ("partners-without-bidding", {"target": 11, "game_tie": "nobody"}, "win.target", "interpretation", True),
        ("moon-over-four", {"all_pass": "redeal"}, "bid.all_pass", "", False),
        ("cutthroat-pitch", {"win_rule": "first_to_target"}, "win.target", "house", False),
    ],
)
def test_a_reading_stands_beside_what_was_agreed_but_not_for_all_of_it_nor_for_a_rule_of_the_house(
    ruleset_id: str, house: dict[str, object], rule_id: str, mark: str, is_interpretation: bool
) -> None:
    base = LIBRARY[ruleset_id]
    ruleset, _ = with_house(base, house)

    rule = rule_of(rule_sheet(ruleset, base), rule_id)

    assert (rule.mark, rule.is_interpretation) == (mark, is_interpretation)
    assert bool(cited(ruleset, rule_id).basis(LIBRARY.interpretations)) == is_interpretation


# ---------- the sentence about it ----------


def test_every_reading_has_its_sentence() -> None:
    sentences = {number: interpretation.sentence for number, interpretation in LIBRARY.interpretations.items()}

    assert [number for number, sentence in sentences.items() if not re.fullmatch(r"[A-Z][^`*()]+\.", sentence)] == []


@pytest.mark.parametrize(
    ("ruleset_id", "rule_id", "basis"),
    [
        (
            "cutthroat-pitch",
            "win.target",
            "“Pitch” (pagat.com) says it only in part; we read: A player wins as a side does in the game for partners.",
        ),
        ("double-king-pede", "win.tie_rule", "The sources are silent; we read: The side that bid goes first."),
        ("pedro-seventeen", "win.tie_rule", "“Piedro” is silent; we read: The side that bid goes first."),
        (
            "st-paul-schmier",
            "win.tie_rule",
            "Two sources disagree. “Smear” (pagat.com): as above. “Schmier” (catsatcards.com): "
            "If both reach 21 on the same hand, the better score wins; if that is tied, the bidding side.",
        ),
        ("partnership-pitch", "win.target", ""),
    ],
)
def test_a_cited_rule_says_what_it_rests_on(ruleset_id: str, rule_id: str, basis: str) -> None:
    assert cited(LIBRARY[ruleset_id], rule_id).basis(LIBRARY.interpretations) == basis


@every_ruleset
def test_a_citation_has_the_dagger_of_its_rule(ruleset: Ruleset) -> None:
    marked = {rule.id for rule in rule_sheet(ruleset).rules if rule.is_interpretation}
    rules = {rule.id: rule for rule in citations(ruleset).by_id.values()}

    assert {id_ for id_, rule in rules.items() if rule.is_interpretation} == marked
    assert all(rule.basis(LIBRARY.interpretations) for rule in rules.values() if rule.is_interpretation)
