"""The markers that distinguish sides on pages and paper, and two drawings that use them, as SVG.

In a race, each side's marker runs to the target. A strip shows who took the points of one hand.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR, Seats
from scorekeeper.pitch.text.phrases import Names, resolve_pronouns

_Corner = tuple[float, float]
"""The x and the y of a corner."""

_CORNERS_BY_SHAPE: dict[int, Sequence[_Corner]] = {
    2: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    3: ((0, -1.05), (1.1, 0.95), (-1.1, 0.95)),
    4: (
        *((-0.42, -1), (0.42, -1), (0.42, -0.42), (1, -0.42), (1, 0.42), (0.42, 0.42)),
        *((0.42, 1), (-0.42, 1), (-0.42, 0.42), (-1, 0.42), (-1, -0.42), (-0.42, -0.42)),
    ),
    5: ((-0.53, -0.92), (0.53, -0.92), (1.06, 0), (0.53, 0.92), (-0.53, 0.92), (-1.06, 0)),
    6: ((-0.92, -0.95), (0.92, -0.95), (0.92, -0.05), (0.62, 0.55), (0, 1.05), (-0.62, 0.55), (-0.92, -0.05)),
}
"""The corners of each shape of marker, at radius 1; a shape without corners is a circle."""


_NUMBERED_NAME = re.compile("^(?:Seat|Side) ([1-9])$")
"""Matches the name of a seat or side that has only a number, such as "Seat 3"."""
_LETTER_BASELINES = {3: 0.7, 6: 0.22}
"""How far the baseline of the letter is below the center of a shape of radius 1, keyed by shape; of others, 0.37."""


def shape_path(shape: int, x: float, y: float, radius: float) -> str:
    """Return the SVG path of a marker's shape, given its center and its radius.

    `shape` is 1 to 6: circle, square, triangle, cross, hexagon or shield.
    """
    corners = _CORNERS_BY_SHAPE.get(shape)
    if corners is None:
        return _oval_path(x, y, radius, radius)
    return "M" + "L".join(f"{_svg_number(x + radius * dx)} {_svg_number(y + radius * dy)}" for dx, dy in corners) + "z"


def letter_baseline(shape: int, radius: float) -> float:
    """Return how far below the center of a marker's shape the baseline of its letter is."""
    return round(radius * _LETTER_BASELINES.get(shape, 0.37), 1)


def ring_path(x: float, y: float, radius: float) -> str:
    """Return the SVG path of the ring around a hand of a chart in which the side was set.

    The ring is an oval, and `radius` is half its height.
    """
    return _oval_path(x, y, radius * 1.25, radius)


def _oval_path(x: float, y: float, x_radius: float, y_radius: float) -> str:
    """Return the SVG path of an oval around a point, given its horizontal and its vertical radius."""
    half = f"a{_svg_number(x_radius)} {_svg_number(y_radius)} 0 1 0 "
    width = 2 * x_radius
    return f"M{_svg_number(x - x_radius)} {_svg_number(y)}{half}{_svg_number(width)} 0{half}{_svg_number(-width)} 0z"


def _svg_number(number: float) -> str:
    """Return a number as text for an SVG path, rounded to one decimal."""
    return f"{number:.1f}".removesuffix(".0")


def spread_apart(wanted_ys: Sequence[float], *, gap: float, first: float, last: float) -> list[float]:
    """Return `wanted_ys`, each at its index, moved so that they are at least `gap` apart and within `first` and `last`.

    If the room is too short, some are before `first`.
    """
    indexes_by_y = sorted(range(len(wanted_ys)), key=wanted_ys.__getitem__)
    ys = [0.0] * len(wanted_ys)
    previous = first - gap
    for i in indexes_by_y:
        ys[i] = previous = max(wanted_ys[i], previous + gap)
    limit = last
    for i in reversed(indexes_by_y):
        ys[i] = min(ys[i], limit)
        limit = ys[i] - gap
    return [round(height, 1) for height in ys]


