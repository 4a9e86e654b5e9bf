"""Matches with the people of a book who played them, and the figures of people, teams and years."""

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
"""The uids of the people on a side, sorted.

A player who is no person of the book has a `nobody_id`.
"""


class Ratio(NamedTuple):
    """How often something succeeded out of how often it was tried: 16 of 26."""

    hits: int = 0
    total: int = 0

    @property
    def misses(self) -> int:
        """How often something was tried and did not succeed."""
        return self.total - self.hits

    @property
    def share(self) -> Fraction:
        """The hits as a share of the total; raises `ZeroDivisionError` where the total is 0."""
        return Fraction(self.hits, self.total)


def sum_ratios(ratios: Iterable[tuple[int, int]]) -> Ratio:
    """Return the sum of ratios: all hits out of all totals; 0 of 0 without a ratio."""
    return Ratio(*map(sum, zip(*ratios, strict=True)))


def sum_ratios_by_key(ratios: Iterable[tuple[Key, int, int]]) -> dict[Key, Ratio]:
    """Return the sum of ratios for each key, given as key, hits and total."""
    sums: dict[Key, Ratio] = {}
    for key, hits, total in ratios:
        before = sums.get(key, (0, 0))
        sums[key] = Ratio(before[0] + hits, before[1] + total)  # won or not is a number from the first one on
    return sums


class SeatedMatch(NamedTuple):
    """A finished match with its figures, and with the person that each player is."""

    id: int
    version: int
    uid: str
    figures: MatchFigures
    people: tuple[str, ...]
    """The uid of each player's person, in the order of `figures.seated`; for a player without one, a `nobody_id`."""
    side_of: Mapping[str, int]
    """The index of the side of each person for whom the match counts.

    In each seat, a match counts for the player with most hands; in a tie, for the later one. A person who changed sides
    is on the side with more hands.
    """

    @property
    def teams(self) -> tuple[Team, ...]:
        """The people for whom the match counts, as a team for each side, in the order of `figures.sides`."""
        teams: list[list[str]] = [[] for _ in self.figures.sides]
        for person, index in self.side_of.items():
            teams[index].append(person)
        return tuple([tuple(sorted(team)) for team in teams])

    def has_won(self, person: str) -> bool:
        """Return whether a person's side has won; raises `KeyError` if the match does not count for the person."""
        return self.figures.won[self.side_of[person]]

    def team_of_players(self, indices: Iterable[int]) -> Team:
        """Return, as a team, the people who are the players at these indices of `figures.seated`."""
        return tuple(sorted({self.people[index] for index in indices}))


def identify_players(book: Book, match_id: int, version: int, uid: str, figures: MatchFigures) -> SeatedMatch:
    """Return a match with the person of a book that each player is."""
    people = book.people_in(uid, [player.person_arguments for player in figures.seated])
    return SeatedMatch(match_id, version, uid, figures, people, _side_index_by_person(figures, people))


def _side_index_by_person(figures: MatchFigures, people: tuple[str, ...]) -> dict[str, int]:
    """Return the index of the side of each person for whom a match counts; see `SeatedMatch.side_of`."""
    side_of_seat = {seat: index for index, side in enumerate(figures.sides) for seat in side.seats}
    if len(people) == len(side_of_seat):  # nobody sat in
        return {person: side_of_seat[player.seat] for player, person in zip(figures.seated, people, strict=True)}
    hands: dict[tuple[str, str], int] = {}
    for player, person in zip(figures.seated, people, strict=True):
        hands[player.seat, person] = hands.pop((player.seat, person), 0) + player.hands
    # The last one of equal keys stays in a dict: who played most hands in a seat, and the side on which a person did.
    most = {seat: (number, person) for (seat, person), number in sorted(hands.items(), key=itemgetter(1))}
    ranked = sorted((number, -side_of_seat[seat], person) for seat, (number, person) in most.items())
    return {person: -index for _, index, person in ranked}


