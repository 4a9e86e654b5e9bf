"""Set a page as well as its paper allows: try one style after the other, then put the pieces on the page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from markupsafe import Markup

from scorekeeper import paths
from scorekeeper.printing.grayscale import BlackPress
from scorekeeper.printing.imposition import Imposed
from scorekeeper.printing.papers import Cut, Pieces
from scorekeeper.printing.press import Press
from scorekeeper.printing.templates import templates

CSS = paths.STATIC / "css"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Markup that is ready to be set, and the ways to set it."""

    title: str
    body: str
    """What stands on the page, or on each of its pieces."""
    stylesheets: tuple[str, ...]
    attempts: tuple[tuple[str, ...], ...]
    """Styles to try: rows of them, each from the best to the one that takes least room."""
    pages: int
    """How many pages it may take, or one piece of a page."""
    pieces: Pieces | None = None
    margin: str = "0"
    """The white round each piece."""

    def markup(self) -> str:
        """Write the page, or one piece of it."""
        return self._page(Markup(self.body), ())

    def cut_markup(self) -> str:
        """Write the page that the pieces lie on: only the marks between them."""
        return self._page(Markup(), self.pieces.cuts if self.pieces else ())

    def _page(self, body: Markup, cuts: Sequence[Cut]) -> str:
        return templates().get_template("printing/_page.html").render(title=self.title, body=body, cuts=cuts)


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished sheet."""

    content: bytes
    style: str
    """The style that was chosen for it."""


def draft_key(draft: Draft, *, is_black: bool = False) -> str:
    """Stand for everything that is on the pages, in a few letters; the same page has the same key."""
    return sha256(f"{is_black}\n{_style_key(draft.stylesheets)}\n{draft!r}".encode()).hexdigest()[:32]


@cache
def _style_key(stylesheets: tuple[str, ...]) -> str:
    return sha256(b"\n".join((CSS / name).read_bytes() for name in stylesheets)).hexdigest()


def print_draft(draft: Draft, *, is_black: bool = False) -> Printed:
    """Set a draft in the best of its styles that keeps to its pages; in the last of all where none does."""
    press = _press(draft.markup(), draft, is_black)
    sized = _piece_page(draft.pieces, draft.margin) if draft.pieces else ""
    document, style = _best(press, [[sized + css for css in row] for row in draft.attempts], draft.pages)
    if draft.pieces and draft.pieces.cuts:
        page = _press(draft.cut_markup(), draft, is_black).lay_out(_whole_page(draft.pieces))
        document = page.copy([Imposed(page.pages[0], document.pages[0], draft.pieces.corners)])
    return Printed(document.write_pdf(), style)


def _press(markup: str, draft: Draft, is_black: bool) -> Press:
    stylesheets: list[Path] = [CSS / name for name in draft.stylesheets]
    return (BlackPress if is_black else Press)(markup, stylesheets, paths.STATIC)


def _best(press: Press, attempts: Sequence[Sequence[str]], pages: int) -> tuple[Any, str]:
    for row in attempts:
        found = _first_that_fits(lambda css: press.lay_out(css), row, pages)
        if found:
            return found
    return press.lay_out(attempts[-1][-1]), attempts[-1][-1]


def _first_that_fits(lay_out: Callable[[str], Any], row: Sequence[str], pages: int) -> tuple[Any, str] | None:
    """Find the first style that keeps to the pages, halving the row each time."""
    found = None
    low, high = 0, len(row)
    while low < high:
        middle = (low + high) // 2
        document = lay_out(row[middle])
        if len(document.pages) <= pages:
            found = document, row[middle]
            high = middle
        else:
            low = middle + 1
    return found


def _piece_page(pieces: Pieces, margin: str) -> str:
    """Make the page as large as one piece."""
    return f"@page{{size:{pieces.width:.3f}mm {pieces.height:.3f}mm;margin:{margin}}}"


def _whole_page(pieces: Pieces) -> str:
    """Make the page as large as the paper, and put the marks where they belong."""
    marks = [
        f".cutmark:nth-of-type({i}){{left:{cut.x:.3f}mm;top:{cut.y:.3f}mm;width:{cut.width}mm;height:{cut.height}mm}}"
        for i, cut in enumerate(pieces.cuts, start=1)
    ]
    return f"@page{{size:{pieces.page_width}mm {pieces.page_height}mm;margin:0}}{''.join(marks)}"
