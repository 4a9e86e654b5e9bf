"""The documents that the rulesets come from, and how a ruleset's source is cited for a reader."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A document that describes rules."""

    title: str
    found: str
    """Where a reader finds it: an address, or what is known of it."""
    covers: str


SOURCES: Mapping[str, Source] = {
    "001": Source(
        title="Rules for Colorado Ten-Point Pitch",
        found="captainsquill.blogspot.com, October 23, 2009",
        covers="Colorado Ten Point for two to six players, with 13 and 14 points, Dirty, Reverse and Share the Wealth",
    ),
    "002": Source(
        title="Pitch",
        found="pagat.com/allfours/pitch.html",
        covers="Partnership and Cutthroat Pitch with many of their variations, Oklahoma Ten Point, Pawnee Ten Point, "
        "Five Point Set Back, Arizona 29-card, Nine Card and Fish Pitch, Pitch with fives, and games for money",
    ),
    "003": Source(
        title="Pitch",
        found="a rule sheet that names no author",
        covers="Auction Pitch for partners, the game without bidding, and the game for players who each score alone",
    ),
}
"""Every document by the number that `source` in a ruleset's file begins with."""


def cite(source: str) -> str:
    """Return where rules are described, for a reader; empty for rules that come from the house itself.

    >>> cite("002, Nine Card Pitch")
    '“Pitch” (pagat.com/allfours/pitch.html), Nine Card Pitch'
    """
    if source == "house":
        return ""
    number, _, section = source.partition(", ")
    if number not in SOURCES:
        return source
    document = SOURCES[number]
    title = f"“{document.title}” ({document.found})"
    return title if section in ("", document.title) else f"{title}, {section}"
