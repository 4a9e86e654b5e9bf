"""Rules: `scorekeeper rules` for house rules as a code and a file, `rulesets` for ours, `sheet` for both on paper."""

import sys
from argparse import ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.files import add_print_options, faulty, library_in, unread, write_pdf
from scorekeeper.commands.terminal import (
    CommandRefused,
    add_command,
    add_group,
    add_paging,
    complain,
    print_json,
    print_older,
    print_text,
    refusing,
)
from scorekeeper.config import BadSetting, read_settings
from scorekeeper.pitch.rules.codes import BadCode, decode, encode
from scorekeeper.pitch.rules.faults import BadRulesets, Fault
from scorekeeper.pitch.rules.house_rules import (
    LARGEST_FILE,
    HouseRules,
    house_rules_as_data,
    read_house_rules,
    resolve,
    simplified,
    with_house,
    write_house_rules,
)
from scorekeeper.pitch.rules.library import Library, inspect
from scorekeeper.pitch.rules.questions import value_of
from scorekeeper.pitch.rules.schema import Ruleset

KINDS = ("rules", "large", "pocket", "pad")
"""What is printed from rules; repeated here so that describing the command imports nothing."""
DONE, FAULTY = 0, 1


def _add_rules(commands: Any) -> None:
    parser = add_group(commands, "rules", "read and write house rules")
    actions = parser.add_subparsers(dest="action", metavar="WHAT", required=True)
    reading = add_command(actions, "decode", _decode, "write the rules of a share code as a file")
    reading.add_argument("code", metavar="CODE", help="as printed on the sheet, or the whole link; - is standard input")
    reading.add_argument("--json", action="store_true", help="as JSON instead of TOML")
    writing = add_command(actions, "encode", _encode, "write the share code of a file of house rules")
    writing.add_argument("file", metavar="HOUSE.toml", type=Path, help="a file of house rules")
    listing = add_command(actions, "list", _list, "list the house rules that are kept here, with their links")
    add_paging(listing)


@refusing(BadCode)
def _decode(args: Namespace) -> int:
    """Write the rules of a share code as a file."""
    # A code may be longer than what is ever read of it.
    text = sys.stdin.read(LARGEST_FILE) if args.code == "-" else args.code
    house = decode(text)
    _refuse_faulty(resolve(house, library_in())[1])
    if args.json:
        print_json(house_rules_as_data(house))
    else:
        print_text(write_house_rules(house), end="")
    return DONE


@refusing(BadCode)
def _encode(args: Namespace) -> int:
    """Write the share code of a file of house rules."""
    try:
        library = library_in()
        code = encode(simplified(_house_in(args.file, library), library))
    except OSError as error:
        raise unread(args.file, error) from error
    print_text(code)
    return DONE


def _house_in(file: Path, library: Library) -> HouseRules:
    """Read house rules from a file; raises `CommandRefused` and `OSError`."""
    with file.open("rb") as opened:
        content = opened.read(LARGEST_FILE + 1)
    try:
        return read_house_rules(content, library, file.name)
    except BadRulesets as bad:
        raise faulty(f"{file} has an error", bad.faults) from bad


def _refuse_faulty(faults: list[Fault]) -> None:
    if faults:
        raise faulty("These rules cannot be used", (f"{fault.field}: {fault.message}" for fault in faults))


def _list(args: Namespace) -> int:
    """List the house rules that are kept here."""
    from scorekeeper.commands.database import address, opened
    from scorekeeper.matches.house_rules.service import latest_houses

    with opened() as (app, session):
        houses, older = latest_houses(session, args.limit, args.before)
        for house in houses:
            rules = house.last.rules
            archived = " (archived)" if house.last.is_retired else ""
            print_text(f"{house.last.at.date()}  {rules.name}, from {rules.variant}{archived}")
            print_text(f"  {address(app)}/house/{house.code}")
        if not houses:
            print_text("There are no house rules here.")
        print_older("rules list", older, args.limit)
    return DONE


def _add_rulesets(commands: Any) -> None:
    parser = add_group(commands, "rulesets", "check or show the rulesets")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = add_command(actions, "check", _check, "list every error in every file; exit status 1 where there is one")
    show = add_command(actions, "show", _show, "list the rulesets, or show one with every answer filled in")
    show.add_argument("ruleset", nargs="?", metavar="RULESET", help="a ruleset's id; all of them by default")
    trace = add_command(
        actions,
        "trace",
        _trace,
        "print a rule sheet with where every rule comes from; exit status 1 where one comes from nowhere",
    )
    trace.add_argument("ruleset", metavar="RULESET", help="a ruleset's id")
    trace.add_argument(
        "--house",
        action="append",
        default=[],
        type=_house,
        metavar="OPTION=ANSWER",
        help="a house rule; may be given several times",
    )
    for action in (check, show, trace):
        action.add_argument("--folder", type=Path, default=paths.RULESETS, help="where the files are")


