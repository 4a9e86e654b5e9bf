"""Commands for rules: `rules` for house rules, `rulesets` for a folder of rulesets, and `sheet` for paper."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorekeeper import paths
from scorekeeper.commands.files import (
    faulty_input_error,
    ink_option,
    load_library,
    paper_option,
    required_output_option,
    unreadable_file_error,
    write_pdf,
)
from scorekeeper.commands.registry import LazyGroup
from scorekeeper.commands.terminal import (
    CommandRefused,
    before_option,
    convert_to_refusal,
    limit_option,
    print_json,
    print_list_end,
    print_problem,
    print_text,
)
from scorekeeper.config import read_settings
from scorekeeper.pitch.rules.faults import BadRulesets, Fault
from scorekeeper.pitch.rules.house_rules import (
    MAX_HOUSE_FILE_BYTES,
    HouseRules,
    house_rules_as_dict,
    house_rules_as_toml,
    read_house_rules,
    resolve_house_rules,
    simplify_house_rules,
    with_house,
)
from scorekeeper.pitch.rules.library import Library, validate_folder
from scorekeeper.pitch.rules.questions import parse_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, decode, encode

if TYPE_CHECKING:
    from scorekeeper.printing.print_options import Ink, Paper

SHEET_KIND_IDS = ("rules", "large", "pocket", "pad")
"""The kinds of sheets of rules. They are repeated here, so that the command's help imports nothing.

