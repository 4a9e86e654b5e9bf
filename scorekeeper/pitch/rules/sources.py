"""Where rules come from: documents, lines in documents, and interpretations, which files call readings.

In a ruleset's file, each rule has a trace such as "002 L17, L22, R6". It names lines 17 and 22 of document 002, and
reading 6 of `rulesets/READINGS.md`.
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
    """What else is known about where the document comes from, such as its date."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A document that a ruleset comes from, or a section of one."""

    document: Source
    section: str
    """The name of the section; empty for the whole document."""


def parse_citations(source: str, documents: Mapping[str, Source]) -> tuple[Citation, ...]:
    """Parse a ruleset's `source` into citations, the main one first: "002, Partnership Pitch; 003".

    `documents` are keyed by number. A part that names no known document is left out.
    """
    citations = []
    for part in source.split("; "):
        number, _, section = part.partition(", ")
        if document := documents.get(number):
            citations.append(Citation(document, "" if section == document.title else section))
    return tuple(citations)


SHEET_SECTIONS = ("players", "deal", "bid", "trump", "play", "count", "win", "argue", "house")
"""The sections of a rule sheet, in order. The id of a rule begins with its section: `win.target`."""


class BadTrace(ValueError):
    """Raised for a trace with a part that cannot be parsed.

    The message quotes that part.
    """


@dataclass(frozen=True, slots=True)
class SourceLines:
    """A reference to lines of a document, or to the whole document."""

    document_number: str
    """The number of the document in `sources.toml`, such as `002`."""
    first_line: int = 0
    """The number of the first line; 0 for the whole document."""
    last_line: int = 0
    """The number of the last line, which may be the first line, too; 0 for the whole document."""

    def __str__(self) -> str:
        line_text = f" L{self.first_line}" if self.first_line else ""
        return f"{self.document_number}{line_text}" + (f"-{self.last_line}" if self.last_line > self.first_line else "")


@dataclass(frozen=True, slots=True)
class InterpretationNumber:
    """A reference to an interpretation by its number, such as "R6"."""

    number: int

    def __str__(self) -> str:
        return f"R{self.number}"


Reference = SourceLines | InterpretationNumber
"""One part of a trace: lines of a document, or an interpretation."""

_LINES_PATTERN = re.compile(r"(?:(?P<document>\d{3}) )?L(?P<first>\d+)(?:-(?P<last>\d+))?")
"""Matches lines of a document: "002 L17-22". In "L22", they are of the document that was named before."""
_INTERPRETATION_PATTERN = re.compile(r"R(\d+)")
_DOCUMENT_PATTERN = re.compile(r"\d{3}")


@cache
def parse_trace(trace: str) -> tuple[Reference, ...]:
    """Parse a trace such as "002 L17, L22, R6" into its references; raises `BadTrace`. Cached.

    Whether there are such documents and interpretations is not checked.
    """
    references: list[Reference] = []
    document_number = ""
    for part in trace.split(", "):
        if lines_match := _LINES_PATTERN.fullmatch(part):
            document_number = lines_match["document"] or document_number
            first_line = int(lines_match["first"])
            last_line = int(lines_match["last"] or first_line)
            if not document_number or last_line < first_line:
                raise BadTrace(f"{part!r} names no lines of a source")
            references.append(SourceLines(document_number, first_line, last_line))
        elif _DOCUMENT_PATTERN.fullmatch(part):
            document_number = part
            references.append(SourceLines(part))
        elif interpretation_match := _INTERPRETATION_PATTERN.fullmatch(part):
            references.append(InterpretationNumber(int(interpretation_match[1])))
        else:
            raise BadTrace(f"{part!r} is neither lines of a source, such as 002 L17, nor a reading, such as R6")
    return tuple(references)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How this program reads what the sources leave open, or what they contradict each other about."""

    title: str
    sentence: str
    """The rule that the interpretation sets, as one or more sentences: "The bidding side goes first."."""


_INTERPRETATION_HEADING = re.compile(r"^## R(\d+): (.+)$", re.MULTILINE)
_BOLD_TEXT = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


def parse_interpretations(markdown: str) -> Mapping[int, Interpretation]:
    """Parse `rulesets/READINGS.md` into interpretations, keyed by number.

    Each interpretation is a heading "## R6: …" followed by a text whose rule is in bold.
    """
    headings_and_contents = _INTERPRETATION_HEADING.split(markdown)[1:]
    interpretations = {}
    for number, title, content in zip(
        map(int, headings_and_contents[::3]), headings_and_contents[1::3], headings_and_contents[2::3], strict=True
    ):
        bold_phrases = (normalize_spaces(bold_phrase).removesuffix(".") for bold_phrase in _BOLD_TEXT.findall(content))
        sentence = " ".join(f"{bold_phrase[:1].upper()}{bold_phrase[1:]}." for bold_phrase in bold_phrases)
        interpretations[number] = Interpretation(title.strip(), sentence)
    return interpretations
