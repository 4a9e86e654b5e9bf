"""A year at a table: its matches by month, who won, which bids were made, and what is remembered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scorekeeper.engine.hand import Bid
from scorekeeper.statistics.counts import Count, add, merged, total
from scorekeeper.statistics.match_figures import MOONS
from scorekeeper.statistics.memories import Memories, fold_memories
from scorekeeper.statistics.person import Standings, fold_standings
from scorekeeper.statistics.seated import SeatedMatch, Team

MONTHS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class YearFigures:
    """A year at a table; the figures of disjoint matches add up."""

    months: tuple[int, ...] = (0,) * MONTHS
    """How many matches were played in each."""
    last_day: str = ""
    """Of the last match, as ISO 8601 has it."""
    hands: int = 0
    thrown_in: int = 0
    bids: Mapping[Bid, Count] = field(default_factory=dict)
    """Made of tried."""
    standings: Standings = field(default_factory=Standings)
    pairs: Mapping[Team, Count] = field(default_factory=dict)
    """Matches won of those that two played on one side."""
    rules: Mapping[str, int] = field(default_factory=dict)
    """How many matches were played by which rules, by their names."""
    memories: Memories = field(default_factory=Memories)

    def __add__(self, other: "YearFigures") -> "YearFigures":
        rules = dict(self.rules)
        for name, number in other.rules.items():
            rules[name] = rules.get(name, 0) + number
        return YearFigures(
            months=tuple(one + more for one, more in zip(self.months, other.months, strict=True)),
            last_day=max(self.last_day, other.last_day),
            hands=self.hands + other.hands,
            thrown_in=self.thrown_in + other.thrown_in,
            bids=merged(self.bids, other.bids),
            standings=self.standings + other.standings,
            pairs=merged(self.pairs, other.pairs),
            rules=rules,
            memories=self.memories + other.memories,
        )

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return sum(self.months)

    @property
    def made(self) -> Count:
        """Bids made of all that were tried."""
        return total(self.bids.values())

    @property
    def moons(self) -> Count:
        """Moons made of those that were tried."""
        return total(count for bid, count in self.bids.items() if bid in MOONS)


def fold_year(year: int, matches: Iterable[SeatedMatch]) -> YearFigures:
    """Return what was played in a year, of some matches."""
    prefix = f"{year:04}-"
    played = [match for match in matches if match.figures.on.startswith(prefix)]
    months = [0] * MONTHS
    bids: dict[Bid, Count] = {}
    pairs: dict[Team, Count] = {}
    rules: dict[str, int] = {}
    for match in played:
        figures = match.figures
        months[int(figures.on[5:7]) - 1] += 1
        rules[figures.rules] = rules.get(figures.rules, 0) + 1
        for bid in figures.details.bids:
            add(bids, bid.bid, bid.made, bid.tried)
        for side, team in zip(figures.sides, match.teams, strict=True):
            if len(team) > 1:
                add(pairs, team, side.won, 1)
    return YearFigures(
        months=tuple(months),
        last_day=max((match.figures.on for match in played), default=""),
        hands=sum(match.figures.details.hands for match in played),
        thrown_in=sum(match.figures.details.thrown_in for match in played),
        bids=bids,
        standings=fold_standings(played),
        pairs=pairs,
        rules=rules,
        memories=fold_memories(played),
    )


def years_of(matches: Iterable[SeatedMatch]) -> dict[int, int]:
    """Return how many matches were played in each year, the last year first."""
    years: dict[int, int] = {}
    for match in matches:
        year = int(match.figures.on[:4])
        years[year] = years.get(year, 0) + 1
    return dict(sorted(years.items(), reverse=True))
