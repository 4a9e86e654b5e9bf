"""`scorekeeper sheet`: rules as PDF, as a sheet, in large print, as pocket cards or as blank pads."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.files import write_output
from scorekeeper.commands.rules import read_file
from scorekeeper.config import BadSetting, read_settings
from scorekeeper.rules.library import BadRulesets, read_library
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import value_of
from scorekeeper.rules.schema import Ruleset

DONE, REFUSED = 0, 1
KINDS = ("rules", "large", "pocket", "pad")
"""What is printed from rules; repeated here so that describing the command imports nothing."""


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("sheet", help="write a rule sheet, pocket cards or blank pads as PDF")
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's id, or a file of house rules (OURS.toml)")
    parser.add_argument("--kind", choices=KINDS, default="rules", help="what to print")
    parser.add_argument("--paper", choices=["a4", "letter"], default="a4")
    parser.add_argument("--ink", choices=["colour", "black"], default="colour", help="black: without any colour")
    parser.add_argument("--size", help="of pocket cards: four or alone; of pads: two or four to a page")
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
    """Write the sheet; exit status 1 where it cannot be, with the reason."""
    from scorekeeper.printing.fitting import print_draft
    from scorekeeper.printing.kinds import KINDS, Rules, draft_sheet
    from scorekeeper.printing.layout import PrintingUnavailable
    from scorekeeper.printing.print_options import PrintOptions

    kind = KINDS[args.kind]
    size = args.size or next(iter(kind.sizes))
    if size not in kind.sizes:
        return _refuse(f"{kind.name} come in {', '.join(kind.sizes)}, and not in {size!r}.")
    try:
        ruleset, base = _rules(args.ruleset, dict(args.house))
    except (BadRulesets, _NoRules) as bad:
        return _refuse(str(bad))
    except OSError as error:
        return _refuse(f"{args.ruleset} cannot be read: {error.strerror}.")
    try:
        rules = Rules(ruleset, base, _rules_url(read_settings().public_url))
        draft = draft_sheet(kind, rules, PrintOptions(args.paper, args.ink, size))
        write_output(args.output, print_draft(draft).content)
    except (BadSetting, PrintingUnavailable) as cannot:
        return _refuse(str(cannot))
    except OSError as error:
        return _refuse(f"{args.output} cannot be written: {error.strerror}.")
    return DONE


def _rules_url(public_url: str) -> str:
    """Return the page that reads a code, where this installation has an address; else only the code is printed."""
    return f"{public_url}/rules" if public_url else ""


class _NoRules(Exception):
    pass


def _rules(named: str, house: dict[str, object]) -> tuple[Ruleset, Ruleset]:
    """Return the rules of a variant or of a file, with more house rules, and the variant itself."""
    library = read_library(paths.RULESETS)
    ours = read_file(Path(named), library) if named.endswith(".toml") else None
    variant = ours.variant if ours else named
    if variant not in library:
        raise _NoRules(f"There is no ruleset {variant!r}. There is: {', '.join(sorted(library.rulesets))}.")
    base = library[variant]
    ruleset, faults = with_house(base, {**(ours.options if ours else {}), **house})
    if faults:
        raise _NoRules("\n".join(f"{fault.field}: {fault.message}" for fault in faults))
    return ours.put_name_on(ruleset, base) if ours else ruleset, base


def _refuse(why: str) -> int:
    print(f"scorekeeper sheet: {why}", file=sys.stderr)
    return REFUSED
