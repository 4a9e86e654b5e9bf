"""A rule sheet as text, with where every rule comes from: for the command line, and to see what changed."""

from collections.abc import Iterable, Iterator, Mapping

from scorekeeper.rules.questions import word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sources import Reading, ReadingNumber, Reference
from scorekeeper.sheets.parts import (
    BLANK,
    HouseFrame,
    Mark,
    OpenQuestion,
    Rule,
    RuleOrigin,
    TrumpFace,
    TrumpPicture,
    WorkedHand,
)
from scorekeeper.sheets.rule_sheet import ARGUE, HOUSE, RuleSheet

PENCIL, BOX = "✎", "☐"
SIGNS: Mapping[Mark, str] = {"": " ", "reading": "†", "house": PENCIL, "open": BOX}
NO_ORIGIN = "no origin"


def sheet_text(sheet: RuleSheet, ruleset: Ruleset, readings: Mapping[int, Reading]) -> str:
    """Return the sheet of a ruleset, a sentence to a line, and beneath each rule its id and where it comes from."""
    origins = _Origins(ruleset, readings)
    return "\n".join([*_head(sheet), *_sections(sheet, origins), *_back(sheet, origins), *_foot(sheet)]) + "\n"


def untraced(sheet: RuleSheet) -> tuple[str, ...]:
    """Return the ids of the rules that come from nowhere."""
    return tuple(rule.id for rule in sheet.rules if not rule.origin.is_known)


class _Origins:
    """Says where rules come from, in words."""

    def __init__(self, ruleset: Ruleset, readings: Mapping[int, Reading]) -> None:
        self._ruleset = ruleset
        self._readings = readings

    def of(self, origin: RuleOrigin) -> str:
        """Return where a rule comes from: "002 L22; R6: Tied for Game; house rule: target = 15"."""
        found = [
            *self.references(origin.references),
            *(f"house rule: {self._answered(name)}" for name in origin.house),
            *(f"agreed: {self._answered(name)}" for name in origin.agreed),
            *(f"to agree: {name}" for name in origin.open),
        ]
        return "; ".join(found) or NO_ORIGIN

    def references(self, references: Iterable[Reference]) -> Iterator[str]:
        """Yield each reference, a reading with its title."""
        for reference in references:
            reading = self._readings.get(reference.number) if isinstance(reference, ReadingNumber) else None
            yield f"{reference}: {reading.title}" if reading else str(reference)

    def _answered(self, name: str) -> str:
        return f"{name} = {word_of(self._ruleset.answer(name))}"


def _head(sheet: RuleSheet) -> Iterator[str]:
    yield sheet.title
    if sheet.also:
        yield f"Also called: {sheet.also}"
    yield sheet.aim
    yield ""
    for figure in sheet.glance:
        yield f"{PENCIL if figure.is_house else ' '} {figure.value or BLANK} {figure.caption}"
    yield from _trumps(sheet.trumps)


def _trumps(trumps: TrumpPicture) -> Iterator[str]:
    yield ""
    yield f"Trumps: {' '.join(map(_face, trumps.cards))}"
    if trumps.also:
        yield f"Also scores: {', '.join(map(_face, trumps.also))}"
    if trumps.counts:
        yield f"For Game: {trumps.counts}"


def _face(face: TrumpFace) -> str:
    return f"{face.rank}{face.sign}{f'({face.value})' if face.value else ''}{PENCIL if face.is_house else ''}"


def _sections(sheet: RuleSheet, origins: _Origins) -> Iterator[str]:
    for section in sheet.sections:
        yield from _heading(section.number, section.title)
        for rule in section.intro:
            yield from _rule(rule, origins)
        for row in section.bids:
            cells = (row.bid or BLANK, row.needs, f"made {row.made}", f"set {row.cost}")
            yield from _numbered(row, " | ".join(cells), (row.id,), origins)
        for rule in section.rules:
            yield from _rule(rule, origins)


def _heading(number: int, title: str) -> Iterator[str]:
    yield ""
    yield f"{number} {title}"


def _rule(rule: Rule, origins: _Origins) -> Iterator[str]:
    lead = f"{rule.lead} " if rule.lead else ""
    yield from _numbered(rule, f"{lead}{rule.text}", (rule.id, *rule.also), origins)


def _numbered(rule: Rule, text: str, ids: Iterable[str], origins: _Origins) -> Iterator[str]:
    yield f"{rule.number:5}{SIGNS[rule.mark]} {text}"
    yield f"       [{', '.join(ids)}: {origins.of(rule.origin)}]"


def _back(sheet: RuleSheet, origins: _Origins) -> Iterator[str]:
    """Yield what comes after the rules: the worked hands, and sections 8 and 9."""
    for hand in sheet.hands:
        yield from _worked_hand(hand)
    if sheet.arguments:
        yield from _heading(ARGUE, "Where tables argue")
        for argument in sheet.arguments:
            where = f" ({argument.number})" if argument.number else ""
            yield f"{SIGNS[argument.mark]} {argument.question} {argument.answer}{where}"
    if not sheet.house.is_empty:
        yield from _heading(HOUSE, sheet.house.title)
        yield from _house(sheet.house, origins)


def _worked_hand(hand: WorkedHand) -> Iterator[str]:
    yield ""
    yield f"Worked hand: {hand.title}{' (set)' if hand.is_set else ''}"
    yield from (f"  {sentence}" for sentence in hand.story)
    labels = max(len(row.label) for row in hand.rows) if hand.rows else 0
    widths = [max(len(side), 6) for side in hand.sides]
    for label, cells, is_total in (
        ("", hand.sides, False),
        *((row.label, row.scores, row.is_total) for row in hand.rows),
    ):
        columns = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        yield f"  {'=' if is_total else ' '} {label:{labels}}  {columns}"
    if hand.result:
        yield f"  {hand.result}"


def _house(house: HouseFrame, origins: _Origins) -> Iterator[str]:
    yield from (f"{PENCIL} {change}" for change in house.changes)
    yield from (f"  Agreed: {agreed}" for agreed in house.agreed)
    yield from (f"  {note}" for note in house.notes)
    yield from map(_question, house.questions)
    for offer in house.offers:
        yield f"{BOX} {offer.text}"
        yield f"       [{'; '.join(origins.references(offer.references)) or NO_ORIGIN}]"


def _question(question: OpenQuestion) -> str:
    choices = "  ".join(f"{BOX} {choice}" for choice in question.choices)
    return f"  {question.ask}  {choices or BLANK}"


def _foot(sheet: RuleSheet) -> Iterator[str]:
    yield ""
    if sheet.has_readings:
        yield f"{SIGNS['reading']} an agreed reading, not in the source"
    for source in sheet.sources:
        section = f", {source.section}" if source.section else ""
        yield f"Source: {source.document.title}{section}"
    yield f"Fingerprint: {sheet.fingerprint}"
