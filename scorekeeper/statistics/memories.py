"""What a table remembers of its matches: the longest comeback, the closest finish, the longest match."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from scorekeeper.statistics.match_figures import Moon
from scorekeeper.statistics.seated import SeatedMatch

Ranked = tuple[int, SeatedMatch]
"""How far a match goes, and the match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memories:
    """What is remembered of some matches, of two alike the earlier one; that of disjoint matches adds up."""

    comeback: Ranked | None = None
    closest: Ranked | None = None
    """Less is closer."""
    longest: Ranked | None = None
    sets: Ranked | None = None
    """The most sets of one player in one match."""
    moons: tuple[tuple[SeatedMatch, Moon], ...] = field(default=())
    """Those that were made."""

    def __add__(self, other: "Memories") -> "Memories":
        return Memories(
            comeback=_more(self.comeback, other.comeback),
            closest=_less(self.closest, other.closest),
            longest=_more(self.longest, other.longest),
            sets=_more(self.sets, other.sets),
            moons=tuple(sorted((*self.moons, *other.moons), key=lambda item: item[0].order)),
        )

    @property
    def who_was_set_most(self) -> str | None:
        """The person of `sets`."""
        if self.sets is None:
            return None
        sets = _sets(self.sets[1])
        return min(person for person in sets if sets[person] == self.sets[0])


def fold_memories(matches: Iterable[SeatedMatch]) -> Memories:
    """Return what is remembered of some matches."""
    matches = sorted(matches, key=lambda match: match.order)
    return Memories(
        comeback=_first(matches, _comeback, best=max),
        closest=_first(matches, _margin, best=min),
        longest=_first(matches, lambda match: match.figures.details.hands or None, best=max),
        sets=_first(matches, _most_sets, best=max),
        moons=tuple((match, moon) for match in matches for moon in match.figures.details.moons if moon.made),
    )


def _first(
    matches: Iterable[SeatedMatch], rank: Callable[[SeatedMatch], int | None], *, best: Callable[..., int]
) -> Ranked | None:
    ranked = [(found, match) for match in matches if (found := rank(match)) is not None]
    if not ranked:
        return None
    wanted = best(found for found, _ in ranked)
    return next(item for item in ranked if item[0] == wanted)


def _comeback(match: SeatedMatch) -> int | None:
    behind = match.figures.details.behind
    return None if behind is None else abs(behind[0] - behind[1])


def _margin(match: SeatedMatch) -> int | None:
    margin = match.figures.details.margin
    return None if margin is None else abs(margin)


def _most_sets(match: SeatedMatch) -> int | None:
    return max(_sets(match).values(), default=0) or None


def _sets(match: SeatedMatch) -> dict[str, int]:
    """Return how often each of a match was set; a bid of a side alone is nobody's."""
    sets: dict[str, int] = {}
    for bid in match.figures.details.bids:
        if bid.by is not None and bid.made < bid.tried:
            person = match.people[bid.by]
            sets[person] = sets.get(person, 0) + bid.tried - bid.made
    return sets


def _more(one: Ranked | None, other: Ranked | None) -> Ranked | None:
    return _better(one, other, 1)


def _less(one: Ranked | None, other: Ranked | None) -> Ranked | None:
    return _better(one, other, -1)


def _better(one: Ranked | None, other: Ranked | None, sign: int) -> Ranked | None:
    both = [item for item in (one, other) if item]
    return min(both, key=lambda item: (-sign * item[0], item[1].order), default=None)
