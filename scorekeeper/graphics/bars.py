"""Bars that all begin at zero: how often something came off of how often it was tried, and how many in each month."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.narration.dates import MONTHS

_BAR = 0.66
"""The share of its place that a bar takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar: the whole of it is what was tried, and the filled part what came off. Widths are percent of the row."""

    label: str
    """What it counts: a name, a bid."""
    some: int
    of: int
    part: float
    whole: float
    spoken: str
    """"Ann: won 23 of 41"."""


def draw_bars(counted: Sequence[tuple[str, int, int]], word: str) -> tuple[Bar, ...]:
    """Return a bar for each label with its count, all on one scale; `word` says what came off: "won", "made"."""
    most = max((of for _, _, of in counted), default=0) or 1
    return tuple(
        Bar(
            label=label,
            some=some,
            of=of,
            part=_percent(some, most),
            whole=_percent(of, most),
            spoken=f"{label}: {word} {some} of {of}",
        )
        for label, some, of in counted
    )


def _percent(number: int, most: int) -> float:
    return round(100 * number / most, 1)


@dataclass(frozen=True, slots=True)
class MonthsFrame:
    """The size of the drawing of a year, in units of its own."""

    width: float
    height: float
    type: float
    letters: int
    """How many letters of a month's name there is room for."""

    @property
    def top(self) -> float:
        """Where the longest bar ends; its number stands above."""
        return self.type * 1.6

    @property
    def base(self) -> float:
        """Where every bar begins; the names of the months stand below."""
        return self.height - self.type * 1.7


PHONE_MONTHS = MonthsFrame(350, 122, 13, 1)
SHEET_MONTHS = MonthsFrame(350, 80, 6.5, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthBar:
    """A month."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    value_y: float
    number: int
    name: str
    """"J", or "Jan"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthsView:
    """How many matches were played in each month, ready to be drawn, and the same in words."""

    frame: MonthsFrame
    bars: tuple[MonthBar, ...]
    spoken: str
    """"Matches a month: January 4, March 2"; a month without any is left out."""

    @property
    def name_y(self) -> float:
        """The line that the names of the months stand on."""
        return round(self.frame.height - self.frame.type * 0.3, 1)


def draw_months(numbers: Sequence[int], frame: MonthsFrame = PHONE_MONTHS) -> MonthsView:
    """Return the drawing of a year; a month in which nothing was played stays empty."""
    most, place = max(numbers) or 1, frame.width / len(numbers)
    bars = []
    for month, number in enumerate(numbers):
        height = round((frame.base - frame.top) * number / most, 1)
        width = round(place * _BAR, 1)
        x = round(place * month + (place - width) / 2, 1)
        bars.append(
            MonthBar(
                x=x,
                y=round(frame.base - height, 1),
                width=width,
                height=height,
                middle=round(x + width / 2, 1),
                value_y=round(frame.base - height - frame.type * 0.45, 1),
                number=number,
                name=MONTHS[month][: frame.letters],
            )
        )
    played = ", ".join(f"{name} {number}" for name, number in zip(MONTHS, numbers, strict=True) if number)
    return MonthsView(frame=frame, bars=tuple(bars), spoken=f"Matches a month: {played}" if played else "No matches")
