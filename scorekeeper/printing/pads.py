"""Blank pads: score sheets to fill by hand, two or four to a page, with as many hands as fit."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.imposition import Pieces, halves, quarters
from scorekeeper.printing.print_options import Paper
from scorekeeper.printing.rules_link import RulesLink
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.score_pad import Holds, PadColumn, ScorePad, score_pad

MOST_HANDS, FEWEST_HANDS = 32, 4
SMALLEST = 9.0
_SIDE = 6.0
_MARGIN = f"6mm {_SIDE}mm 5mm"
_FRAME = 0.7
_ROOM: dict[Holds, float] = {"number": 7, "person": 11, "bid": 8, "award": 7, "points": 11.5, "mark": 10.5}
"""Millimetres that a column takes at least."""
_SCORE = 8.4
_SPLIT = 20.0
"""From this width on a score has two columns: what the hand brought, and the total."""
_MOST_SCORE = 34.0
_HEADS = 14.0
_BELOW_QR_CODE = 6.3
"""What the code takes besides its squares. WeasyPrint cuts a float that leaves the page, so its room is held for it."""
_SIGN = 1.75
"""Millimetres of a letter in the head of a column, or a little more."""


@dataclass(frozen=True, slots=True)
class _Ruling:
    """How a pad is ruled: its columns with their widths, and the width of each score."""

    columns: Sequence[PadColumn]
    widths: Sequence[float]
    score: float
    scores: int
    is_level: bool
    """Whether the heads of awards are read level, and do not stand on end."""

    @property
    def before(self) -> float:
        """Where the scores begin."""
        return sum(self.widths)

    @property
    def is_split(self) -> bool:
        """Whether a score has two columns."""
        return self.score >= _SPLIT

    @property
    def lines(self) -> list[float]:
        """Where the lines between columns stand."""
        places = [sum(self.widths[: i + 1]) for i in range(len(self.widths))]
        return [*places, *(self.before + self.score * i for i in range(1, self.scores))]

    @property
    def halves(self) -> list[float]:
        """Where the lines within a score stand."""
        return [self.before + self.score * (i + 0.5) for i in range(self.scores)] if self.is_split else []


def draft_pad(ruleset: Ruleset, base: Ruleset, paper: Paper, link: RulesLink, *, number: int = 2) -> Draft:
    """Draft pads, two or four to a page; they lie where the columns need the width."""
    pad = score_pad(ruleset, base)
    pieces, ruling = _ruled(pad, paper, number)
    body = render(
        "printing/_pad.html",
        pad=pad,
        columns=ruling.columns,
        is_short=ruling.columns is pad.short,
        is_split=ruling.is_split,
        hands=range(1, MOST_HANDS + 1),
        lines=len(ruling.lines),
        halves=len(ruling.halves),
        link=link,
    )
    style = _style(ruling, link, number, is_upright=pieces.height > pieces.width)
    return Draft(
        title=f"{pad.title}: score pad",
        body=body,
        stylesheets=("faces.css", "print.css", "pad.css"),
        attempts=(tuple(style + _hands(hands) for hands in range(MOST_HANDS, FEWEST_HANDS - 1, -1)),),
        pages=1,
        pieces=pieces,
        margin=_MARGIN,
    )


def _ruled(pad: ScorePad, paper: Paper, number: int) -> tuple[Pieces, _Ruling]:
    """Choose the first way to rule a pad that has room for every column.

    A pad that stands has more hands than one that lies; but rather than to do without a column for each award, it lies.
    """
    cut = halves if number == 2 else quarters
    ways = [
        (cut(paper, is_landscape=is_landscape), columns)
        for columns in (pad.columns, pad.short)
        for is_landscape in (False, True)
    ]
    for pieces, columns in ways:
        if _least(columns, _ROOM["award"]) + pad.scores * _SCORE <= _room(pieces):
            return pieces, _ruling(pieces, columns, pad.scores)
    pieces, columns = ways[-1]
    return pieces, _ruling(pieces, columns, pad.scores)


def _room(pieces: Pieces) -> float:
    return pieces.width - 2 * _SIDE - _FRAME


def _least(columns: Sequence[PadColumn], award: float) -> float:
    return sum(award if column.holds == "award" else _ROOM[column.holds] for column in columns)


def _ruling(pieces: Pieces, columns: Sequence[PadColumn], scores: int) -> _Ruling:
    """Share the width: awards lie where the scores still have two columns each, and the rest goes to everyone."""
    room, level = _room(pieces), _level(columns)
    is_level = _least(columns, level) + scores * _SPLIT <= room
    award = level if is_level else _ROOM["award"]
    score = min((room - _least(columns, award)) / scores, _MOST_SCORE)
    each = (room - _least(columns, award) - score * scores) / max(len(columns) - 1, 1)
    widths = [
        (award if column.holds == "award" else _ROOM[column.holds]) + (each if column.holds != "number" else 0)
        for column in columns
    ]
    return _Ruling(columns, widths, score, scores, is_level)


def _level(columns: Sequence[PadColumn]) -> float:
    """Give the width at which the heads of all awards can be read level."""
    signs = max((len(word) for column in columns if column.holds == "award" for word in column.head.split()), default=0)
    return max(signs * _SIGN + 1.2, _ROOM["award"])


def _style(ruling: _Ruling, link: RulesLink, number: int, *, is_upright: bool) -> str:
    qr_code = link.width
    size, row = (10, 7.4) if number == 2 else (SMALLEST, 6.4 if is_upright else 5.9)
    starts = [0.0, *ruling.lines]
    cells = [
        f".pad .c{i}{{left:{start:.2f}mm;width:{width:.2f}mm}}"
        for i, (start, width) in enumerate(zip(starts, ruling.widths, strict=False), start=1)
    ]
    cells += [f".pad .u{i}{{left:{place:.2f}mm}}" for i, place in enumerate(ruling.lines, start=1)]
    cells += [f".pad .h{i}{{left:{place:.2f}mm}}" for i, place in enumerate(ruling.halves, start=1)]
    return (
        f".pad{{font-size:{size}pt;--fine:{SMALLEST}pt}}"
        f".pad .row{{height:{row}mm;line-height:{row}mm}}.pad .rows span{{width:{ruling.widths[0]:.2f}mm}}"
        f".pad .ends span{{width:{ruling.before - 0.1:.2f}mm}}.pad .heads{{height:{_height(ruling):.1f}mm}}"
        f".pad .names{{left:{ruling.before:.2f}mm}}.pad .parts span{{width:{ruling.score / 2 - 0.01:.2f}mm}}"
        f".pad .qr{{width:{qr_code}mm;height:{qr_code}mm}}.pad .rules{{min-height:{qr_code + _BELOW_QR_CODE:.1f}mm}}"
        f".pad .typed,.pad .told p,.pad .cell,.pad .parts{{font-size:{SMALLEST}pt}}{''.join(cells)}"
    ) + ("" if ruling.is_level else _TURNED)


_TURNED = (
    ".pad .for-award b{display:inline}"
    ".pad .for-award span{position:absolute;left:50%;bottom:.2mm;white-space:nowrap;"
    "transform-origin:0 100%;transform:translateX(.5em) rotate(-90deg)}"
)


def _height(ruling: _Ruling) -> float:
    """Say how high the heads are: where awards stand on end, as high as the longest of them."""
    if ruling.is_level:
        return _HEADS
    return max(_HEADS, *((len(column.head) + 2) * _SIGN + 2 for column in ruling.columns if column.holds == "award"), 0)


def _hands(hands: int) -> str:
    """Leave out the hands that there is no room for."""
    return (
        f".pad .rows .row:nth-child(n+{hands + 1}){{display:none}}.pad .rows .row:nth-child({hands}){{border-bottom:0}}"
    )
