"""Sides as paper shows them: the same shapes and letters as on the phone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.seats import Seats
from scorekeeper.graphics.letters import letters_of
from scorekeeper.graphics.shapes import letter_base, shape_path

SHAPES = 6
RADIUS = 9.8


class Marked(Protocol):
    """A side with its marker."""

    @property
    def name(self) -> str: ...
    @property
    def mark(self) -> int: ...
    @property
    def letter(self) -> str: ...
    @property
    def is_outlined(self) -> bool: ...


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


def side_marks(
    seats: Seats, names: Mapping[str, str], marks: Mapping[SideId, int] | None = None
) -> tuple[SideMark, ...]:
    """Return the sides of a table with their markers: those that they chose, by id, or else those of their places."""
    letters = letters_of([names[side] for side in seats.ids])
    worn = [(marks or {}).get(side.id, i) - 1 for i, side in enumerate(seats.sides, 1)]
    people = [" & ".join(names[seat] for seat in side.seats) for side in seats.sides]
    return tuple(
        SideMark(
            name=names[side.id],
            mark=worn[i] % SHAPES + 1,
            letter=letters[i],
            people="" if people[i] == names[side.id] else people[i],
            is_outlined=worn[i] >= SHAPES,
        )
        for i, side in enumerate(seats.sides)
    )
