"""The papers that sheets are printed on, and how a page is cut into pieces."""

from dataclasses import dataclass
from typing import Literal

Paper = Literal["a4", "letter"]
PAPERS: dict[Paper, str] = {"a4": "A4", "letter": "Letter"}
SIZES: dict[Paper, tuple[float, float]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
"""Width and height in millimetres, upright."""
_MARK = 5.0
"""Millimetres of a cutting mark at the edge, and of half the cross where two cuts meet."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A mark on the page: where to cut, or where to fold."""

    x: float
    y: float
    width: float
    height: float
    is_fold: bool = False


@dataclass(frozen=True, slots=True)
class Pieces:
    """A page cut into equal pieces; one piece alone is a page of its own size."""

    across: int
    down: int
    page_width: float
    page_height: float
    has_fold: bool = False

    @property
    def count(self) -> int:
        """How many there are on a page."""
        return self.across * self.down

    @property
    def width(self) -> float:
        """How wide a piece is."""
        return self.page_width / self.across

    @property
    def height(self) -> float:
        """How high a piece is."""
        return self.page_height / self.down

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Where each piece begins, row by row."""
        return tuple((self.width * x, self.height * y) for y in range(self.down) for x in range(self.across))

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The marks between the pieces, and those where a piece folds."""
        upright = [self.width * x for x in range(1, self.across)]
        level = [self.height * y for y in range(1, self.down)]
        marks = [Cut(x, y, 0, _MARK) for x in upright for y in (0, self.page_height - _MARK)]
        marks += [Cut(x, y, _MARK, 0) for y in level for x in (0, self.page_width - _MARK)]
        for x in upright:
            for y in level:
                marks += [Cut(x, y - _MARK, 0, 2 * _MARK), Cut(x - _MARK, y, 2 * _MARK, 0)]
        if self.has_fold:
            middles = [self.height * (y + 0.5) for y in range(self.down)]
            edges = [x for n in range(self.across) for x in (self.width * n, self.width * (n + 1) - _MARK)]
            marks += [Cut(x, y, _MARK, 0, is_fold=True) for y in middles for x in edges]
        return tuple(marks)


def whole(paper: Paper) -> Pieces:
    """Leave a page whole."""
    return Pieces(1, 1, *SIZES[paper])


def quarters(paper: Paper, *, lying: bool = False, has_fold: bool = False) -> Pieces:
    """Cut a page in four; its pieces stand or lie as the page does."""
    width, height = SIZES[paper][::-1] if lying else SIZES[paper]
    return Pieces(2, 2, width, height, has_fold)


def halves(paper: Paper, *, lying: bool = False) -> Pieces:
    """Cut a page in two: pieces that stand lie beside each other, pieces that lie below each other."""
    width, height = SIZES[paper]
    return Pieces(1, 2, width, height) if lying else Pieces(2, 1, height, width)


def quarter_alone(paper: Paper, *, has_fold: bool = False) -> Pieces:
    """Give one quarter as a page of its own: of A4 that is A6."""
    width, height = SIZES[paper]
    return Pieces(1, 1, 105.0 if paper == "a4" else width / 2, 148.0 if paper == "a4" else height / 2, has_fold)
