"""`scorekeeper result`: the result sheet of a match, from a record."""

from argparse import ArgumentParser, Namespace
from typing import Any

from scorekeeper import paths
from scorekeeper.commands.files import read_input
from scorekeeper.commands.pdf import add_print_options, write_pdf
from scorekeeper.commands.refused import Refused, fault_sentence
from scorekeeper.ledger.json_reader import parse_json
from scorekeeper.records.record import RefusedRecord, names_by_hand, read_record
from scorekeeper.records.result import Rulebook, play_record
from scorekeeper.rules.library import BadRulesets, read_library


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser("result", help="write the result sheet of a match as PDF")
    parser.add_argument("record", metavar="RECORD.json", help="a match as `scorekeeper export` writes it; - is stdin")
    parser.add_argument("--size", choices=["ordinary", "large"], default="ordinary", help="of the print")
    add_print_options(parser)


def run(args: Namespace) -> int:
    """Write the sheet; raises `Refused` where it cannot be."""
    from scorekeeper.printing.kinds import KINDS, draft_sheet
    from scorekeeper.printing.print_options import PrintOptions
    from scorekeeper.printing.score_sheet import details_of_record, score_sheet

    try:
        library = read_library(paths.RULESETS)
        record = read_record(parse_json(read_input(args.record)))
        state = play_record(record, Rulebook(library))
        *_, names = names_by_hand(state)
        sheet = score_sheet(state, names, details_of_record(record, state), library[record.variant])
    except OSError as error:
        raise Refused(f"{args.record} cannot be read: {error.strerror}.") from error
    except BadRulesets as bad:
        raise Refused(str(bad)) from bad
    except RefusedRecord as refused:
        raise Refused("\n".join(map(fault_sentence, refused.faults))) from refused
    except ValueError as error:
        raise Refused(f"{args.record} is not JSON: {error}.") from error
    write_pdf(draft_sheet(KINDS["result"], sheet, PrintOptions(args.paper, args.ink, args.size)), args.output)
    return 0
