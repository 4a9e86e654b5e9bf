"""`scorekeeper rulesets`: check the files, show a ruleset in full, trace its sheet, describe every key."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_json, print_text
from scorekeeper.rules.library import Library, inspect, read_library
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import value_of
from scorekeeper.rules.rulesets_readme import rulesets_readme
from scorekeeper.rules.schema import Ruleset

DONE, FAULTY = 0, 1


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("rulesets", help="check or show the rulesets")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="list every error in every file; exit status 1 where there is one")
    show = actions.add_parser("show", help="list the rulesets, or show one with every answer filled in")
    show.add_argument("ruleset", nargs="?", metavar="RULESET")
    trace = actions.add_parser(
        "trace", help="print a rule sheet with where every rule comes from; exit status 1 where one comes from nowhere"
    )
    trace.add_argument("ruleset", metavar="RULESET")
    trace.add_argument(
        "--house", action="append", default=[], metavar="OPTION=ANSWER", help="a house rule; may be given several times"
    )
    actions.add_parser("schema", help="describe every key of a ruleset's file, as rulesets/README.md does")
    for action in (check, show, trace):
        action.add_argument("--folder", type=Path, default=paths.RULESETS, help="where the files are")


def run(args: Namespace) -> int:
    """Check, show, trace or describe; exit status 1 where there is a fault.

    Raises `Refused` for a ruleset there is not, and for house rules that are none.
    """
    if args.action == "schema":
        print_text(rulesets_readme(), end="")
        return DONE
    if args.action == "check":
        return _check(args.folder)
    if faults := inspect(args.folder)[1]:
        print_text("\n".join(map(str, faults)), sys.stderr)
        return FAULTY
    library = read_library(args.folder)
    return _trace(library, args.ruleset, args.house) if args.action == "trace" else _show(library, args.ruleset)


def _check(folder: Path) -> int:
    rulesets, faults = inspect(folder)
    for fault in faults:
        print_text(str(fault))
    if faults:
        return FAULTY
    print_text(f"{sum(not ruleset.abstract for ruleset in rulesets)} rulesets, no errors.")
    return DONE


def _show(library: Library, ruleset_id: str | None) -> int:
    if ruleset_id is None:
        widest = max(map(len, library.rulesets), default=0)
        for ruleset in library:
            print_text(f"{ruleset.id:{widest}}  {ruleset.name}: {ruleset.summary}")
        return DONE
    ruleset = _found(library, ruleset_id)
    print_json(ruleset.model_dump(mode="json"), indent=2)
    return DONE


def _trace(library: Library, ruleset_id: str, house: list[str]) -> int:
    from scorekeeper.sheets.rule_sheet import rule_sheet
    from scorekeeper.sheets.sheet_text import sheet_text, untraced

    base = _found(library, ruleset_id)
    answers = (answer.partition("=") for answer in house)
    ruleset, faults = with_house(base, {option: value_of(word) for option, _, word in answers})
    if faults:
        raise Refused("\n".join(f"{fault.field}: {fault.message}" for fault in faults))
    sheet = rule_sheet(ruleset, base)
    print_text(sheet_text(sheet, ruleset, library.readings), end="")
    nowhere = untraced(sheet)
    if nowhere:
        print_text(f"These rules come from nowhere: {', '.join(nowhere)}.", sys.stderr)
    return FAULTY if nowhere else DONE


def _found(library: Library, ruleset_id: str) -> Ruleset:
    if ruleset_id not in library:
        raise Refused(f"there is no ruleset {ruleset_id!r}.")
    return library[ruleset_id]
