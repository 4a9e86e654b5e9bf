"""`scorekeeper settle`: what comes of one hand, who has won or why nobody has, and the other readings of it."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.files import read_input
from scorekeeper.commands.refused import Refused, fault_sentence
from scorekeeper.commands.terminal import print_json, print_text
from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.engine.readings import Ruling
from scorekeeper.ledger.json_reader import parse_json
from scorekeeper.narration.endings import goal_words
from scorekeeper.narration.phrases import Names, score_text, signed
from scorekeeper.narration.readings import (
    agreement_sentence,
    bid_sentence,
    came_out_words,
    condition_words,
    ending_rule,
    ending_words,
    money_words,
    reason_words,
    same_in_all_sentence,
    side_rulings,
    undecided_lines,
    undecided_sentence,
    winner_words,
)
from scorekeeper.records.record import RefusedRecord, names_by_hand, read_record
from scorekeeper.records.result import Rulebook, settle_record, write_refusal, write_ruling
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.library import BadRulesets, read_library

SETTLED, REFUSED, UNREADABLE = 0, 2, 1


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("settle", help="settle one hand: who won, why, and what if")
    parser.add_argument(
        "file", metavar="FILE", help="a record with the scores before a hand, and that hand; - is stdin"
    )
    parser.add_argument("--json", action="store_true", help="the result, and that of every other reading, as JSON")


def run(args: Namespace) -> int:
    """Settle a hand; exit status 2 where the record is refused, 1 where it cannot be read at all."""
    try:
        library = read_library(paths.RULESETS)
    except BadRulesets as bad:
        raise Refused(str(bad)) from bad
    try:
        record = read_record(parse_json(read_input(args.file)))
        ruling = settle_record(record, Rulebook(library))
    except RefusedRecord as refused:
        return _refuse(refused, REFUSED, as_json=args.json)
    except OSError as error:
        return _refuse(_unreadable("no_file", f"This file cannot be read: {error.strerror}."), as_json=args.json)
    except ValueError as error:
        return _refuse(_unreadable("not_json", f"This is not JSON: {error}."), as_json=args.json)
    if args.json:
        print_json(write_ruling(ruling, stopped=record.stopped))
    else:
        *_, names = names_by_hand(ruling.state)
        paragraphs = _paragraphs(ruling, names, stopped=record.stopped)
        print_text("\n\n".join("\n".join(filter(None, lines)) for lines in paragraphs))
    return SETTLED


def _unreadable(code: str, message: str) -> RefusedRecord:
    return RefusedRecord([HandFault(None, Fault("", code, message))])


def _refuse(refused: RefusedRecord, status: int = UNREADABLE, *, as_json: bool) -> int:
    if as_json:
        print_json({"result": write_refusal(refused), "readings": []})
    else:
        print_text("\n".join(f"scorekeeper settle: {fault_sentence(item)}" for item in refused.faults), sys.stderr)
    return status


def _paragraphs(ruling: Ruling, names: Names, *, stopped: bool) -> Iterator[list[str]]:
    ruleset, state = ruling.before.ruleset, ruling.state
    yield [f"{ruleset.name}, {goal_words(ruleset)}"]
    if ruling.undecided:
        yield [
            undecided_sentence(ruling),
            *(f"  {condition}: {_within(said)}." for condition, said in undecided_lines(ruling, names)),
        ]
    yield [bid_sentence(ruling, names), *_scores(ruling, names), money_words(ruling, names)]
    ending = "" if ruling.undecided else f"{ending_words(state, names, stopped=stopped)}."
    rule = ending_rule(state)
    yield [ending, reason_words(state, names, stopped=stopped), f"The rule: {rule}" if rule else ""]
    if ruling.result.status in ("scored", "thrown_in"):
        yield _readings(ruling, names)


def _within(said: str) -> str:
    """Return what is said as a part of a line, which has its own stop."""
    return said.removesuffix(".")


def _scores(ruling: Ruling, names: Names) -> Iterator[str]:
    """Yield every side's score before and after the hand, with what it scored and for what."""
    for side in side_rulings(ruling):
        change = f" {signed(side.after - side.before)} = {score_text(side.after)}" if side.after != side.before else ""
        yield f"  {names[side.side]}: {score_text(side.before)}{change}"
        for line in side.lines:
            yield f"    {signed(line.points)}  {line.text}"


def _readings(ruling: Ruling, names: Names) -> list[str]:
    lines = ["Under other readings"]
    for reading in ruling.others:
        came_out = _within(came_out_words(ruling, reading, names))
        lines.append(f"  {condition_words(reading)}: {came_out}; {winner_words(ruling, reading, names)}.")
    if ruling.is_same_in_all:
        lines.append(f"  {same_in_all_sentence(ruling)}")
    lines.append(agreement_sentence(ruling))
    return [line for line in lines if line]
