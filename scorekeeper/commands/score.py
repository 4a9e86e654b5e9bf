"""`scorekeeper score`: results for match records, one JSON object a line."""

import gc
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.files import read_input
from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_json
from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.ledger.json_reader import parse_json
from scorekeeper.records.record import RefusedRecord
from scorekeeper.records.result import Rulebook, score_record, write_refusal
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.library import read_library

ACCEPTED, REFUSED, UNREADABLE = 0, 2, 1


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("score", help="score match records")
    parser.add_argument("files", nargs="*", metavar="FILE", help="a record; - reads one from standard input")
    parser.add_argument("--lines", action="store_true", help="read one record a line from standard input")


def run(args: Namespace) -> int:
    """Score records; exit status 2 where one was refused, 1 where one could not be read at all.

    Raises:
        Refused: Neither files nor --lines were given, or both.
    """
    if args.lines == bool(args.files):
        raise Refused("give files, or --lines")
    rulebook = Rulebook(read_library(paths.RULESETS))
    gc.freeze()
    worst = {ACCEPTED}
    texts: Iterable[bytes | OSError] = sys.stdin.buffer if args.lines else map(_file, args.files)
    for text in texts:
        result, status = _score(text, rulebook)
        worst.add(status)
        print_json(result)
    sys.stdout.flush()
    return UNREADABLE if UNREADABLE in worst else max(worst)


def _file(name: str) -> bytes | OSError:
    try:
        return read_input(name)
    except OSError as error:
        return error


def _score(text: bytes | OSError, rulebook: Rulebook) -> tuple[dict[str, Any], int]:
    if isinstance(text, OSError):
        return _unreadable("no_file", f"This file cannot be read: {text.strerror}."), UNREADABLE
    try:
        data = parse_json(text)
    except ValueError as error:
        return _unreadable("not_json", f"This is not JSON: {error}."), UNREADABLE
    result = score_record(data, rulebook)
    return result, REFUSED if result["status"] == "refused" else ACCEPTED


def _unreadable(code: str, message: str) -> dict[str, Any]:
    return write_refusal(RefusedRecord([HandFault(None, Fault("", code, message))]))
