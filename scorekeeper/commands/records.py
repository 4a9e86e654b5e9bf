"""Commands for records in files: `scorekeeper score`, `settle` and `result`."""

import gc
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorekeeper.commands.files import (
    faulty_input_error,
    ink_option,
    input_name,
    load_library,
    paper_option,
    read_input,
    required_output_option,
    unreadable_file_error,
    write_pdf,
)
from scorekeeper.commands.terminal import CommandRefused, print_json, print_problem, print_text
from scorekeeper.pitch.compare.ruling import Ruling, make_record_ruling, ruling_json
from scorekeeper.pitch.compare.sentences import (
    ending_rule_sentences,
    other_rule_sentences,
    outcome_and_scores,
    payments_and_settlement_words,
    reason_words,
    results_by_answer,
    ruling_hand_sentence,
    score_changes,
    undecided_sentence,
)
from scorekeeper.pitch.records.json_parser import parse_json
from scorekeeper.pitch.records.record import RefusedRecord, fault_sentence, names_of_match, read_record
from scorekeeper.pitch.records.result import Rulebook, play_record, refusal_as_json, score_record
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.text.endings import goal_words
from scorekeeper.pitch.text.phrases import Names, resolve_pronouns, score_text, signed_text, with_pronouns

if TYPE_CHECKING:
    from scorekeeper.printing.print_options import Ink, Paper

EXIT_DONE, EXIT_UNREADABLE, EXIT_REFUSED = 0, 1, 2
"""The exit statuses for a record that was scored, for one that cannot be read as JSON, and for one that is refused."""


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE...]", help="a record; - reads one from standard input")
@click.option("--lines", is_flag=True, help="read one record a line from standard input")
def score(files: tuple[str, ...], lines: bool) -> int:
    """Score match records."""
    if lines == bool(files):
        raise CommandRefused("It reads files or lines, one of the two. Name files, or give --lines.")
    rulebook = Rulebook(load_library())
    gc.freeze()
    statuses = {EXIT_DONE}
    for source in sys.stdin.buffer if lines else files:
        result, status = _score_input(source, rulebook)
        statuses.add(status)
        print_json(result if lines else {"file": source, **result})
    sys.stdout.flush()
    return EXIT_UNREADABLE if EXIT_UNREADABLE in statuses else max(statuses)


def _score_input(source: bytes | str, rulebook: Rulebook) -> tuple[Mapping[str, object], int]:
    """Return the result or the refusal of a record, to be printed as JSON, and the exit status.

    `source` is the record itself as JSON, or the name of its file.
    """
    try:
        record_json = parse_json(source if isinstance(source, bytes) else read_input(source))
    except (OSError, ValueError) as error:
        return refusal_as_json(_unreadable_refusal(error)), EXIT_UNREADABLE
    result = score_record(record_json, rulebook)
    return result, EXIT_REFUSED if result["status"] == "refused" else EXIT_DONE


def _unreadable_refusal(error: OSError | ValueError) -> RefusedRecord:
    """Return the refusal for a record whose file cannot be read, or is not JSON."""
    if isinstance(error, OSError):
        return RefusedRecord([Fault("", "no_file", f"This file cannot be read: {error.strerror}.")])
    return RefusedRecord([Fault("", "not_json", f"This is not JSON: {error}.")])


def _unreadable_error(file: str, error: OSError | ValueError) -> CommandRefused:
    """Return the exception to raise for a record whose file cannot be read, or is not JSON."""
    if isinstance(error, OSError):
        return unreadable_file_error(input_name(file), error)
    return CommandRefused(f"{input_name(file)} is not JSON: {error}. Correct it there.")


