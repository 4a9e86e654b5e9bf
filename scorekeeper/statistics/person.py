"""What one person has played: matches, bids, partners and rivals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import merge
from itertools import takewhile

from scorekeeper.engine.hand import Bid
from scorekeeper.statistics.counts import Count, add, merged, total
from scorekeeper.statistics.match_figures import MOONS
from scorekeeper.statistics.seated import SeatedMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFigures:
    """What one person has played; the figures of disjoint matches add up."""

    person: str
    matches: tuple[SeatedMatch, ...] = ()
    """Those that count for the person, the earliest first."""
    hands: int = 0
    bids: Mapping[Bid, Count] = field(default_factory=dict)
    """Made of tried."""
    partners: Mapping[str, Count] = field(default_factory=dict)
    """Matches won of those played on one side."""
    called: Mapping[str, Count] = field(default_factory=dict)
    """Bids made of those that one of the two bid and called the other for."""
    rivals: Mapping[str, Count] = field(default_factory=dict)
    """Matches won of those played against each other."""

    def __add__(self, other: "PersonFigures") -> "PersonFigures":
        return PersonFigures(
            person=self.person,
            matches=tuple(merge(self.matches, other.matches, key=lambda match: match.order)),
            hands=self.hands + other.hands,
            bids=merged(self.bids, other.bids),
            partners=merged(self.partners, other.partners),
            called=merged(self.called, other.called),
            rivals=merged(self.rivals, other.rivals),
        )

    @property
    def won(self) -> Count:
        """Matches won of those played."""
        return Count(sum(match.has_won(self.person) for match in self.matches), len(self.matches))

    @property
    def made(self) -> Count:
        """Bids made of all that were tried."""
        return total(self.bids.values())

    @property
    def moons(self) -> Count:
        """Moons made of those that were tried."""
        return total(count for bid, count in self.bids.items() if bid in MOONS)

    @property
    def streak(self) -> int:
        """How many matches were won in a row until now."""
        return sum(1 for _ in takewhile(lambda match: match.has_won(self.person), reversed(self.matches)))

    @property
    def best_streak(self) -> int:
        """The most matches ever won in a row."""
        best = now = 0
        for match in self.matches:
            now = now + 1 if match.has_won(self.person) else 0
            best = max(best, now)
        return best


def fold_person(person: str, matches: Iterable[SeatedMatch]) -> PersonFigures:
    """Return what a person has played in some matches."""
    played: list[SeatedMatch] = []
    bids: dict[Bid, Count] = {}
    partners: dict[str, Count] = {}
    called: dict[str, Count] = {}
    rivals: dict[str, Count] = {}
    hands = 0
    for match in matches:
        if person not in match.people:
            continue
        hands += sum(it.hands for it, who in zip(match.figures.sitters, match.people, strict=True) if who == person)
        side = match.players.get(person)
        if side is not None:
            played.append(match)
            won = match.figures.won[side]
            for other, place in match.players.items():
                if other != person:
                    add(partners if place == side else rivals, other, won, 1)
        places = [place for place, who in enumerate(match.people) if who == person]
        for bid in match.figures.details.bids:
            if bid.by in places:
                add(bids, bid.bid, bid.made, bid.tried)
            if bid.is_called and bid.by is not None and not set(places).isdisjoint(bid.team):
                for other in match.team_of(bid.team):
                    if other != person and (bid.by in places or other == match.people[bid.by]):
                        add(called, other, bid.made, bid.tried)
    played.sort(key=lambda match: match.order)
    return PersonFigures(
        person=person,
        matches=tuple(played),
        hands=hands,
        bids=bids,
        partners=partners,
        called=called,
        rivals=rivals,
    )


@dataclass(frozen=True, slots=True)
class Standings:
    """Everybody's matches: won of played."""

    people: Mapping[str, Count] = field(default_factory=dict)

    def __add__(self, other: "Standings") -> "Standings":
        return Standings(merged(self.people, other.people))

    @property
    def ordered(self) -> list[tuple[str, Count]]:
        """The people, whoever played most matches first."""
        return sorted(self.people.items(), key=lambda item: (-item[1].of, -item[1].some, item[0]))


def fold_standings(matches: Iterable[SeatedMatch]) -> Standings:
    """Return everybody's matches; who only played some hands of another's match is there with none."""
    won: dict[str, int] = {}
    played: dict[str, int] = {}
    for match in matches:
        has_won, players = match.figures.won, match.players
        for person, place in players.items():
            played[person] = played.get(person, 0) + 1
            if has_won[place]:
                won[person] = won.get(person, 0) + 1
        if len(players) < len(match.people):
            for person in match.people:
                played.setdefault(person, 0)
    return Standings({person: Count(won.get(person, 0), of) for person, of in played.items()})
