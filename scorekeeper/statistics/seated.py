"""Matches with who sat there, as people; counts of them; and what a table remembers of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeVar

from scorekeeper.statistics.match_figures import MatchFigures, MoonFigures

Key = TypeVar("Key")
Team = tuple[str, ...]
"""The people on a side, in the order of their uids."""


class Count(NamedTuple):
    """A count: 16 of 26."""

    some: int = 0
    of: int = 0

    @property
    def rest(self) -> int:
        """How often it did not come off."""
        return self.of - self.some


def total(counts: Iterable[tuple[int, int]]) -> Count:
    """Return counts together."""
    total_some = total_of = 0
    for some, of in counts:
        total_some += some
        total_of += of
    return Count(total_some, total_of)


def add(counts: dict[Key, Count], key: Key, some: int, of: int) -> None:
    """Add to one of several counts."""
    count = counts.get(key)
    counts[key] = Count(count[0] + some, count[1] + of) if count else Count(some, of)


@dataclass(frozen=True, slots=True)
class SeatedMatch:
    """A match that came to an end, and the person of each sitter."""

    uid: str
    figures: MatchFigures
    people: tuple[str, ...]
    """The uid of each sitter's person, in the order of `figures.sitters`."""
    players: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """For whom the match counts, each with the place of the side: whoever played most hands in a seat.

    Of two who played as many it is the later one; and whoever changed sides, is on the one where they played more.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", _players(self.figures, self.people))

    @property
    def order(self) -> tuple[str, str, str]:
        """Where it stands among other matches, the earliest first."""
        return self.figures.on, self.figures.at, self.uid

    @property
    def teams(self) -> tuple[Team, ...]:
        """For whom the match counts, side by side."""
        teams: list[list[str]] = [[] for _ in self.figures.won]
        for person, place in self.players.items():
            teams[place].append(person)
        return tuple([tuple(sorted(team)) for team in teams])

    def has_won(self, person: str) -> bool:
        """Return whether a person for whom it counts has won; raises `KeyError` for others."""
        return self.figures.won[self.players[person]]

    def team_of(self, places: Iterable[int]) -> Team:
        """Return the people of some sitters."""
        return tuple(sorted({self.people[place] for place in places}))


def _players(figures: MatchFigures, people: tuple[str, ...]) -> dict[str, int]:
    seats, side_seats = figures.sitting[0], figures.side_seats
    side_of = _side_of(side_seats)
    if len(seats) == len(side_of):  # nobody sat in
        return {person: side_of[seat] for seat, person in zip(seats, people, strict=True)}
    by_seat: dict[str, dict[str, int]] = {}
    for it, person in zip(figures.sitters, people, strict=True):
        hands = by_seat.setdefault(it.seat, {})
        hands[person] = hands.pop(person, 0) + it.hands
    most: dict[str, tuple[int, int]] = {}
    for seat, hands in by_seat.items():
        person = max(reversed(hands), key=lambda one: hands[one])
        found = hands[person], -side_of[seat]
        most[person] = max(found, most.get(person, found))
    return {person: -place for person, (_, place) in most.items()}


@lru_cache(maxsize=256)  # there are few ways to sit
def _side_of(side_seats: tuple[tuple[str, ...], ...]) -> Mapping[str, int]:
    return {seat: place for place, seats in enumerate(side_seats) for seat in seats}


Ranked = tuple[int, SeatedMatch]
"""How far a match goes, and the match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memories:
    """What is remembered of some matches, of two alike the earlier one."""

    comeback: Ranked | None = None
    closest: Ranked | None = None
    """Less is closer."""
    longest: Ranked | None = None
    sets: Ranked | None = None
    """The most sets of one player in one match."""
    moons: tuple[tuple[SeatedMatch, MoonFigures], ...] = field(default=())
    """Those that were made."""

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
    matches: Iterable[SeatedMatch], rank: Callable[[SeatedMatch], int | None], *, best: Callable[..., Ranked | None]
) -> Ranked | None:
    ranked = ((found, match) for match in matches if (found := rank(match)) is not None)
    return best(ranked, key=itemgetter(0), default=None)


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