@click.command()
@click.argument("file", help="a record with the scores before a hand, and that hand; - is stdin")
@click.option("--json", "as_json", is_flag=True, help="the result, and that of every other reading, as JSON")
def settle(file: str, as_json: bool) -> int:
    """Settle one hand: who won, why, and what if."""
    library = load_library()
    try:
        record = read_record(parse_json(read_input(file)))
        ruling = make_record_ruling(record, Rulebook(library))
    except RefusedRecord as refused:
        error_message = faulty_input_error(f"{input_name(file)} has an error", map(fault_sentence, refused.faults))
        return _print_refusal(refused, error_message, EXIT_REFUSED, as_json=as_json)
    except (OSError, ValueError) as error:
        return _print_refusal(
            _unreadable_refusal(error), _unreadable_error(file, error), EXIT_UNREADABLE, as_json=as_json
        )
    if as_json:
        print_json(ruling_json(ruling, stopped=record.stopped))
    else:
        names = names_of_match(ruling.state)
        paragraphs = _ruling_paragraphs(ruling, with_pronouns(names), stopped=record.stopped)
        print_text(resolve_pronouns("\n\n".join("\n".join(filter(None, lines)) for lines in paragraphs)))
    return EXIT_DONE


def _print_refusal(
    record_refusal: RefusedRecord, command_error: CommandRefused, exit_status: int, *, as_json: bool
) -> int:
    """Print why a record is refused, and return `exit_status`.

    With `as_json`, print `record_refusal` as JSON. Otherwise print the message of `command_error` to standard error.
    """
    if as_json:
        print_json({"result": refusal_as_json(record_refusal), "readings": []})
    else:
        print_problem(f"{command_error}")
    return exit_status


def _ruling_paragraphs(ruling: Ruling, names: Names, *, stopped: bool) -> Iterator[list[str]]:
    """Yield the paragraphs of a ruling as lists of lines. Empty lines in them are to be skipped.

    `stopped` is whether the match was stopped, so that no further hand is played.
    """
    ruleset, state = ruling.state_before.ruleset, ruling.state
    yield [f"{ruleset.name}, {goal_words(ruleset)}"]
    if ruling.undecided:
        yield [
            undecided_sentence(ruling),
            *(
                f"  {condition}: {result_text.removesuffix('.')}."
                for condition, result_text in results_by_answer(ruling, names)
            ),
        ]
    yield [
        ruling_hand_sentence(ruling, names),
        *_score_lines(ruling, names),
        payments_and_settlement_words(ruling, names),
    ]
    outcome_text = "" if ruling.undecided else f"{outcome_and_scores(state, names, stopped=stopped)}."
    rule_text = ending_rule_sentences(state)
    yield [outcome_text, reason_words(state, names, stopped=stopped), f"The rule: {rule_text}" if rule_text else ""]
    if other_sentences := other_rule_sentences(ruling.match, names):
        yield ["By other rules", *(f"  {result_text}" for result_text in other_sentences)]


def _score_lines(ruling: Ruling, names: Names) -> Iterator[str]:
    """Yield a line with each side's score before and after the hand, and below it a line for each of its points."""
    for score_change in score_changes(ruling):
        change_text = (
            f" {signed_text(score_change.after - score_change.before)} = {score_text(score_change.after)}"
            if score_change.after != score_change.before
            else ""
        )
        yield f"  {names[score_change.side]}: {score_text(score_change.before)}{change_text}"
        for line in score_change.lines:
            yield f"    {signed_text(line.points)}  {line.text}"


@click.command()
@click.argument("record", metavar="RECORD.json", help="a match as `scorekeeper export` writes it; - is stdin")
@click.option("--size", type=click.Choice(["ordinary", "large"]), default="ordinary", help="of the print")
@paper_option
@ink_option
@required_output_option
def result(record: str, size: str, paper: "Paper", ink: "Ink", output: Path) -> None:
    """Write the result sheet of a match as PDF."""
    from scorekeeper.printing.kinds import SHEET_KINDS, draft_sheet
    from scorekeeper.printing.print_options import PrintOptions
    from scorekeeper.printing.score_sheet import details_of_record, score_sheet

    try:
        library = load_library()
        parsed_record = read_record(parse_json(read_input(record)))
        state = play_record(parsed_record, Rulebook(library))
        names = names_of_match(state)
        sheet = score_sheet(
            state, with_pronouns(names), details_of_record(parsed_record, state), library[parsed_record.variant]
        )
    except RefusedRecord as refused:
        raise faulty_input_error(f"{input_name(record)} has an error", map(fault_sentence, refused.faults)) from refused
    except (OSError, ValueError) as error:
        raise _unreadable_error(record, error) from error
    write_pdf(draft_sheet(SHEET_KINDS["result"], sheet, PrintOptions(paper, ink, size)), output)
