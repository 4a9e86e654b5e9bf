"""Matches with the people who sat there, and the figures of people, of pairs of sides and of years."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby, takewhile
from operator import itemgetter
from typing import NamedTuple, TypeVar

from scorekeeper.book.fold import Book, is_nobody, numbered_name, person_uid
from scorekeeper.club.figures.match_figures import MOON_BIDS, BidFigures, MatchFigures, MoonFigures
from scorekeeper.pitch.scoring.hand import Bid
from scorekeeper.pitch.scoring.seats import name_key

Key = TypeVar("Key")
Team = tuple[str, ...]
"""The people on a side, in the order of their uids."""


class Ratio(NamedTuple):
    """How often something succeeded out of how often it was tried: 16 of 26."""

    hits: int = 0
    total: int = 0

    @property
    def rest(self) -> int:
        """How often it did not succeed."""
        return self.total - self.hits

    @property
    def share(self) -> Fraction:
        """The part that succeeded; raises `ZeroDivisionError` where it was never tried."""
        return Fraction(self.hits, self.total)


def sum_ratios(ratios: Iterable[tuple[int, int]]) -> Ratio:
    """Return the sum of ratios: all hits out of all totals."""
    return Ratio(*map(sum, zip(*ratios, strict=True)))


def sum_ratios_by_key(counted: Iterable[tuple[Key, int, int]]) -> dict[Key, Ratio]:
    """Return the sum of the hits and totals of each key."""
    found: dict[Key, Ratio] = {}
    for key, hits, total in counted:
        before = found.get(key, (0, 0))
        found[key] = Ratio(before[0] + hits, before[1] + total)  # won or not is a number from the first one on
    return found


class SeatedMatch(NamedTuple):
    """A finished match, and the person of each player."""

    id: int
    version: int
    uid: str
    figures: MatchFigures
    people: tuple[str, ...]
    """The uid of each player's person, in the order of `figures.seated`."""
    players: Mapping[str, int]
    """The people for whom the match counts, with the index of their side: who played most hands in each seat.

    Of two who played equally many, the later one; a person who changed sides is on the side with more hands.
    """

    @property
    def teams(self) -> tuple[Team, ...]:
        """The people for whom the match counts, by side."""
        teams: list[list[str]] = [[] for _ in self.figures.sides]
        for person, index in self.players.items():
            teams[index].append(person)
        return tuple([tuple(sorted(team)) for team in teams])

    def has_won(self, person: str) -> bool:
        """Return whether the side of a person has won; raises `KeyError` for whom the match does not count."""
        return self.figures.won[self.players[person]]

    def team_of(self, indices: Iterable[int]) -> Team:
        """Return the people behind these indices of `figures.seated`, as a team."""
        return tuple(sorted({self.people[index] for index in indices}))


def seat_match(book: Book, match_id: int, version: int, uid: str, figures: MatchFigures) -> SeatedMatch:
    """Return a match with the person of each player."""
    players = [(player.seat, player.sittings, player.typed, player.name) for player in figures.seated]
    people = book.people_in(uid, players)
    return SeatedMatch(match_id, version, uid, figures, people, _side_index_by_person(figures, people))


def _side_index_by_person(figures: MatchFigures, people: tuple[str, ...]) -> dict[str, int]:
    """Return the people for whom a match counts, each with the index of their side; see `SeatedMatch.players`."""
    side_of = {seat: index for index, side in enumerate(figures.sides) for seat in side.seats}
    if len(people) == len(side_of):  # nobody sat in
        return {person: side_of[player.seat] for player, person in zip(figures.seated, people, strict=True)}
    hands: dict[tuple[str, str], int] = {}
    for player, person in zip(figures.seated, people, strict=True):
        hands[player.seat, person] = hands.pop((player.seat, person), 0) + player.hands
    # The last one of equal keys stays in a dict: who played most hands in a seat, and the side on which a person did.
    most = {seat: (number, person) for (seat, person), number in sorted(hands.items(), key=itemgetter(1))}
    ranked = sorted((number, -side_of[seat], person) for seat, (number, person) in most.items())
    return {person: -index for _, index, person in ranked}


def count_spellings(seated: Iterable[SeatedMatch]) -> dict[tuple[str, str], int]:
    """Return how often each name was typed for each person, the most frequent first; on a tie, the later one."""
    typed = Counter[tuple[str, str]]()
    for match in seated:
        typed.update(zip(match.people, [player.typed for player in match.figures.seated], strict=True))
    return dict(sorted(reversed(typed.items()), key=lambda item: -item[1]))


