"""Sides as pages show them: a marker, a letter, a name."""

from collections.abc import Mapping, Sequence

from scorekeeper.engine.hand import BIDDERS, SideId
from scorekeeper.engine.seats import NAMES_JOINED
from scorekeeper.graphics.markers import SideView, marked_sides
from scorekeeper.ledger.derive_match import Match
from scorekeeper.web.shared.memoized import memoized


@memoized
def side_views(match: Match) -> Mapping[SideId, SideView]:
    """Return every side of a match with its marker, by its id."""
    return marked_sides(match.state.seats, match.names, match.marks)


def side_views_in(match: Match, place: int) -> Mapping[SideId, SideView]:
    """Return every side with its name of the hand at a place, from 1: somebody else may have sat at the table then."""
    names = match.names_in(place)
    return side_views(match) if names is match.names else marked_sides(match.state.seats, names, match.marks)


def side_view_of(match: Match, who: str) -> SideView | None:
    """Return the side of a player, or the side itself, by id; `None` for nobody's id."""
    return side_views(match).get(match.setup.side_of(who))


def hand_side_view(group: Sequence[SideId], sides: Mapping[SideId, SideView], role: str) -> SideView:
    """Return sides that score together in one hand under one marker; `role` is `bidders` or `defenders`."""
    if len(group) == 1:
        return sides[group[0]]
    lead = sides[group[0]]
    people = NAMES_JOINED.join(sides[side].name for side in group)
    name = people if role == BIDDERS else "The others"
    letter = lead.letter if role == BIDDERS else "O"
    return SideView(side_id=role, name=name, mark=lead.mark, letter=letter, people=people)
