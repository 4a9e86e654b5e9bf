"""The markers that distinguish sides, on pages and paper: a shape, a letter, and the color and pattern of the shape.

Shapes, and the ring around a set, are SVG paths. Markers also run the race to the target, and fill the strip of a
hand's points.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR, Seats

_Corner = tuple[float, float]

_CORNERS_BY_MARK: dict[int, Sequence[_Corner]] = {
    2: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    3: ((0, -1.05), (1.1, 0.95), (-1.1, 0.95)),
    4: (
        *((-0.42, -1), (0.42, -1), (0.42, -0.42), (1, -0.42), (1, 0.42), (0.42, 0.42)),
        *((0.42, 1), (-0.42, 1), (-0.42, 0.42), (-1, 0.42), (-1, -0.42), (-0.42, -0.42)),
    ),
    5: ((-0.53, -0.92), (0.53, -0.92), (1.06, 0), (0.53, 0.92), (-0.53, 0.92), (-1.06, 0)),
    6: ((-0.92, -0.95), (0.92, -0.95), (0.92, -0.05), (0.62, 0.55), (0, 1.05), (-0.62, 0.55), (-0.92, -0.05)),
}
"""The corners of each shape at radius 1; a mark without corners is a circle."""


_NUMBERED_NAME = re.compile("^(?:Seat|Side) ([1-9])$")
_LETTER_BASELINES = {3: 0.7, 6: 0.22}


def shape_path(mark: int, x: float, y: float, radius: float) -> str:
    """Return the path of a side's shape: circle, square, triangle, cross, hexagon, shield."""
    corners = _CORNERS_BY_MARK.get(mark)
    if corners is None:
        return _oval_path(x, y, radius, radius)
    return "M" + "L".join(f"{_short(x + radius * dx)} {_short(y + radius * dy)}" for dx, dy in corners) + "z"


def letter_baseline(mark: int, radius: float) -> float:
    """Return the baseline of a letter in a shape, relative to the center."""
    return round(radius * _LETTER_BASELINES.get(mark, 0.37), 1)


def ring_path(x: float, y: float, radius: float) -> str:
    """Return the path of the ring around a set."""
    return _oval_path(x, y, radius * 1.25, radius)


def _oval_path(x: float, y: float, across: float, up: float) -> str:
    half = f"a{_short(across)} {_short(up)} 0 1 0 "
    return f"M{_short(x - across)} {_short(y)}{half}{_short(2 * across)} 0{half}{_short(-2 * across)} 0z"


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def spread_apart(wanted: Sequence[float], *, gap: float, first: float, last: float) -> list[float]:
    """Return heights between `first` and `last`, each near the wanted one, moved so that all are a gap apart."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    heights = [0.0] * len(wanted)
    nearest = first - gap
    for i in order:
        heights[i] = nearest = max(wanted[i], nearest + gap)
    limit = last
    for i in reversed(order):
        heights[i] = min(heights[i], limit)
        limit = heights[i] - gap
    return [round(height, 1) for height in heights]


NUMBER_OF_SHAPES = 6
NUMBER_OF_MARKS = 2 * NUMBER_OF_SHAPES
"""The number of markers: the shapes filled, then outlined."""
PAPER_RADIUS = 9.8
"""The radius of a marker on paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """A side with its marker."""

    side_id: str
    name: str
    mark: int
    """1 to 6: circle, square, triangle, cross, hexagon, shield."""
    letter: str
    """The first one or two letters of the name, or a number; empty where another side has the same."""
    people: str = ""
    """The players, "Ann & Cal"; empty where that is the name already."""
    is_outlined: bool = False
    """Whether the shape is outlined, as for marks from the seventh on."""

    @property
    def shape(self) -> str:
        """The path of the shape around the origin, in the size for paper."""
        return shape_path(self.mark, 0, 0, PAPER_RADIUS)

    @property
    def letter_y(self) -> float:
        """The baseline of the letter in that shape."""
        return letter_baseline(self.mark, PAPER_RADIUS)


