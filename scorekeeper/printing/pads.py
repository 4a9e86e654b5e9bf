"""Blank pads: score sheets to fill in by hand, two or four to a page, with as many hands as fit.

Whether the heads of awards fit level or have to be turned is estimated from their number of characters. WeasyPrint
supports neither `writing-mode` nor container queries.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil

from scorekeeper.pitch.sheets.small_sheets import ColumnContent, PadColumn, ScorePad, score_pad
from scorekeeper.printing.fitting import Draft, StyleRow, render_sheet
from scorekeeper.printing.imposition import PagePieces, halves, quarters
from scorekeeper.printing.print_options import FOUR, Paper, PrintOptions
from scorekeeper.printing.rules_link import PrintableRules, RulesLink

MAX_HANDS, MIN_HANDS = 32, 4
"""The most and the fewest hands of a pad."""
_MIN_HANDS_WITH_ALL_RULES = {2: 10, 4: 7}
"""The fewest hands of a pad with all its rules, by pads to a page; rather than fewer, rules are left out."""
MIN_TEXT_SIZE_PT = 9.0
"""The smallest size of type."""
_SIDE_MARGIN_MM = 6.0
_MARGIN = f"6mm {_SIDE_MARGIN_MM}mm 5mm"
_FRAME_LINES_WIDTH_MM = 0.7
_MIN_COLUMN_WIDTHS_MM: dict[ColumnContent, float] = {
    "number": 7,
    "person": 11,
    "bid": 8,
    "award": 7,
    "points": 11.5,
    "mark": 10.5,
}
"""The least width of a column, by its content."""
_MIN_SCORE_WIDTH_MM = 8.4
_MIN_SPLIT_SCORE_WIDTH_MM = 20.0
"""The width from which a score has two columns: the hand's points, and the total."""
_MAX_SCORE_WIDTH_MM = 34.0
_MIN_HEADS_HEIGHT_MM = 14.0
_QR_CODE_GAP_MM = 6.3
"""The free space below the QR code, as WeasyPrint cuts off a float that leaves the page."""
_FIXED_HEIGHT_MM = 21.0
"""The estimated height of the title, of the gap between columns and rules, and of margins."""
_RULES_CHARACTER_WIDTH_MM = 1.49
"""The width of a character of the rules, slightly overestimated."""
_RULES_LINE_HEIGHT_MM = 3.7
_HEAD_CHARACTER_WIDTH_MM = 1.75
"""The width of a character in the head of a column, slightly overestimated."""


@dataclass(frozen=True, slots=True)
class _PadGrid:
    """The columns of a pad and the scores to their right, in millimeters."""

    columns: Sequence[PadColumn]
    widths: Sequence[float]
    score_width: float
    score_count: int
    has_level_heads: bool
    """Whether the heads of awards are horizontal, rather than turned."""

    @property
    def first_score_x(self) -> float:
        """The distance from the left edge to the first score."""
        return sum(self.widths)

    @property
    def is_split(self) -> bool:
        """Whether each score is wide enough for two columns: the hand's points, and the total."""
        return self.score_width >= _MIN_SPLIT_SCORE_WIDTH_MM

    @property
    def column_line_xs(self) -> list[float]:
        """The distances of the lines between columns from the left edge."""
        return [
            *accumulate(self.widths),
            *(self.first_score_x + self.score_width * i for i in range(1, self.score_count)),
        ]

    @property
    def score_line_xs(self) -> list[float]:
        """The distance of each line that halves a score, from the pad's left edge; empty unless `is_split`."""
        return (
            [self.first_score_x + self.score_width * (i + 0.5) for i in range(self.score_count)]
            if self.is_split
            else []
        )

    @property
    def head_height(self) -> float:
        """The height of the columns' heads, enough for the longest award if they are turned."""
        max_characters = max((len(column.head) for column in self.columns if column.content == "award"), default=0)
        return (
            _MIN_HEADS_HEIGHT_MM
            if self.has_level_heads
            else max(_MIN_HEADS_HEIGHT_MM, (max_characters + 2) * _HEAD_CHARACTER_WIDTH_MM + 2)
        )


