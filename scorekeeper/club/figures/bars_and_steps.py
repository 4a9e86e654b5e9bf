"""Drawings of figures: bars for ratios, the number of matches in each month, and who led whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorekeeper.pitch.drawings.markers import shape_path
from scorekeeper.pitch.text.phrases import MONTH_NAMES

_BAR_WIDTH_SHARE = 0.66
"""The width of a bar as a share of its column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A labeled bar for a ratio such as 16 of 26: its length stands for the total, its filled part for the hits."""

    label: str
    """The text beside the bar, such as a name or a bid."""
    hits: int
    total: int
    filled_percent: float
    """The length of the filled part, in percent of the longest bar."""
    length_percent: float
    """The length of the bar, in percent of the longest bar."""


def draw_bars(ratios: Sequence[tuple[str, tuple[int, int]]]) -> tuple[Bar, ...]:
    """Return a bar for each label with its hits and total, all to the same scale: `[("Ann", (16, 26))]`."""
    max_total = max((total for _, (_, total) in ratios), default=0) or 1
    return tuple(
        Bar(
            label=label,
            hits=hits,
            total=total,
            filled_percent=round(100 * hits / max_total, 1),
            length_percent=round(100 * total / max_total, 1),
        )
        for label, (hits, total) in ratios
    )


@dataclass(frozen=True, slots=True)
class MonthsFrame:
    """The sizes of a drawing of the matches of each month, in units of the SVG view box."""

    width: float
    height: float
    type_size: float
    """The type size of the numbers and names."""
    name_length: int
    """The number of letters of a month's name that are shown: 3 for "Jan"."""

    @property
    def top_y(self) -> float:
        """The y of the top of the longest bar; a number is drawn above it."""
        return self.type_size * 1.6

    @property
    def base_y(self) -> float:
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
    middle_x: float
    """The x on which the name and the number are centered."""
    number_y: float
    """The y of the baseline of the number."""
    match_count: int
    """The number of matches in the month, which is drawn above the bar."""
    name: str
    """The name of the month, cut to the frame's `name_length`: "J" or "Jan"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthsView:
    """The drawing of how many matches were played in each month of a year."""

    frame: MonthsFrame
    bars: tuple[MonthBar, ...]
    spoken_text: str
    """The drawing in words, for screen readers: "Matches a month: January 4, March 2", or "No matches"."""

    @property
    def name_y(self) -> float:
        """The y of the baseline of the names of the months."""
        return round(self.frame.height - self.frame.type_size * 0.3, 1)


def draw_months(match_counts: Sequence[int], frame: MonthsFrame = PHONE_MONTHS_FRAME) -> MonthsView:
    """Return the drawing of the number of matches in each month; `match_counts` begins with January."""
    max_count, column_width = max(match_counts) or 1, frame.width / len(match_counts)
    bars = []
    for month_index, match_count in enumerate(match_counts):
        height = round((frame.base_y - frame.top_y) * match_count / max_count, 1)
        width = round(column_width * _BAR_WIDTH_SHARE, 1)
        x = round(column_width * month_index + (column_width - width) / 2, 1)
        bars.append(
            MonthBar(
                x=x,
                y=round(frame.base_y - height, 1),
                width=width,
                height=height,
                middle_x=round(x + width / 2, 1),
                number_y=round(frame.base_y - height - frame.type_size * 0.45, 1),
                match_count=match_count,
                name=MONTH_NAMES[month_index][: frame.name_length],
            )
        )
    names_and_counts = zip(MONTH_NAMES, match_counts, strict=True)
    text = ", ".join(f"{name} {match_count}" for name, match_count in names_and_counts if match_count)
    return MonthsView(frame=frame, bars=tuple(bars), spoken_text=f"Matches a month: {text}" if text else "No matches")


# ---------- who led whom, match by match: one step up or down with each match, from zero ----------

STEPS_WIDTH = 350.0
MIN_MATCHES_DRAWN = 2
"""The fewest matches for which steps are drawn."""
_TYPE_SIZE = 13.0
_LEFT_MARGIN = 8.0
_RIGHT_MARGIN = 34.0
"""The room for the text on the lead, to the right of the line."""
_MAX_STEP_HEIGHT = 15.0
_MAX_LINE_HEIGHT = 120.0
_GAP_TO_WORDS = 22.0
"""The space between the line and the words above and below it."""
_MAX_DOT_RADIUS, _MIN_DOT_RADIUS = 5.0, 1.4


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsView:
    """The drawing of which of two sides led after each match: a stepped line that starts at zero."""

    width: float
    height: float
    path_data: str
    """The line from zero through the lead after each match, as SVG path data."""
    zero_y: float
    """The y at which neither side leads."""
    first_dots: str
    """A dot for each match that only the first side won, as SVG path data."""
    second_dots: str
    """A dot for each match that only the second side won, as SVG path data."""
    end_x: float
    """The x at which `end_text` begins, to the right of the line."""
    end_y: float
    """The y of the baseline of `end_text`."""
    end_text: str
    """The lead at the end of the line, in matches: "+2"; "0" if neither side leads."""
    text_above: str
    """The text above the line: "Ann & Cal ahead"."""
    text_below: str
    """The text below the line: "Bea & Dan ahead"."""
    above_y: float
    below_y: float
    spoken_text: str
    """The drawing in words, for screen readers: "Match by match: Ann led by up to 2, they are even now."."""


def draw_steps(leads: Sequence[int], first_name: str, second_name: str) -> StepsView | None:
    """Return the drawing of which of two sides led after each match.

    `leads` are the first side's leads after each match, in matches; negative where the second side led. `None` for
    fewer matches than `MIN_MATCHES_DRAWN`.
    """
    if len(leads) < MIN_MATCHES_DRAWN:
        return None
    all_leads = [0, *leads]
    highest, lowest, last = max(all_leads), min(all_leads), all_leads[-1]
    step_height = min(_MAX_STEP_HEIGHT, _MAX_LINE_HEIGHT / max(highest - lowest, 1))
    top_y = _TYPE_SIZE + _GAP_TO_WORDS
    zero_y = round(top_y + highest * step_height, 1)
    bottom_y = zero_y - lowest * step_height
    step_width = (STEPS_WIDTH - _LEFT_MARGIN - _RIGHT_MARGIN) / len(leads)
    points = [
        (round(_LEFT_MARGIN + step_width * index, 1), round(zero_y - lead * step_height, 1))
        for index, lead in enumerate(all_leads)
    ]
    radius = round(min(_MAX_DOT_RADIUS, max(_MIN_DOT_RADIUS, step_width * 0.3)), 1)
    first_dots, second_dots = list[str](), list[str]()
    for (lead_before, lead_after), (x, y) in zip(pairwise(all_leads), points[1:], strict=True):
        if lead_after > lead_before:
            first_dots.append(shape_path(1, x, y, radius))
        elif lead_after < lead_before:
            second_dots.append(shape_path(2, x, y, radius))
    return StepsView(
        width=STEPS_WIDTH,
        height=round(bottom_y + _GAP_TO_WORDS + _TYPE_SIZE * 0.6, 1),
        path_data="M" + "L".join(f"{x} {y}" for x, y in points),
        zero_y=zero_y,
        first_dots="".join(first_dots),
        second_dots="".join(second_dots),
        end_x=round(points[-1][0] + 10, 1),
        end_y=round(points[-1][1] + _TYPE_SIZE * 0.4, 1),
        end_text=f"+{abs(last)}" if last else "0",
        text_above=f"{first_name} ahead",
        text_below=f"{second_name} ahead",
        above_y=_TYPE_SIZE,
        below_y=round(bottom_y + _GAP_TO_WORDS + _TYPE_SIZE * 0.2, 1),
        spoken_text=_lead_words(highest, lowest, last, first_name, second_name),
    )


def _lead_words(highest: int, lowest: int, last: int, first_name: str, second_name: str) -> str:
    """Return by how much each side ever led, and who leads now.

    For example, "Match by match: Ann led by up to 2, they are even now." The numbers are leads of the first side in
    matches: its highest, lowest and last lead; negative where the second side led.
    """
    phrases = [f"{first_name} led by up to {highest}"] if highest > 0 else []
    phrases += [f"{second_name} led by up to {-lowest}"] if lowest < 0 else []
    leader = first_name if last > 0 else second_name
    phrases.append(f"{leader} lead by {abs(last)} now" if last else "they are even now")
    return f"Match by match: {', '.join(phrases)}."
