"""`scorekeeper result`: the result sheet of a match, from a record."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.files import read_input, write_output
from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.ledger.json_reader import parse_json
from scorekeeper.narration.phrases import IDS_AS_NAMES
from scorekeeper.records.record import RefusedRecord, read_record
from scorekeeper.records.result import Rulebook, play_record
from scorekeeper.rules.library import BadRulesets, read_library

DONE, REFUSED = 0, 1


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("result", help="write the result sheet of a match as PDF")
    parser.add_argument("record", metavar="RECORD.json", help="a match as `scorekeeper export` writes it; - is stdin")
    parser.add_argument("--paper", choices=["a4", "letter"], default="a4")
    parser.add_argument("--ink", choices=["colour", "black"], default="colour", help="black: without any colour")
    parser.add_argument("--size", choices=["ordinary", "large"], default="ordinary", help="of the print")
    parser.add_argument(
        "-o", "--output", required=True, type=Path, metavar="FILE", help="where to write; - is standard output"
    )


def run(args: Namespace) -> int:
    """Write the sheet; exit status 1 where it cannot be, with the reason."""
    from scorekeeper.printing.fitting import print_draft
    from scorekeeper.printing.kinds import KINDS, draft_sheet
    from scorekeeper.printing.layout import PrintingUnavailable
    from scorekeeper.printing.print_options import PrintOptions
    from scorekeeper.printing.score_sheet import details_of_record, score_sheet

    try:
        library = read_library(paths.RULESETS)
        record = read_record(parse_json(read_input(args.record)))
        state = play_record(record, Rulebook(library))
        sheet = score_sheet(state, IDS_AS_NAMES, details_of_record(record), library[record.variant])
        draft = draft_sheet(KINDS["result"], sheet, PrintOptions(args.paper, args.ink, args.size))
        content = print_draft(draft).content
    except OSError as error:
        return _refuse(f"{args.record} cannot be read: {error.strerror}.")
    except (BadRulesets, PrintingUnavailable) as cannot:
        return _refuse(str(cannot))
    except RefusedRecord as refused:
        return _refuse("\n".join(map(_sentence, refused.faults)))
    except ValueError as error:
        return _refuse(f"{args.record} is not JSON: {error}.")
    try:
        write_output(args.output, content)
    except OSError as error:
        return _refuse(f"{args.output} cannot be written: {error.strerror}.")
    return DONE


def _sentence(item: HandFault) -> str:
    where = ", ".join(part for part in (f"hand {item.hand}" if item.hand else "", item.fault.field) if part)
    return f"{where}: {item.fault.message}" if where else item.fault.message


def _refuse(why: str) -> int:
    print(f"scorekeeper result: {why}", file=sys.stderr)
    return REFUSED