def draft_pad(rules: PrintableRules, options: PrintOptions) -> Draft:
    """Return the draft of score pads with as many hands as fit, two or four to a page.

    Many columns take landscape. Where room is short, dispensable rules or the columns of awards are left out.
    """
    pad, link, pads_per_page = score_pad(rules.ruleset, rules.base), rules.link, 4 if options.size == FOUR else 2
    pieces, grid = _choose_shape(pad, options.paper, pads_per_page)
    body = render_sheet(
        "printing/_pad.html",
        pad=pad,
        columns=grid.columns,
        is_short=grid.columns is pad.short_columns,
        is_split=grid.is_split,
        hands=range(1, MAX_HANDS + 1),
        lines=len(grid.column_line_xs),
        halves=len(grid.score_line_xs),
        link=link,
    )
    row_height_mm = 7.4 if pads_per_page == 2 else 6.4 if pieces.height > pieces.width else 5.9
    style = _pad_css(grid, link, 10 if pads_per_page == 2 else MIN_TEXT_SIZE_PT, row_height_mm)
    rows_room_mm = pieces.height - _FIXED_HEIGHT_MM - grid.head_height - len(pad.end_row_heads) * row_height_mm
    characters_per_line = (_usable_width(pieces) - link.width) / _RULES_CHARACTER_WIDTH_MM
    line_counts = (
        _count_rule_lines(pad, grid, characters_per_line, left_out_ids)
        for left_out_ids in ((), pad.dispensable_rule_ids)
    )
    likely_hands = [
        int((rows_room_mm - max(count * _RULES_LINE_HEIGHT_MM, link.width + _QR_CODE_GAP_MM)) / row_height_mm)
        for count in line_counts
    ]
    all_rules = tuple(
        style + _hide_further_rows_css(hands)
        for hands in range(MAX_HANDS, _MIN_HANDS_WITH_ALL_RULES[pads_per_page] - 1, -1)
    )
    fewer_rules = tuple(
        style + _HIDE_DISPENSABLE_RULES_CSS + _hide_further_rows_css(hands)
        for hands in range(MAX_HANDS, MIN_HANDS - 1, -1)
    )
    return Draft(
        title=f"{pad.sheet.title}: score pad",
        body=body,
        stylesheets=("faces.css", "print.css", "pad.css"),
        style_rows=tuple(
            StyleRow(styles, 1, MAX_HANDS - hands)
            for styles, hands in zip((all_rules, fewer_rules), likely_hands, strict=True)
        ),
        pieces=pieces,
        margin=_MARGIN,
    )


def _count_rule_lines(pad: ScorePad, grid: _PadGrid, characters_per_line: float, left_out_ids: Collection[str]) -> int:
    """Return the estimated number of lines of all text below the columns, without the rules in `left_out_ids`."""
    paragraphs = [
        pad.award_points if grid.columns is pad.short_columns else "",
        " ".join(f"{row.bid}: made {row.made}, set {row.cost}." for row in pad.bids),
        " ".join(rule.text for rule in pad.rules if rule.id not in left_out_ids),
        " ".join(part for question in pad.questions for part in (question.question, *question.choices)),
    ]
    return sum(ceil(len(text) / characters_per_line) for text in paragraphs)


def _choose_shape(pad: ScorePad, paper: Paper, pads_per_page: int) -> tuple[PagePieces, _PadGrid]:
    """Return a page cut into this number of pads, and the grid of a pad.

    Upright pads have more hands, but landscape is better than leaving out columns of awards.
    """
    cut_page = halves if pads_per_page == 2 else quarters
    shapes = cut_page(paper), cut_page(paper, is_landscape=True)
    choices = [(pieces, columns) for columns in (pad.columns, pad.short_columns) for pieces in shapes]
    fitting_choices = (
        choice
        for choice in choices
        if _min_width(choice[1]) + pad.max_scores * _MIN_SCORE_WIDTH_MM <= _usable_width(choice[0])
    )
    pieces, columns = next(fitting_choices, choices[-1])
    return pieces, _make_grid(_usable_width(pieces), columns, pad.max_scores)


def _usable_width(pieces: PagePieces) -> float:
    """Return the width of a piece between its margins and frame, in millimeters."""
    return pieces.width - 2 * _SIDE_MARGIN_MM - _FRAME_LINES_WIDTH_MM


