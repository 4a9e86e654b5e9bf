"""Rule sheets, in ordinary print on one page and in large print on two."""

from scorekeeper.printing.fitting import Draft
from scorekeeper.printing.papers import PAPERS, Paper
from scorekeeper.printing.rules_link import Opening
from scorekeeper.printing.templates import templates
from scorekeeper.sheets.rule_sheet import RuleSheet

SIZES = (13.0, 12.5, 12.0, 11.75, 11.5, 11.25, 11.0, 10.75, 10.5, 10.25, 10.0, 9.75, 9.5, 9.25, 9.0)
"""Sizes of the text in points, the largest first; nothing on a sheet is set smaller than the last."""
SMALLEST = SIZES[-1]
LARGE_SIZES = (18.0, 17.0, 16.0)
"""Sizes of large print; even its notes are no smaller than the last."""
SMALLEST_LARGE = LARGE_SIZES[-1]
_FINE = 0.885
_SQUARES = 15.0
"""Millimetres that the squares of a sheet's code take at least."""
_WITHOUT_LIST = ".rule-sheet .told{display:none}.rule-sheet .full .write{display:block}"
_WHOLE = ".rule-sheet section{break-inside:avoid}"
"""A section is read at one go: better with none of it on the other page."""
_WITHOUT_LINES = ".rule-sheet .write,.rule-sheet .house.bare{display:none}"


def sheet_markup(sheet: RuleSheet, opening: Opening | None = None) -> str:
    """Write a sheet as it stands on the page."""
    return templates().get_template("printing/_rule_sheet.html").render(sheet=sheet, opening=opening)


def sheet_draft(sheet: RuleSheet, paper: Paper, opening: Opening | None = None) -> Draft:
    """Draft a sheet on one page.

    A house that changed nearly everything may not fit: then its list goes, for every change is marked where it
    stands, and at the last the sheet takes a second page.
    """
    styles = [_style(paper, size, opening) for size in SIZES]
    return Draft(
        title=f"{sheet.title}: rules",
        body=sheet_markup(sheet, opening),
        stylesheets=("faces.css", "print.css"),
        attempts=(tuple(styles), tuple(style + _WITHOUT_LIST for style in styles), (styles[-1],)),
        pages=1,
    )


def large_draft(sheet: RuleSheet, paper: Paper, opening: Opening | None = None) -> Draft:
    """Draft a sheet in large print on two pages; where they do not do, the lines to write on go first."""
    styles = [_large_style(paper, size, opening) for size in LARGE_SIZES]
    return Draft(
        title=f"{sheet.title}: rules in large print",
        body=sheet_markup(sheet, opening),
        stylesheets=("faces.css", "print.css", "large.css"),
        attempts=(
            tuple(style + _WHOLE for style in styles),
            (styles[-1] + _WHOLE + _WITHOUT_LINES,),
            (styles[-1],),
            (styles[-1] + _WITHOUT_LINES,),
            (styles[-1] + _WITHOUT_LIST + _WITHOUT_LINES,),
            (styles[-1],),
        ),
        pages=2,
    )


def _style(paper: Paper, size: float, opening: Opening | None) -> str:
    """Set the paper and the size of the text; the foot of the sheet goes to the foot of the page."""
    fine = max(size * _FINE, SMALLEST)
    squares = max(opening.side, _SQUARES) if opening and opening.side else 0
    foot = "@bottom-center{content:element(feet);width:100%;text-align:left;vertical-align:top}"
    return (
        f"@page{{size:{PAPERS[paper]};margin:9mm 13mm {max(14, squares + 9)}mm;{foot}}}"
        f".rule-sheet{{font-size:{size}pt;--fine:{fine:.3f}pt}}"
        f".feet{{position:running(feet)}}.feet .qr{{width:{squares}mm;height:{squares}mm}}"
    )


def _large_style(paper: Paper, size: float, opening: Opening | None) -> str:
    squares = max(opening.side, _SQUARES) if opening else 0
    return (
        f"@page{{size:{PAPERS[paper]};margin:9mm 11mm}}"
        f".rule-sheet{{font-size:{size}pt;--fine:{SMALLEST_LARGE}pt}}"
        f".feet .qr{{width:{squares}mm;height:{squares}mm}}"
    )