"large" is an obsolete one, which now is a size of "rules".
"""


rules = LazyGroup("rules", help="Read and write house rules.", no_args_is_help=False)
rulesets = LazyGroup("rulesets", help="Check or show the rulesets.", no_args_is_help=False)


@click.command()
@click.argument("code", help="as printed on the sheet, or the whole link; - is standard input")
@click.option("--json", "as_json", is_flag=True, help="as JSON instead of TOML")
@convert_to_refusal(BadCode)
def decode_command(code: str, as_json: bool) -> None:
    """Write the rules of a share code as a file."""
    # Standard input may be longer than any code.
    house_rules = decode(sys.stdin.read(MAX_HOUSE_FILE_BYTES) if code == "-" else code)
    _refuse_faults(resolve_house_rules(house_rules, load_library())[1])
    if as_json:
        print_json(house_rules_as_dict(house_rules))
    else:
        print_text(house_rules_as_toml(house_rules), end="")


@click.command()
@click.argument("file", metavar="HOUSE.toml", type=Path, help="a file of house rules")
@convert_to_refusal(BadCode)
def encode_command(file: Path) -> None:
    """Write the share code of a file of house rules."""
    try:
        library = load_library()
        code = encode(simplify_house_rules(_read_house_file(file, library), library))
    except OSError as error:
        raise unreadable_file_error(file, error) from error
    print_text(code)


def _read_house_file(file: Path, library: Library) -> HouseRules:
    """Return the house rules in a file. Raises `CommandRefused` if they have errors, and `OSError`."""
    with file.open("rb") as opened_file:
        content = opened_file.read(MAX_HOUSE_FILE_BYTES + 1)
    try:
        return read_house_rules(content, library, file.name)
    except BadRulesets as error:
        raise faulty_input_error(f"{file} has an error", error.faults) from error


def _refuse_faults(faults: list[Fault]) -> None:
    """Raise `CommandRefused` if rules have faults; its message lists them."""
    if faults:
        raise faulty_input_error("These rules cannot be used", (f"{fault.field}: {fault.message}" for fault in faults))


@click.command()
@limit_option
@before_option
def list_command(limit: int, before: int) -> None:
    """List the saved house rules, with their links."""
    from scorekeeper.commands.database import open_database, server_url
    from scorekeeper.matches.house_rules import latest_house_rules

    with open_database() as (app, session):
        found_rules, next_before = latest_house_rules(session, limit, before)
        for stored_rules in found_rules:
            house_rules = stored_rules.last.rules
            archived_mark = " (archived)" if stored_rules.last.is_retired else ""
            print_text(f"{stored_rules.last.at.date()}  {house_rules.name}, from {house_rules.variant}{archived_mark}")
            print_text(f"  {server_url(app)}/house/{stored_rules.code}")
        print_list_end(
            "house rules", before, next_before, limit, command="rules list", items=found_rules, shown_items=found_rules
        )


def _parse_house_option(text: str) -> tuple[str, object]:
    """Return the option and the answer in a text: ("target", 15) for "target=15". Raises `ValueError`."""
    option, equals_sign, answer_word = text.partition("=")
    if not (option and equals_sign and answer_word):
        raise ValueError(f"{text!r} is not OPTION=VALUE")
    return option, parse_word(answer_word)


_folder_option = click.option("--folder", type=Path, default=paths.RULESETS, help="where the files are")


@click.command()
@_folder_option
def check(folder: Path) -> bool:
    """List the errors of all files; exit status 1 if there are any."""
    try:
        found_rulesets, faults = validate_folder(folder)
    except OSError as error:
        raise unreadable_file_error(folder, error) from error
    for fault in faults:
        print_text(str(fault))
    if not faults:
        print_text(f"{sum(not ruleset.abstract for ruleset in found_rulesets)} rulesets, no errors.")
    return bool(faults)


@click.command()
@click.argument("ruleset", required=False, help="a ruleset's id; all of them by default")
@_folder_option
def show(ruleset: str | None, folder: Path) -> None:
    """List the rulesets, or show one with every answer filled in."""
    library = load_library(folder)
    if ruleset is not None:
        print_json(_find_ruleset(library, ruleset).model_dump(mode="json"), indent=2)
        return
    id_width = max(map(len, library.rulesets), default=0)
    for listed_ruleset in library:
        print_text(f"{listed_ruleset.id:{id_width}}  {listed_ruleset.name}: {listed_ruleset.summary}")
    for house_rules in library.house_rules:
        print_text(f"{house_rules.variant:{id_width}}  {house_rules.name}: house rules")


@click.command()
@click.argument("ruleset", help="a ruleset's id")
@click.option(
    "--house",
    multiple=True,
    type=_parse_house_option,
    metavar="OPTION=ANSWER",
    help="a house rule; may be given several times",
)
@_folder_option
def trace(ruleset: str, house: tuple[tuple[str, object], ...], folder: Path) -> bool:
    """Print a rule sheet with the source of each rule; exit status 1 if a rule has none."""
    from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
    from scorekeeper.printing.rule_sheets import rules_without_origin, sheet_text

    library = load_library(folder)
    base = _find_ruleset(library, ruleset)
    resolved, faults = with_house(base, dict(house))
    _refuse_faults(faults)
    traced_sheet = rule_sheet(resolved, base)
    print_text(sheet_text(traced_sheet, resolved, library.interpretations), end="")
    without_origin = rules_without_origin(traced_sheet)
    if without_origin:
        print_problem(
            f"These rules come from nowhere: {', '.join(without_origin)}. Say in [sheet] where each comes from."
        )
    return bool(without_origin)


def _find_ruleset(library: Library, ruleset_id: str) -> Ruleset:
    """Return the ruleset with this id; raises `CommandRefused` if there is none."""
    if ruleset_id not in library:
        raise CommandRefused(f"There is no ruleset {ruleset_id!r}. Choose one that scorekeeper rulesets show lists.")
    return library[ruleset_id]


@click.command()
@click.argument("ruleset", help="a ruleset's id, or a file of house rules (OURS.toml)")
@click.option("--kind", type=click.Choice(SHEET_KIND_IDS), default="rules", help="what to print")
@click.option(
    "--size", help="of the rules: ordinary or large; of pocket cards: four or alone; of pads: two or four to a page"
)
@click.option("--house", multiple=True, type=_parse_house_option, metavar="OPTION=VALUE", help="a house rule")
@paper_option
@ink_option
@required_output_option
def sheet(
    ruleset: str,
    kind: str,
    size: str | None,
    house: tuple[tuple[str, object], ...],
    paper: "Paper",
    ink: "Ink",
    output: Path,
) -> None:
    """Write a rule sheet, pocket cards or blank pads as PDF."""
    from scorekeeper.printing.kinds import SHEET_KINDS, current_kind_and_size, draft_sheet
    from scorekeeper.printing.print_options import PrintOptions
    from scorekeeper.printing.rules_link import PrintableRules

    kind_id, size_name = current_kind_and_size(kind, size or "")
    sheet_kind = SHEET_KINDS[kind_id]
    size_name = size_name or next(iter(sheet_kind.sizes))
    if size_name not in sheet_kind.sizes:
        raise CommandRefused(
            f"{sheet_kind.name} do not come in {size_name!r}. Give --size {' or '.join(sheet_kind.sizes)}."
        )
    try:
        resolved, base = _resolve_rules(ruleset, dict(house))
        # Without an address of this installation only the code is printed.
        public_url = read_settings().public_url
        printable = PrintableRules(resolved, base, f"{public_url}/rules" if public_url else "")
    except OSError as error:
        raise unreadable_file_error(ruleset, error) from error
    write_pdf(draft_sheet(sheet_kind, printable, PrintOptions(paper, ink, size_name)), output)


def _resolve_rules(variant_or_file: str, house: dict[str, object]) -> tuple[Ruleset, Ruleset]:
    """Return the rules of a variant or a file, with the answers in `house`, and the variant's own rules.

    A name that ends in ".toml" is that of a file of house rules. Raises `CommandRefused`, and `OSError` if the file
    cannot be read.
    """
    library = load_library()
    house_rules = _read_house_file(Path(variant_or_file), library) if variant_or_file.endswith(".toml") else None
    variant = house_rules.variant if house_rules else variant_or_file
    base = _find_ruleset(library, variant)
    ruleset, faults = with_house(base, {**(house_rules.options if house_rules else {}), **house})
    _refuse_faults(faults)
    return house_rules.with_name_and_notes(ruleset, base) if house_rules else ruleset, base
