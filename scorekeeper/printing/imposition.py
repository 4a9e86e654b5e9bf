"""A page cut into equal pieces: the marks between them, and the same content painted in each piece.

A folded piece has two panels, above and below the fold. Each is laid out as a separate page, so that no line crosses
the fold.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.printing.pdf import WeasyPrintObject
from scorekeeper.printing.print_options import PAPER_SIZES, Paper

_MARK_LENGTH_MM = 5.0
"""The length in millimeters of a mark of a cut or a fold, and of half the cross where two cuts meet."""
_PIXELS_PER_MM = 96 / 25.4
"""CSS pixels in a millimeter."""


@dataclass(frozen=True, slots=True)
class CutMark:
    """A line that marks a cut or a fold, in millimeters; either its width or its height is 0."""

    x: float
    y: float
    width: float
    height: float
    is_fold: bool = False


@dataclass(frozen=True, slots=True)
class PagePieces:
    """A page cut into equal pieces; measures are in millimeters."""

    columns: int
    rows: int
    page_width: float
    page_height: float
    panels: int = 1
    """The number of panels in a piece, from top to bottom, with a fold between two."""

    @property
    def width(self) -> float:
        """The width of a piece in millimeters."""
        return self.page_width / self.columns

    @property
    def height(self) -> float:
        """The height of a piece in millimeters."""
        return self.page_height / self.rows

    @property
    def panel_height(self) -> float:
        """The height of a panel of a piece in millimeters."""
        return self.height / self.panels

    @property
    def corners(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """The upper left corner of each panel in millimeters, piece by piece."""
        return tuple(
            tuple((self.width * x, self.height * y + self.panel_height * panel) for panel in range(self.panels))
            for y in range(self.rows)
            for x in range(self.columns)
        )

    @property
    def cut_marks(self) -> tuple[CutMark, ...]:
        """The marks of all cuts between pieces, and of the folds in them."""
        cut_xs = [self.width * x for x in range(1, self.columns)]
        cut_ys = [self.height * y for y in range(1, self.rows)]
        marks = [CutMark(x, y, 0, _MARK_LENGTH_MM) for x in cut_xs for y in (0, self.page_height - _MARK_LENGTH_MM)]
        marks += [CutMark(x, y, _MARK_LENGTH_MM, 0) for y in cut_ys for x in (0, self.page_width - _MARK_LENGTH_MM)]
        for x in cut_xs:
            for y in cut_ys:
                marks += [
                    CutMark(x, y - _MARK_LENGTH_MM, 0, 2 * _MARK_LENGTH_MM),
                    CutMark(x - _MARK_LENGTH_MM, y, 2 * _MARK_LENGTH_MM, 0),
                ]
        fold_ys = [self.height * y + self.panel_height * n for y in range(self.rows) for n in range(1, self.panels)]
        fold_xs = [x for n in range(self.columns) for x in (self.width * n, self.width * (n + 1) - _MARK_LENGTH_MM)]
        marks += [CutMark(x, y, _MARK_LENGTH_MM, 0, is_fold=True) for y in fold_ys for x in fold_xs]
        return tuple(marks)


def quarters(paper: Paper, *, is_landscape: bool = False, panels: int = 1) -> PagePieces:
    """Return a page cut into four pieces in portrait or landscape format, each of one or more panels."""
    width, height = PAPER_SIZES[paper][::-1] if is_landscape else PAPER_SIZES[paper]
    return PagePieces(2, 2, width, height, panels)


def halves(paper: Paper, *, is_landscape: bool = False) -> PagePieces:
    """Return a page cut into two pieces in portrait or landscape format."""
    width, height = PAPER_SIZES[paper]
    return PagePieces(1, 2, width, height) if is_landscape else PagePieces(2, 1, height, width)


def quarter_alone(paper: Paper, *, panels: int = 1) -> PagePieces:
    """Return a page of the size of a quarter of this paper, not cut: A6 for A4."""
    width, height = PAPER_SIZES[paper]
    return PagePieces(1, 1, 105.0 if paper == "a4" else width / 2, 148.0 if paper == "a4" else height / 2, panels)


class ImposedPage:
    """A WeasyPrint page with copies of one piece between marks of cuts.

    `page` has only the marks, and `panels` are those of the piece. `corners` has the upper left corners of the panels
    in millimeters, copy by copy.
    """

    def __init__(
        self,
        page: WeasyPrintObject,
        panels: Sequence[WeasyPrintObject],
        corners: Sequence[Sequence[tuple[float, float]]],
    ) -> None:
        self._page = page
        self._panels = panels
        self._corners = corners

    def __getattr__(self, name: str) -> object:
        return getattr(self._page, name)

    def paint(self, stream: WeasyPrintObject, scale: float = 1) -> None:
        """Paint the page, and over it each copy of the piece; a missing panel stays blank."""
        self._page.paint(stream, scale)
        for corners in self._corners:
            for (x, y), panel in zip(corners, self._panels, strict=False):
                with stream.stacked():
                    stream.transform(e=x * _PIXELS_PER_MM * scale, f=y * _PIXELS_PER_MM * scale)
                    panel.paint(stream, scale)
