"""The options of a print: its paper, with or without color, and the size of its type or pieces."""

from dataclasses import dataclass
from typing import Literal

Paper = Literal["a4", "letter"]
Ink = Literal["colour", "black"]

PAPER_NAMES: dict[Paper, str] = {"a4": "A4", "letter": "Letter"}
"""The names for people, which are also those in CSS."""
PAPER_SIZES: dict[Paper, tuple[float, float]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
"""Width and height in millimeters, upright."""
INK_NAMES: dict[Ink, str] = {"colour": "In color", "black": "Black and white"}
ORDINARY, LARGE = "ordinary", "large"
TWO, FOUR, ALONE = "two", "four", "alone"
"""The number to a page, or one on a piece of paper of its own."""


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """The options of a print."""

    paper: Paper = "a4"
    ink: Ink = "colour"
    size: str = ORDINARY
    """One of the sizes that the kind of sheet comes in."""

    @property
    def is_grayscale(self) -> bool:
        """Whether it is printed without color."""
        return self.ink == "black"
