"""`scorekeeper sheet`: a rule sheet as PDF."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.rules import read_file
from scorekeeper.rules.library import BadRulesets, read_library
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import value_of
from scorekeeper.rules.schema import Ruleset

DONE, REFUSED = 0, 1


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser: ArgumentParser = commands.add_parser("sheet", help="write a rule sheet as PDF")
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's id, or a file of house rules (OURS.toml)")
    parser.add_argument("--kind", choices=["rules"], default="rules", help="what to print")
    parser.add_argument("--paper", choices=["a4", "letter"], default="a4")
    parser.add_argument(
        "--house", action="append", default=[], type=_house, metavar="OPTION=VALUE", help="a house rule"
    )
    parser.add_argument(
        "-o", "--output", required=True, type=Path, metavar="FILE", help="where to write; - is standard output"
    )


def _house(text: str) -> tuple[str, object]:
    name, equals, word = text.partition("=")
    if not (name and equals and word):
        raise ArgumentTypeError(f"{text!r} is not OPTION=VALUE")
    return name, value_of(word)


def run(args: Namespace) -> int:
    """Write the sheet; 1 where it cannot be, saying why."""
    from scorekeeper.printing.press import PrintingUnavailable
    from scorekeeper.printing.sheets import print_sheet, tell

    try:
        ruleset, base = _rules(args.ruleset, dict(args.house))
    except (BadRulesets, _NoRules) as bad:
        return _refuse(str(bad))
    except OSError as error:
        return _refuse(f"{args.ruleset} cannot be read: {error.strerror}.")
    try:
        content = print_sheet(tell(ruleset, base), args.paper)
        _write(args.output, content)
    except PrintingUnavailable as unavailable:
        return _refuse(str(unavailable))
    except OSError as error:
        return _refuse(f"{args.output} cannot be written: {error.strerror}.")
    return DONE


class _NoRules(Exception):
    pass


def _rules(named: str, house: dict[str, object]) -> tuple[Ruleset, Ruleset]:
    """Give the rules of a variant or of a file, with more house rules laid over them, and the variant itself."""
    library = read_library(paths.RULESETS)
    ours = read_file(Path(named), library) if named.endswith(".toml") else None
    variant = ours.variant if ours else named
    if variant not in library:
        raise _NoRules(f"There is no ruleset {variant!r}. There is: {', '.join(sorted(library.rulesets))}.")
    base = library[variant]
    ruleset, faults = with_house(base, {**(ours.options if ours else {}), **house})
    if faults:
        raise _NoRules("\n".join(f"{fault.field}: {fault.message}" for fault in faults))
    return ours.dressed(ruleset, base) if ours else ruleset, base


def _write(output: Path, content: bytes) -> None:
    if str(output) == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        output.write_bytes(content)


def _refuse(why: str) -> int:
    print(f"scorekeeper sheet: {why}", file=sys.stderr)
    return REFUSED