NUMBER_OF_SHAPES = 6
"""How many shapes a marker can have."""
NUMBER_OF_MARKERS = 2 * NUMBER_OF_SHAPES
"""How many different markers there are: every shape filled, and every shape outlined."""
PAPER_RADIUS = 9.8
"""The radius of a marker on paper, in SVG units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """A side with its name, its players and its marker."""

    side_id: str
    name: str
    shape: int
    """The shape of the marker, 1 to 6: circle, square, triangle, cross, hexagon, shield."""
    letter: str
    """The one or two letters in the marker, "A" or "An", or a number; empty if another side has the same."""
    people: str = ""
    """The names of the players, "Ann & Cal"; empty if that is the name of the side."""
    is_outlined: bool = False
    """Whether the marker is outlined; else it is filled. By default, it is outlined from the seventh side on."""

    @property
    def path(self) -> str:
        """The SVG path of the marker's shape around the origin, in the size for paper."""
        return shape_path(self.shape, 0, 0, PAPER_RADIUS)

    @property
    def letter_y(self) -> float:
        """How far below the origin the baseline of the marker's letter is, in the size for paper."""
        return letter_baseline(self.shape, PAPER_RADIUS)


def mark_sides(seats: Seats, names: Names, markers: Mapping[SideId, int]) -> dict[SideId, SideView]:
    """Return each side of a match with its marker.

    `markers` has the chosen ones, from 1 to `NUMBER_OF_MARKERS`; a side without one has the marker of its position.
    `names` has the names of sides and of seats.
    """
    letters = distinct_letters([resolve_pronouns(names[side]) for side in seats.ids])
    views = {}
    for i, side in enumerate(seats.sides):
        marker_index = markers.get(side.id, i + 1) - 1
        people = NAME_SEPARATOR.join(names[seat] for seat in side.seats)
        views[side.id] = SideView(
            side_id=side.id,
            name=names[side.id],
            shape=marker_index % NUMBER_OF_SHAPES + 1,
            letter=letters[i],
            people="" if people == names[side.id] else people,
            is_outlined=marker_index >= NUMBER_OF_SHAPES,
        )
    return views


def distinct_letters(names: Sequence[str]) -> tuple[str, ...]:
    """Return for each name the one or two letters in its marker: ("A", "Be", "Bo"); empty if another has the same.

    For a name such as "Seat 3", it is the number.
    """
    words = ["".join(filter(str.isalnum, _without_article(_NUMBERED_NAME.sub(r"\1", name)))) for name in names]
    one_letters, two_letters = (
        [word[:1].upper() for word in words],
        [word[:1].upper() + word[1:2].lower() for word in words],
    )
    return tuple(
        one if one_letters.count(one) == 1 else two if two_letters.count(two) == 1 else ""
        for one, two in zip(one_letters, two_letters, strict=True)
    )


def _without_article(name: str) -> str:
    """Return a name without "The" at its start, as in "The Hoffs"."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() == "the" and rest.strip() else name


MARKER_SIZE = 22.0
"""The width and height of a marker in a race, in SVG units."""
FINISH_X = 332.0
"""The x of the finishing line of a race."""
TRACK_START, TRACK_END = 13.0, FINISH_X - MARKER_SIZE / 2
"""The x of a marker's center at the start, and at the target."""
STACK_DISTANCE = MARKER_SIZE + 2
"""The distance from a marker to the next one stacked above it, in SVG units."""
TRACK_HEIGHT = 34.0
"""The height of a race without stacked markers, in SVG units."""
STRIP_WIDTH = 200.0
"""The width of the strip of a hand's points, in SVG units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceMarker:
    """A side's marker in a race, with the x and the y of its upper left corner."""

    side: SideView
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceView:
    """A race of all sides to the target: a box of 358 by 34 SVG units, higher if markers are stacked."""

    label: str
    """The text alternative: "Them 17, Us 19; the target is 21"."""
    end: str
    """The label of the finishing line: the target, "21"."""
    ticks: tuple[float, ...]
    """The x of each tick on the track, one for every 5 points or more."""
    markers: tuple[RaceMarker, ...]
    level_count: int
    """The number of markers in the highest stack; 1 if none are stacked."""

    @property
    def top(self) -> float:
        """The y of the top of the box: 0, or negative if markers are stacked."""
        return -STACK_DISTANCE * (self.level_count - 1)

    @property
    def height(self) -> float:
        """The height of the box, in SVG units."""
        return TRACK_HEIGHT - self.top


