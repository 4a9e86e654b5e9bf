"""Rule sheets, in ordinary print on one page and in large print on two."""

from collections.abc import Sequence
from math import sqrt

from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.print_options import PAPER_NAMES, Paper
from scorekeeper.printing.rules_link import RulesLink
from scorekeeper.sheets.rule_sheet import RuleSheet

SIZES = (13.0, 12.5, 12.0, 11.75, 11.5, 11.25, 11.0, 10.75, 10.5, 10.25, 10.0, 9.75, 9.5, 9.25, 9.0)
"""Sizes of the text in points, the largest first; nothing on a sheet is set smaller than the last."""
LARGE_SIZES = (18.0, 17.0, 16.0)
"""Sizes of large print; even its notes are no smaller than the last."""
_FINE = 0.885
_FULL_PAGE: dict[Paper, float] = {"a4": 990, "letter": 950}
"""About the size in points, times the square root of the length of the markup, that fills a page."""
_TWO_FULL_PAGES: dict[Paper, float] = {"a4": 1460, "letter": 1410}
"""The same of large print."""
_QR_CODE = 15.0
"""Millimeters that the QR code takes at least."""
_WITHOUT_LIST = ".rule-sheet .changes{display:none}.rule-sheet .full .write{display:block}"
_WHOLE = ".rule-sheet section{break-inside:avoid}"
"""A section is read at one go: better with none of it on the other page."""
_WITHOUT_LINES = ".rule-sheet .write,.rule-sheet .house.bare{display:none}"
_WITHOUT_SOURCE = ".rule-sheet .source{display:none}"


def rule_sheet_markup(sheet: RuleSheet, link: RulesLink | None = None) -> str:
    """Return the markup of a rule sheet."""
    return render("printing/_rule_sheet.html", sheet=sheet, link=link)


def draft_rule_sheet(sheet: RuleSheet, paper: Paper, link: RulesLink | None = None) -> Draft:
    """Return a rule sheet for one page.

    That of a house that changed nearly everything may not fit: then its list is left out, for every change is marked
    where it stands, then the source, and in the last resort the sheet takes a second page.
    """
    styles = [_style(paper, size, link, len(sheet.trumps)) for size in SIZES]
    body = rule_sheet_markup(sheet, link)
    likely = _likely(SIZES, _FULL_PAGE[paper], body)
    return Draft(
        title=f"{sheet.title}: rules",
        body=body,
        stylesheets=("faces.css", "print.css"),
        attempts=(
            tuple(styles),
            tuple(style + _WITHOUT_LIST for style in styles),
            (styles[-1] + _WITHOUT_LIST + _WITHOUT_SOURCE,),
            (styles[-1],),
        ),
        pages=1,
        starts=(likely, likely),
    )


def draft_large_print(sheet: RuleSheet, paper: Paper, link: RulesLink | None = None) -> Draft:
    """Return a rule sheet in large print for two pages.

    Where they are too few, the lines to write on go first, then the source, then the list of changes.
    """
    styles = [_large_style(paper, size, link, len(sheet.trumps)) for size in LARGE_SIZES]
    body = rule_sheet_markup(sheet, link)
    return Draft(
        title=f"{sheet.title}: rules in large print",
        body=body,
        stylesheets=("faces.css", "print.css", "large.css"),
        attempts=(
            tuple(style + _WHOLE for style in styles),
            (styles[-1] + _WHOLE + _WITHOUT_LINES,),
            (styles[-1],),
            (styles[-1] + _WITHOUT_LINES,),
            (styles[-1] + _WITHOUT_LINES + _WITHOUT_SOURCE,),
            (styles[-1] + _WITHOUT_LIST + _WITHOUT_LINES + _WITHOUT_SOURCE,),
            (styles[-1],),
        ),
        pages=2,
        starts=(_likely(LARGE_SIZES, _TWO_FULL_PAGES[paper], body),),
    )


def _likely(sizes: Sequence[float], full: float, body: str) -> int:
    """Return which size probably fills the pages: the nearest to what the length of the markup leaves room for."""
    size = full / sqrt(len(body))
    return min(range(len(sizes)), key=lambda i: abs(sizes[i] - size))


def _style(paper: Paper, size: float, link: RulesLink | None, cards: int) -> str:
    """Return the CSS of a paper and a size of text; the foot of the sheet goes to the foot of the page."""
    fine = max(size * _FINE, SIZES[-1])
    width = max(link.width, _QR_CODE) if link and link.width else 0
    foot = "@bottom-center{content:element(footer);width:100%;text-align:left;vertical-align:top}"
    return (
        f"@page{{size:{PAPER_NAMES[paper]};margin:9mm 13mm {max(14, width + 9)}mm;{foot}}}"
        f".rule-sheet{{font-size:{size}pt;--fine:{fine:.3f}pt;--cards:{cards}}}"
        f".footer{{position:running(footer)}}.footer .qr{{width:{width}mm;height:{width}mm}}"
    )


def _large_style(paper: Paper, size: float, link: RulesLink | None, cards: int) -> str:
    width = max(link.width, _QR_CODE) if link else 0
    return (
        f"@page{{size:{PAPER_NAMES[paper]};margin:9mm 11mm}}"
        f".rule-sheet{{font-size:{size}pt;--fine:{LARGE_SIZES[-1]}pt;--cards:{cards}}}"
        f".footer .qr{{width:{width}mm;height:{width}mm}}"
    )