def count_spellings(matches: Iterable[SeatedMatch]) -> dict[tuple[str, str], int]:
    """Return how often each name was typed for each person, by person and name, the most frequent first.

    In a tie, the name that first appeared later comes first. Players who are no person of the book have a `nobody_id`.
    """
    typed = Counter[tuple[str, str]]()
    for match in matches:
        typed.update(zip(match.people, [player.typed for player in match.figures.seated], strict=True))
    return dict(sorted(reversed(typed.items()), key=lambda item: -item[1]))


def present_names(book: Book, matches: Iterable[SeatedMatch]) -> dict[str, str]:
    """Return the present name of each person in matches, without deleted names.

    It is the latest that the book gave the person, or else the one typed most often. Numbers make equal names differ.
    """
    names: dict[str, str] = {}
    taken = Counter[str]()
    # Of two with the same name, the person whose uid derives from it comes first.
    for person, name in sorted(count_spellings(matches), key=lambda item: person_uid(book.uid, item[1]) != item[0]):
        if person in names or person in book.people.deleted_at_by_person or is_nobody(person):
            continue
        name = book.name_of(person) or name
        key = name_key(name)
        taken[key] += 1
        names[person] = name if taken[key] == 1 else numbered_name(name, taken[key])
    return names


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """The most remarkable of some matches, and all moons that were made.

    In a tie, the earliest match counts.
    """

    comeback: SeatedMatch | None
    """The match whose winner had been furthest behind; the earliest one if no winner ever was behind."""
    closest: SeatedMatch | None
    """Of the matches with a single winner, the one whose margin is closest to 0."""
    longest: SeatedMatch | None
    """The match with the most hands."""
    most_sets: SeatedMatch | None
    """The match in which one person was set most often; the earliest one if nobody ever was set."""
    moons: tuple[tuple[SeatedMatch, MoonFigures], ...]
    """The moons that were made, each with its match, the earliest first."""


def find_highlights(matches: Iterable[SeatedMatch]) -> Highlights:
    """Return the highlights of matches, given the earliest first.

    Matches that no person of the book played are ignored.
    """
    named = [match for match in matches if not all(map(is_nobody, match.people))]
    return Highlights(
        comeback=max(named, key=lambda match: match.figures.details.points_behind, default=None),
        closest=min(
            (match for match in named if match.figures.details.margin is not None),
            key=lambda match: abs(match.figures.details.margin or 0),
            default=None,
        ),
        longest=max(named, key=lambda match: match.figures.details.hands, default=None),
        most_sets=max(named, key=lambda match: find_most_often_set(match)[1], default=None),
        moons=tuple((match, moon) for match in named for moon in match.figures.details.moons if moon.made),
    )


