"""Score sheets as PDF: as many pages as the hands need, under the same heads."""

from markupsafe import Markup

from scorekeeper.printing.fitting import HOPELESS, Draft, render
from scorekeeper.printing.layout import CSS
from scorekeeper.printing.print_options import LARGE, PAPER_NAMES, PrintOptions
from scorekeeper.printing.score_sheet import ScoreSheet

SIZES = {LARGE: 16.0}
USUAL_SIZE = 11.0
SMALLEST = 9.5
_FINE = 0.87
_CLOSEST = (
    ".result .chart{display:none}.result .hands td{padding-top:0;padding-bottom:0}.result{line-height:1.15}"
    ".result p{line-height:1.15}.result h2{margin-top:.3em}.result .final td{padding:.15em .7em}"
)
_STEPS = (
    (10.5, 9.2, ""),
    (10.0, 9.0, ""),
    (10.0, 9.0, ".result .chart>svg{width:82%;margin:0 auto}"),
    (9.5, 9.0, ".result .chart>svg{width:82%;margin:0 auto}"),
    (9.0, 9.0, ".result .chart>svg{width:82%;margin:0 auto}"),
    (9.0, 9.0, ".result .chart{display:none}"),
    (9.0, 9.0, ".result .chart{display:none}.result .hands td{padding-top:.04em;padding-bottom:.04em}"),
    (9.0, 9.0, _CLOSEST),
    (9.0, 9.0, f"{_CLOSEST}.result .vain{{display:none}}"),
)
"""Sizes of text, of the fine print, and what becomes of the rest, each taking less room than the one before."""
_CLOSER = (
    "@page{margin:9mm 14mm 14mm}"
    ".result .hands td{padding-top:.12em;padding-bottom:.12em}"
    ".result h2{margin-top:.55em}.result .final{margin-top:.4em}"
    ".result .final td{padding:.3em .7em}"
    ".result .hands.n1 .what,.result .hands.n2 .what{width:55%}"
)
USUAL_HANDS, MOST_ON_A_PAGE = 10, 26
"""Up to so many hands fit in the usual style; more than so many in none."""
MOST_PAGES = 1000


def draft_score_sheet(sheet: ScoreSheet, options: PrintOptions) -> Draft:
    """Return a score sheet; it may take as many pages as it needs."""
    style = Markup(f"<style>{(CSS / 'drawings.css').read_text(encoding='utf-8')}</style>")
    return Draft(
        title=f"{sheet.title}: result",
        body=render("printing/_score_sheet.html", sheet=sheet, style=style),
        stylesheets=("faces.css", "result.css"),
        attempts=_attempts(sheet, options),
        pages=(1, MOST_PAGES),
        starts=(_start(sheet, options), 0),
    )


def _attempts(sheet: ScoreSheet, options: PrintOptions) -> tuple[tuple[str, ...], ...]:
    """Return the styles for a sheet on one page, ever closer, and the usual one for as many as it takes."""
    usual = _style(options, SIZES.get(options.size, USUAL_SIZE), SMALLEST)
    if options.size in SIZES:
        return (usual,), (usual,)
    closer = (_style(options, size, smallest) + _CLOSER + chart for size, smallest, chart in _STEPS)
    return (usual, *closer), (usual,)


def _start(sheet: ScoreSheet, options: PrintOptions) -> int:
    """Return which style probably is the first that fits one page: a guess by the number of hands."""
    hands = len(sheet.hands)
    if options.size in SIZES:
        return 0
    if hands > MOST_ON_A_PAGE:
        return HOPELESS
    return 0 if hands <= USUAL_HANDS else min(1 + (hands - USUAL_HANDS) // 3, len(_STEPS))


def _style(options: PrintOptions, size: float, smallest: float) -> str:
    fine = max(size * _FINE, smallest)
    return (
        f"@page{{size:{PAPER_NAMES[options.paper]}}}"
        f"@page{{@bottom-right{{font-size:{fine:.2f}pt}}}}"
        f".result{{font-size:{size}pt;--fine:{fine:.2f}pt}}"
    )
