"""A picture of a result to send: winners, scores, reason, and the course of the match."""

from dataclasses import dataclass

from scorekeeper.pitch.drawings.chart import RESULT_PICTURE_FRAME, ChartView, draw_match_chart
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.printing.fitting import Draft, StyleRow, drawing_style_element, render_sheet
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.printing.score_sheet import ScoreSheet

PICTURE_WIDTH_PX, PICTURE_HEIGHT_PX = 1080, 1350
"""The size of the picture, four by five, as phones show pictures in messages."""
MAX_SCORE_CARDS = 3
"""The most scores that are shown as cards with large digits; more are shown as rows."""
SCORE_ROWS_SIDE_BY_SIDE = 2
"""The number of scores side by side if scores are shown as rows."""
_TEXT_SIZES_PX = (30, 28, 26, 24, 22, 20, 18, 16)
"""The text sizes to try, from the largest."""
_HIDE_CHART_CSS = ".shared .chart{display:none}"


@dataclass(frozen=True, slots=True)
class ResultPicture:
    """The values of the template of a result picture."""

    sheet: ScoreSheet
    chart: ChartView | None
    """The chart of the score sheet, in the size for the picture."""

    @property
    def has_cards(self) -> bool:
        """Whether each score is a card, rather than a row."""
        return len(self.sheet.scores) <= MAX_SCORE_CARDS

    @property
    def score_columns(self) -> int:
        """The number of scores side by side."""
        return len(self.sheet.scores) if self.has_cards else SCORE_ROWS_SIDE_BY_SIDE


def result_picture(sheet: ScoreSheet, state: MatchState) -> ResultPicture:
    """Return the picture of a match's result, given its score sheet."""
    sides = {score.side.side_id: score.side for score in sheet.scores}
    return ResultPicture(sheet, draw_match_chart(state, sides, RESULT_PICTURE_FRAME))


def draft_result_picture(picture: ResultPicture, _options: PrintOptions) -> Draft:
    """Return the draft of a result picture: one page of the picture's size, without the chart if it does not fit."""
    with_chart = tuple(f".shared{{font-size:{size}px}}" for size in _TEXT_SIZES_PX)
    return Draft(
        title=f"{picture.sheet.title}: result",
        body=render_sheet(
            "printing/_result_picture.html", picture=picture, style=drawing_style_element("drawings.css")
        ),
        stylesheets=("faces.css", "paper.css", "drawings.css", "picture.css"),
        style_rows=(StyleRow((*with_chart, with_chart[-1] + _HIDE_CHART_CSS), max_pages=1),),
    )
