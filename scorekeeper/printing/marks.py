"""Sides as paper shows them: the same shapes and letters as on the phone."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.seats import Seats
from scorekeeper.engine.words import letters_of
from scorekeeper.printing.shapes import letter_base, shape_path

SHAPES = 6
RADIUS = 9.8


@dataclass(frozen=True, slots=True, kw_only=True)
class SideMark:
    """A side with its marker."""

    name: str
    mark: int
    """1 to 6: circle, square, triangle, cross, hexagon, shield."""
    letter: str
    people: str = ""
    is_outlined: bool = False
    """From the seventh side on the shapes begin again, outlined."""

    @property
    def shape(self) -> str:
        """Its shape as a path round the middle."""
        return shape_path(self.mark, 0, 0, RADIUS)

    @property
    def letter_y(self) -> float:
        """The line that its letter stands on."""
        return letter_base(self.mark, RADIUS)


def side_marks(seats: Seats, marks: Mapping[SideId, int] | None = None) -> tuple[SideMark, ...]:
    """Give the sides of a table their markers: those that they wear, by name, or else those of their places."""
    letters = letters_of(seats.names)
    worn = [(marks or {}).get(side.name, i) - 1 for i, side in enumerate(seats.sides, 1)]
    people = [" & ".join(side.players) for side in seats.sides]
    return tuple(
        SideMark(
            name=side.name,
            mark=worn[i] % SHAPES + 1,
            letter=letters[i],
            people="" if people[i] == side.name else people[i],
            is_outlined=worn[i] >= SHAPES,
        )
        for i, side in enumerate(seats.sides)
    )