def mark_sides(
    seats: Seats,
    names: Mapping[str, str],
    marks: Mapping[SideId, int] | None,
    written: Mapping[str, str] | None,
) -> dict[SideId, SideView]:
    """Return the sides of a table with their markers, by id; a side without a chosen mark gets that of its position.

    The letters are those of the names in `written`, where a side has one there, else of those in `names`.
    """
    letters = distinct_letters([(written or {}).get(side) or names[side] for side in seats.ids])
    views = {}
    for i, side in enumerate(seats.sides):
        mark = (marks or {}).get(side.id, i + 1) - 1
        people = NAME_SEPARATOR.join(names[seat] for seat in side.seats)
        views[side.id] = SideView(
            side_id=side.id,
            name=names[side.id],
            mark=mark % NUMBER_OF_SHAPES + 1,
            letter=letters[i],
            people="" if people == names[side.id] else people,
            is_outlined=mark >= NUMBER_OF_SHAPES,
        )
    return views


def distinct_letters(names: Sequence[str]) -> tuple[str, ...]:
    """Return the first letter of each name, the first two where one is not unique, or else an empty text.

    A seat or a side without a name is known by its number.
    """
    words = ["".join(filter(str.isalnum, _without_article(_NUMBERED_NAME.sub(r"\1", name)))) for name in names]
    ones, twos = [word[:1].upper() for word in words], [word[:1].upper() + word[1:2].lower() for word in words]
    return tuple(
        one if ones.count(one) == 1 else two if twos.count(two) == 1 else ""
        for one, two in zip(ones, twos, strict=True)
    )


def _without_article(name: str) -> str:
    """Return a name without "The", which many families share: "Hoffs" for "The Hoffs"."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() == "the" and rest.strip() else name


MARK_SIZE = 22.0
FINISH_X = 332.0
TRACK_START, TRACK_END = 13.0, FINISH_X - MARK_SIZE / 2
"""The center of a marker at the start, and at the target, where its edge touches the line."""
STACK_DISTANCE = MARK_SIZE + 2
"""The vertical distance between markers that would overlap."""
TRACK_HEIGHT = 34.0
STRIP_WIDTH = 200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceMark:
    """A side's marker on the race track."""

    side: SideView
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceView:
    """The race to the target, in a box of 358 by 34, or higher where markers are stacked."""

    label: str
    """The text alternative: "Them 17, Us 19; the target is 21"."""
    end: str
    ticks: tuple[float, ...]
    marks: tuple[RaceMark, ...]
    levels: int
    """The most markers stacked above each other."""

    @property
    def top(self) -> float:
        """The upper edge of the box: 0 for one level, negative for more."""
        return -STACK_DISTANCE * (self.levels - 1)

    @property
    def height(self) -> float:
        """The height of the box."""
        return TRACK_HEIGHT - self.top


@dataclass(frozen=True, slots=True, kw_only=True)
class StripBox:
    """One point of the hand."""

    x: float
    width: float
    mark: int
    """The mark of the side whose pattern fills the box; 0 for an empty box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripView:
    """A strip with one box for each point, filled from both ends, and a flag at the bid; 200 by 24."""

    boxes: tuple[StripBox, ...]
    flag: float | None

    @property
    def pennant(self) -> float:
        """The width of the pennant, negative (to the left) where the flag is at the right edge."""
        return -12.0 if self.flag is not None and self.flag > STRIP_WIDTH - 14 else 12.0


def draw_race(label: str, scores: Sequence[tuple[SideView, int]], *, target: int, start: int = 0) -> RaceView:
    """Return the race of all sides from `start` to `target`, which may be lower."""
    length = target - start

    def x_at(score: int) -> float:
        share = (score - start) / length if length else 1.0
        return TRACK_START + (TRACK_END - TRACK_START) * min(max(share, 0.0), 1.0)

    stride = 5
    while abs(length) / stride > 12:
        stride *= 2
    numbers = range(start, target, stride if length > 0 else -stride)
    ticks = tuple(round(x_at(number), 1) for number in numbers)
    # A marker that would overlap another is stacked above it, at its own score.
    levels: list[float] = []  # the right edge of the last marker on each
    marks = []
    for side, score in sorted(scores, key=lambda scored: x_at(scored[1])):
        left = round(x_at(score) - MARK_SIZE / 2, 1)
        level = next((n for n, edge in enumerate(levels) if edge <= left), len(levels))
        levels[level : level + 1] = [left + MARK_SIZE]
        marks.append(RaceMark(side=side, x=left, y=(TRACK_HEIGHT - MARK_SIZE) / 2 - STACK_DISTANCE * level))
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
        StripBox(x=round(1 + n * (width + gap), 1), width=round(width, 1), mark=fill)
        for n, fill in enumerate(left + right[::-1])
    )
    flag = None if bid is None else round(min(bid, count) * (width + gap), 1)
    return StripView(boxes=boxes, flag=flag)
