"""A result as one picture to send: the winners, the scores, the reason, and the course of the match."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.pitch.drawings.chart import PICTURE, ChartView, draw_chart
from scorekeeper.pitch.drawings.markers import marked_sides
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import MatchState, score_histories
from scorekeeper.pitch.scoring.standing import target_of
from scorekeeper.pitch.text.phrases import Names, spoken_names
from scorekeeper.printing.fitting import Draft, drawing_style, render
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.printing.score_sheet import ScoreSheet

WIDTH, HEIGHT = 1080, 1350
"""Pixels: four by five, as phones show a picture in a message."""
MAX_CARDS = 3
"""Scores that stand beside each other, each on a card with large digits; more stand in rows."""
ROWS_ACROSS = 2
_SIZES = (30, 28, 26, 24, 22, 20, 18, 16)
"""Sizes of the text, in pixels; the first in which all of it fits is taken."""
_NO_CHART = ".shared .chart{display:none}"


@dataclass(frozen=True, slots=True)
class ResultPicture:
    """Everything on the picture of a result."""

    sheet: ScoreSheet
    chart: ChartView | None
    """The chart of the sheet, as large as the picture has room for."""

    @property
    def is_cards(self) -> bool:
        """Whether each score stands on a card of its own."""
        return len(self.sheet.scores) <= MAX_CARDS

    @property
    def across(self) -> int:
        """The number of scores beside each other."""
        return len(self.sheet.scores) if self.is_cards else ROWS_ACROSS


def result_picture(
    sheet: ScoreSheet, state: MatchState, names: Names, marks: Mapping[SideId, int] | None = None
) -> ResultPicture:
    """Return the picture of a result, given its score sheet."""
    sides, target = marked_sides(state.seats, names, marks, spoken_names(names)), target_of(state.ruleset)
    return ResultPicture(sheet, draw_chart(score_histories(state), sides, target=target, frame=PICTURE))


def draft_result_picture(picture: ResultPicture, _options: PrintOptions) -> Draft:
    """Return a picture, ready to be laid out: one page as large as the picture, for any paper."""
    usual = tuple(f".shared{{font-size:{size}px}}" for size in _SIZES)
    return Draft(
        title=f"{picture.sheet.title}: result",
        body=render("printing/_result_picture.html", picture=picture, style=drawing_style("drawings.css")),
        stylesheets=("faces.css", "picture.css"),
        attempts=((*usual, usual[-1] + _NO_CHART),),
        pages=1,
        starts=(0,),
    )
