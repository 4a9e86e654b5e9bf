"""The markers that distinguish sides, on pages and paper: a shape, a letter, and the color and pattern of the shape.

The six shapes and the ring around a set are paths; what is drawn finds room between others.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.seats import NAMES_JOINED, Seats

_Corner = tuple[float, float]

_CORNERS: dict[int, Sequence[_Corner]] = {
    2: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    3: ((0, -1.05), (1.1, 0.95), (-1.1, 0.95)),
    4: (
        *((-0.42, -1), (0.42, -1), (0.42, -0.42), (1, -0.42), (1, 0.42), (0.42, 0.42)),
        *((0.42, 1), (-0.42, 1), (-0.42, 0.42), (-1, 0.42), (-1, -0.42), (-0.42, -0.42)),
    ),
    5: ((-0.53, -0.92), (0.53, -0.92), (1.06, 0), (0.53, 0.92), (-0.53, 0.92), (-1.06, 0)),
    6: ((-0.92, -0.95), (0.92, -0.95), (0.92, -0.05), (0.62, 0.55), (0, 1.05), (-0.62, 0.55), (-0.92, -0.05)),
}
"""Corners in a shape of radius 1; what is not here is a circle."""


_UNNAMED = re.compile("^(?:Seat|Side) ([1-9])$")
_LETTER_BASE = {3: 0.7, 6: 0.22}
_LETTER_USUAL = 0.37


def shape_path(mark: int, x: float, y: float, radius: float) -> str:
    """Return the path of a side's shape: circle, square, triangle, cross, hexagon, shield."""
    corners = _CORNERS.get(mark)
    if corners is None:
        return _oval(x, y, radius, radius)
    return "M" + "L".join(f"{_short(x + radius * dx)} {_short(y + radius * dy)}" for dx, dy in corners) + "z"


def letter_base(mark: int, radius: float) -> float:
    """Return the line on which a letter stands, from the middle of its shape."""
    return round(radius * _LETTER_BASE.get(mark, _LETTER_USUAL), 1)


def ring_path(x: float, y: float, radius: float) -> str:
    """Return the path of the ring around a set."""
    return _oval(x, y, radius * 1.25, radius)


def _oval(x: float, y: float, across: float, up: float) -> str:
    half = f"a{_short(across)} {_short(up)} 0 1 0 "
    return f"M{_short(x - across)} {_short(y)}{half}{_short(2 * across)} 0{half}{_short(-2 * across)} 0z"


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def spread(wanted: Sequence[float], *, gap: float, first: float, last: float) -> list[float]:
    """Return places from first to last that are a gap apart at least, each as near as can be to the one wanted."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [0.0] * len(wanted)
    nearest = first - gap
    for i in order:
        placed[i] = nearest = max(wanted[i], nearest + gap)
    limit = last
    for i in reversed(order):
        placed[i] = min(placed[i], limit)
        limit = placed[i] - gap
    return [round(place, 1) for place in placed]


SHAPES = 6
MARKS = 2 * SHAPES
"""The shapes with their colors and patterns, and the same once more, outlined."""
RADIUS = 9.8
"""Of a marker on paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """A side with its marker."""

    side_id: str
    name: str
    mark: int
    """1 to 6: circle, square, triangle, cross, hexagon, shield."""
    letter: str
    """The first letter of the name, or two, or a number; empty where another side's are the same."""
    people: str = ""
    """"Ann & Cal"; empty where the side is called so."""
    is_outlined: bool = False
    """From the seventh side on the shapes are used again, outlined."""

    @property
    def shape(self) -> str:
        """The shape as a path around the middle, as paper draws it."""
        return shape_path(self.mark, 0, 0, RADIUS)

    @property
    def letter_y(self) -> float:
        """The line on which the letter stands in that shape."""
        return letter_base(self.mark, RADIUS)


def marked_sides(
    seats: Seats,
    names: Mapping[str, str],
    marks: Mapping[SideId, int] | None,
    written: Mapping[str, str] | None,
) -> dict[SideId, SideView]:
    """Return the sides of a table with their markers, by id: those that they chose, or else those of their places.

    Their letters are those of their names, or of others by which they are `written`.
    """
    letters = distinct_letters([(written or {}).get(side) or names[side] for side in seats.ids])
    views = {}
    for i, side in enumerate(seats.sides):
        mark = (marks or {}).get(side.id, i + 1) - 1
        people = NAMES_JOINED.join(names[seat] for seat in side.seats)
        views[side.id] = SideView(
            side_id=side.id,
            name=names[side.id],
            mark=mark % SHAPES + 1,
            letter=letters[i],
            people="" if people == names[side.id] else people,
            is_outlined=mark >= SHAPES,
        )
    return views


def distinct_letters(names: Sequence[str]) -> tuple[str, ...]:
    """Return the first letter of each name, the first two where one is another's as well, or else none.

    A seat or a side that nobody named is known by its number.
    """
    words = ["".join(filter(str.isalnum, _without_article(_UNNAMED.sub(r"\1", name)))) for name in names]
    ones, twos = [word[:1].upper() for word in words], [word[:1].upper() + word[1:2].lower() for word in words]
    return tuple(
        one if ones.count(one) == 1 else two if twos.count(two) == 1 else ""
        for one, two in zip(ones, twos, strict=True)
    )


def _without_article(name: str) -> str:
    """Return "Hoffs" of "The Hoffs": every other family may be "The" somebody, too."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() == "the" and rest.strip() else name
