"""Who led whom, match by match: a line that goes one step up or down with each match, from zero."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorekeeper.graphics.markers import shape_path
from scorekeeper.narration.phrases import score_text

WIDTH = 350.0
FEWEST = 2
_TYPE = 13.0
_LEFT = 8.0
_RIGHT = 34.0
"""Room for the lead at the end of the line."""
_MOST_STEP = 15.0
_MOST_HEIGHT = 120.0
_GAP = 22.0
"""Between the words above and below and the line."""
_LARGEST, _SMALLEST = 5.0, 1.4


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsView:
    """The line, ready to be drawn, and the same in words."""

    width: float
    height: float
    path: str
    zero: float
    first_dots: str
    """A marker for each match that the first side won, as one path."""
    second_dots: str
    end_x: float
    end_y: float
    end: str
    """"+2": by how many the first side leads, or the second."""
    above: str
    """"Ann & Cal ahead"."""
    below: str
    above_y: float
    below_y: float
    spoken: str


def draw_steps(leads: Sequence[int], first: str, second: str) -> StepsView | None:
    """Return the drawing; `leads` is by how much the first side led after each match. `None` for fewer than two."""
    if len(leads) < FEWEST:
        return None
    places = [0, *leads]
    high, low = max(places), min(places)
    step = min(_MOST_STEP, _MOST_HEIGHT / max(high - low, 1))
    top = _TYPE + _GAP
    zero = round(top + high * step, 1)
    bottom = zero - low * step
    across = (WIDTH - _LEFT - _RIGHT) / len(leads)
    points = [(round(_LEFT + across * n, 1), round(zero - lead * step, 1)) for n, lead in enumerate(places)]
    radius = round(min(_LARGEST, max(_SMALLEST, across * 0.3)), 1)
    dots: dict[bool, list[str]] = {True: [], False: []}
    for (before, after), (x, y) in zip(pairwise(places), points[1:], strict=True):
        if after != before:
            won = after > before
            dots[won].append(shape_path(1 if won else 2, x, y, radius))
    end = places[-1]
    return StepsView(
        width=WIDTH,
        height=round(bottom + _GAP + _TYPE * 0.6, 1),
        path="M" + "L".join(f"{x} {y}" for x, y in points),
        zero=zero,
        first_dots="".join(dots[True]),
        second_dots="".join(dots[False]),
        end_x=round(points[-1][0] + 10, 1),
        end_y=round(points[-1][1] + _TYPE * 0.4, 1),
        end=f"+{abs(end)}" if end else score_text(0),
        above=f"{first} ahead",
        below=f"{second} ahead",
        above_y=_TYPE,
        below_y=round(bottom + _GAP + _TYPE * 0.2, 1),
        spoken=_words(high, low, end, first, second),
    )


def _words(high: int, low: int, end: int, first: str, second: str) -> str:
    ahead = [f"{first} led by up to {high}"] if high > 0 else []
    ahead += [f"{second} led by up to {-low}"] if low < 0 else []
    leader = first if end > 0 else second
    now = f"{leader} lead by {abs(end)} now" if end else "they are even now"
    return f"Match by match: {', '.join([*ahead, now])}."
