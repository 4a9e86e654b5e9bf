"""A season: everybody's standings over several nights."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from scorekeeper.club.nights.night import Night


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A person's standing over several nights."""

    place: int
    """The same for all who tie."""
    person: str
    nights: int
    firsts: int
    """How many of the nights they won."""
    won: int
    """Games."""
    played: int
    points: int
    """Of the games whose score was written."""


BY_WINS, BY_POINTS = "wins", "points"


def season_of(nights: Iterable[Night], person_of: Callable[[str], str], by: str = BY_WINS) -> list[SeasonStanding]:
    """Return everybody over several nights, the first one first: by wins and then points, or by points and then wins.

    `person_of` returns the person for whom a player's name stands.
    """
    came, firsts, won, played, points = (Counter[str]() for _ in range(5))
    for night in nights:
        people = {uid: dict.fromkeys(map(person_of, filter(None, who.players))) for uid, who in night.pairs.items()}
        came.update({*chain.from_iterable(people[who.pair] for who in night.standings)})
        champions = {*night.champions}
        for who in night.standings:
            for person in people[who.pair]:
                firsts[person] += who.pair in champions
                won[person] += who.won
                played[person] += who.played
                points[person] += who.points

    def rank(person: str) -> tuple[int, int]:
        counts = -won[person], -points[person]
        return counts if by == BY_WINS else counts[::-1]

    ranks = sorted(map(rank, came))
    return [
        SeasonStanding(ranks.index(rank(who)) + 1, who, came[who], firsts[who], won[who], played[who], points[who])
        for who in sorted(came, key=lambda person: (rank(person), -firsts[person], person))
    ]
