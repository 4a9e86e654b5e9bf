"""What two sides have come to against each other."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import merge

from scorekeeper.statistics.counts import Count, merged, plus
from scorekeeper.statistics.match_figures import MOONS
from scorekeeper.statistics.memories import Memories, fold_memories
from scorekeeper.statistics.seated import SeatedMatch, Team


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFigures:
    """What the people of one side have done; the figures of disjoint matches add up."""

    team: Team
    matches: Count = field(default_factory=Count)
    """Won of played."""
    bids: Count = field(default_factory=Count)
    """Made of tried, whoever of them bid."""
    moons: Count = field(default_factory=Count)
    points: Count = field(default_factory=Count)
    """The points that they took, of the hands that they played."""
    biggest: int = 0
    """The lead of the match that they won by most."""

    def __add__(self, other: "PairFigures") -> "PairFigures":
        return PairFigures(
            team=self.team,
            matches=plus(self.matches, other.matches),
            bids=plus(self.bids, other.bids),
            moons=plus(self.moons, other.moons),
            points=plus(self.points, other.points),
            biggest=max(self.biggest, other.biggest),
        )


def fold_pair(team: Team, matches: Iterable[SeatedMatch]) -> PairFigures:
    """Return what the people of a side have done in some matches that count for all of them together."""
    found = PairFigures(team=team)
    for match in matches:
        if team in match.teams:
            found += _of_match(team, match)
    return found


def _of_match(team: Team, match: SeatedMatch) -> PairFigures:
    figures, place = match.figures, match.teams.index(team)
    side = figures.sides[place]
    bids = [bid for bid in figures.details.bids if not bid.is_called and match.team_of(bid.team) == team]
    tables = [
        table
        for table in figures.details.tables
        if match.team_of(who for who in table.sitters if figures.sitters[who].seat in side.seats) == team
    ]
    return PairFigures(
        team=team,
        matches=Count(side.won, 1),
        bids=Count(sum(bid.made for bid in bids), sum(bid.tried for bid in bids)),
        moons=Count(
            sum(bid.made for bid in bids if bid.bid in MOONS), sum(bid.tried for bid in bids if bid.bid in MOONS)
        ),
        points=Count(sum(table.points[place] for table in tables), sum(table.hands for table in tables)),
        biggest=max(figures.details.margin or 0, 0) if side.won else 0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead:
    """Two sides against each other; what they came to in disjoint matches adds up."""

    one: PairFigures
    other: PairFigures
    matches: tuple[SeatedMatch, ...] = ()
    """Those in which they met, the earliest first."""
    memories: Memories = field(default_factory=Memories)

    def __add__(self, more: "HeadToHead") -> "HeadToHead":
        return HeadToHead(
            one=self.one + more.one,
            other=self.other + more.other,
            matches=tuple(merge(self.matches, more.matches, key=lambda match: match.order)),
            memories=self.memories + more.memories,
        )

    @property
    def leads(self) -> tuple[int, ...]:
        """By how many matches the first side led after each; less than 0 where it was behind."""
        lead, leads = 0, []
        for match in self.matches:
            won = match.figures.won
            lead += won[match.teams.index(self.one.team)] - won[match.teams.index(self.other.team)]
            leads.append(lead)
        return tuple(leads)


def fold_head_to_head(one: Team, other: Team, matches: Iterable[SeatedMatch]) -> HeadToHead:
    """Return what two sides came to in some matches, of which only those count in which they met."""
    met = sorted((match for match in matches if _met(one, other, match)), key=lambda match: match.order)
    return HeadToHead(
        one=fold_pair(one, met), other=fold_pair(other, met), matches=tuple(met), memories=fold_memories(met)
    )


def _met(one: Team, other: Team, match: SeatedMatch) -> bool:
    return one != other and one in match.teams and other in match.teams


@dataclass(frozen=True, slots=True)
class Meetings:
    """How often which sides have met, in pairs of sides; the counts of disjoint matches add up."""

    counts: dict[tuple[Team, Team], Count]
    """Won by the first of played."""

    def __add__(self, other: "Meetings") -> "Meetings":
        return Meetings(merged(self.counts, other.counts))

    @property
    def most(self) -> tuple[Team, Team] | None:
        """The two sides that have met most often."""
        if not self.counts:
            return None
        return min(self.counts, key=lambda teams: (-self.counts[teams].of, teams))


def fold_meetings(matches: Iterable[SeatedMatch]) -> Meetings:
    """Return how often two sides of several people have met."""
    counts: dict[tuple[Team, Team], Count] = {}
    for match in matches:
        won, seats = match.figures.won, match.figures.side_seats
        if len(won) == 2 and len(seats[0]) > 1:
            one, other = match.teams
            if len(one) > 1 and len(other) > 1:
                first = one <= other
                key = (one, other) if first else (other, one)
                some, of = counts.get(key, (0, 0))
                counts[key] = Count(some + won[0 if first else 1], of + 1)
    return Meetings(counts)
