"""`scorekeeper ladder`: who sits where after a round of a tournament night."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from scorekeeper.commands.files import read_input
from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_json, print_text
from scorekeeper.ladder.round_file import read_round, write_next
from scorekeeper.ledger.json_reader import parse_json

MOVED, REFUSED = 0, 2


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("ladder", help="say who sits where after a round of a tournament")
    parser.add_argument("file", metavar="FILE", help="the tables of a round, lowest first, and the winners; - is stdin")


def run(args: Namespace) -> int:
    """Print the next round as JSON; exit status 2 where the round is refused, 1 where it cannot be read at all."""
    try:
        played, faults = read_round(parse_json(read_input(args.file)))
    except OSError as error:
        raise Refused(f"This file cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise Refused(f"This is not JSON: {error}.") from error
    if played is None:
        sentences = (f"{fault.field}: {fault.message}" if fault.field else fault.message for fault in faults)
        print_text("\n".join(f"scorekeeper ladder: {sentence}" for sentence in sentences), sys.stderr)
        return REFUSED
    print_json(write_next(played))
    return MOVED