@dataclass(frozen=True, slots=True, kw_only=True)
class StripBox:
    """A box of a strip, for one point of a hand."""

    x: float
    width: float
    shape: int
    """The shape, 1 to 6, of the marker whose pattern fills the box; 0 for an empty box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripView:
    """The strip of a hand: a box for each point and a flag at the bid, in 200 by 24 SVG units."""

    boxes: tuple[StripBox, ...]
    flag: float | None
    """The x of the flag; `None` if there is no bid."""

    @property
    def pennant(self) -> float:
        """The width of the flag's pennant; negative if it points left."""
        return -12.0 if self.flag is not None and self.flag > STRIP_WIDTH - 14 else 12.0


def draw_race(label: str, scores: Sequence[tuple[SideView, int]], *, target: int, start: int = 0) -> RaceView:
    """Return the race of all sides from the score `start` up or down to `target`.

    A score beyond either end is drawn at that end. `label` is the text alternative.
    """
    score_range = target - start

    def x_at(score: int) -> float:
        """Return the x of a marker's center at a score, within the track."""
        share = (score - start) / score_range if score_range else 1.0
        return TRACK_START + (TRACK_END - TRACK_START) * min(max(share, 0.0), 1.0)

    stride = 5
    while abs(score_range) / stride > 12:
        stride *= 2
    tick_scores = range(start, target, stride if score_range > 0 else -stride)
    ticks = tuple(round(x_at(number), 1) for number in tick_scores)
    # A marker that would overlap another is stacked above it, at its own score.
    right_edges: list[float] = []  # of the last marker on each level
    markers = []
    for side, score in sorted(scores, key=lambda scored: x_at(scored[1])):
        left = round(x_at(score) - MARKER_SIZE / 2, 1)
        level = next((n for n, edge in enumerate(right_edges) if edge <= left), len(right_edges))
        right_edges[level : level + 1] = [left + MARKER_SIZE]
        markers.append(RaceMarker(side=side, x=left, y=(TRACK_HEIGHT - MARKER_SIZE) / 2 - STACK_DISTANCE * level))
    return RaceView(
        label=label, end=str(target), ticks=ticks, markers=tuple(markers), level_count=max(len(right_edges), 1)
    )


def draw_strip(
    *, points: int, bid: int | None, bidders_points: int, bidders_shape: int, others: Sequence[tuple[int, int]] = ()
) -> StripView:
    """Return the strip of a hand, with the bidders' points from the left and the points of other sides from the right.

    `points` is the number of all points in the hand. `others` are pairs of a marker shape and a number of points.
    """
    box_count = max(points, 1)
    gap = 2.0
    width = (STRIP_WIDTH - gap * box_count) / box_count
    right_shapes = [shape for shape, taken in others for _ in range(taken)][:box_count]
    left_shapes = ([bidders_shape] * bidders_points + [0] * box_count)[: box_count - len(right_shapes)]
    boxes = tuple(
        StripBox(x=round(1 + n * (width + gap), 1), width=round(width, 1), shape=fill)
        for n, fill in enumerate(left_shapes + right_shapes[::-1])
    )
    flag_x = None if bid is None else round(min(bid, box_count) * (width + gap), 1)
    return StripView(boxes=boxes, flag=flag_x)
