"""The markers that tell sides apart, for page and paper: a shape, a letter, and the color and pattern of the shape."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.seats import NAMES_JOINED, Seats
from scorekeeper.graphics.shapes import letter_base, shape_path

SHAPES = 6
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
    """The first letter of the name, or the first that differs from another side's, or a number."""
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
    seats: Seats, names: Mapping[str, str], marks: Mapping[SideId, int] | None = None
) -> dict[SideId, SideView]:
    """Return the sides of a table with their markers, by id: those that they chose, or else those of their places."""
    letters = distinct_letters([names[side] for side in seats.ids])
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
    """Return the first letter of each name; where that is taken, the first that differs, else a number."""
    letters = [[letter.upper() for letter in _without_article(name) if letter.isalnum()] for name in names]
    firsts = [name[:1] for name in letters]
    taken: list[str] = []
    for i, name in enumerate(letters):
        wanted = firsts[i] if firsts.count(firsts[i]) == 1 else name
        taken.append(next((letter for letter in wanted if letter not in taken), str(i + 1)))
    return tuple(taken)


def _without_article(name: str) -> str:
    """Return "Hoffs" of "The Hoffs": every other family may be "The" somebody, too."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() == "the" and rest.strip() else name
