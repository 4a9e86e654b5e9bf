"""A match of a book with who sat there, as people."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.statistics.match_figures import MatchFigures, Sitter

Team = tuple[str, ...]
"""The people on a side, in the order of their uids."""


@dataclass(frozen=True)
class SeatedMatch:
    """A match that came to an end, and the person of each sitter."""

    uid: str
    figures: MatchFigures
    people: tuple[str, ...]
    """The uid of each sitter's person, in the order of `figures.sitters`."""

    @property
    def order(self) -> tuple[str, str, str]:
        """Where it stands among other matches, the earliest first."""
        return self.figures.on, self.figures.at, self.uid

    @cached_property
    def players(self) -> dict[str, int]:
        """For whom the match counts, each with the place of the side: whoever played most hands in a seat.

        Of two who played as many it is the later one; and whoever changed sides, is on the one where they played more.
        """
        sitters = self.figures.sitters
        side_of = {seat: place for place, side in enumerate(self.figures.sides) for seat in side.seats}
        if len(sitters) == len(side_of):  # nobody sat in
            return {person: side_of[it.seat] for it, person in zip(sitters, self.people, strict=True)}
        by_seat: dict[str, dict[str, int]] = {}
        for it, person in zip(sitters, self.people, strict=True):
            hands = by_seat.setdefault(it.seat, {})
            hands[person] = hands.pop(person, 0) + it.hands
        most: dict[str, tuple[int, int]] = {}
        for seat, hands in by_seat.items():
            person = max(reversed(hands), key=lambda one: hands[one])
            found = hands[person], -side_of[seat]
            most[person] = max(found, most.get(person, found))
        return {person: -place for person, (_, place) in most.items()}

    @cached_property
    def teams(self) -> tuple[Team, ...]:
        """For whom the match counts, side by side."""
        teams: list[list[str]] = [[] for _ in self.figures.sides]
        for person, place in self.players.items():
            teams[place].append(person)
        return tuple([tuple(sorted(team)) for team in teams])

    def has_won(self, person: str) -> bool:
        """Return whether a person for whom it counts has won; raises `KeyError` for others."""
        return self.figures.sides[self.players[person]].won

    def team_of(self, places: Iterable[int]) -> Team:
        """Return the people of some sitters."""
        return tuple(sorted({self.people[place] for place in places}))


def seat_match(uid: str, figures: MatchFigures, person_of: Callable[[Sitter], str]) -> SeatedMatch:
    """Return a match with its people."""
    return SeatedMatch(uid, figures, tuple([person_of(it) for it in figures.sitters]))
