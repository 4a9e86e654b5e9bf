"""Result sheets as PDF: as many pages as the hands need, their heads on each."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from scorekeeper import paths
from scorekeeper.printing.ink import BlackPress
from scorekeeper.printing.press import Press
from scorekeeper.printing.result_values import ResultSheet
from scorekeeper.printing.sheets import PAPERS
from scorekeeper.printing.templates import templates
from scorekeeper.printing.wishes import LARGE, Wish


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a sheet's drawings, as on the phone by day."""

    ink: str = "#14211b"
    soft: str = "#3d4a43"
    rule: str = "#c9d5c2"
    paper: str = "#ffffff"
    red: str = "#b01e2a"
    made: str = "#145c3d"
    pencil: str = "#4d535b"
    sides: tuple[str, ...] = ("", "#1b4f94", "#8a5200", "#006a5b", "#8c2470", "#46525e", "#5c6400")
    """By the number of the marker."""


INK = Palette()
SIZES = {LARGE: 16.0}
USUAL_SIZE = 11.0
SMALLEST = 9.5
_FINE = 0.87


def result_markup(sheet: ResultSheet) -> str:
    """Write a result sheet as a page of its own."""
    return templates().get_template("print/result.html").render(sheet=sheet, ink=INK)


def result_key(sheet: ResultSheet, wish: Wish) -> str:
    """Stand for everything that is on the printed pages, in a few letters."""
    content = f"{wish}\n{_style_key()}\n{result_markup(sheet)}"
    return sha256(content.encode()).hexdigest()[:32]


def print_result(sheet: ResultSheet, wish: Wish | None = None) -> bytes:
    """Give a result sheet as PDF; raises `PrintingUnavailable` without Pango."""
    wish = wish or Wish()
    press = (Press if wish.ink == "colour" else BlackPress)(result_markup(sheet), list(_stylesheets()), paths.STATIC)
    content: bytes = press.lay_out(_style(wish)).write_pdf()
    return content


def _style(wish: Wish) -> str:
    size = SIZES.get(wish.size, USUAL_SIZE)
    fine = max(size * _FINE, SMALLEST)
    return (
        f"@page{{size:{PAPERS[wish.paper]}}}"
        f"@page{{@bottom-right{{font-size:{fine:.2f}pt}}}}"
        f".result{{font-size:{size}pt;--fine:{fine:.2f}pt}}"
    )


def _stylesheets() -> tuple[Path, ...]:
    return paths.STATIC / "css" / "print.css", paths.STATIC / "css" / "result.css"


@cache
def _style_key() -> str:
    return sha256(b"\n".join(sheet.read_bytes() for sheet in _stylesheets())).hexdigest()
