"""`scorekeeper rules`: house rules as a code, as a file, and where they are kept."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.rules.house_rules import HouseRules, resolve, simplified
from scorekeeper.rules.house_rules_file import LARGEST_FILE, house_rules_as_data, read_house_rules, write_house_rules
from scorekeeper.rules.library import BadRulesets, Library, read_library
from scorekeeper.rules.share_code import BadCode, decode, encode

DONE, REFUSED = 0, 1


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("rules", help="read and write house rules")
    does = parser.add_subparsers(dest="does", metavar="WHAT", required=True)
    reading = does.add_parser("decode", help="write the rules of a code as a file")
    reading.add_argument("code", metavar="CODE", help="as it stands on the sheet, or the whole link; - reads it")
    reading.add_argument("--json", action="store_true", help="as JSON instead of TOML")
    writing = does.add_parser("encode", help="write the code of a file of house rules")
    writing.add_argument("file", metavar="HOUSE.toml", type=Path)
    does.add_parser("list", help="list all house rules that are kept here, with their links")


def run(args: Namespace) -> int:
    """Run it; exit status 1 where it cannot be done, with the reason."""
    try:
        return {"decode": _decode, "encode": _encode, "list": _list}[args.does](args)
    except BadRulesets as bad:
        return _refuse(str(bad))


def _decode(args: Namespace) -> int:
    # A code may be longer than what is ever read of it.
    text = sys.stdin.read(LARGEST_FILE) if args.code == "-" else args.code
    try:
        house = decode(text)
    except BadCode as bad:
        return _refuse(str(bad))
    faults = resolve(house, _library())[1]
    if faults:
        return _refuse("\n".join(f"{fault.field}: {fault.message}" for fault in faults))
    print(
        json.dumps(house_rules_as_data(house)) if args.json else write_house_rules(house), end="\n" if args.json else ""
    )
    return DONE


def _encode(args: Namespace) -> int:
    library = _library()
    try:
        print(encode(simplified(read_file(args.file, library), library)))
    except (BadCode, OSError) as bad:
        return _refuse(f"{args.file} cannot be read: {bad.strerror}." if isinstance(bad, OSError) else str(bad))
    return DONE


def read_file(file: Path, library: Library) -> HouseRules:
    """Read house rules from a file; raises `BadRulesets` and `OSError`."""
    with file.open("rb") as opened:
        return read_house_rules(opened.read(LARGEST_FILE + 1), library, file.name)


def _list(args: Namespace) -> int:
    from scorekeeper.commands.database import opened
    from scorekeeper.network import base_url
    from scorekeeper.services.house_rules import every_house

    with opened() as (app, session):
        base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
        houses = every_house(session)
        for house in houses:
            rules = house.last.rules
            retired = " (retired)" if house.last.is_retired else ""
            print(f"{house.last.at.date()}  {rules.name}, from {rules.variant}{retired}\n  {base}/house/{house.code}")
        if not houses:
            print("There are no house rules yet.")
    return DONE


def _library() -> Library:
    return read_library(paths.RULESETS)


def _refuse(why: str) -> int:
    # What a stranger's code or file says must not steer the terminal.
    shown = "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in why)
    print(f"scorekeeper rules: {shown}", file=sys.stderr)
    return REFUSED
