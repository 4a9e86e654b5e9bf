"""Sides as pages show them: a marker, a letter, a name."""

from collections.abc import Mapping, Sequence

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, SideId
from scorekeeper.engine.seats import Seats
from scorekeeper.engine.words import letters_of
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.parts import SideView
from scorekeeper.web.present.once import once

SHAPES = 6
SHAPE_NAMES = ("circle", "square", "triangle", "cross", "hexagon", "shield")


def mark_word(mark: int) -> str:
    """Name a marker: "square", "outlined circle"."""
    name = SHAPE_NAMES[(mark - 1) % SHAPES]
    return name if mark <= SHAPES else f"outlined {name}"


@once
def side_views(match: LoadedMatch) -> Mapping[SideId, SideView]:
    """Give each side its marker, by name."""
    return mark_sides(match.state.seats, match.ids, match.marks)


def mark_sides(
    seats: Seats, ids: Mapping[str, str], marks: Mapping[SideId, int] | None = None
) -> dict[SideId, SideView]:
    """Give the sides of a table their markers: those that they wear, by name, or else those of their places."""
    letters = letters_of(seats.names)
    views = {}
    for i, side in enumerate(seats.sides):
        worn = (marks or {}).get(side.name, i + 1) - 1
        people = " & ".join(side.players)
        views[side.name] = SideView(
            side_id=ids.get(side.name, side.name),
            name=side.name,
            mark=worn % SHAPES + 1,
            letter=letters[i],
            people="" if people == side.name else people,
            is_outlined=worn >= SHAPES,
        )
    return views


def camp_view(group: Sequence[SideId], sides: Mapping[SideId, SideView], role: str) -> SideView:
    """Show sides that count together in one hand under one marker; `role` is `bidders` or `defenders`."""
    if len(group) == 1:
        return sides[group[0]]
    lead = sides[group[0]]
    name = " & ".join(group) if role == BIDDERS else "The others"
    letter = lead.letter if role == BIDDERS else "O"
    return SideView(side_id=role, name=name, mark=lead.mark, letter=letter, people=" & ".join(group))


__all__ = ["BIDDERS", "DEFENDERS", "camp_view", "letters_of", "mark_sides", "side_views"]
