"""Records from files: `scorekeeper score`, `settle` and `result`."""

import gc
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorekeeper.commands.files import (
    faulty,
    ink_option,
    library_in,
    paper_option,
    pdf_option,
    read_input,
    unread,
    write_pdf,
)
from scorekeeper.commands.terminal import CommandRefused, complain, print_json, print_text
from scorekeeper.pitch.compare.ruling import Ruling, settle_record, write_ruling
from scorekeeper.pitch.compare.sentences import (
    bid_sentence,
    ending_rule,
    ending_words,
    money_words,
    other_rule_sentences,
    reason_words,
    side_rulings,
    undecided_lines,
    undecided_sentence,
)
from scorekeeper.pitch.records.json_parser import parse_json
from scorekeeper.pitch.records.record import RefusedRecord, fault_sentence, names_by_hand, read_record
from scorekeeper.pitch.records.result import Rulebook, play_record, score_record, write_refusal
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.text.endings import goal_words
from scorekeeper.pitch.text.phrases import Names, score_text, signed, spoken, with_pronouns

if TYPE_CHECKING:
    from scorekeeper.printing.print_options import Ink, Paper

DONE, UNREADABLE, REFUSED = 0, 1, 2


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE...]", help="a record; - reads one from standard input")
@click.option("--lines", is_flag=True, help="read one record a line from standard input")
def score(files: tuple[str, ...], lines: bool) -> int:
    """Score match records."""
    if lines == bool(files):
        raise CommandRefused("It reads files or lines, one of the two. Name files, or give --lines.")
    rulebook = Rulebook(library_in())
    gc.freeze()
    worst = {DONE}
    texts: Iterable[bytes | OSError] = sys.stdin.buffer if lines else map(_file, files)
    names = repeat({}) if lines else ({"file": name} for name in files)
    for text, name in zip(texts, names, strict=False):
        result, status = _result(text, rulebook)
        worst.add(status)
        print_json({**name, **result})
    sys.stdout.flush()
    return UNREADABLE if UNREADABLE in worst else max(worst)


def _file(name: str) -> bytes | OSError:
    try:
        return read_input(name)
    except OSError as error:
        return error


def _result(text: bytes | OSError, rulebook: Rulebook) -> tuple[Mapping[str, object], int]:
    try:
        if isinstance(text, OSError):
            raise text
        data = parse_json(text)
    except (OSError, ValueError) as error:
        return write_refusal(_unreadable(error)), UNREADABLE
    result = score_record(data, rulebook)
    return result, REFUSED if result["status"] == "refused" else DONE


def _unreadable(error: OSError | ValueError) -> RefusedRecord:
    if isinstance(error, OSError):
        return RefusedRecord([Fault("", "no_file", f"This file cannot be read: {error.strerror}.")])
    return RefusedRecord([Fault("", "not_json", f"This is not JSON: {error}.")])


def _why_unreadable(file: str, error: OSError | ValueError) -> CommandRefused:
    if isinstance(error, OSError):
        return unread(file, error)
    return CommandRefused(f"{file} is not JSON: {error}. Correct it there.")


@click.command()
@click.argument("file", help="a record with the scores before a hand, and that hand; - is stdin")
@click.option("--json", "as_json", is_flag=True, help="the result, and that of every other reading, as JSON")
def settle(file: str, as_json: bool) -> int:
    """Settle one hand: who won, why, and what if."""
    library = library_in()
    try:
        record = read_record(parse_json(read_input(file)))
        ruling = settle_record(record, Rulebook(library))
    except RefusedRecord as refused:
        why = faulty(f"{file} has an error", map(fault_sentence, refused.faults))
        return _refuse(refused, why, REFUSED, as_json=as_json)
    except (OSError, ValueError) as error:
        return _refuse(_unreadable(error), _why_unreadable(file, error), UNREADABLE, as_json=as_json)
    if as_json:
        print_json(write_ruling(ruling, stopped=record.stopped))
    else:
        *_, names = names_by_hand(ruling.state)
        paragraphs = _paragraphs(ruling, with_pronouns(names), stopped=record.stopped)
        print_text(spoken("\n\n".join("\n".join(filter(None, lines)) for lines in paragraphs)))
    return DONE


def _refuse(refused: RefusedRecord, why: CommandRefused, status: int, *, as_json: bool) -> int:
    if as_json:
        print_json({"result": write_refusal(refused), "readings": []})
    else:
        complain(f"{why}")
    return status


def _paragraphs(ruling: Ruling, names: Names, *, stopped: bool) -> Iterator[list[str]]:
    ruleset, state = ruling.before.ruleset, ruling.state
    yield [f"{ruleset.name}, {goal_words(ruleset)}"]
    if ruling.undecided:
        yield [
            undecided_sentence(ruling),
            *(f"  {condition}: {text.removesuffix('.')}." for condition, text in undecided_lines(ruling, names)),
        ]
    yield [bid_sentence(ruling, names), *_scores(ruling, names), money_words(ruling, names)]
    ending = "" if ruling.undecided else f"{ending_words(state, names, stopped=stopped)}."
    rule = ending_rule(state)
    yield [ending, reason_words(state, names, stopped=stopped), f"The rule: {rule}" if rule else ""]
    if others := other_rule_sentences(ruling.match, names):
        yield ["By other rules", *(f"  {text}" for text in others)]


def _scores(ruling: Ruling, names: Names) -> Iterator[str]:
    """Yield a line for each side: its score before and after the hand, and what it scored for."""
    for side in side_rulings(ruling):
        change = f" {signed(side.after - side.before)} = {score_text(side.after)}" if side.after != side.before else ""
        yield f"  {names[side.side]}: {score_text(side.before)}{change}"
        for line in side.lines:
            yield f"    {signed(line.points)}  {line.text}"


@click.command()
@click.argument("record", metavar="RECORD.json", help="a match as `scorekeeper export` writes it; - is stdin")
@click.option("--size", type=click.Choice(["ordinary", "large"]), default="ordinary", help="of the print")
@paper_option
@ink_option
@pdf_option
def result(record: str, size: str, paper: "Paper", ink: "Ink", output: Path) -> None:
    """Write the result sheet of a match as PDF."""
    from scorekeeper.printing.kinds import KINDS, draft_sheet
    from scorekeeper.printing.print_options import PrintOptions
    from scorekeeper.printing.score_sheet import details_of_record, score_sheet

    try:
        library = library_in()
        played = read_record(parse_json(read_input(record)))
        state = play_record(played, Rulebook(library))
        *_, names = names_by_hand(state)
        sheet = score_sheet(state, with_pronouns(names), details_of_record(played, state), library[played.variant])
    except RefusedRecord as refused:
        raise faulty(f"{record} has an error", map(fault_sentence, refused.faults)) from refused
    except (OSError, ValueError) as error:
        raise _why_unreadable(record, error) from error
    write_pdf(draft_sheet(KINDS["result"], sheet, PrintOptions(paper, ink, size)), output)
