"""Drawings of figures: bars for ratios, the matches of each month, and who led whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorekeeper.pitch.drawings.markers import shape_path
from scorekeeper.pitch.text.phrases import MONTH_NAMES

_BAR_WIDTH_SHARE = 0.66
"""The width of a bar as a share of its column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A labeled bar for a ratio: its length stands for the total, its filled part for the hits."""

    label: str
    """The text beside the bar: a name, a bid."""
    hits: int
    total: int
    filled_percent: float
    """The length of the filled part, in percent of the longest bar."""
    length_percent: float
    """The length of the bar, in percent of the longest one."""


def draw_bars(ratios: Sequence[tuple[str, tuple[int, int]]]) -> tuple[Bar, ...]:
    """Return a bar for each label with its hits and total, all to the same scale."""
    scale = max((total for _, (_, total) in ratios), default=0) or 1
    return tuple(
        Bar(
            label=label,
            hits=hits,
            total=total,
            filled_percent=round(100 * hits / scale, 1),
            length_percent=round(100 * total / scale, 1),
        )
        for label, (hits, total) in ratios
    )


@dataclass(frozen=True, slots=True)
class MonthsFrame:
    """The size of a drawing of the matches of each month, and of its texts.

    All sizes are in units of the SVG view box.
    """

    width: float
    height: float
    type_size: float
    """The type size of the numbers and names."""
    name_length: int
    """How many letters of a month's name are shown."""

    @property
    def top(self) -> float:
        """The y of the top of the longest bar; the number is drawn above it."""
        return self.type_size * 1.6

    @property
    def base(self) -> float:
        """The y of the foot of every bar; the names of the months are drawn below it."""
        return self.height - self.type_size * 1.7


