"""Where a sentence of a rule sheet comes from: lines of a source, and readings where a source is silent.

A ruleset's file gives them for the id of a sentence, as "002 L17, L22, R6": lines of the document that was named last,
and readings by their number in `rulesets/READINGS.md`. A document without lines is given as a whole, as "005, R6".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from scorekeeper.rules.sources import SOURCES

SECTIONS = ("players", "deal", "bid", "trump", "play", "count", "win", "argue", "house")
"""The sections of a sheet in their order; the id of a rule begins with its section's."""


class BadTrace(ValueError):
    """A text that names neither lines of a source nor readings; the message says which part of it."""


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Some lines of a document."""

    document: str
    """Its number in `SOURCES`."""
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.document} L{self.first}" + (f"-{self.last}" if self.last > self.first else "")


@dataclass(frozen=True, slots=True)
class WholeSource:
    """A document whose lines are not counted: a short page, or a chapter of a book."""

    document: str
    """Its number in `SOURCES`."""

    def __str__(self) -> str:
        return self.document


@dataclass(frozen=True, slots=True)
class ReadingNumber:
    """A reading, by its number."""

    number: int

    def __str__(self) -> str:
        return f"R{self.number}"


Reference = SourceLines | WholeSource | ReadingNumber

_LINES = re.compile(r"(?:(?P<document>\d{3}) )?L(?P<first>\d+)(?:-(?P<last>\d+))?")
_READING = re.compile(r"R(\d+)")


@cache
def parse_trace(text: str) -> tuple[Reference, ...]:
    """Return the references in a text such as "002 L17, L22, R6"; raises `BadTrace`."""
    found: list[Reference] = []
    document = ""
    for part in text.split(", "):
        if lines := _LINES.fullmatch(part):
            document = lines["document"] or document
            first = int(lines["first"])
            last = int(lines["last"] or first)
            if document not in SOURCES or last < first:
                raise BadTrace(f"{part!r} names no lines of a source")
            found.append(SourceLines(document, first, last))
        elif part in SOURCES:
            document = part
            found.append(WholeSource(part))
        elif reading := _READING.fullmatch(part):
            found.append(ReadingNumber(int(reading[1])))
        else:
            raise BadTrace(f"{part!r} is neither lines of a source, such as 002 L17, nor a reading, such as R6")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the sources leave open or contradict, and how it is read here."""

    number: int
    title: str
    reason: str


_HEADING = re.compile(r"^## R(\d+): (.+)$", re.MULTILINE)


def parse_readings(text: str) -> Mapping[int, Reading]:
    """Return the readings of `rulesets/READINGS.md`: each a heading "## R6: …" and its reason."""
    parts = _HEADING.split(text)[1:]
    found = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return {int(number): Reading(int(number), title.strip(), reason.strip()) for number, title, reason in found}
