"""The sheet of a book's year, printed on one page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.club.figures.bars_and_steps import Bar, MonthsView
from scorekeeper.printing.fitting import Draft, StyleRow, drawing_style_element, render_sheet
from scorekeeper.printing.print_options import PAPER_NAMES, PrintOptions

_TYPE_SIZES_PT = (12.0, 11.5, 11.0, 10.5, 10.0)
"""The type sizes to try, the largest first."""
_SMALLEST_TYPE_SIZE_PT = 8.5
"""The type size of the last style to try, in which even the longest names fit."""
_HIDE_LINES_CSS = ".year .to-write{display:none}"
"""CSS that hides the lines to write on."""
_HIDE_ROWS_CSS = tuple(
    f".year .rows tr:nth-child(n+{max_rows + 1}){{display:none}}" for max_rows in (28, 22, 18, 15, 12, 10, 8, 6, 4)
)
"""CSS rules, each of which leaves fewer rows of long lists: it hides the people and teams who played least."""
_USUAL_HIDE_ROWS_INDEX = 4
"""The index of the rule in `_HIDE_ROWS_CSS` that is usually enough for too many people."""
_LONG_NAME_LENGTHS = (15, 20)
"""If not all people fit, the search begins two styles later for each length that the longest name exceeds."""
_MAX_PEOPLE_IN_USUAL_SIZE, _MAX_PEOPLE_IN_SMALLEST_SIZE = 8, 13
"""How many people fit on a page in the usual type size, and in the smallest of `_TYPE_SIZES_PT`."""
_MAX_LETTERS_OF_NAMES = 200
"""The most letters of all names on a page, if each name counts as long as the longest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A remarkable match or total in words, such as the closest finish of a year."""

    label: str
    detail: str
    """Who and when, or out of how many: "Ann & Cal came back from 20 behind, Nov 19", "of 3 tried"."""
    figure_text: str
    """The score or number itself: "43–44", "12"."""
    match_uid: str = ""
    """The uid of the match; empty for a highlight of several matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class YearSheet:
    """The content of the page of a year, on the screen or on paper."""

    title: str
    subtitle: str
    """The name of the book, and that of the rules if all matches had the same: "the Millers, Colorado Ten Point"."""
    until_text: str
    """In the present year, the day of the last match: "up to November 21"; empty for other years."""
    totals: Sequence[tuple[int, str]]
    """Each total with the noun for what it counts: (31, "matches")."""
    champion_text: str
    """The person who won most matches: "Ann, 16 of 27". Empty after a tie, without a win, and after too few matches."""
    months: MonthsView
    bars_by_person: Mapping[str, Bar]
    """A bar for the matches that each person with a name won, out of those played; keyed by uid."""
    bid_bars: tuple[Bar, ...]
    """A bar for how often each bid was made, out of how often it was bid."""
    team_bars: tuple[Bar, ...]
    """A bar for the matches that partners won together, out of those played; for partners with enough matches."""
    highlights: tuple[Highlight, ...]


def draft_year_sheet(sheet: YearSheet, options: PrintOptions) -> Draft:
    """Return the draft of a year's sheet on one page, with styles to try that are ever more compact."""
    return Draft(
        title=sheet.title,
        body=render_sheet("printing/_year_sheet.html", sheet=sheet, style=drawing_style_element("year_drawings.css")),
        stylesheets=("faces.css", "paper.css", "year.css"),
        style_rows=(StyleRow(tuple(_year_styles(options)), 1, _index_of_first_style_to_try(sheet, options)),),
    )


def _index_of_first_style_to_try(sheet: YearSheet, options: PrintOptions) -> int:
    """Return the index of the first of the `_year_styles` that is likely to fit."""
    name_lengths = [len(bar.label) for bar in sheet.bars_by_person.values()]
    person_count, max_name_length = len(name_lengths), max(name_lengths, default=0)
    if person_count > _MAX_PEOPLE_IN_SMALLEST_SIZE or person_count * max_name_length > _MAX_LETTERS_OF_NAMES:
        exceeded_count = sum(max_name_length > length for length in _LONG_NAME_LENGTHS)
        return 1 + len(_TYPE_SIZES_PT) + _USUAL_HIDE_ROWS_INDEX + 2 * exceeded_count
    return max(0, (person_count - _MAX_PEOPLE_IN_USUAL_SIZE) // 2) + (2 if options.paper == "letter" else 0)


def _year_styles(options: PrintOptions) -> Iterator[str]:
    """Yield the styles to try, as CSS: the usual one, then without lines to write on, smaller, with fewer rows."""
    page_css = f"@page{{size:{PAPER_NAMES[options.paper]}}}"
    yield f"{page_css}.year{{font-size:{_TYPE_SIZES_PT[0]}pt}}"
    for size_pt in _TYPE_SIZES_PT:
        yield f"{page_css}.year{{font-size:{size_pt}pt}}{_HIDE_LINES_CSS}"
    for hide_rows_css in _HIDE_ROWS_CSS:
        yield f"{page_css}.year{{font-size:{_TYPE_SIZES_PT[-1]}pt}}{_HIDE_LINES_CSS}{hide_rows_css}"
    yield f"{page_css}.year{{font-size:{_SMALLEST_TYPE_SIZE_PT}pt}}{_HIDE_LINES_CSS}{_HIDE_ROWS_CSS[-1]}"
