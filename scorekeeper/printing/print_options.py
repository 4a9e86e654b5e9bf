"""The options of a print: paper, color or grays, and the size of type or pieces."""

from dataclasses import dataclass
from typing import Literal

Paper = Literal["a4", "letter"]
Ink = Literal["colour", "black"]

PAPER_NAMES: dict[Paper, str] = {"a4": "A4", "letter": "Letter"}
"""The names of papers, for people and in CSS."""
PAPER_SIZES: dict[Paper, tuple[float, float]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
"""Width and height in millimeters, upright."""
INK_NAMES: dict[Ink, str] = {"colour": "In color", "black": "Black and white"}
ORDINARY, LARGE = "ordinary", "large"
"""The sizes of most sheets: regular print, which is the only one of some, and large print."""
TWO, FOUR, ALONE = "two", "four", "alone"
"""The sizes of pads and cards: two or four to a page, or one alone."""


@dataclass(frozen=True, slots=True)
class PrintOptions:
    paper: Paper = "a4"
    ink: Ink = "colour"
    size: str = ORDINARY
    """One of `SheetKind.sizes`."""

    @property
    def is_grayscale(self) -> bool:
        """Whether the sheet is printed without color."""
        return self.ink == "black"
