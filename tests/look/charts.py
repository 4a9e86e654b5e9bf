"""Sample charts: a close match, five and eight alone, far below zero, and a long evening."""

from itertools import accumulate

from scorekeeper.engine.course import Course
from scorekeeper.printing.chart import ChartView, draw_chart
from scorekeeper.web.contexts.parts import SideView
from tests.look.people import ALONE, THEM, US


def chart(sides: tuple[SideView, ...], *moves: tuple[int, ...], target: int | None = 21, start: int = 0) -> ChartView:
    """Draw a chart from what each hand moved each side by; whoever lost points was set."""
    ways = [tuple(accumulate(own, initial=start)) for own in zip(*moves, strict=True)]
    sets = [tuple(n for n, move in enumerate(own, 1) if move < -1) for own in zip(*moves, strict=True)]
    courses = [Course(side.name, way, was_set) for side, way, was_set in zip(sides, ways, sets, strict=True)]
    drawn = draw_chart(courses, sides, target=target)
    assert drawn
    return drawn


CLOSE = chart((US, THEM), (7, 10), (4, 4), (4, 0), (1, 3), (-5, 1), (2, -3), (4, 0), (2, 2))
FIVE = chart(
    ALONE[:5], (5, 0, 5, 0, 1), (6, 4, 7, -3, 0), (8, 6, 8, 6, -7), (4, 4, 9, 5, 0), (8, 4, 9, 5, 0), target=42
)
EIGHT = chart(ALONE, *(tuple((place * hand) % 5 for place in range(8)) for hand in range(1, 6)))
HOLE = chart((US, THEM), *(((30, -26) if hand % 2 else (-1, 5)) for hand in range(8)), target=None)
LONG = chart((US, THEM), *(((3, -4) if hand % 3 else (-5, 6)) for hand in range(100)), target=52)
DOWN = chart(ALONE[:5], *(tuple(-(place + hand) % 3 for place in range(5)) for hand in range(7)), target=0, start=12)
