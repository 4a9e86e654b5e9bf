"""The figures of people, teams and years, from matches with the people of a book who played them."""

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
"""The uids of the people on a side, sorted; a player who is no person of the book has a `nobody_id` instead."""


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
        """The hits as a share of the total; raises `ZeroDivisionError` if the total is 0."""
        return Fraction(self.hits, self.total)


def sum_ratios(ratios: Iterable[tuple[int, int]]) -> Ratio:
    """Return the sum of hits out of the sum of totals; 0 of 0 if there are no ratios."""
    return Ratio(*map(sum, zip(*ratios, strict=True)))


def sum_ratios_by_key(ratios: Iterable[tuple[Key, int, int]]) -> dict[Key, Ratio]:
    """Return the sum of the ratios with each key; `ratios` has key, hits and total of each."""
    sums: dict[Key, Ratio] = {}
    for key, hits, total in ratios:
        earlier_hits, earlier_total = sums.get(key, (0, 0))
        sums[key] = Ratio(earlier_hits + hits, earlier_total + total)  # won or not is a number from the first one on
    return sums


class SeatedMatch(NamedTuple):
    """A finished match with its figures, and with the person of a book that each player is."""

    id: int
    version: int
    uid: str
    figures: MatchFigures
    people: tuple[str, ...]
    """The uid of the person that each player is, in the order of `figures.players`.

    For a player who is no person of the book, a `nobody_id`.
    """
    side_index_by_person: Mapping[str, int]
    """The index of the side of each person for whom the match counts, keyed by the person's uid.

    In each seat, a match counts for the player with most hands; in a tie, for the later player. A person who changed
    sides is on the side with more hands.
    """

    @property
    def teams(self) -> tuple[Team, ...]:
        """The people of each side for whom the match counts, in the order of `figures.sides`."""
        teams: list[list[str]] = [[] for _ in self.figures.sides]
        for person, side_index in self.side_index_by_person.items():
            teams[side_index].append(person)
        return tuple([tuple(sorted(team)) for team in teams])

    def has_won(self, person: str) -> bool:
        """Return whether a person's side has won; raises `KeyError` if the match does not count for the person."""
        return self.figures.wins_of_sides[self.side_index_by_person[person]]

    def team_of_players(self, player_indices: Iterable[int]) -> Team:
        """Return the people who are the players with these indices in `figures.players`, as a team."""
        return tuple(sorted({self.people[index] for index in player_indices}))


def identify_players(book: Book, match_id: int, version: int, uid: str, figures: MatchFigures) -> SeatedMatch:
    """Return a match with the person of a book that each player is."""
    people = book.people_in(uid, [player.person_arguments for player in figures.players])
    return SeatedMatch(match_id, version, uid, figures, people, _find_side_indices(figures, people))


def _find_side_indices(figures: MatchFigures, people: tuple[str, ...]) -> dict[str, int]:
    """Return the index of the side of each person for whom a match counts, as `SeatedMatch.side_index_by_person`."""
    side_index_by_seat = {seat: index for index, side in enumerate(figures.sides) for seat in side.seats}
    if len(people) == len(side_index_by_seat):  # nobody sat in
        return {person: side_index_by_seat[player.seat] for player, person in zip(figures.players, people, strict=True)}
    hand_counts: dict[tuple[str, str], int] = {}
    for player, person in zip(figures.players, people, strict=True):
        hand_counts[player.seat, person] = hand_counts.pop((player.seat, person), 0) + player.hand_count
    # The last one of equal keys stays in a dict: who played most hands in a seat, and the side on which a person did.
    most_by_seat = {seat: (count, person) for (seat, person), count in sorted(hand_counts.items(), key=itemgetter(1))}
    ranked = sorted((count, -side_index_by_seat[seat], person) for seat, (count, person) in most_by_seat.items())
    return {person: -negative_index for _, negative_index, person in ranked}


def count_spellings(matches: Iterable[SeatedMatch]) -> dict[tuple[str, str], int]:
    """Return how often each name was typed for each person, keyed by person and name; the highest count is first.

    Of equal counts, that of the name that first appeared later is first. Players who are no person of the book have a
    `nobody_id`.
    """
    spelling_counts = Counter[tuple[str, str]]()
    for match in matches:
        spelling_counts.update(zip(match.people, [player.typed_name for player in match.figures.players], strict=True))
    return dict(sorted(reversed(spelling_counts.items()), key=lambda item: -item[1]))


