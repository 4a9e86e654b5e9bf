"""What somebody wishes a sheet to be like: its paper, its ink, and the size of its type."""

from dataclasses import dataclass
from typing import Literal

from scorekeeper.printing.papers import PAPERS, Paper

Ink = Literal["colour", "black"]

PAPER_NAMES: dict[Paper, str] = {"a4": "A4", "letter": "Letter"}
INK_NAMES: dict[Ink, str] = {"colour": "In colour", "black": "Black and white"}
ORDINARY, LARGE = "ordinary", "large"
TWO, FOUR, ALONE = "two", "four", "alone"
"""So many to a page, or one on a piece of paper of its own."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a sheet is to be printed."""

    paper: Paper = "a4"
    ink: Ink = "colour"
    size: str = ORDINARY
    """One of the sizes that the kind of sheet comes in."""


__all__ = [
    "ALONE",
    "FOUR",
    "INK_NAMES",
    "LARGE",
    "ORDINARY",
    "PAPERS",
    "PAPER_NAMES",
    "TWO",
    "Ink",
    "Paper",
    "Wish",
]
