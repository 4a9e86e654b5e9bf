"""Where rules come from: documents, lines of documents, and interpretations (called readings in files).

In a ruleset's file, each rule has a trace such as "002 L17, L22, R6": lines 17 and 22 of document 002, and reading 6 of
`rulesets/READINGS.md`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from scorekeeper.pitch.rules.entered_text import normalize_spaces


@dataclass(frozen=True, slots=True)
class Source:
    """A document that describes rules."""

    title: str
    covers: str
    """What the document describes, in a few words."""
    address: str = ""
    """The URL without `https://`; empty if unknown."""
    origin: str = ""
    """Further information on where the document comes from."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation of a document, or of a section of it."""

    document: Source
    section: str
    """The section's name; empty for the whole document."""


def parse_citations(source: str, documents: Mapping[str, Source]) -> tuple[Citation, ...]:
    """Parse a ruleset's `source` into citations, the main one first.

    `documents` are by number. A part without a known document is left out.
    """
    found = []
    for part in source.split("; "):
        number, _, section = part.partition(", ")
        if document := documents.get(number):
            found.append(Citation(document, "" if section == document.title else section))
    return tuple(found)


SHEET_SECTIONS = ("players", "deal", "bid", "trump", "play", "count", "win", "argue", "house")
"""The sections of a rule sheet in order; the id of a rule begins with its section."""


class BadTrace(ValueError):
    """Raised for a trace with a part that cannot be parsed; the message quotes the part."""


@dataclass(frozen=True, slots=True)
class SourceLines:
    """A reference to lines of a document, or to a whole document."""

    document: str
    """The number of the document in `sources.toml`."""
    first: int = 0
    """The number of the first line; 0 for a whole document."""
    last: int = 0
    """The number of the last line, which may be that of the first; 0 for a whole document."""

    def __str__(self) -> str:
        lines = f" L{self.first}" if self.first else ""
        return f"{self.document}{lines}" + (f"-{self.last}" if self.last > self.first else "")


@dataclass(frozen=True, slots=True)
class InterpretationNumber:
    """A reference to an interpretation by its number, such as R6."""

    number: int

    def __str__(self) -> str:
        return f"R{self.number}"


Reference = SourceLines | InterpretationNumber
"""One part of a trace: lines of a document, or an interpretation."""

_LINES_PATTERN = re.compile(r"(?:(?P<document>\d{3}) )?L(?P<first>\d+)(?:-(?P<last>\d+))?")
"""Matches lines of a document: "002 L17-22", or "L22" in the document named before."""
_INTERPRETATION_PATTERN = re.compile(r"R(\d+)")
_DOCUMENT_PATTERN = re.compile(r"\d{3}")


@cache
def parse_trace(text: str) -> tuple[Reference, ...]:
    """Parse a trace such as "002 L17, L22, R6" into its references; raises `BadTrace`. Cached.

    `library` checks whether the documents and interpretations exist.
    """
    found: list[Reference] = []
    document = ""
    for part in text.split(", "):
        if lines := _LINES_PATTERN.fullmatch(part):
            document = lines["document"] or document
            first = int(lines["first"])
            last = int(lines["last"] or first)
            if not document or last < first:
                raise BadTrace(f"{part!r} names no lines of a source")
            found.append(SourceLines(document, first, last))
        elif _DOCUMENT_PATTERN.fullmatch(part):
            document = part
            found.append(SourceLines(part))
        elif interpretation := _INTERPRETATION_PATTERN.fullmatch(part):
            found.append(InterpretationNumber(int(interpretation[1])))
        else:
            raise BadTrace(f"{part!r} is neither lines of a source, such as 002 L17, nor a reading, such as R6")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How this program interprets what the sources leave open, or what they contradict each other on."""

    title: str
    sentence: str
    """The rule that the interpretation sets, such as "The bidding side goes first.", in one or more sentences."""


_INTERPRETATION_HEADING = re.compile(r"^## R(\d+): (.+)$", re.MULTILINE)
_BOLD_TEXT = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


def parse_interpretations(text: str) -> Mapping[int, Interpretation]:
    """Parse `rulesets/READINGS.md` into interpretations by number.

    Each one is a heading "## R6: …" and a text with its rule in bold.
    """
    parts = _INTERPRETATION_HEADING.split(text)[1:]
    interpretations = {}
    for number, title, content in zip(map(int, parts[::3]), parts[1::3], parts[2::3], strict=True):
        spans = (normalize_spaces(span).removesuffix(".") for span in _BOLD_TEXT.findall(content))
        sentence = " ".join(f"{span[:1].upper()}{span[1:]}." for span in spans)
        interpretations[number] = Interpretation(title.strip(), sentence)
    return interpretations
