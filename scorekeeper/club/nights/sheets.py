"""The printed sheets of a ladder night (tables, result slips, standings), and the slip of a money night."""

from dataclasses import dataclass, replace

from scorekeeper.club.nights import sentences
from scorekeeper.club.nights.night import Night
from scorekeeper.printing.fitting import AS_MANY_AS_NEEDED, Draft, StyleRow, render_sheet
from scorekeeper.printing.print_options import LARGE, PAPER_NAMES, PrintOptions

_LARGE_TYPE_SIZES_PT, _REGULAR_TYPE_SIZES_PT = (18.0, 17.0, 16.0), (12.0, 11.0, 10.0)
"""The type sizes to try for a ladder night's sheet, in large and in regular print; the largest is first."""
_UNREACHED_PAGE_LIMIT = 60
"""A limit of pages that no sheet of tables or result slips reaches, since a night has at most `MAX_TABLES` tables."""
_MONEY_SLIP_TYPE_SIZES_PT = (18.0, 16.0, 14.0, 12.0, 11.0, 10.0, 9.0)
"""The type sizes to try for a money slip with its matches, the largest first; regular print skips the largest."""
_HIDE_MATCHES_CSS = ".night .matches{display:none}"
"""The CSS rule that hides the matches on a money slip if there are too many for one page."""
_MONEY_SLIP_TYPE_SIZES_WITHOUT_MATCHES_PT = (9.0, 8.0, 7.0, 6.0)
"""The type sizes to try for a money slip without its matches."""
_MAX_LETTERS_IN_COLUMN, _MAX_LINES_ON_PAGE = 40, 45
"""About how many letters fit in a column of matches, and how many lines on a page, in the smallest type."""


def draft_tables(night: Night, options: PrintOptions) -> Draft:
    """Return the draft of a sheet to hang up: the tables of the current round, and how entrants move.

    Before the first round, the sheet says that the tables are not drawn yet.
    """
    return _draft_night(
        "tables",
        "printing/_night_tables.html",
        night,
        options,
        moving_rule=sentences.moving_rule_words(night),
        sitting_out_notes=sentences.sitting_out_notes(night),
        score_texts={game.table: sentences.score_words(game) for game in night.current_round.games},
    )


def draft_slips(night: Night, options: PrintOptions) -> Draft:
    """Return the draft of result slips: a slip for each table of the current round, to write its result on.

    Before the first round, the sheet says that the tables are not drawn yet.
    """
    return _draft_night("slips", "printing/_night_slips.html", night, options, round=night.current_round)


def draft_standings(night: Night, options: PrintOptions) -> Draft:
    """Return the draft of a sheet with the standings of all entrants and the result of each game."""
    column_count = 1 if options.size == LARGE else 2
    standings = night.standings
    row_count = -(-len(standings) // column_count)
    rows = [standings[row_index::row_count] for row_index in range(row_count)]
    draft = _draft_night(
        "list",
        "printing/_night_list.html",
        night,
        options,
        column_count=column_count,
        rows=rows,
        fee_lines=sentences.fee_and_prize_lines(night),
        ranking=sentences.ranking_words(night),
        score_texts={
            (round_.number, game.table): sentences.score_words(game) for round_ in night.rounds for game in round_.games
        },
    )
    return replace(draft, style_rows=(StyleRow(_night_styles(options), AS_MANY_AS_NEEDED),))


def _draft_night(sheet_name: str, template: str, night: Night, options: PrintOptions, **values: object) -> Draft:
    """Return the draft of a sheet of a ladder night, in the largest type of the chosen print.

    `sheet_name` ends the title: "Ladder night: slips". The template gets the night, its heading and `values`.
    """
    return Draft(
        title=f"{sentences.night_title(night)}: {sheet_name}",
        body=render_sheet(template, night=night, head=sentences.night_heading(night), **values),
        stylesheets=("faces.css", "paper.css", "night_sheet.css"),
        style_rows=(StyleRow(_night_styles(options)[:1], _UNREACHED_PAGE_LIMIT),),
    )


def _night_styles(options: PrintOptions) -> tuple[str, ...]:
    """Return the CSS of a ladder night's sheet in each type size to try, the largest first."""
    sizes_pt = _LARGE_TYPE_SIZES_PT if options.size == LARGE else _REGULAR_TYPE_SIZES_PT
    return tuple(_night_style(options, size_pt) for size_pt in sizes_pt)


def _night_style(options: PrintOptions, size_pt: float) -> str:
    """Return the CSS of a sheet for the chosen paper, with its type in `size_pt` points."""
    return f"@page{{size:{PAPER_NAMES[options.paper]};margin:14mm}}.night{{font-size:{size_pt}pt}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySlip:
    """The texts on the slip of a money night."""

    title: str
    subtitle: str
    """The line below the title: "Money Pitch, Nov 21, three matches"."""
    due_payment_texts: tuple[str, ...]
    """The payments that are still to be made: "Bob pays Ann $1.20"."""
    people_and_amounts: tuple[tuple[str, str], ...]
    """Each person's name, and what the matches of the night came to for that person: ("Ann", "+$1.20")."""
    matches_and_amounts: tuple[tuple[str, str], ...]
    """The players of each match, and what it adds: ("Ann, Bob", "Ann gets $1.20, Bob owes $1.20").

    The second text is empty for a match that adds nothing.
    """
    recorded_payment_texts: tuple[str, ...] = ()
    """The payments that were made: "Bob paid Ann $1.20"."""


def draft_money_slip(slip: MoneySlip, options: PrintOptions) -> Draft:
    """Return the draft of a money slip on one page, with styles to try in ever smaller type.

    The last styles leave out the matches.
    """
    max_size_pt = max(_LARGE_TYPE_SIZES_PT if options.size == LARGE else _REGULAR_TYPE_SIZES_PT)
    with_matches = [_night_style(options, size_pt) for size_pt in _MONEY_SLIP_TYPE_SIZES_PT if size_pt <= max_size_pt]
    without_matches = [
        f"{_night_style(options, size_pt)}{_HIDE_MATCHES_CSS}" for size_pt in _MONEY_SLIP_TYPE_SIZES_WITHOUT_MATCHES_PT
    ]
    # Where there is too much of it, the first style that fits probably is one without the matches.
    start_index = 0 if _count_lines(slip) <= _MAX_LINES_ON_PAGE else len(with_matches)
    return Draft(
        title=slip.title,
        body=render_sheet("printing/_money_slip.html", sheet=slip),
        stylesheets=("faces.css", "paper.css", "night_sheet.css"),
        style_rows=(StyleRow((*with_matches, *without_matches), 1, start_index),),
    )


def _count_lines(slip: MoneySlip) -> int:
    """Return about how many lines a money slip with its matches takes in the smallest type that shows them."""
    match_line_count = sum(-(-max(map(len, texts)) // _MAX_LETTERS_IN_COLUMN) for texts in slip.matches_and_amounts)
    payment_line_count = len(slip.recorded_payment_texts) + len(slip.due_payment_texts)
    return payment_line_count + len(slip.people_and_amounts) + match_line_count
