"""Every rule sheet keeps the laws: those of the library, and those of any house rules."""

import re
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

from hypothesis import example, given

from scorekeeper.paths import RULESETS as FOLDER
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve_house_rules
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import InterpretationNumber, parse_trace
from scorekeeper.pitch.sheets.house_frame import question_with_target
from tests.common.each import each
from tests.common.library import LIBRARY, every_ruleset
from tests.pitch.rules.random_house_rules import RULESETS, sound_houses
from tests.pitch.sheets.laws import LAWS, Made

BOOKS = {ruleset.id: Made(ruleset, ruleset) for ruleset in RULESETS}
"""The sheets of the library; each is made once."""


@each("ruleset_id", BOOKS)
def test_the_sheet_of_a_variant_keeps_every_law(ruleset_id: str) -> None:
    assert broken(BOOKS[ruleset_id]) == {}


def broken(made: Made) -> dict[str, list[str]]:
    """Return what is against each law that a sheet does not keep."""
    return {law.__name__: found for law in LAWS if (found := [*law(made)])}


@given(sound_houses())
@example(HouseRules("Ours", "all-fives", {"own_1": "1 captured 9: True"}))
@example(HouseRules("Ours", "arizona-29", {"jokers": 0, "own_1": "1 captured A: JOKER"}))
@example(HouseRules("Ours", "fish-pitch", {"rounds": "until_passed"}))
@example(HouseRules("Ours", "king-pedro-sixty-two", {"follow": "trump_only"}))
@example(HouseRules("Ours", "money-pitch", {"pitching": False, "double_loss_on_overtake": False, "smudge": True}))
def test_the_sheet_of_any_house_rules_keeps_every_law(house: HouseRules) -> None:
    ruleset, faults = resolve_house_rules(house, LIBRARY)
    assert ruleset is not None, faults
    made = Made(ruleset, LIBRARY[house.variant])

    assert broken(made) == {}


def test_every_reading_that_is_written_down_is_used() -> None:
    traces = [text for ruleset in RULESETS for text in ruleset.sheet.trace.values()]
    used = {
        reference.number
        for text in traces
        for reference in parse_trace(text)
        if isinstance(reference, InterpretationNumber)
    }

    assert {*LIBRARY.interpretations} - used == set()


def test_the_readings_are_in_order() -> None:
    headings = re.findall(r"^## R(\d+): ", (FOLDER / "READINGS.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert [*map(int, headings)] == sorted(LIBRARY.interpretations)


def sheet_of_file(path: Path) -> dict[str, Any]:
    """Return the `sheet` table of a ruleset's file, without what it inherits."""
    return {"trace": {}, "sentences": {}, **tomllib.loads(path.read_text(encoding="utf-8")).get("sheet", {})}


@every_ruleset
def test_a_file_traces_no_rule_that_its_sheet_does_not_have(ruleset: Ruleset) -> None:
    """A trace names only rules that are on the sheet.

    A rule that is offered is traced as `house.<option>`, or as `house.<option>_<answer>` where each is another page's,
    and an answer that rests on less than its rule as `argue.<option>`.
    """
    own, made = sheet_of_file(FOLDER / f"{ruleset.id}.toml"), BOOKS[ruleset.id]
    offered = {f"house.{name}" for name in chain(ruleset.sheet.offers, *ruleset.sheet.together)}
    offered |= {f"house.{name}_{answer}" for name, answers in ruleset.sheet.offers.items() for answer in answers}

    argued = {f"argue.{name}" for name in ruleset.sheet.argued}
    assert {*own["trace"]} - {*made.ids} - offered - argued == set()
    assert {id_ for id_, sentence in own["sentences"].items() if sentence.get("text")} - {*made.ids} - offered == set()


def test_what_all_files_inherit_is_on_some_sheet() -> None:
    ids = {id_ for made in BOOKS.values() for id_ in made.ids}
    shared = [path for path in FOLDER.glob("*.toml") if path.stem not in BOOKS]

    for path in shared:
        own = sheet_of_file(path)
        assert {*own["trace"], *own["sentences"]} - ids == set()


@every_ruleset
def test_a_rule_of_its_own_stands_before_the_one_that_it_names(ruleset: Ruleset) -> None:
    ids = [rule.id for rule in BOOKS[ruleset.id].rules]
    own = {
        id_: sentence.before for id_, sentence in ruleset.sheet.sentences.items() if sentence.before and sentence.text
    }

    assert {id_: ids[ids.index(id_) + 1] for id_ in own} == own


@every_ruleset
def test_every_question_that_a_file_names_is_where_tables_argue(ruleset: Ruleset) -> None:
    argued = {question.question for question in BOOKS[ruleset.id].sheet.argued_questions}

    assert {question_with_target(ruleset, name) for name in ruleset.sheet.argued} <= argued


@every_ruleset
def test_a_sheet_cites_every_document_that_its_rules_come_from(ruleset: Ruleset) -> None:
    made = BOOKS[ruleset.id]
    traced = {reference for rule in made.rules for reference in rule.origin.references}
    traced |= {reference for offer in made.sheet.house_frame.offers for reference in offer.origin.references}

    documents = {str(reference).split()[0] for reference in traced if not isinstance(reference, InterpretationNumber)}
    assert documents == {part.partition(",")[0] for part in ruleset.source.split("; ")}


@every_ruleset
def test_every_award_has_a_trace_of_its_own(ruleset: Ruleset) -> None:
    """Awards that share a rule have one each, for the house that takes the first of them out."""
    assert [award_id for award_id in ruleset.in_play if f"count.{award_id}" not in ruleset.sheet.trace] == []
