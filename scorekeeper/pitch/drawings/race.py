"""The race to the target, and the strip of a hand's points: where their markers and boxes stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.pitch.drawings.markers import SideView

MARK_SIZE = 22.0
END_LINE = 332.0
WAY_START, WAY_END = 13.0, END_LINE - MARK_SIZE / 2
"""Where the middle of a marker stands at the start, and where its edge touches the line at the target."""
LEVEL = MARK_SIZE + 2
"""How far above another a marker stands that would cover it."""
WAY_HEIGHT = 34.0
STRIP_WIDTH = 200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceMark:
    """A side's marker on the way to the target."""

    side: SideView
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceView:
    """The way to the target, in a box of 358 by 34, or as much higher as markers stand above each other."""

    label: str
    """Read aloud: "Them 17, Us 19; the target is 21"."""
    end: str
    ticks: tuple[float, ...]
    marks: tuple[RaceMark, ...]
    levels: int
    """How many markers stand above each other."""

    @property
    def top(self) -> float:
        """The upper edge of the box, above the 0 of one level."""
        return -LEVEL * (self.levels - 1)

    @property
    def height(self) -> float:
        """The height of the box."""
        return WAY_HEIGHT - self.top


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One point of the hand."""

    x: float
    width: float
    mark: int
    """Which side's pattern fills it; 0 for none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripView:
    """One box for each point, filled from both ends, a flag where the bid is; 200 by 24."""

    boxes: tuple[Box, ...]
    flag: float | None

    @property
    def pennant(self) -> float:
        """How far the pennant reaches: to the left where the flag is at the right edge."""
        return -12.0 if self.flag is not None and self.flag > STRIP_WIDTH - 14 else 12.0


def draw_race(label: str, places: Sequence[tuple[SideView, int]], *, target: int, start: int = 0) -> RaceView:
    """Return every side's score on the way from `start` to `target`, which may lie below it."""
    way = WAY_END - WAY_START
    length = target - start

    def x_of(score: int) -> float:
        share = (score - start) / length if length else 1.0
        return WAY_START + way * min(max(share, 0.0), 1.0)

    direction = 1 if length >= 0 else -1
    stride = 5
    while abs(length) / stride > 12:
        stride *= 2
    ticks = tuple(round(x_of(start + direction * n), 1) for n in range(0, abs(length), stride))
    # A marker that would cover another stands above it, each at its own score.
    levels: list[float] = []  # the right edge of the last marker on each
    marks = []
    for side, score in sorted(places, key=lambda place: x_of(place[1])):
        left = round(x_of(score) - MARK_SIZE / 2, 1)
        level = next((n for n, edge in enumerate(levels) if edge <= left), len(levels))
        levels[level : level + 1] = [left + MARK_SIZE]
        marks.append(RaceMark(side=side, x=left, y=(WAY_HEIGHT - MARK_SIZE) / 2 - LEVEL * level))
    return RaceView(label=label, end=str(target), ticks=ticks, marks=tuple(marks), levels=max(len(levels), 1))


def draw_strip(
    *, points: int, bid: int | None, ours: int, mark: int, others: Sequence[tuple[int, int]] = ()
) -> StripView:
    """Return a strip: the bidding side's points from the left, the others', as (mark, points), from the right."""
    count = max(points, 1)
    gap = 2.0
    width = (STRIP_WIDTH - gap * count) / count
    right = [other for other, taken in others for _ in range(taken)][:count]
    left = ([mark] * ours + [0] * count)[: count - len(right)]
    boxes = tuple(
        Box(x=round(1 + n * (width + gap), 1), width=round(width, 1), mark=fill)
        for n, fill in enumerate(left + right[::-1])
    )
    flag = None if bid is None else round(min(bid, count) * (width + gap), 1)
    return StripView(boxes=boxes, flag=flag)
