"""A † stands beside what rests in whole or part on an agreed reading, as its trace says, and beside nothing else."""

import re
from collections.abc import Iterable
from functools import cache

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import ReadingNumber, Reference, parse_trace
from scorekeeper.pitch.sheets.citations import CitedRule, citations
from scorekeeper.pitch.sheets.parts import Rule
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from tests.common.each import each
from tests.common.library import LIBRARY

every_ruleset_id = each("ruleset_id", [ruleset.id for ruleset in LIBRARY])


@cache
def sheet_of(ruleset_id: str) -> RuleSheet:
    """Return the sheet of a game."""
    return rule_sheet(LIBRARY[ruleset_id])


def readings(references: Iterable[Reference]) -> set[int]:
    """Return the numbers of the readings among what something rests on."""
    return {it.number for it in references if isinstance(it, ReadingNumber)}


def traced(ruleset_id: str, rule_id: str) -> set[int]:
    """Return the readings that the file of a ruleset, or one that it extends, names for a rule."""
    return readings(parse_trace(LIBRARY[ruleset_id].sheet.trace.get(rule_id, "R0"))) - {0}


def rule_of(sheet: RuleSheet, rule_id: str) -> Rule:
    """Return a rule of a sheet."""
    return next(rule for rule in sheet.rules if rule_id in (rule.id, *rule.also))


def cited(ruleset: Ruleset, rule_id: str) -> CitedRule:
    """Return a rule as a verdict cites it."""
    return citations(ruleset, LIBRARY[ruleset.id]).by_id[rule_id]


# ---------- a mark follows from the trace ----------


def is_up_to_the_table(ruleset: Ruleset, rule: Rule) -> bool:
    """Return whether a rule says no more than what the table still has to agree on."""
    return bool(rule.origin.open) and all(
        name in ruleset.open_options
        for name in rule.decided_by
        if ruleset.answer(name) is not None or name in ruleset.open_options
    )


@every_ruleset_id
def test_a_rule_is_marked_where_its_trace_names_a_reading_and_nowhere_else(ruleset_id: str) -> None:
    ruleset = LIBRARY[ruleset_id]
    for rule in sheet_of(ruleset_id).rules:
        needs = ruleset.sheet.sentences[rule.id].needs if rule.id in ruleset.sheet.sentences else ""
        named = traced(ruleset_id, rule.id) or (
            traced(ruleset_id, needs) if not ruleset.sheet.trace.get(rule.id) else set()
        )
        expected = bool(named) and not rule.origin.is_silent and not is_up_to_the_table(ruleset, rule)

        assert rule.is_reading == expected, (rule.id, rule.text)
        assert rule.is_reading or rule.mark != "reading", rule.id


# ---------- what the table agreed on ----------


@pytest.mark.parametrize(
    ("ruleset_id", "house", "rule_id", "mark", "is_reading"),
    [
        ("partners-without-bidding", {"target": 21}, "win.target", "reading", True),
        ("partners-without-bidding", {"target": 11, "game_tie": "nobody"}, "win.target", "reading", True),
        ("moon-over-four", {"all_pass": "redeal"}, "bid.all_pass", "", False),
        ("cutthroat-pitch", {"win_rule": "first_to_target"}, "win.target", "house", False),
    ],
)
def test_a_reading_stands_beside_what_was_agreed_but_not_for_all_of_it_nor_for_a_rule_of_the_house(
    ruleset_id: str, house: dict[str, object], rule_id: str, mark: str, is_reading: bool
) -> None:
    base = LIBRARY[ruleset_id]
    ruleset, _ = with_house(base, house)

    rule = rule_of(rule_sheet(ruleset, base), rule_id)

    assert (rule.mark, rule.is_reading) == (mark, is_reading)
    assert bool(cited(ruleset, rule_id).basis(LIBRARY.readings)) == is_reading


# ---------- what is said of it ----------


def test_every_reading_has_its_sentence() -> None:
    sentences = {number: reading.says for number, reading in LIBRARY.readings.items()}

    assert [number for number, says in sentences.items() if not re.fullmatch(r"[A-Z][^`*()]+\.", says)] == []


@pytest.mark.parametrize(
    ("ruleset_id", "rule_id", "said"),
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
def test_a_cited_rule_says_what_it_rests_on(ruleset_id: str, rule_id: str, said: str) -> None:
    assert cited(LIBRARY[ruleset_id], rule_id).basis(LIBRARY.readings) == said


@every_ruleset_id
def test_a_citation_has_the_dagger_of_its_rule(ruleset_id: str) -> None:
    marked = {rule.id for rule in sheet_of(ruleset_id).rules if rule.is_reading}
    rules = {rule.id: rule for rule in citations(LIBRARY[ruleset_id]).by_id.values()}

    assert {id_ for id_, rule in rules.items() if rule.is_reading} == marked
    assert all(rule.basis(LIBRARY.readings) for rule in rules.values() if rule.is_reading)
