"""The documents that the rulesets come from, and how a ruleset's source is cited for a reader."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A document that describes rules."""

    title: str
    covers: str
    address: str = ""
    """Where it is on the web, without `https://`; empty where that is not known."""
    origin: str = ""
    """What else is known of where it comes from."""


SOURCES: Mapping[str, Source] = {
    "001": Source(
        title="Rules for Colorado Ten-Point Pitch",
        covers="Colorado Ten Point for two to six players, with 13 and 14 points, Dirty, Reverse and Share the Wealth",
        address="captainsquill.blogspot.com/2009/10/rule-for-colorado-ten-point-pitch.html",
        origin="October 23, 2009",
    ),
    "002": Source(
        title="Pitch",
        covers="Partnership and Cutthroat Pitch with many of their variations, Oklahoma Ten Point, Pawnee Ten Point, "
        "Five Point Set Back, Arizona 29-card, Nine Card and Fish Pitch, Pitch with fives, and games for money",
        address="www.pagat.com/allfours/pitch.html",
    ),
    "003": Source(
        title="Pitch",
        covers="Auction Pitch for partners, the game without bidding, and the game for players who each score alone",
        origin="a rule sheet that names no author",
    ),
}
"""Every document by the number that `source` in a ruleset's file begins with."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where in a document rules are described."""

    document: Source
    section: str


def cite(source: str) -> Citation | None:
    """Return where rules are described; `None` for rules that come from the house itself."""
    number, _, section = source.partition(", ")
    document = SOURCES.get(number)
    if document is None:
        return None
    return Citation(document, "" if section == document.title else section)
