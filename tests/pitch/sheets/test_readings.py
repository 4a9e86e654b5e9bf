"""A † stands beside what rests in whole or part on an agreed reading, as its trace says, and beside nothing else."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from scorekeeper.paths import RULESETS as FOLDER
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


@every_ruleset_id
def test_an_option_is_marked_where_its_trace_names_a_reading_and_nowhere_else(ruleset_id: str) -> None:
    for offer in sheet_of(ruleset_id).house.offers:
        assert offer.is_reading == bool(readings(offer.references)), offer.text


@every_ruleset_id
def test_an_argument_is_marked_where_its_answer_rests_on_a_reading(ruleset_id: str) -> None:
    sheet, ruleset = sheet_of(ruleset_id), LIBRARY[ruleset_id]
    own = {key.removeprefix("argue.") for key in ruleset.sheet.trace if key.startswith("argue.")}
    by_number = {rule.number: rule for rule in sheet.rules}
    for argument in sheet.arguments:
        rule = by_number[argument.number]
        if argument.mark == "reading":
            assert rule.is_reading, argument.question
        elif not argument.mark and rule.is_reading:
            assert own & {*rule.decided_by, rule.id.partition(".")[2]}, argument.question


@every_ruleset_id
def test_a_bid_is_marked_where_what_it_scores_is(ruleset_id: str) -> None:
    rules = {rule.id: rule for rule in sheet_of(ruleset_id).rules}
    scores = [rules[id_] for id_ in ("count.made", "count.set") if id_ in rules]

    if any(rule.is_reading for rule in scores):
        assert [id_ for id_ in ("bid.numbers", "bid.smudge") if id_ in rules and not rules[id_].is_reading] == []


def parents() -> Iterator[tuple[Ruleset, Ruleset]]:
    """Yield each ruleset with the one that it extends."""
    for ruleset in LIBRARY:
        if ruleset.extends and ruleset.extends in LIBRARY:
            yield ruleset, LIBRARY[ruleset.extends]


@pytest.mark.parametrize(("child", "parent"), [*parents()], ids=lambda ruleset: ruleset.id)
def test_what_a_game_has_of_another_is_marked_there_too_unless_a_line_of_its_own_says_it(
    child: Ruleset, parent: Ruleset
) -> None:
    here = {rule.id: rule for rule in sheet_of(child.id).rules}
    for rule in sheet_of(parent.id).rules:
        other = here.get(rule.id)
        if other and other.text == rule.text and rule.is_reading and not other.is_reading:
            lines = {*other.origin.references} - {*rule.origin.references}
            assert lines or is_up_to_the_table(child, other), (rule.id, rule.text)


# ---------- the same ground is marked alike ----------

COLORADO = ("ten-point", "thirteen-point", "fourteen-point", "six-player", "cutthroat")
SAME_GROUND = [
    (41, "win.target", "cutthroat-pitch moon-over-four colorado-cutthroat solo-with-bidding solo-for-two-or-three"),
    (80, "deal.cards", "cutthroat-pitch moon-over-four"),
    (80, "count.high", "arizona-29 catch-five cutthroat-pitch fish-pitch five-point-set-back moon-over-four"),
    (80, "count.made", "arizona-29 catch-five cutthroat-pitch fish-pitch moon-over-four stauffer-ten-point"),
    (108, "deal.cards", "money-pitch racehorse"),
    (108, "bid.numbers", "money-pitch racehorse"),
    (108, "bid.all_pass", "money-pitch racehorse"),
    (108, "play.follow", "money-pitch racehorse"),
    (
        68,
        "players.seats",
        "auction-pitch partners-without-bidding five-point-set-back oklahoma-ten-point oklahoma-six-point "
        "charbonneau-ten-point fish-pitch tunkhannock-fourteen-point",
    ),
    (
        44,
        "bid.order",
        "colorado-ten-point colorado-thirteen-point colorado-fourteen-point colorado-six-player colorado-cutthroat "
        "razzle-dazzle five-point-set-back oklahoma-ten-point oklahoma-six-point charbonneau-ten-point "
        "pawnee-call-your-partner stauffer-ten-point nine-card-pitch",
    ),
    (30, "bid.smudge_needs", ""),
    (85, "players.deck", "charbonneau-ten-point pawnee-call-your-partner"),
    (32, "win.target", "partners-without-bidding solo-without-bidding"),
    (32, "win.tie_rule", "partners-without-bidding solo-without-bidding"),
    (31, "win.tie_rule", "charbonneau-ten-point five-point-set-back"),
    (110, "win.tie_rule", "razzle-dazzle schmier-for-five"),
    (90, "bid.numbers", "king-pedro pedro-seventeen sixty-three"),
    (90, "count.set", "king-pedro pedro-seventeen sixty-three"),
    (36, "house.joker_order", " ".join(("razzle-dazzle", *(f"colorado-{name}" for name in COLORADO)))),
    (28, "house.double_loss_on_overtake", "partnership-pitch partnership-pitch-six"),
    (12, "house.share_the_wealth", "colorado-ten-point colorado-thirteen-point colorado-fourteen-point"),
    (67, "house.dirty", "colorado-fourteen-point"),
    (11, "house.kitty", "razzle-dazzle"),
    (13, "house.call_lead", "razzle-dazzle"),
    (109, "house.off_ace", "charbonneau-ten-point"),
    (109, "house.off_deuce", "charbonneau-ten-point"),
]
"""Readings, what rests on them, and in which games: in all of these, and in no other."""


@pytest.mark.parametrize(("number", "rule_id", "games"), SAME_GROUND)
def test_the_same_ground_is_marked_alike_in_every_game(number: int, rule_id: str, games: str) -> None:
    section, _, option = rule_id.partition(".")
    found = set()
    for ruleset in LIBRARY:
        sheet = sheet_of(ruleset.id)
        if section == "house":
            is_there = bool(ruleset.sheet.offers.get(option)) and any(
                it.is_reading and number in readings(it.references) for it in sheet.house.offers
            )
        else:
            is_there = any(
                rule.is_reading and number in readings(rule.origin.references)
                for rule in sheet.rules
                if rule_id in (rule.id, *rule.also)
            )
        if is_there:
            found.add(ruleset.id)

    assert found == {*games.split()}


@pytest.mark.parametrize(
    ("ruleset_id", "rule_id"),
    [
        ("nine-card-pitch", "win.defenders_stop_at_one"),  # 002 L152
        ("solo-for-two-or-three", "count.defenders"),  # 003 L53
        ("money-pitch", "count.defenders"),  # 002 L172
        ("hoyle-auction-pitch", "bid.dealer_steal"),  # 024, 025 and 026 each have an answer
    ],
)
def test_what_the_source_says_has_no_dagger(ruleset_id: str, rule_id: str) -> None:
    assert not rule_of(sheet_of(ruleset_id), rule_id).is_reading


def test_a_moon_over_four_goes_over_a_four_of_another_player_as_the_source_says() -> None:
    argument = sheet_of("moon-over-four").arguments[0]

    assert (argument.answer, argument.mark) == ("only over a four from another player", "")


@pytest.mark.parametrize("option", [{"target": 21}, {"target": 11, "game_tie": "nobody"}])
def test_what_the_table_agreed_on_leaves_the_reading_beside_it(option: dict[str, object]) -> None:
    base = LIBRARY["partners-without-bidding"]
    ruleset, _ = with_house(base, option)

    assert rule_of(rule_sheet(ruleset, base), "win.target").is_reading


def test_what_the_table_agreed_on_altogether_is_no_reading() -> None:
    base = LIBRARY["moon-over-four"]
    ruleset, _ = with_house(base, {"all_pass": "redeal"})

    assert not rule_of(rule_sheet(ruleset, base), "bid.all_pass").is_reading


def test_a_rule_of_the_house_is_no_reading() -> None:
    base = LIBRARY["cutthroat-pitch"]
    ruleset, _ = with_house(base, {"win_rule": "first_to_target"})

    rule = rule_of(rule_sheet(ruleset, base), "win.target")

    assert (rule.mark, rule.is_reading, cited(ruleset, "win.target").basis(LIBRARY.readings)) == ("house", False, "")


# ---------- what is said of it ----------


def test_every_reading_has_its_sentence() -> None:
    sentences = {reading.number: reading.says for reading in LIBRARY.readings.values()}

    assert [number for number, says in sentences.items() if not re.fullmatch(r"[A-Z][^`*()]+\.", says)] == []
    assert not [reading.number for reading in LIBRARY.readings.values() if "**" in reading.reason]


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


def test_no_page_says_that_it_is_not_in_the_source() -> None:
    root = FOLDER.parent
    templates = (it for it in (root / "templates").rglob("*.*") if "__pycache__" not in it.parts)
    pages = [*templates, *(root / "scorekeeper").rglob("*.py"), *FOLDER.iterdir()]

    assert [str(path) for path in pages if says_not_in_the_source(path)] == []


def says_not_in_the_source(path: Path) -> bool:
    """Return whether a file has the words of old."""
    return path.is_file() and "not in the source" in path.read_text(encoding="utf-8")