def present_names(book: Book, seated: Iterable[SeatedMatch]) -> dict[str, str]:
    """Return the present name of each person, no two alike; a person whose name was deleted is left out."""
    called: dict[str, str] = {}
    taken = Counter[str]()
    # Of two with the same name, the person whose uid derives from it comes first.
    for person, name in sorted(count_spellings(seated), key=lambda item: person_uid(book.uid, item[1]) != item[0]):
        if person in called or person in book.people.nameless or is_nobody(person):
            continue
        name = book.name_of(person) or name
        key = name_key(name)
        taken[key] += 1
        called[person] = name if taken[key] == 1 else numbered_name(name, taken[key])
    return called


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """The most remarkable of some matches; of equally remarkable ones, the earliest."""

    comeback: SeatedMatch | None
    """The match whose winner was furthest behind, if at all."""
    closest: SeatedMatch | None
    """The match that was decided by the fewest points; `None` where none has a single winner."""
    longest: SeatedMatch | None
    """The match with the most hands."""
    sets: SeatedMatch | None
    """The match with the most sets of one player, if there were any."""
    moons: tuple[tuple[SeatedMatch, MoonFigures], ...]
    """The moons that were made."""


def fold_highlights(matches: Iterable[SeatedMatch]) -> Highlights:
    """Return the highlights of matches, the earliest first, ignoring those in which nobody had a name."""
    named = [match for match in matches if not all(map(is_nobody, match.people))]
    return Highlights(
        comeback=max(named, key=lambda match: match.figures.details.points_behind, default=None),
        closest=min(
            (match for match in named if match.figures.details.margin is not None),
            key=lambda match: abs(match.figures.details.margin or 0),
            default=None,
        ),
        longest=max(named, key=lambda match: match.figures.details.hands, default=None),
        sets=max(named, key=lambda match: most_sets(match)[1], default=None),
        moons=tuple((match, moon) for match in named for moon in match.figures.details.moons if moon.made),
    )


