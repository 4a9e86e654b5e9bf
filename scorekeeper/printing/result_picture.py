"""A result as one picture to send: who won, the scores, why, and how it came about."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import MatchState, score_histories
from scorekeeper.engine.standing import target_of
from scorekeeper.graphics.chart import PICTURE, ChartView, draw_chart
from scorekeeper.graphics.markers import marked_sides
from scorekeeper.narration.phrases import Names
from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.layout import CSS
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.printing.score_sheet import FinalScore, ScoreSheet

WIDTH, HEIGHT = 1080, 1350
"""Pixels: four by five, as phones show a picture that they are sent."""
MOST_CARDS = 3
"""Scores that stand beside each other, each on a card with large digits; more stand in rows."""
ROWS_ACROSS = 2
_SIZES = (30, 28, 26, 24, 22, 20, 18, 16)
"""Of the text, in pixels; the first with which all of it fits is taken."""
_NO_CHART = ".shared .chart{display:none}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPicture:
    """Everything on the picture of a result."""

    title: str
    played: str
    """When and where."""
    rules: str
    heading: str
    """"Us win"."""
    scores: tuple[FinalScore, ...]
    verdict: str
    payments: tuple[str, ...]
    chart: ChartView | None

    @property
    def is_cards(self) -> bool:
        """Whether each score stands on a card of its own."""
        return len(self.scores) <= MOST_CARDS

    @property
    def across(self) -> int:
        """How many scores stand beside each other."""
        return len(self.scores) if self.is_cards else ROWS_ACROSS


def result_picture(
    sheet: ScoreSheet, state: MatchState, names: Names, marks: Mapping[SideId, int] | None = None
) -> ResultPicture:
    """Return the picture of a result, of which the score sheet is made already."""
    return ResultPicture(
        title=sheet.title,
        played=sheet.played,
        rules=sheet.rules,
        heading=sheet.heading,
        scores=sheet.scores,
        verdict=sheet.verdict,
        payments=sheet.payments,
        chart=draw_chart(
            score_histories(state),
            marked_sides(state.seats, names, marks),
            target=target_of(state.ruleset),
            frame=PICTURE,
        ),
    )


def draft_result_picture(picture: ResultPicture, _options: PrintOptions) -> Draft:
    """Return a picture, ready to be laid out: one page as large as the picture, whatever the paper."""
    style = Markup(f"<style>{(CSS / 'drawings.css').read_text(encoding='utf-8')}</style>")
    usual = tuple(f".shared{{font-size:{size}px}}" for size in _SIZES)
    return Draft(
        title=f"{picture.title}: result",
        body=render("printing/_result_picture.html", picture=picture, style=style),
        stylesheets=("faces.css", "picture.css"),
        attempts=((*usual, usual[-1] + _NO_CHART),),
        pages=1,
        starts=(0,),
    )
