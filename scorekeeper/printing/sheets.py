"""Rule sheets as PDF: one page, in the largest type that fits it."""

from collections import OrderedDict
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from scorekeeper import paths
from scorekeeper.printing.examples import worked_example
from scorekeeper.printing.press import Press
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet import RuleSheet, rule_sheet

Paper = Literal["a4", "letter"]
PAPERS: dict[Paper, str] = {"a4": "A4", "letter": "Letter"}
SIZES = (13.0, 12.5, 12.0, 11.75, 11.5, 11.25, 11.0, 10.75, 10.5, 10.25, 10.0, 9.75, 9.5, 9.25, 9.0)
"""Sizes of the text in points, the largest first; nothing on a sheet is set smaller than the last."""
SMALLEST = SIZES[-1]
_FINE = 0.885
_KEPT = 64
_WITHOUT_LIST = ".rule-sheet .told{display:none}.rule-sheet .full .write{display:block}"


def tell(ruleset: Ruleset, base: Ruleset | None = None) -> RuleSheet:
    """Tell a ruleset with an example that the engine has scored; what differs from `base` is marked."""
    return rule_sheet(ruleset, base, worked_example(ruleset))


def sheet_markup(sheet: RuleSheet) -> str:
    """Write a sheet as a page of its own."""
    return _templates().get_template("print/rule_sheet.html").render(sheet=sheet)


def sheet_key(sheet: RuleSheet, paper: Paper) -> str:
    """Stand for everything that is on the printed page, in a few letters; the same page has the same key."""
    content = f"{paper}\n{_style_key()}\n{sheet_markup(sheet)}"
    return sha256(content.encode()).hexdigest()[:32]


def print_sheet(sheet: RuleSheet, paper: Paper = "a4") -> bytes:
    """Give a rule sheet as PDF; raises `PrintingUnavailable` without Pango. The latest are remembered."""
    return _remembered(sheet, paper).content


def text_size(sheet: RuleSheet, paper: Paper = "a4") -> float:
    """Give the size in points that the sheet's text is set in."""
    return _remembered(sheet, paper).size


class _Printed:
    """A finished sheet."""

    def __init__(self, content: bytes, size: float) -> None:
        self.content = content
        self.size = size


_printed: OrderedDict[str, _Printed] = OrderedDict()
_lock = Lock()


def _remembered(sheet: RuleSheet, paper: Paper) -> _Printed:
    key = sheet_key(sheet, paper)
    with _lock:  # one at a time: laying out takes a core, and the next in line may find it done
        if key in _printed:
            _printed.move_to_end(key)
            return _printed[key]
        printed = _set_in_type(sheet, paper)
        _printed[key] = printed
        while len(_printed) > _KEPT:
            _printed.popitem(last=False)
        return printed


def _set_in_type(sheet: RuleSheet, paper: Paper) -> _Printed:
    """Write the page in the largest size that fits.

    A house that changed nearly everything may not fit: then its list goes, for every change is marked where it
    stands, and at the last the sheet takes a second page.
    """
    press = Press(sheet_markup(sheet), [paths.STATIC / "css" / "print.css"], paths.STATIC)
    for more in ("", _WITHOUT_LIST):
        document, size = _largest(press, paper, more)
        if document:
            return _Printed(document.write_pdf(), size)
    return _Printed(press.lay_out(_style(paper, SMALLEST)).write_pdf(), SMALLEST)


def _largest(press: Press, paper: Paper, more: str) -> tuple[Any, float]:
    """Find the largest size that fits one page, halving the range each time."""
    found: tuple[Any, float] = None, SMALLEST
    low, high = 0, len(SIZES)
    while low < high:
        middle = (low + high) // 2
        document = press.lay_out(_style(paper, SIZES[middle]) + more)
        if len(document.pages) == 1:
            found = document, SIZES[middle]
            high = middle
        else:
            low = middle + 1
    return found


def _style(paper: Paper, size: float) -> str:
    """Set the paper and the size of the text; the foot of the sheet goes to the foot of the page."""
    fine = max(size * _FINE, SMALLEST)
    foot = "@bottom-center{content:element(feet);width:100%;text-align:left;vertical-align:top}"
    return (
        f"@page{{size:{PAPERS[paper]};margin:10mm 13mm 14mm;{foot}}}"
        f".rule-sheet{{font-size:{size}pt;--fine:{fine:.3f}pt}}"
        ".feet{position:running(feet)}"
    )


@cache
def _style_key() -> str:
    return sha256((paths.STATIC / "css" / "print.css").read_bytes()).hexdigest()


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(paths.TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
