"""`scorekeeper rulesets`: check the files, show a ruleset in full, describe every key."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.refused import Refused
from scorekeeper.rules.library import inspect, read_library
from scorekeeper.rules.rulesets_readme import rulesets_readme

DONE, FAULTY = 0, 1


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("rulesets", help="check or show the rulesets")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="list every error in every file; exit status 1 where there is one")
    show = actions.add_parser("show", help="list the rulesets, or show one with every answer filled in")
    show.add_argument("ruleset", nargs="?", metavar="RULESET")
    actions.add_parser("schema", help="describe every key of a ruleset's file, as rulesets/README.md does")
    for action in (check, show):
        action.add_argument("--folder", type=Path, default=paths.RULESETS, help="where the files are")


def run(args: Namespace) -> int:
    """Check, show or describe; exit status 1 where there is a fault; raises `Refused` for a ruleset there is not."""
    if args.action == "schema":
        print(rulesets_readme(), end="")
        return DONE
    return _check(args.folder) if args.action == "check" else _show(args.folder, args.ruleset)


def _check(folder: Path) -> int:
    rulesets, faults = inspect(folder)
    for fault in faults:
        print(fault)
    if faults:
        return FAULTY
    print(f"{sum(not ruleset.abstract for ruleset in rulesets)} rulesets, no errors.")
    return DONE


def _show(folder: Path, ruleset_id: str | None) -> int:
    if faults := inspect(folder)[1]:
        print("\n".join(map(str, faults)), file=sys.stderr)
        return FAULTY
    library = read_library(folder)
    if ruleset_id is None:
        widest = max(map(len, library.rulesets), default=0)
        for ruleset in library:
            print(f"{ruleset.id:{widest}}  {ruleset.name}: {ruleset.summary}")
        return DONE
    if ruleset_id not in library:
        raise Refused(f"there is no ruleset {ruleset_id!r}.")
    print(json.dumps(library[ruleset_id].model_dump(mode="json"), indent=2, ensure_ascii=False))
    return DONE
