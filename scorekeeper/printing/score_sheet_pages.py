"""Score sheets as PDF: as many pages as the hands need, under the same heads."""

from markupsafe import Markup

from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.layout import CSS
from scorekeeper.printing.print_options import LARGE, PAPER_NAMES, PrintOptions
from scorekeeper.printing.score_sheet import ScoreSheet

SIZES = {LARGE: 16.0}
USUAL_SIZE = 11.0
SMALLEST = 9.5
_FINE = 0.87
MOST_PAGES = 1000


def draft_score_sheet(sheet: ScoreSheet, options: PrintOptions) -> Draft:
    """Return a score sheet; it may take as many pages as it needs."""
    style = Markup(f"<style>{(CSS / 'drawings.css').read_text(encoding='utf-8')}</style>")
    return Draft(
        title=f"{sheet.title}: result",
        body=render("printing/_score_sheet.html", sheet=sheet, style=style),
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