def _check(args: Namespace) -> int:
    """List every error in every file."""
    try:
        rulesets, faults = inspect(args.folder)
    except OSError as error:
        raise unread(args.folder, error) from error
    for fault in faults:
        print_text(str(fault))
    if faults:
        return FAULTY
    print_text(f"{sum(not ruleset.abstract for ruleset in rulesets)} rulesets, no errors.")
    return DONE


def _show(args: Namespace) -> int:
    """List the rulesets, or show one in full."""
    library = library_in(args.folder)
    if args.ruleset is None:
        widest = max(map(len, library.rulesets), default=0)
        for ruleset in library:
            print_text(f"{ruleset.id:{widest}}  {ruleset.name}: {ruleset.summary}")
        for rules in library.houses:
            print_text(f"{rules.variant:{widest}}  {rules.name}: house rules")
        return DONE
    print_json(_ruleset_named(library, args.ruleset).model_dump(mode="json"), indent=2)
    return DONE


def _trace(args: Namespace) -> int:
    """Print a rule sheet with where every rule comes from."""
    from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
    from scorekeeper.printing.sheet_text import sheet_text, untraced

    library = library_in(args.folder)
    base = _ruleset_named(library, args.ruleset)
    ruleset, faults = with_house(base, dict(args.house))
    _refuse_faulty(faults)
    sheet = rule_sheet(ruleset, base)
    print_text(sheet_text(sheet, ruleset, library.readings), end="")
    nowhere = untraced(sheet)
    if nowhere:
        complain(args, f"These rules come from nowhere: {', '.join(nowhere)}. Say in [sheet] where each comes from.")
    return FAULTY if nowhere else DONE


def _ruleset_named(library: Library, ruleset_id: str) -> Ruleset:
    if ruleset_id not in library:
        raise CommandRefused(f"There is no ruleset {ruleset_id!r}. Choose one that scorekeeper rulesets show lists.")
    return library[ruleset_id]


def _add_sheet(commands: Any) -> None:
    parser = add_command(commands, "sheet", _print_sheet, "write a rule sheet, pocket cards or blank pads as PDF")
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's id, or a file of house rules (OURS.toml)")
    parser.add_argument("--kind", choices=KINDS, default="rules", help="what to print")
    sizes = "of the rules: ordinary or large; of pocket cards: four or alone; of pads: two or four to a page"
    parser.add_argument("--size", help=sizes)
    parser.add_argument(
        "--house", action="append", default=[], type=_house, metavar="OPTION=VALUE", help="a house rule"
    )
    add_print_options(parser)


def _house(text: str) -> tuple[str, object]:
    name, equals, word = text.partition("=")
    if not (name and equals and word):
        raise ArgumentTypeError(f"{text!r} is not OPTION=VALUE")
    return name, value_of(word)


@refusing(BadSetting)
def _print_sheet(args: Namespace) -> int:
    """Write a rule sheet, pocket cards or pads."""
    from scorekeeper.printing.kinds import KINDS, draft_sheet, kind_and_size
    from scorekeeper.printing.print_options import PrintOptions
    from scorekeeper.printing.rules_link import Rules

    kind_id, size = kind_and_size(args.kind, args.size)
    kind = KINDS[kind_id]
    size = size or next(iter(kind.sizes))
    if size not in kind.sizes:
        raise CommandRefused(f"{kind.name} do not come in {size!r}. Give --size {' or '.join(kind.sizes)}.")
    try:
        ruleset, base = _rules(args.ruleset, dict(args.house))
        # Without an address of this installation only the code is printed.
        public_url = read_settings().public_url
        rules = Rules(ruleset, base, f"{public_url}/rules" if public_url else "")
    except OSError as error:
        raise unread(args.ruleset, error) from error
    write_pdf(draft_sheet(kind, rules, PrintOptions(args.paper, args.ink, size)), args.output)
    return DONE


def _rules(named: str, house: dict[str, object]) -> tuple[Ruleset, Ruleset]:
    """Return the rules of a variant or of a file, with more house rules, and the variant itself."""
    library = library_in()
    ours = _house_in(Path(named), library) if named.endswith(".toml") else None
    variant = ours.variant if ours else named
    base = _ruleset_named(library, variant)
    ruleset, faults = with_house(base, {**(ours.options if ours else {}), **house})
    _refuse_faulty(faults)
    return ours.put_name_on(ruleset, base) if ours else ruleset, base


PARSERS = {"rules": _add_rules, "rulesets": _add_rulesets, "sheet": _add_sheet}
