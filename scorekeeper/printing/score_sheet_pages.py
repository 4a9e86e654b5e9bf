"""Score sheets as PDF: as many pages as the hands need, under the same heads."""

from dataclasses import dataclass

from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.print_options import LARGE, PAPER_NAMES, PrintOptions
from scorekeeper.printing.score_sheet import ScoreSheet


@dataclass(frozen=True, slots=True)
class Palette:
    """The colors of a sheet's drawings, as on the phone by day."""

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
MOST_PAGES = 1000


def draft_score_sheet(sheet: ScoreSheet, options: PrintOptions) -> Draft:
    """Return a score sheet; it may take as many pages as it needs."""
    return Draft(
        title=f"{sheet.title}: result",
        body=render("printing/_score_sheet.html", sheet=sheet, ink=INK),
        stylesheets=("faces.css", "result.css"),
        attempts=((_style(options),),),
        pages=MOST_PAGES,
    )


def _style(options: PrintOptions) -> str:
    size = SIZES.get(options.size, USUAL_SIZE)
    fine = max(size * _FINE, SMALLEST)
    return (
        f"@page{{size:{PAPER_NAMES[options.paper]}}}"
        f"@page{{@bottom-right{{font-size:{fine:.2f}pt}}}}"
        f".result{{font-size:{size}pt;--fine:{fine:.2f}pt}}"
    )
