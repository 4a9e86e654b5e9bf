"""Matches and hands as the rows of a spreadsheet: one row for each match, and one for each side in each hand."""

import csv
import re
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

from scorekeeper.matches.fold import Ending, Match
from scorekeeper.matches.log import MatchLog, occasion_of
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.text.phrases import bid_word

Cell = str | int
"""The value of a cell of a spreadsheet."""
MATCH_COLUMNS = ("match", "played on", "title", "variant", "place", "status", "winners", "hands", "players", "note")
"""The columns about the match in a row of a match, before the columns of its sides."""
SIDE_COLUMNS = ("side", "score")
"""The columns for each side in a match's row; a number is added to their names: "score 2"."""
HAND_COLUMNS = (
    *("match", "played on", "title", "variant", "hand", "status", "dealer", "bidder", "bid", "trump", "made"),
    *("side", "side number", "players", "took", "change", "score", "note"),
)
"""The columns of a row for one side in one hand."""
_FORMULA_START = re.compile(r"""(^|[;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])|^(?=[\t\r\n])""")
"""The places where a spreadsheet may see a formula: at the start of a text, or where it splits cells."""
_BOM = "\ufeff"
"""The byte order mark, which makes spreadsheets read the file as Unicode."""


def match_header(side_count: int) -> list[Cell]:
    """Return the header for rows from `match_row`; `side_count` is the most sides of any match."""
    return [*MATCH_COLUMNS, *(f"{name} {n}" for n in range(1, side_count + 1) for name in SIDE_COLUMNS)]


def match_row(number: int, setup: MatchSetup, log: MatchLog, ending: Ending, game: str) -> list[Cell]:
    """Return a match as a row of `MATCH_COLUMNS`, then `SIDE_COLUMNS` for each side.

    `number` is that of the match in the file. `ending` is its result or present standing, and `game` the name of its
    rules.
    """
    is_over = ending.status == "over"
    # Somebody who sat down after the last hand of a match that is over did not play in it.
    renamed = log.renamed_at(log.hands[-1].substitution_count) if is_over and log.hands else log.renamed
    names, occasion = setup.shown_names(renamed), occasion_of(setup, log)
    winners = ending.winners if is_over else ()
    row: list[Cell] = [
        number,
        occasion.day,
        occasion.title,
        game,
        occasion.venue,
        ending.status.replace("_", " "),
        ", ".join(names[side.id] for side in setup.sides if side.id in winners),
        len(log.hands),
        ", ".join(names[seat.id] for seat in setup.seats),
        occasion.note,
    ]
    for side in setup.sides:
        row += [names[side.id], ending.scores.get(side.id, 0)]
    return row


def hand_rows(number: int, match: Match) -> Iterator[list[Cell]]:
    """Yield a row of `HAND_COLUMNS` for each side in each hand in force, with the names at that time.

    `number` is that of the match in the file. A side has the same "side number" in every hand.
    """
    for logged, result in zip(match.log.hands, match.state.results, strict=True):
        names, score = match.names_of(logged), result.score
        hand_cells: list[Cell] = [
            number,
            match.occasion.day,
            match.title,
            match.rules.name,
            result.number,
            result.status.replace("_", " "),
            names.get(result.dealer or "", ""),
            names.get(result.bidder or "", ""),
            "" if result.bid is None else bid_word(result.bid),
            result.hand.trump or "",
            "" if result.made is None else "yes" if result.made else "no",
        ]
        for side_number, side in enumerate(match.setup.sides, 1):
            took: Cell = score.points.get(side.id, 0) if score else ""
            change, new_score = result.deltas.get(side.id, 0), result.scores.get(side.id, 0)
            yield [
                *hand_cells,
                names[side.id],
                side_number,
                side.join_names(names),
                took,
                change,
                new_score,
                result.hand.note or "",
            ]


def csv_lines(rows: Iterable[Iterable[Cell]]) -> Iterator[bytes]:
    """Yield rows as lines of a CSV file in UTF-8, with a byte order mark, and with formulas escaped."""
    writer = csv.writer(SimpleNamespace(write=str))  # which returns what it writes
    prefix = _BOM
    for row in rows:
        yield f"{prefix}{writer.writerow(map(escape_formula, row))}".encode()
        prefix = ""


def escape_formula(cell: Cell) -> Cell:
    """Return a cell with an apostrophe before each part that a spreadsheet could take for a formula.

    >>> [escape_formula(cell) for cell in ("Ann", "=1+1", " @now", "Ann; =1+1", -3)]
    ['Ann', "'=1+1", "' @now", "Ann;' =1+1", -3]
    """
    return _FORMULA_START.sub(r"\1'", cell) if isinstance(cell, str) else cell
