"""`scorekeeper rules`: house rules as a code, as a file, and where they are kept."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.paging import add_paging, print_older
from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_json, print_text
from scorekeeper.rules.house_rules import HouseRules, resolve, simplified
from scorekeeper.rules.house_rules_file import LARGEST_FILE, house_rules_as_data, read_house_rules, write_house_rules
from scorekeeper.rules.library import BadRulesets, Library, read_library
from scorekeeper.rules.share_code import BadCode, decode, encode


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("rules", help="read and write house rules")
    does = parser.add_subparsers(dest="does", metavar="WHAT", required=True)
    reading = does.add_parser("decode", help="write the rules of a share code as a file")
    reading.add_argument("code", metavar="CODE", help="as printed on the sheet, or the whole link; - is standard input")
    reading.add_argument("--json", action="store_true", help="as JSON instead of TOML")
    writing = does.add_parser("encode", help="write the share code of a file of house rules")
    writing.add_argument("file", metavar="HOUSE.toml", type=Path)
    add_paging(does.add_parser("list", help="list the house rules that are kept here, with their links"))


def run(args: Namespace) -> int:
    """Run it; raises `Refused` where it cannot be done."""
    try:
        {"decode": _decode, "encode": _encode, "list": _list}[args.does](args)
    except (BadCode, BadRulesets) as bad:
        raise Refused(str(bad)) from bad
    return 0


def _decode(args: Namespace) -> None:
    # A code may be longer than what is ever read of it.
    text = sys.stdin.read(LARGEST_FILE) if args.code == "-" else args.code
    house = decode(text)
    faults = resolve(house, _library())[1]
    if faults:
        raise Refused("\n".join(f"{fault.field}: {fault.message}" for fault in faults))
    if args.json:
        print_json(house_rules_as_data(house))
    else:
        print_text(write_house_rules(house), end="")


def _encode(args: Namespace) -> None:
    library = _library()
    try:
        house = read_file(args.file, library)
    except OSError as error:
        raise Refused(f"{args.file} cannot be read: {error.strerror}.") from error
    print_text(encode(simplified(house, library)))


def read_file(file: Path, library: Library) -> HouseRules:
    """Read house rules from a file; raises `BadRulesets` and `OSError`."""
    with file.open("rb") as opened:
        return read_house_rules(opened.read(LARGEST_FILE + 1), library, file.name)


def _list(args: Namespace) -> None:
    from scorekeeper.commands.database import opened
    from scorekeeper.services.house_rules import latest_houses
    from scorekeeper.serving.network import base_url

    with opened() as (app, session):
        base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
        houses, older = latest_houses(session, args.limit, args.before)
        for house in houses:
            rules = house.last.rules
            retired = " (archived)" if house.last.is_retired else ""
            print_text(f"{house.last.at.date()}  {rules.name}, from {rules.variant}{retired}")
            print_text(f"  {base}/house/{house.code}")
        if not houses:
            print_text("There are no house rules here.")
        print_older("rules list", older, args.limit)


def _library() -> Library:
    return read_library(paths.RULESETS)
