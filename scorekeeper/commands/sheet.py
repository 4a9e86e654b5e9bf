"""`scorekeeper sheet`: rules as PDF, as a sheet, in large print, as pocket cards or as blank pads."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.pdf import add_print_options, write_pdf
from scorekeeper.commands.refused import Refused
from scorekeeper.commands.rules import read_file
from scorekeeper.config import BadSetting, read_settings
from scorekeeper.rules.library import BadRulesets, read_library
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import value_of
from scorekeeper.rules.schema import Ruleset

KINDS = ("rules", "large", "pocket", "pad")
"""What is printed from rules; repeated here so that describing the command imports nothing."""


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("sheet", help="write a rule sheet, pocket cards or blank pads as PDF")
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's id, or a file of house rules (OURS.toml)")
    parser.add_argument("--kind", choices=KINDS, default="rules", help="what to print")
    parser.add_argument("--size", help="of pocket cards: four or alone; of pads: two or four to a page")
    parser.add_argument(
        "--house", action="append", default=[], type=_house, metavar="OPTION=VALUE", help="a house rule"
    )
    add_print_options(parser)


def _house(text: str) -> tuple[str, object]:
    name, equals, word = text.partition("=")
    if not (name and equals and word):
        raise ArgumentTypeError(f"{text!r} is not OPTION=VALUE")
    return name, value_of(word)


def run(args: Namespace) -> int:
    """Write the sheet; raises `Refused` where it cannot be."""
    from scorekeeper.printing.kinds import KINDS, Rules, draft_sheet
    from scorekeeper.printing.print_options import PrintOptions

    kind = KINDS[args.kind]
    size = args.size or next(iter(kind.sizes))
    if size not in kind.sizes:
        raise Refused(f"{kind.name} come in {', '.join(kind.sizes)}, and not in {size!r}.")
    try:
        ruleset, base = _rules(args.ruleset, dict(args.house))
        rules = Rules(ruleset, base, _rules_url(read_settings().public_url))
    except (BadRulesets, BadSetting) as bad:
        raise Refused(str(bad)) from bad
    except OSError as error:
        raise Refused(f"{args.ruleset} cannot be read: {error.strerror}.") from error
    write_pdf(draft_sheet(kind, rules, PrintOptions(args.paper, args.ink, size)), args.output)
    return 0


def _rules_url(public_url: str) -> str:
    """Return the page that reads a code, where this installation has an address; else only the code is printed."""
    return f"{public_url}/rules" if public_url else ""


def _rules(named: str, house: dict[str, object]) -> tuple[Ruleset, Ruleset]:
    """Return the rules of a variant or of a file, with more house rules, and the variant itself."""
    library = read_library(paths.RULESETS)
    ours = read_file(Path(named), library) if named.endswith(".toml") else None
    variant = ours.variant if ours else named
    if variant not in library:
        raise Refused(f"There is no ruleset {variant!r}. There is: {', '.join(sorted(library.rulesets))}.")
    base = library[variant]
    ruleset, faults = with_house(base, {**(ours.options if ours else {}), **house})
    if faults:
        raise Refused("\n".join(f"{fault.field}: {fault.message}" for fault in faults))
    return ours.put_name_on(ruleset, base) if ours else ruleset, base
