"""A rule sheet as text, with the origin of every rule: for the command line, and to compare versions."""

from collections.abc import Iterable, Iterator, Mapping

from scorekeeper.pitch.rules.questions import word_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import Reading, ReadingNumber, Reference
from scorekeeper.pitch.sheets.parts import RuleOrigin
from scorekeeper.pitch.sheets.rule_sheet import HOUSE, RuleSheet
from scorekeeper.printing.fitting import render

_NO_ORIGIN = "no origin"


def sheet_text(sheet: RuleSheet, ruleset: Ruleset, readings: Mapping[int, Reading]) -> str:
    """Return the sheet of a ruleset, a sentence to a line, and beneath each rule its id and its origin."""

    def named(references: Iterable[Reference]) -> Iterator[str]:
        """Yield each reference, a reading with its title."""
        for reference in references:
            reading = readings.get(reference.number) if isinstance(reference, ReadingNumber) else None
            yield f"{reference}: {reading.title}" if reading else str(reference)

    def answered(name: str) -> str:
        return f"{name} = {word_of(ruleset.answer(name))}"

    def comes_from(origin: RuleOrigin) -> str:
        """Return the origin of a rule: "002 L22; R6: Tied for Game; house rule: target = 15"."""
        found = [
            *named(origin.references),
            *(f"house rule: {answered(name)}" for name in origin.house),
            *(f"agreed: {answered(name)}" for name in origin.agreed),
            *(f"to agree: {name}" for name in origin.open),
            *(["the sources are silent"] if origin.is_silent else []),
        ]
        return "; ".join(found) or _NO_ORIGIN

    def offered_by(references: Iterable[Reference]) -> str:
        return "; ".join(named(references)) or _NO_ORIGIN

    template = "printing/sheet_text.txt"
    return render(template, sheet=sheet, comes_from=comes_from, offered_by=offered_by, house=HOUSE)


def untraced(sheet: RuleSheet) -> tuple[str, ...]:
    """Return the ids of the rules without an origin."""
    return tuple(rule.id for rule in sheet.rules if not rule.origin.is_known)
