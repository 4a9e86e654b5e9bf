"""What somebody wishes a sheet to be like: its paper, its ink, and the size of its type."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scorekeeper.printing.sheets import PAPERS, Paper

Ink = Literal["colour", "black"]

PAPER_NAMES: Mapping[Paper, str] = {"a4": "A4", "letter": "Letter"}
INK_NAMES: Mapping[Ink, str] = {"colour": "In colour", "black": "Black and white"}
ORDINARY, LARGE = "ordinary", "large"
SIZE_NAMES: Mapping[str, str] = {ORDINARY: "Ordinary print", LARGE: "Large print"}


@dataclass(frozen=True, slots=True)
class Wish:
    """How a sheet is to be printed."""

    paper: Paper = "a4"
    ink: Ink = "colour"
    size: str = ORDINARY


__all__ = ["INK_NAMES", "LARGE", "ORDINARY", "PAPERS", "PAPER_NAMES", "SIZE_NAMES", "Ink", "Paper", "Wish"]
