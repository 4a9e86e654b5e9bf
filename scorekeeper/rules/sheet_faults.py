"""What is wrong with the sheet of a ruleset's file: ids, traces and options that lead nowhere."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from scorekeeper.rules.characters import shortened
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.options import options
from scorekeeper.rules.overlay import answer_faults
from scorekeeper.rules.phrases import placeholders
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.trace import SECTIONS, BadTrace, ReadingNumber, parse_trace


def sheet_faults(ruleset: Ruleset, readings: Collection[int]) -> Iterator[Fault]:
    """Find what leads nowhere; `readings` are the numbers of those that there are."""
    sheet = ruleset.sheet
    for rule_id, text in sheet.trace.items():
        path = f"sheet.trace.{rule_id}"
        yield from _id_faults(path, rule_id)
        yield from _trace_faults(path, text, readings)
    for rule_id, own in sheet.sentences.items():
        path = f"sheet.sentences.{rule_id}"
        yield from _id_faults(path, rule_id)
        if own.before:
            yield from _id_faults(f"{path}.before", own.before)
        yield from _answers_faults(ruleset, f"{path}.holds_while", own.holds_while)
        yield from _text_faults(ruleset, f"{path}.text", own.text)
    for name in sheet.argued:
        if name not in options() and name not in ruleset.awards:
            yield Fault("sheet.argued", "unknown_option", f"There is no option {name!r} to argue about.")
    for name, answers in sheet.offers.items():
        for answer in answers:
            yield from _answers_faults(ruleset, "sheet.offers", {name: answer})


def _id_faults(path: str, rule_id: str) -> Iterator[Fault]:
    section, dot, name = rule_id.partition(".")
    if section not in SECTIONS or not name.replace("_", "a").isalnum() or not dot:
        why = f"There is no rule {rule_id!r}: an id is a section and a name, such as bid.order."
        yield Fault(path, "unknown_section", f"{why} The sections are {', '.join(SECTIONS)}.")


def _trace_faults(path: str, text: str, readings: Collection[int]) -> Iterator[Fault]:
    try:
        references = parse_trace(text)
    except BadTrace as bad:
        yield Fault(path, "bad_trace", f"{bad}.")
        return
    for reference in references:
        if isinstance(reference, ReadingNumber) and reference.number not in readings:
            yield Fault(path, "unknown_reading", f"There is no reading {reference} in READINGS.md.")


def _text_faults(ruleset: Ruleset, path: str, text: str) -> Iterator[Fault]:
    try:
        text.format_map(placeholders(ruleset))
    except (ValueError, LookupError) as error:
        yield Fault(path, "bad_text", f"There is nothing to put in the place of {shortened(str(error))}.")


def _answers_faults(ruleset: Ruleset, path: str, answers: Mapping[str, Any]) -> Iterator[Fault]:
    for fault in answer_faults(ruleset, answers):
        yield Fault(f"{path}.{fault.field}", fault.code, fault.message)