def find_most_often_set(match: SeatedMatch) -> tuple[str, int]:
    """Return the person who was set most often in a match, and how often; 0 if nobody was set.

    Bids count only if the bidder is a person of the book. If nobody was set, the person may be empty.
    """
    sets = Counter[str]()
    for bid in match.figures.details.bids:
        if bid.bidder is not None and not is_nobody(person := match.people[bid.bidder]):
            sets[person] += bid.tried - bid.made
    return max(sorted(sets.items()), key=itemgetter(1), default=("", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class _BidRatios:
    """A base class for the figures of a person, a team or a year: how often each bid was made."""

    bids: Mapping[Bid, Ratio]
    """How often each bid was made, out of how often it was bid."""

    @property
    def made(self) -> Ratio:
        """The bids made out of all that were bid."""
        return sum_ratios(self.bids.values())

    @property
    def moons(self) -> Ratio:
        """The moons made out of all that were bid, double ones included."""
        return sum_ratios(ratio for bid, ratio in self.bids.items() if bid in MOON_BIDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFigures(_BidRatios):
    """The figures of one person: the bids, the matches with their results, and the partners and opponents."""

    matches: tuple[SeatedMatch, ...]
    """The matches that count for the person, the earliest first."""
    results: tuple[bool, ...]
    """Whether the person has won each of `matches`."""
    partners: Mapping[str, Ratio]
    """The matches won out of those played with each partner."""
    called_partners: Mapping[str, Ratio]
    """The bids made out of those tried with each called partner, and for each caller."""
    opponents: Mapping[str, Ratio]
    """The matches won out of those played against each opponent."""

    @property
    def won(self) -> Ratio:
        """The matches won out of those that count."""
        return Ratio(sum(self.results), len(self.results))

    @property
    def current_streak(self) -> int:
        """The number of matches won in a row up to now; 0 if the last one was lost."""
        return len([*takewhile(bool, reversed(self.results))])

    @property
    def best_streak(self) -> int:
        """The largest number of matches ever won in a row."""
        return max((len([*run]) for has_won, run in groupby(self.results) if has_won), default=0)


def compute_person_figures(person: str, matches: Iterable[SeatedMatch]) -> PersonFigures:
    """Return a person's figures from matches, given the earliest first.

    The person's own bids count even from a match that does not count for the person.
    """
    mine = [match for match in matches if person in match.people]
    played = [match for match in mine if person in match.side_of]
    met: dict[bool, list[tuple[str, int, int]]] = {True: [], False: []}
    for match in played:
        side, won = match.side_of[person], match.has_won(person)
        for other, index in match.side_of.items():
            if other != person:
                met[index == side].append((other, won, 1))
    bids, called = list[tuple[Bid, int, int]](), list[tuple[str, int, int]]()
    for match in mine:
        for bid in match.figures.details.bids:
            bidder = None if bid.bidder is None else match.people[bid.bidder]
            if bidder == person:
                bids.append((bid.bid, bid.made, bid.tried))
            if bid.is_called and bidder and person in (team := {*match.team_of_players(bid.team)}):
                others = team - {person} if bidder == person else {bidder}
                called += [(other, bid.made, bid.tried) for other in others]
    return PersonFigures(
        matches=tuple(played),
        results=tuple(match.has_won(person) for match in played),
        bids=sum_ratios_by_key(bids),
        partners=sum_ratios_by_key(met[True]),
        called_partners=sum_ratios_by_key(called),
        opponents=sum_ratios_by_key(met[False]),
    )


def sort_by_total(ratios: Mapping[str, Ratio]) -> list[tuple[str, Ratio]]:
    """Return people and their ratios, the highest total first, and of equal totals the one with most hits."""
    return sorted(ratios.items(), key=lambda item: (-item[1].total, -item[1].hits, item[0]))


def compute_standings(matches: Iterable[SeatedMatch]) -> dict[str, Ratio]:
    """Return the matches won out of those played, by person; 0 of 0 if no match counts."""
    won, played = Counter[str](), Counter[str]()
    for match in matches:
        has_won, players = match.figures.won, match.side_of
        won.update([person for person, index in players.items() if has_won[index]])
        played.update(players.keys())
        if len(players) < len(match.people):
            played.update(dict.fromkeys(match.people, 0))
    return {person: Ratio(won[person], total) for person, total in played.items() if not is_nobody(person)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFigures(_BidRatios):
    """The figures of a team, from the matches in which exactly its people were a side."""

    team: Team
    won: Ratio
    """The matches won out of those played."""
    points_per_hand: Ratio
    """The team's points, as `hits`, and the number of hands in which the team took them, as `total`."""
    largest_lead: int
    """The largest lead in points with which the team won a match; 0 without one."""


def compute_team_figures(team: Team, matches: Iterable[SeatedMatch]) -> TeamFigures:
    """Return the figures of a team from matches in which exactly its people were a side.

    Bids and points count only from hands in which exactly its people sat on that side. Bids for a called partner do not
    count.
    """
    won, bids, points, largest_lead = list[bool](), list[BidFigures](), list[tuple[int, int]](), 0
    for match in matches:
        figures, index = match.figures, match.teams.index(team)
        side, seated = figures.sides[index], figures.seated
        won.append(side.won)
        bids += [bid for bid in figures.details.bids if not bid.is_called and match.team_of_players(bid.team) == team]
        for table in figures.details.tables:
            if match.team_of_players(who for who in table.seated if seated[who].seat in side.seats) == team:
                points.append((table.points[index], table.hands))
        if side.won:
            largest_lead = max(largest_lead, figures.details.margin or 0)
    return TeamFigures(
        team=team,
        won=Ratio(sum(won), len(won)),
        bids=sum_ratios_by_key((bid.bid, bid.made, bid.tried) for bid in bids),
        points_per_hand=sum_ratios(points),
        largest_lead=largest_lead,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead:
    """Two teams against each other: the figures of each, the matches in which they met, and the highlights of these."""

    first: TeamFigures
    second: TeamFigures
    matches: tuple[SeatedMatch, ...]
    """The matches of these two teams against each other, the earliest first; may be empty."""
    highlights: Highlights
    """The highlights of these matches."""

    @property
    def leads(self) -> tuple[int, ...]:
        """The first team's lead in matches won, after each match; negative if it was behind."""
        one, other = self.first.team[0], self.second.team[0]
        return tuple(accumulate(match.has_won(one) - match.has_won(other) for match in self.matches))


def compute_head_to_head(first: Team, second: Team, matches: Iterable[SeatedMatch]) -> HeadToHead:
    """Return the comparison of two teams from matches, given the earliest first.

    Matches of other teams are ignored.
    """
    met = tuple(match for match in matches if first != second and {first, second} <= {*match.teams})
    return HeadToHead(
        first=compute_team_figures(first, met),
        second=compute_team_figures(second, met),
        matches=met,
        highlights=find_highlights(met),
    )


def count_meetings(matches: Iterable[SeatedMatch]) -> dict[tuple[Team, Team], Ratio]:
    """Return for each two teams that met the matches that the first one won, out of those played.

    Only teams of several people in matches of two sides count. The two teams of a key are sorted by their uids.
    """
    met = list[tuple[tuple[Team, Team], int, int]]()
    for match in matches:
        teams = match.teams
        if len(teams) == 2 and min(map(len, teams)) > 1:
            one, other = sorted(teams)
            met.append(((one, other), match.has_won(one[0]), 1))
    return sum_ratios_by_key(met)


@dataclass(frozen=True, slots=True, kw_only=True)
class YearFigures(_BidRatios):
    """The figures of a book's matches in one year."""

    months: tuple[int, ...]
    """The number of matches in each month, January first."""
    last_day: str
    """The day of the last match, in ISO 8601; empty without a match."""
    hands: int
    """The number of hands that were scored."""
    thrown_in: int
    """The number of hands that were thrown in."""
    standings: Mapping[str, Ratio]
    """The matches won out of those played, by person."""
    pairs: Mapping[Team, Ratio]
    """The matches won out of those played together, by team of several people."""
    rules_names: frozenset[str]
    """The names of the rules of the matches."""
    highlights: Highlights

    @property
    def match_count(self) -> int:
        """The number of matches that were played."""
        return sum(self.months)


def compute_year_figures(year: int, matches: Iterable[SeatedMatch]) -> YearFigures:
    """Return the figures of a year from matches, given the earliest first.

    Matches of other years are ignored.
    """
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
        standings=compute_standings(played),
        pairs=sum_ratios_by_key(
            (team, side.won, 1)
            for match in played
            for side, team in zip(match.figures.sides, match.teams, strict=True)
            if len(team) > 1
        ),
        rules_names=frozenset(match.figures.rules_name for match in played),
        highlights=find_highlights(played),
    )


def count_matches_by_year(matches: Iterable[SeatedMatch]) -> dict[int, int]:
    """Return the number of matches in each year, the last year first."""
    years = Counter(int(match.figures.day[:4]) for match in matches)
    return dict(sorted(years.items(), reverse=True))
