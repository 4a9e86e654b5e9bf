"""A money night on one page: who owes whom, what everybody is owed, and what each match settled."""

from collections.abc import Iterator
from dataclasses import dataclass

from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.print_options import LARGE, PAPER_NAMES, PrintOptions

_SIZES = (18.0, 16.0, 14.0, 12.0, 11.0, 10.0, 9.0)
_USUAL_SIZE = 12.0
_WITHOUT_MATCHES = ".night .matches{display:none}"
"""Where many came and went: what is owed has to be on the page, what each match settled need not."""
_SMALLEST = (9.0, 8.0, 7.0, 6.0)


@dataclass(frozen=True, slots=True)
class SlipLine:
    """Somebody, and what they are owed: "+$1.20"."""

    name: str
    amount: str


@dataclass(frozen=True, slots=True)
class SlipMatch:
    """A match, who played, and what it settled."""

    number: int
    label: str
    settled: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySlip:
    """What is printed of a money night."""

    title: str
    sub: str
    """"Money Pitch, Nov 21, 3 matches"."""
    payments: tuple[str, ...]
    """"Bob pays Ann $1.20"."""
    people: tuple[SlipLine, ...]
    matches: tuple[SlipMatch, ...]


def draft_money_slip(slip: MoneySlip, options: PrintOptions) -> Draft:
    """Return the slip: where there is no room, the type is smaller, and then the matches are left out."""
    return Draft(
        title=slip.title,
        body=render("printing/_money_slip.html", sheet=slip),
        stylesheets=("faces.css", "night_sheet.css"),
        attempts=(tuple(_styles(options)),),
        pages=1,
    )


def _styles(options: PrintOptions) -> Iterator[str]:
    page = f"@page{{size:{PAPER_NAMES[options.paper]};margin:14mm}}"
    largest = _SIZES[0] if options.size == LARGE else _USUAL_SIZE
    for size in _SIZES:
        if size <= largest:
            yield f"{page}.night{{font-size:{size}pt}}"
    for size in _SMALLEST:
        yield f"{page}.night{{font-size:{size}pt}}{_WITHOUT_MATCHES}"
