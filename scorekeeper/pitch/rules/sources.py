"""Where rules come from: the documents, the lines of a document that a sentence rests on, and the readings.

A ruleset's file gives lines and readings for the id of a sentence, as "002 L17, L22, R6": lines of the document that
was named last, and readings, where a source is silent, by their number in `rulesets/READINGS.md`. A document without
lines is given as a whole, as "005, R6".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Source:
    """A document that describes rules."""

    title: str
    covers: str
    address: str = ""
    """Where it is on the web, without `https://`; empty where that is not known."""
    origin: str = ""
    """What else is known of where it comes from."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where in a document rules are described."""

    document: Source
    section: str


def cite(source: str, documents: Mapping[str, Source]) -> tuple[Citation, ...]:
    """Return where rules are described, the foremost place first; nothing for rules that come from the house itself."""
    found = []
    for part in source.split("; "):
        number, _, section = part.partition(", ")
        if document := documents.get(number):
            found.append(Citation(document, "" if section == document.title else section))
    return tuple(found)


SECTIONS = ("players", "deal", "bid", "trump", "play", "count", "win", "argue", "house")
"""The sections of a sheet in their order; the id of a rule begins with its section's."""


class BadTrace(ValueError):
    """A text that names neither lines of a source nor readings; the message has the part of it."""


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Some lines of a document, or all of it."""

    document: str
    """The number of the document in `sources.toml`."""
    first: int = 0
    """0 where lines are not counted: of a short page, or a chapter of a book."""
    last: int = 0

    def __str__(self) -> str:
        lines = f" L{self.first}" if self.first else ""
        return f"{self.document}{lines}" + (f"-{self.last}" if self.last > self.first else "")


@dataclass(frozen=True, slots=True)
class ReadingNumber:
    """A reading, by its number."""

    number: int

    def __str__(self) -> str:
        return f"R{self.number}"


Reference = SourceLines | ReadingNumber

_LINES = re.compile(r"(?:(?P<document>\d{3}) )?L(?P<first>\d+)(?:-(?P<last>\d+))?")
_READING = re.compile(r"R(\d+)")
_DOCUMENT = re.compile(r"\d{3}")


@cache
def parse_trace(text: str) -> tuple[Reference, ...]:
    """Return the references in a text such as "002 L17, L22, R6"; raises `BadTrace`.

    Whether such a document exists is checked where the files are read.
    """
    found: list[Reference] = []
    document = ""
    for part in text.split(", "):
        if lines := _LINES.fullmatch(part):
            document = lines["document"] or document
            first = int(lines["first"])
            last = int(lines["last"] or first)
            if not document or last < first:
                raise BadTrace(f"{part!r} names no lines of a source")
            found.append(SourceLines(document, first, last))
        elif _DOCUMENT.fullmatch(part):
            document = part
            found.append(SourceLines(part))
        elif reading := _READING.fullmatch(part):
            found.append(ReadingNumber(int(reading[1])))
        else:
            raise BadTrace(f"{part!r} is neither lines of a source, such as 002 L17, nor a reading, such as R6")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the sources leave open or contradict, and how it is read here."""

    title: str
    says: str
    """What is read, as a sentence: "The bidding side goes first."."""


_HEADING = re.compile(r"^## R(\d+): (.+)$", re.MULTILINE)
_SAYS = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


def parse_readings(text: str) -> Mapping[int, Reading]:
    """Return the readings of `rulesets/READINGS.md`: each a heading "## R6: …" and its reason, in bold what is read."""
    parts = _HEADING.split(text)[1:]
    readings = {}
    for number, title, reason in zip(map(int, parts[::3]), parts[1::3], parts[2::3], strict=True):
        spans = (" ".join(span.split()).removesuffix(".") for span in _SAYS.findall(reason))
        says = " ".join(f"{span[:1].upper()}{span[1:]}." for span in spans)
        readings[number] = Reading(title.strip(), says)
    return readings
