"""Several copies of a piece on one page: it is laid out once, and painted in each of its places."""

from collections.abc import Sequence
from typing import Any

_PIXELS = 96 / 25.4
"""In a millimetre."""


class Imposed:
    """A page of WeasyPrint's with a piece painted over it, once at each of its corners, given in millimetres."""

    def __init__(self, page: Any, piece: Any, corners: Sequence[tuple[float, float]]) -> None:
        self._page = page
        self._piece = piece
        self._corners = corners

    def __getattr__(self, name: str) -> Any:
        return getattr(self._page, name)

    def paint(self, stream: Any, scale: float = 1) -> None:
        """Paint the page into a PDF, and the piece in its places."""
        self._page.paint(stream, scale)
        for x, y in self._corners:
            with stream.stacked():
                stream.transform(e=x * _PIXELS * scale, f=y * _PIXELS * scale)
                self._piece.paint(stream, scale)
