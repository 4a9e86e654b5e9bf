"""Result sheets as PDF: as many pages as the hands need, their heads on each."""

from dataclasses import dataclass

from scorekeeper.printing.fitting import Draft, print_draft
from scorekeeper.printing.papers import PAPERS
from scorekeeper.printing.print_options import LARGE, Wish
from scorekeeper.printing.score_sheet_values import ResultSheet
from scorekeeper.printing.templates import templates


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
MOST_PAGES = 1000


def result_draft(sheet: ResultSheet, wish: Wish) -> Draft:
    """Draft a result sheet: it may take as many pages as it needs."""
    body = templates().get_template("printing/_score_sheet.html").render(sheet=sheet, ink=INK)
    return Draft(
        title=f"{sheet.title}: result",
        body=body,
        stylesheets=("faces.css", "result.css"),
        attempts=((_style(wish),),),
        pages=MOST_PAGES,
    )


def print_result(sheet: ResultSheet, wish: Wish | None = None) -> bytes:
    """Give a result sheet as PDF; raises `PrintingUnavailable` without Pango."""
    wish = wish or Wish()
    return print_draft(result_draft(sheet, wish), is_black=wish.ink == "black").content


def _style(wish: Wish) -> str:
    size = SIZES.get(wish.size, USUAL_SIZE)
    fine = max(size * _FINE, SMALLEST)
    return (
        f"@page{{size:{PAPERS[wish.paper]}}}"
        f"@page{{@bottom-right{{font-size:{fine:.2f}pt}}}}"
        f".result{{font-size:{size}pt;--fine:{fine:.2f}pt}}"
    )
