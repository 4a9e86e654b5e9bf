"""A match of a book with who sat there, as people."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from scorekeeper.statistics.match_figures import MatchFigures

Team = tuple[str, ...]
"""The people on a side, in the order of their uids."""


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


def seat_match(uid: str, figures: MatchFigures, person_of: Callable[[str, int, str], str]) -> SeatedMatch:
    """Return a match with its people: each by the seat, how many had sat in, and the name that was typed."""
    seats, sittings = figures.sitting[:2]
    return SeatedMatch(uid, figures, tuple(map(person_of, seats, sittings, figures.typed_names)))