def present_names(book: Book, matches: Iterable[SeatedMatch]) -> dict[str, str]:
    """Return the present name of each person in matches, keyed by uid; a person whose name was deleted is left out.

    The present name is the latest that the book gave the person or, without one, the name typed most often. A number
    makes equal names differ: "Ann (2)".
    """
    names: dict[str, str] = {}
    same_name_counts = Counter[str]()
    # Of two with the same name, the person whose uid derives from it comes first.
    for person, name in sorted(count_spellings(matches), key=lambda item: person_uid(book.uid, item[1]) != item[0]):
        if person in names or person in book.people.deleted_at_by_person or is_nobody(person):
            continue
        name = book.name_of(person) or name
        key = name_key(name)
        same_name_counts[key] += 1
        names[person] = name if same_name_counts[key] == 1 else numbered_name(name, same_name_counts[key])
    return names


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """The most remarkable of some matches, and all moons that were made.

    In a tie, the earliest match counts.
    """

    comeback_match: SeatedMatch | None
    """The match whose winner had been furthest behind; the earliest match if no winner was ever behind."""
    closest_match: SeatedMatch | None
    """Of the matches with a single winner, that with the margin closest to 0."""
    longest_match: SeatedMatch | None
    """The match with the most hands."""
    most_sets_match: SeatedMatch | None
    """The match in which one person was set most often; the earliest match if nobody was ever set."""
    made_moons: tuple[tuple[SeatedMatch, MoonFigures], ...]
    """The moons that were made, each with its match, the earliest first."""


def find_highlights(matches: Iterable[SeatedMatch]) -> Highlights:
    """Return the highlights of `matches`, which are in order of time.

    A match that no person of the book played is ignored.
    """
    matches = [match for match in matches if not all(map(is_nobody, match.people))]
    return Highlights(
        comeback_match=max(matches, key=lambda match: match.figures.details.max_points_behind, default=None),
        closest_match=min(
            (match for match in matches if match.figures.details.margin is not None),
            key=lambda match: abs(match.figures.details.margin or 0),
            default=None,
        ),
        longest_match=max(matches, key=lambda match: match.figures.details.hand_count, default=None),
        most_sets_match=max(matches, key=lambda match: find_most_often_set(match)[1], default=None),
        made_moons=tuple((match, moon) for match in matches for moon in match.figures.details.moons if moon.was_made),
    )