def most_sets(match: SeatedMatch) -> tuple[str, int]:
    """Return who was set most often in a match, and how often; bids of an unknown bidder do not count."""
    sets = Counter[str]()
    for bid in match.figures.details.bids:
        if bid.bidder is not None and not is_nobody(person := match.people[bid.bidder]):
            sets[person] += bid.tried - bid.made
    return max(sorted(sets.items()), key=itemgetter(1), default=("", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class _BidRatios:
    """What the figures of a person, of a pair and of a year share: their bids."""

    bids: Mapping[Bid, Ratio]
    """The bids made out of those bid, by bid."""

    @property
    def made(self) -> Ratio:
        """All bids made out of those bid."""
        return sum_ratios(self.bids.values())

    @property
    def moons(self) -> Ratio:
        """The moons made out of those bid."""
        return sum_ratios(ratio for bid, ratio in self.bids.items() if bid in MOON_BIDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFigures(_BidRatios):
    """The figures of one person."""

    matches: tuple[SeatedMatch, ...]
    """The matches that count for the person, the earliest first."""
    results: tuple[bool, ...]
    """Whether the person has won each of them."""
    partners: Mapping[str, Ratio]
    """The matches won out of those played on one side, by partner."""
    called: Mapping[str, Ratio]
    """The bids made out of those for which one of the two called the other as partner, by the other person."""
    opponents: Mapping[str, Ratio]
    """The matches won out of those played against each other, by opponent."""

    @property
    def won(self) -> Ratio:
        """The matches won out of those played."""
        return Ratio(sum(self.results), len(self.results))

    @property
    def streak(self) -> int:
        """How many of the last matches were won in a row."""
        return len([*takewhile(bool, reversed(self.results))])

    @property
    def best_streak(self) -> int:
        """The most matches ever won in a row."""
        return max((len([*run]) for has_won, run in groupby(self.results) if has_won), default=0)


def fold_person(person: str, matches: Iterable[SeatedMatch]) -> PersonFigures:
    """Compute a person's figures from matches, the earliest first."""
    mine = [match for match in matches if person in match.people]
    played = [match for match in mine if person in match.players]
    met: dict[bool, list[tuple[str, int, int]]] = {True: [], False: []}
    for match in played:
        side, won = match.players[person], match.has_won(person)
        for other, index in match.players.items():
            if other != person:
                met[index == side].append((other, won, 1))
    bids, called = list[tuple[Bid, int, int]](), list[tuple[str, int, int]]()
    for match in mine:
        for bid in match.figures.details.bids:
            bidder = None if bid.bidder is None else match.people[bid.bidder]
            if bidder == person:
                bids.append((bid.bid, bid.made, bid.tried))
            if bid.is_called and bidder and person in (team := {*match.team_of(bid.team)}):
                others = team - {person} if bidder == person else {bidder}
                called += [(other, bid.made, bid.tried) for other in others]
    return PersonFigures(
        matches=tuple(played),
        results=tuple(match.has_won(person) for match in played),
        bids=sum_ratios_by_key(bids),
        partners=sum_ratios_by_key(met[True]),
        called=sum_ratios_by_key(called),
        opponents=sum_ratios_by_key(met[False]),
    )


def sort_by_matches(counts: Mapping[str, Ratio]) -> list[tuple[str, Ratio]]:
    """Return people with their ratios, those with the most matches first."""
    return sorted(counts.items(), key=lambda item: (-item[1].total, -item[1].hits, item[0]))


def fold_standings(matches: Iterable[SeatedMatch]) -> dict[str, Ratio]:
    """Compute everybody's matches, won out of played; 0 of 0 for a person for whom no match counts."""
    won, played = Counter[str](), Counter[str]()
    for match in matches:
        has_won, players = match.figures.won, match.players
        won.update([person for person, index in players.items() if has_won[index]])
        played.update(players.keys())
        if len(players) < len(match.people):
            played.update(dict.fromkeys(match.people, 0))
    return {person: Ratio(won[person], total) for person, total in played.items() if not is_nobody(person)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFigures(_BidRatios):
    """The figures of the people of one side."""

    team: Team
    matches: Ratio
    """The matches won out of those played."""
    points: Ratio
    """The points that they took, with the hands that they played as the total."""
    biggest: int
    """The largest lead with which they won a match."""


def fold_pair(team: Team, matches: Iterable[SeatedMatch]) -> PairFigures:
    """Compute the figures of a side from matches in each of which exactly these people were a side."""
    won, bids, points, biggest = list[bool](), list[BidFigures](), list[tuple[int, int]](), 0
    for match in matches:
        figures, index = match.figures, match.teams.index(team)
        side, seated = figures.sides[index], figures.seated
        won.append(side.won)
        bids += [bid for bid in figures.details.bids if not bid.is_called and match.team_of(bid.team) == team]
        for table in figures.details.tables:
            if match.team_of(who for who in table.seated if seated[who].seat in side.seats) == team:
                points.append((table.points[index], table.hands))
        if side.won:
            biggest = max(biggest, figures.details.margin or 0)
    return PairFigures(
        team=team,
        matches=Ratio(sum(won), len(won)),
        bids=sum_ratios_by_key((bid.bid, bid.made, bid.tried) for bid in bids),
        points=sum_ratios(points),
        biggest=biggest,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead:
    """Two sides against each other."""

    one: PairFigures
    other: PairFigures
    matches: tuple[SeatedMatch, ...]
    """The matches in which the two pairs met, the earliest first."""
    highlights: Highlights

    @property
    def leads(self) -> tuple[int, ...]:
        """By how many matches the first side led after each; less than 0 where it was behind."""
        one, other = self.one.team[0], self.other.team[0]
        return tuple(accumulate(match.has_won(one) - match.has_won(other) for match in self.matches))


def fold_head_to_head(one: Team, other: Team, matches: Iterable[SeatedMatch]) -> HeadToHead:
    """Compute the figures of two sides, which may never have met, from matches, the earliest first."""
    met = tuple(match for match in matches if one != other and {one, other} <= {*match.teams})
    return HeadToHead(
        one=fold_pair(one, met), other=fold_pair(other, met), matches=met, highlights=fold_highlights(met)
    )


def fold_meetings(matches: Iterable[SeatedMatch]) -> dict[tuple[Team, Team], Ratio]:
    """Return how many of their matches the first of two sides has won, for all sides of several people that met."""
    met = list[tuple[tuple[Team, Team], int, int]]()
    for match in matches:
        teams = match.teams
        if len(teams) == 2 and min(map(len, teams)) > 1:
            one, other = sorted(teams)
            met.append(((one, other), match.has_won(one[0]), 1))
    return sum_ratios_by_key(met)


@dataclass(frozen=True, slots=True, kw_only=True)
class YearFigures(_BidRatios):
    """The figures of a year of a book."""

    months: tuple[int, ...]
    """The number of matches in each month."""
    last_day: str
    """The day of the last match, in ISO 8601."""
    hands: int
    thrown_in: int
    """The number of hands that were dealt again."""
    standings: Mapping[str, Ratio]
    """The matches won out of those played, by person."""
    pairs: Mapping[Team, Ratio]
    """The matches won out of those played together, by the people of each side of several."""
    rules: Mapping[str, int]
    """How many matches were played by which rules, by their names."""
    highlights: Highlights

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return sum(self.months)


def fold_year(year: int, matches: Iterable[SeatedMatch]) -> YearFigures:
    """Compute the figures of a year from those of the matches that were played in it."""
    prefix = f"{year:04}-"
    played = [match for match in matches if match.figures.day.startswith(prefix)]
    months = Counter(int(match.figures.day[5:7]) for match in played)
    return YearFigures(
        months=tuple(months[month] for month in range(1, 13)),
        last_day=max((match.figures.day for match in played), default=""),
        hands=sum(match.figures.details.hands for match in played),
        thrown_in=sum(match.figures.details.thrown_in for match in played),
        bids=sum_ratios_by_key(
            (bid.bid, bid.made, bid.tried) for match in played for bid in match.figures.details.bids
        ),
        standings=fold_standings(played),
        pairs=sum_ratios_by_key(
            (team, side.won, 1)
            for match in played
            for side, team in zip(match.figures.sides, match.teams, strict=True)
            if len(team) > 1
        ),
        rules=Counter(match.figures.rules for match in played),
        highlights=fold_highlights(played),
    )


def matches_by_year(matches: Iterable[SeatedMatch]) -> dict[int, int]:
    """Return the number of matches in each year, the last year first."""
    years = Counter(int(match.figures.day[:4]) for match in matches)
    return dict(sorted(years.items(), reverse=True))