def _min_width(columns: Sequence[PadColumn], award_width_mm: float = _MIN_COLUMN_WIDTHS_MM["award"]) -> float:
    """Return the least width of columns in millimeters, given the least width of an award's column."""
    return sum(
        award_width_mm if column.content == "award" else _MIN_COLUMN_WIDTHS_MM[column.content] for column in columns
    )


def _make_grid(width_mm: float, columns: Sequence[PadColumn], score_count: int) -> _PadGrid:
    """Return the grid of columns and scores, with level heads of awards if there is room for them."""
    words = [word for column in columns if column.content == "award" for word in column.head.split()]
    level_award_width_mm = max(
        max(map(len, words), default=0) * _HEAD_CHARACTER_WIDTH_MM + 1.2, _MIN_COLUMN_WIDTHS_MM["award"]
    )
    has_level_heads = _min_width(columns, level_award_width_mm) + score_count * _MIN_SPLIT_SCORE_WIDTH_MM <= width_mm
    award_width_mm = level_award_width_mm if has_level_heads else _MIN_COLUMN_WIDTHS_MM["award"]
    scores_width_mm = width_mm - _min_width(columns, award_width_mm)
    score_width_mm = min(scores_width_mm / score_count, _MAX_SCORE_WIDTH_MM)
    extra_width_mm = (scores_width_mm - score_width_mm * score_count) / max(len(columns) - 1, 1)
    widths = [
        _min_width([column], award_width_mm) + (extra_width_mm if column.content != "number" else 0)
        for column in columns
    ]
    return _PadGrid(columns, widths, score_width_mm, score_count, has_level_heads)


def _pad_css(grid: _PadGrid, link: RulesLink, size_pt: float, row_height_mm: float) -> str:
    """Return the CSS of a pad, given the size of its text and the height of its rows."""
    cells = [
        f".pad .c{i}{{left:{start:.2f}mm;width:{width:.2f}mm}}"
        for i, (start, width) in enumerate(zip([0.0, *grid.column_line_xs], grid.widths, strict=False), start=1)
    ]
    cells += [f".pad .u{i}{{left:{x:.2f}mm}}" for i, x in enumerate(grid.column_line_xs, start=1)]
    cells += [f".pad .h{i}{{left:{x:.2f}mm}}" for i, x in enumerate(grid.score_line_xs, start=1)]
    return (
        f".pad{{font-size:{size_pt}pt;--fine:{MIN_TEXT_SIZE_PT}pt}}"
        f".pad .row{{height:{row_height_mm}mm;line-height:{row_height_mm}mm}}"
        f".pad .rows span{{width:{grid.widths[0]:.2f}mm}}"
        f".pad .ends span{{width:{grid.first_score_x - 0.1:.2f}mm}}.pad .heads{{height:{grid.head_height:.1f}mm}}"
        f".pad .names{{left:{grid.first_score_x:.2f}mm}}.pad .parts span{{width:{grid.score_width / 2 - 0.01:.2f}mm}}"
        f".pad .qr{{width:{link.width}mm;height:{link.width}mm}}"
        f".pad .rules{{min-height:{link.width + _QR_CODE_GAP_MM:.1f}mm}}"
        f".pad .notes p,.pad .cell,.pad .parts{{font-size:{MIN_TEXT_SIZE_PT}pt}}{''.join(cells)}"
    ) + ("" if grid.has_level_heads else _TURNED_HEADS_CSS)


_TURNED_HEADS_CSS = (
    ".pad .for-award b{display:inline}"
    ".pad .for-award span{position:absolute;left:50%;bottom:.2mm;white-space:nowrap;"
    "transform-origin:0 100%;transform:translateX(.5em) rotate(-90deg)}"
)


_HIDE_DISPENSABLE_RULES_CSS = ".pad .spare{display:none}"


def _hide_further_rows_css(hands: int) -> str:
    """Return the CSS that hides all rows of hands after the first `hands`."""
    return (
        f".pad .rows .row:nth-child(n+{hands + 1}){{display:none}}.pad .rows .row:nth-child({hands}){{border-bottom:0}}"
    )