def find_most_often_set(match: SeatedMatch) -> tuple[str, int]:
    """Return the uid of the person who was set most often in a match, and how often: ("uid", 2).

    Only bidders who are people of the book count. If nobody was set, the number is 0, and the uid may be empty.
    """
    set_counts = Counter[str]()
    for bid in match.figures.details.bids:
        if bid.bidder is not None and not is_nobody(person := match.people[bid.bidder]):
            set_counts[person] += bid.tried_count - bid.made_count
    return max(sorted(set_counts.items()), key=itemgetter(1), default=("", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class _BidRatios:
    """The base class of the figures of a person, a team or a year: how often each bid was made."""

    bid_ratios: Mapping[Bid, Ratio]
    """How often each bid was made, out of how often it was bid; keyed by bid."""

    @property
    def made_ratio(self) -> Ratio:
        """The number of bids that were made, out of all bids."""
        return sum_ratios(self.bid_ratios.values())

    @property
    def moon_ratio(self) -> Ratio:
        """The number of moons that were made, out of all that were bid; double moons are among them."""
        return sum_ratios(ratio for bid, ratio in self.bid_ratios.items() if bid in MOON_BIDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFigures(_BidRatios):
    """The figures of one person: bids, matches with their results, partners and opponents."""

    matches: tuple[SeatedMatch, ...]
    """The matches that count for the person, the earliest first."""
    wins: tuple[bool, ...]
    """Whether the person has won each of `matches`, in their order."""
    partner_ratios: Mapping[str, Ratio]
    """The matches won out of those played with each partner, keyed by the partner's uid."""
    called_partner_ratios: Mapping[str, Ratio]
    """The bids made out of those tried with each called partner, and with each caller; keyed by the other's uid."""
    opponent_ratios: Mapping[str, Ratio]
    """The matches won out of those played against each opponent, keyed by the opponent's uid."""

    @property
    def win_ratio(self) -> Ratio:
        """The number of matches won, out of `matches`."""
        return Ratio(sum(self.wins), len(self.wins))

    @property
    def current_streak(self) -> int:
        """The number of matches won in a row up to now; 0 if the last match was lost."""
        return len([*takewhile(bool, reversed(self.wins))])

    @property
    def best_streak(self) -> int:
        """The largest number of matches ever won in a row."""
        return max((len([*streak]) for has_won, streak in groupby(self.wins) if has_won), default=0)


def compute_person_figures(person: str, matches: Iterable[SeatedMatch]) -> PersonFigures:
    """Return a person's figures from `matches`, which are in order of time.

    The person's own bids count even if the match counts for another player in the seat.
    """
    own_matches = [match for match in matches if person in match.people]
    counting_matches = [match for match in own_matches if person in match.side_index_by_person]
    partner_results, opponent_results = list[tuple[str, int, int]](), list[tuple[str, int, int]]()
    for match in counting_matches:
        own_side_index, has_won = match.side_index_by_person[person], match.has_won(person)
        for other, side_index in match.side_index_by_person.items():
            if other != person:
                (partner_results if side_index == own_side_index else opponent_results).append((other, has_won, 1))
    own_bids, called_bids = list[tuple[Bid, int, int]](), list[tuple[str, int, int]]()
    for match in own_matches:
        for bid in match.figures.details.bids:
            bidder = None if bid.bidder is None else match.people[bid.bidder]
            if bidder == person:
                own_bids.append((bid.bid, bid.made_count, bid.tried_count))
            if bid.is_called and bidder and person in (team := {*match.team_of_players(bid.players)}):
                others = team - {person} if bidder == person else {bidder}
                called_bids += [(other, bid.made_count, bid.tried_count) for other in others]
    return PersonFigures(
        matches=tuple(counting_matches),
        wins=tuple(match.has_won(person) for match in counting_matches),
        bid_ratios=sum_ratios_by_key(own_bids),
        partner_ratios=sum_ratios_by_key(partner_results),
        called_partner_ratios=sum_ratios_by_key(called_bids),
        opponent_ratios=sum_ratios_by_key(opponent_results),
    )


def sort_by_total(ratios: Mapping[str, Ratio]) -> list[tuple[str, Ratio]]:
    """Return people's uids and ratios, the highest total first; of equal totals, that with most hits."""
    return sorted(ratios.items(), key=lambda item: (-item[1].total, -item[1].hits, item[0]))


def compute_win_ratios(matches: Iterable[SeatedMatch]) -> dict[str, Ratio]:
    """Return the number of matches that each person won, out of those that count for the person; keyed by uid.

    A person for whom no match counts has 0 of 0.
    """
    won_counts, counting_counts = Counter[str](), Counter[str]()
    for match in matches:
        wins_of_sides, side_index_by_person = match.figures.wins_of_sides, match.side_index_by_person
        won_counts.update([person for person, index in side_index_by_person.items() if wins_of_sides[index]])
        counting_counts.update(side_index_by_person.keys())
        if len(side_index_by_person) < len(match.people):
            counting_counts.update(dict.fromkeys(match.people, 0))
    return {
        person: Ratio(won_counts[person], count) for person, count in counting_counts.items() if not is_nobody(person)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFigures(_BidRatios):
    """The figures of a team, from the matches in which exactly its people were a side."""

    team: Team
    win_ratio: Ratio
    """The number of matches won, out of those played."""
    points_per_hand: Ratio
    """The points that the team took, as `hits`, and the number of hands in which it took them, as `total`."""
    largest_lead: int
    """The largest lead in points with which the team won a match; 0 if it won none."""


def compute_team_figures(team: Team, matches: Iterable[SeatedMatch]) -> TeamFigures:
    """Return the figures of a team from `matches` in which exactly its people were a side.

    Bids and points count only from hands in which exactly these people sat on that side. Bids for a called partner do
    not count.
    """
    wins, bids, points_and_hands, largest_lead = list[bool](), list[BidFigures](), list[tuple[int, int]](), 0
    for match in matches:
        figures, side_index = match.figures, match.teams.index(team)
        side, players = figures.sides[side_index], figures.players
        wins.append(side.has_won)
        bids += [
            bid for bid in figures.details.bids if not bid.is_called and match.team_of_players(bid.players) == team
        ]
        for table in figures.details.tables:
            if match.team_of_players(index for index in table.players if players[index].seat in side.seats) == team:
                points_and_hands.append((table.points_of_sides[side_index], table.hand_count))
        if side.has_won:
            largest_lead = max(largest_lead, figures.details.margin or 0)
    return TeamFigures(
        team=team,
        win_ratio=Ratio(sum(wins), len(wins)),
        bid_ratios=sum_ratios_by_key((bid.bid, bid.made_count, bid.tried_count) for bid in bids),
        points_per_hand=sum_ratios(points_and_hands),
        largest_lead=largest_lead,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead:
    """Two teams against each other: the figures of each, and the matches in which they met, with their highlights."""

    first: TeamFigures
    second: TeamFigures
    matches: tuple[SeatedMatch, ...]
    """The matches of these two teams against each other, the earliest first; may be empty."""
    highlights: Highlights

    @property
    def leads(self) -> tuple[int, ...]:
        """The first team's lead after each match, in matches won: (1, 0, -1); negative if the team was behind."""
        person_of_first, person_of_second = self.first.team[0], self.second.team[0]
        return tuple(
            accumulate(match.has_won(person_of_first) - match.has_won(person_of_second) for match in self.matches)
        )


def compute_head_to_head(first: Team, second: Team, matches: Iterable[SeatedMatch]) -> HeadToHead:
    """Return the comparison of two teams from `matches`, which are in order of time.

    Matches of other teams are ignored.
    """
    common_matches = tuple(match for match in matches if first != second and {first, second} <= {*match.teams})
    return HeadToHead(
        first=compute_team_figures(first, common_matches),
        second=compute_team_figures(second, common_matches),
        matches=common_matches,
        highlights=find_highlights(common_matches),
    )


def count_meetings(matches: Iterable[SeatedMatch]) -> dict[tuple[Team, Team], Ratio]:
    """Return how many matches the first of each two teams that met has won, out of those in which they met.

    Only teams of several people in matches of two sides count. The two teams of a key are sorted.
    """
    meetings = list[tuple[tuple[Team, Team], int, int]]()
    for match in matches:
        teams = match.teams
        if len(teams) == 2 and min(map(len, teams)) > 1:
            first, second = sorted(teams)
            meetings.append(((first, second), match.has_won(first[0]), 1))
    return sum_ratios_by_key(meetings)


@dataclass(frozen=True, slots=True, kw_only=True)
class YearFigures(_BidRatios):
    """The figures of a book's matches in one year."""

    match_counts_of_months: tuple[int, ...]
    """The number of matches in each month, January first."""
    last_day: str
    """The day of the last match, in ISO 8601; empty without a match."""
    hand_count: int
    """The number of hands that were scored."""
    thrown_in_count: int
    """The number of hands that were thrown in and dealt again."""
    win_ratios: Mapping[str, Ratio]
    """The number of matches that each person won, out of those that count for the person; keyed by uid."""
    team_win_ratios: Mapping[Team, Ratio]
    """The number of matches that each team of several people won, out of those that it played together."""
    rules_names: frozenset[str]
    """The names of the rules of the matches."""
    highlights: Highlights

    @property
    def match_count(self) -> int:
        """The number of matches in the year."""
        return sum(self.match_counts_of_months)


def compute_year_figures(year: int, matches: Iterable[SeatedMatch]) -> YearFigures:
    """Return the figures of a year from `matches`, which are in order of time.

    Matches of other years are ignored.
    """
    year_prefix = f"{year:04}-"
    matches = [match for match in matches if match.figures.day.startswith(year_prefix)]
    month_counts = Counter(int(match.figures.day[5:7]) for match in matches)
    return YearFigures(
        match_counts_of_months=tuple(month_counts[month] for month in range(1, 13)),
        last_day=max((match.figures.day for match in matches), default=""),
        hand_count=sum(match.figures.details.hand_count for match in matches),
        thrown_in_count=sum(match.figures.details.thrown_in_count for match in matches),
        bid_ratios=sum_ratios_by_key(
            (bid.bid, bid.made_count, bid.tried_count) for match in matches for bid in match.figures.details.bids
        ),
        win_ratios=compute_win_ratios(matches),
        team_win_ratios=sum_ratios_by_key(
            (team, side.has_won, 1)
            for match in matches
            for side, team in zip(match.figures.sides, match.teams, strict=True)
            if len(team) > 1
        ),
        rules_names=frozenset(match.figures.rules_name for match in matches),
        highlights=find_highlights(matches),
    )


def count_matches_by_year(matches: Iterable[SeatedMatch]) -> dict[int, int]:
    """Return the number of matches in each year, the last year first: {2026: 31, 2025: 12}."""
    match_counts = Counter(int(match.figures.day[:4]) for match in matches)
    return dict(sorted(match_counts.items(), reverse=True))