PHONE_MONTHS_FRAME = MonthsFrame(350, 122, 13, 1)
SHEET_MONTHS_FRAME = MonthsFrame(350, 80, 6.5, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthBar:
    """The bar of one month, with its number of matches and its name."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    """The x on which the name and the number are centered."""
    number_y: float
    """The y of the number's baseline."""
    number: int
    """The number of matches in the month."""
    name: str
    """The name of the month, cut to the frame's `name_length`: "J" or "Jan"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthsView:
    """The drawing of how many matches were played in each month of a year."""

    frame: MonthsFrame
    bars: tuple[MonthBar, ...]
    spoken: str
    """The drawing in words, for screen readers: "Matches a month: January 4, March 2", or "No matches"."""

    @property
    def name_y(self) -> float:
        """The y of the baseline of the months' names."""
        return round(self.frame.height - self.frame.type_size * 0.3, 1)


def draw_months(matches_by_month: Sequence[int], frame: MonthsFrame = PHONE_MONTHS_FRAME) -> MonthsView:
    """Return the drawing of the numbers of matches in each month, given with January first."""
    highest, column = max(matches_by_month) or 1, frame.width / len(matches_by_month)
    bars = []
    for month, number in enumerate(matches_by_month):
        height = round((frame.base - frame.top) * number / highest, 1)
        width = round(column * _BAR_WIDTH_SHARE, 1)
        x = round(column * month + (column - width) / 2, 1)
        bars.append(
            MonthBar(
                x=x,
                y=round(frame.base - height, 1),
                width=width,
                height=height,
                middle=round(x + width / 2, 1),
                number_y=round(frame.base - height - frame.type_size * 0.45, 1),
                number=number,
                name=MONTH_NAMES[month][: frame.name_length],
            )
        )
    named = zip(MONTH_NAMES, matches_by_month, strict=True)
    played = ", ".join(f"{name} {number}" for name, number in named if number)
    return MonthsView(frame=frame, bars=tuple(bars), spoken=f"Matches a month: {played}" if played else "No matches")


# ---------- who led whom, match by match: one step up or down with each match, from zero ----------

STEPS_WIDTH = 350.0
MIN_MATCHES_DRAWN = 2
"""The fewest matches for which a line is drawn."""
_TYPE_SIZE = 13.0
_LEFT_MARGIN = 8.0
_RIGHT_MARGIN = 34.0
"""Room for the text that says the lead, behind the line."""
_MAX_STEP_HEIGHT = 15.0
_MAX_LINE_HEIGHT = 120.0
_GAP_TO_WORDS = 22.0
"""The space between the line and the words above and below it."""
_MAX_DOT_RADIUS, _MIN_DOT_RADIUS = 5.0, 1.4


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsView:
    """The drawing of which of two sides led after each match: a stepped line around zero."""

    width: float
    height: float
    path: str
    """The line from zero through the lead after each match, as SVG path data."""
    zero: float
    """The y at which neither side leads."""
    first_dots: str
    """A dot for each match that only the first side won, as SVG path data."""
    second_dots: str
    """A dot for each match that only the second side won, as SVG path data."""
    end_x: float
    """The x at which the text `end` begins, to the right of the line."""
    end_y: float
    """The y of the baseline of `end`."""
    end: str
    """The lead at the end of the line, in matches: "+2"; "0" if neither side leads."""
    above: str
    """The words above the line: "Ann & Cal ahead"."""
    below: str
    """The words below the line: "Bea & Dan ahead"."""
    above_y: float
    below_y: float
    spoken: str
    """The drawing in words, for screen readers."""


def draw_steps(leads: Sequence[int], first: str, second: str) -> StepsView | None:
    """Return the drawing of who led after each match; `None` for fewer matches than `MIN_MATCHES_DRAWN`.

    `leads` are the first side's leads in matches, negative where it was behind. `first` and `second` are the sides'
    names.
    """
    if len(leads) < MIN_MATCHES_DRAWN:
        return None
    all_leads = [0, *leads]
    high, low = max(all_leads), min(all_leads)
    step_height = min(_MAX_STEP_HEIGHT, _MAX_LINE_HEIGHT / max(high - low, 1))
    top = _TYPE_SIZE + _GAP_TO_WORDS
    zero = round(top + high * step_height, 1)
    bottom = zero - low * step_height
    step_width = (STEPS_WIDTH - _LEFT_MARGIN - _RIGHT_MARGIN) / len(leads)
    points = [
        (round(_LEFT_MARGIN + step_width * index, 1), round(zero - lead * step_height, 1))
        for index, lead in enumerate(all_leads)
    ]
    radius = round(min(_MAX_DOT_RADIUS, max(_MIN_DOT_RADIUS, step_width * 0.3)), 1)
    dots: dict[bool, list[str]] = {True: [], False: []}
    for (before, after), (x, y) in zip(pairwise(all_leads), points[1:], strict=True):
        if after != before:
            has_first_won = after > before
            dots[has_first_won].append(shape_path(1 if has_first_won else 2, x, y, radius))
    end = all_leads[-1]
    return StepsView(
        width=STEPS_WIDTH,
        height=round(bottom + _GAP_TO_WORDS + _TYPE_SIZE * 0.6, 1),
        path="M" + "L".join(f"{x} {y}" for x, y in points),
        zero=zero,
        first_dots="".join(dots[True]),
        second_dots="".join(dots[False]),
        end_x=round(points[-1][0] + 10, 1),
        end_y=round(points[-1][1] + _TYPE_SIZE * 0.4, 1),
        end=f"+{abs(end)}" if end else "0",
        above=f"{first} ahead",
        below=f"{second} ahead",
        above_y=_TYPE_SIZE,
        below_y=round(bottom + _GAP_TO_WORDS + _TYPE_SIZE * 0.2, 1),
        spoken=_leads_in_words(high, low, end, first, second),
    )


def _leads_in_words(high: int, low: int, end: int, first: str, second: str) -> str:
    """Return in words by how much each side ever led, and who leads now.

    `high`, `low` and `end` are the first side's highest, lowest and last lead, negative where the second side led.
    """
    ahead = [f"{first} led by up to {high}"] if high > 0 else []
    ahead += [f"{second} led by up to {-low}"] if low < 0 else []
    leader = first if end > 0 else second
    now = f"{leader} lead by {abs(end)} now" if end else "they are even now"
    return f"Match by match: {', '.join([*ahead, now])}."
