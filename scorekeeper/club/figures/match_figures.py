"""The figures of one match and its players, which are computed when it ends and stored.

`people` finds out which people of a book the players are.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import MatchLog
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.scoring.hand import SPECIAL_BIDS, Bid
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.scoring.standing import comparable_score

FIGURES_EDITION = 3
"""The version of how figures are computed; stored ones of another edition are computed again."""
MOON_BIDS = ("moon", "double_moon")
_BidKey = tuple[Bid, int | None, tuple[int, ...], bool]
"""The first four fields of `BidFigures`; bids in which all four are equal are counted together."""


class SeatedPlayer(NamedTuple):
    """A player in a seat, from sitting down until a substitute takes over."""

    seat: str
    substitution_number: int
    """Which substitution seated the player, from 1; 0 for a player from the beginning."""
    name: str
    """The name that the match shows: as typed, as renamed by a book, or "Seat 3" or the like."""
    typed: str
    """The name as last typed in the match, by which a book finds the person; empty without one."""
    hands: int
    """The number of scored hands that the player played in this seat."""
    left_at: int
    """The `seq` of the substitution by which the player left the seat; 0 if none did."""

    @property
    def person_arguments(self) -> tuple[str, int, str, str]:
        """The arguments of `Book.person` after the match."""
        return self.seat, self.substitution_number, self.typed, self.name


class SideFigures(NamedTuple):
    """A side at the end of a match: its id, name, seats, score and marker, and whether it won."""

    id: str
    name: str
    """The name chosen for a side of several seats; empty without one."""
    seats: tuple[str, ...]
    score: int
    won: bool
    marker: int
    """The number of the side's marker, from 1."""


class BidFigures(NamedTuple):
    """How often the same player and partners tried and made one bid; players are indices of `MatchFigures.seated`.

    Bids for which a partner was called are counted apart from the others.
    """

    bid: Bid
    bidder: int | None
    """The player who bid; `None` where only the side is known."""
    team: tuple[int, ...]
    """All who played the bid together, the bidder included."""
    is_called: bool
    """Whether a partner was called for the bid."""
    made: int
    """How often the bid was made."""
    tried: int
    """How often it was bid."""


class TableFigures(NamedTuple):
    """How many scored hands the same players played together, and each side's points in them."""

    seated: tuple[int, ...]
    """The players in seat order, as indices of `MatchFigures.seated`."""
    hands: int
    """The number of hands."""
    points: tuple[int, ...]
    """The points that each side took, in the order of `MatchFigures.sides`."""


class MoonFigures(NamedTuple):
    """A hand in which a moon was bid: who played it, whether it was made, and how it changed the score.

    Players are indices of `MatchFigures.seated`.
    """

    bidder: int | None
    """The player who bid it; `None` where only the side is known."""
    team: tuple[int, ...]
    """All who played it together, the bidder included."""
    made: bool
    change: int
    """By how many points the hand changed the score of the bidding side."""


class MatchDetails(NamedTuple):
    """The figures of a match that are computed hand by hand.

    They are stored as JSON of their own, which few pages need. The winner is the only one of several sides that won; a
    match may have none.
    """

    tables: tuple[TableFigures, ...]
    bids: tuple[BidFigures, ...]
    moons: tuple[MoonFigures, ...]
    thrown_in: int
    """The number of hands that were thrown in."""
    scores_furthest_behind: tuple[int, int] | None
    """The winner's score and the best other one when the winner was furthest behind.

    `None` if it never was behind, or without a winner.
    """
    margin: int | None
    """The winner's lead over the best other side in points; negative where the bid decided.

    `None` without a winner.
    """
    last_bidders: tuple[int, ...]
    """The players of the last scored hand's bid, the bidder included; empty without a bid.

    They are indices of `MatchFigures.seated`.
    """

    @property
    def hands(self) -> int:
        """The number of hands that were scored."""
        return sum(table.hands for table in self.tables)

    @property
    def points_behind(self) -> int:
        """The most points by which the winner was behind; 0 if it never was, or without a winner."""
        scores = self.scores_furthest_behind
        return abs(scores[0] - scores[1]) if scores else 0


class MatchFigures(NamedTuple):
    """The figures of a match that is over, with what lists and pages say about it."""

    day: str
    """The day in ISO 8601."""
    last_hand_at: str
    """When the last hand was recorded, in ISO 8601, to sort the matches of a day.

    Without hands, when the match began.
    """
    title: str
    venue: str
    note: str
    variant: str
    """The id of the game."""
    rules_name: str
    """The name of the rules."""
    seated: tuple[SeatedPlayer, ...]
    """The players in the order of `seated_players`, with the number of hands that each played."""
    sides: tuple[SideFigures, ...]
    details_json: str
    """The details, as JSON."""

    @property
    def won(self) -> list[bool]:
        """Whether each of `sides` won."""
        return [side.won for side in self.sides]

    @property
    def details(self) -> MatchDetails:
        """The figures that are computed hand by hand, parsed from `details_json`."""
        return _read_details(self.details_json)

    @property
    def winner_index(self) -> int:
        """The index of the side that won, or of the first one if several won."""
        return self.won.index(True)


def compute_match_figures(match: Match) -> MatchFigures | None:
    """Return the figures of a match; `None` if it has no outcome or was deleted."""
    outcome = match.state.outcome
    if outcome is None or match.log.is_deleted:
        return None
    setup, state, renamed = match.setup, match.state, match.log.renamed
    seated = seated_players(setup, match.log)
    winner = outcome.winners[0] if len(outcome.winners) == 1 and len(setup.sides) > 1 else None
    details = _compute_details(match, seated, winner)
    last_hand_at = match.log.hands[-1].added.at if match.log.hands else setup.created_at
    return MatchFigures(
        day=match.occasion.day,
        last_hand_at=last_hand_at.isoformat(),
        title=match.title,
        venue=match.occasion.venue,
        note=match.occasion.note,
        variant=setup.variant,
        rules_name=state.ruleset.name,
        seated=tuple(
            player._replace(hands=sum(table.hands for table in details.tables if index in table.seated))
            for index, player in enumerate(seated)
        ),
        sides=tuple(
            SideFigures(
                side.id,
                (setup.chosen_name(side, renamed) or "") if side.seats and side.id not in side.seats else "",
                side.seats,
                state.scores[side.id],
                side.id in outcome.winners,
                match.markers[side.id],
            )
            for side in setup.sides
        ),
        details_json=details_as_json(details),
    )


def _compute_details(match: Match, seated: Sequence[SeatedPlayer], winner: str | None) -> MatchDetails:
    """Return the figures computed hand by hand.

    `winner` is the only one of several sides that won; `None` without one.
    """
    setup, state = match.setup, match.state
    hands = [result for result in state.results if result.status == "scored"]
    tables, points = Counter[tuple[int, ...]](), defaultdict[tuple[int, ...], Counter[str]](Counter)
    tried, made, moons = Counter[_BidKey](), Counter[_BidKey](), list[MoonFigures]()
    last_bidders: tuple[int, ...] = ()
    for result in hands:
        substitution_count = match.log.hands[result.position - 1].substitution_count
        index_by_seat = {
            player.seat: index
            for index, player in enumerate(seated)
            if player.substitution_number <= substitution_count
        }
        table = tuple(index_by_seat.values())
        tables[table] += 1
        points[table].update(result.points)
        last_bidders = ()
        if result.made is not None and result.bid is not None and result.bidder:
            key = _, bidder, last_bidders, _ = _bid_key(setup, result, result.bid, index_by_seat)
            tried[key] += 1
            made[key] += result.made
            if result.bid in MOON_BIDS:
                moons.append(MoonFigures(bidder, last_bidders, result.made, result.deltas[result.bidders[0]]))
    scores_in_order = [
        *([match.state_carried_over.scores] if match.state_carried_over else []),
        *(result.scores for result in hands),
    ]
    return MatchDetails(
        tables=tuple(
            TableFigures(table, count, tuple(points[table][side.id] for side in setup.sides))
            for table, count in tables.items()
        ),
        bids=tuple(BidFigures(*key, made[key], count) for key, count in tried.items()),
        moons=tuple(moons),
        thrown_in=sum(result.status == "thrown_in" for result in state.results),
        scores_furthest_behind=_scores_furthest_behind(match, scores_in_order, winner) if winner else None,
        margin=_winner_lead(match, state.scores, winner) if winner else None,
        last_bidders=last_bidders,
    )


def _bid_key(setup: MatchSetup, result: HandResult, bid: Bid, index_by_seat: Mapping[str, int]) -> _BidKey:
    """Return the key under which a hand's bid is counted.

    `index_by_seat` has the index of the player in each seat.
    """
    members = [seat for side in result.bidders for seat in setup.seating.side(side).seats]
    team = tuple(index_by_seat[seat] for seat in members if seat in index_by_seat)
    bidder = index_by_seat.get(result.bidder or "")
    if bidder is None and len(team) == len(members) == 1:
        bidder = team[0]
    return bid, bidder, team, len(result.bidders) > 1


def seated_players(setup: MatchSetup, log: MatchLog) -> tuple[SeatedPlayer, ...]:
    """Return all players of a match: those who began it in seat order, then the substitutes.

    Their `hands` are 0.
    """
    original_names = {seat.id: seat.name for seat in setup.seats}
    return tuple(
        SeatedPlayer(
            seat,
            substitution_number,
            setup.record_names(log.renamed_at(substitution_number))[seat],
            ""
            if setup.is_nameless(seat, log.renamed_at(substitution_number))
            else log.typed_at(substitution_number).get(seat) or original_names[seat],
            0,
            next((later.seq for later in log.substitutions[substitution_number:] if later.who == seat), 0),
        )
        for seat, substitution_number in log.tenures(original_names)
    )


def _winner_lead(match: Match, scores: Mapping[str, int], winner: str) -> int:
    """Return the winner's lead over the best other side in points; negative if the winner is behind."""
    rules = match.state.ruleset
    best = max(comparable_score(rules, score) for side, score in scores.items() if side != winner)
    return comparable_score(rules, scores[winner]) - best


def _scores_furthest_behind(
    match: Match, scores_in_order: Sequence[Mapping[str, int]], winner: str
) -> tuple[int, int] | None:
    """Return the winner's and the best other score when the winner was furthest behind; `None` if it never was.

    `scores_in_order` has the scores carried over, if any, and those after each scored hand.
    """
    scores = min(scores_in_order[:-1], key=lambda scores: _winner_lead(match, scores, winner), default=None)
    if scores is None or _winner_lead(match, scores, winner) >= 0:
        return None
    others = (score for side, score in scores.items() if side != winner)
    return scores[winner], max(others, key=partial(comparable_score, match.state.ruleset))


def details_as_json(details: MatchDetails) -> str:
    """Return the details of a match as compact JSON."""
    return json.dumps(details, separators=(",", ":"))


_read_details = lru_cache(maxsize=4096)(
    TypeAdapter(MatchDetails).validate_json
)  # a page needs those of one match often
_FIGURES_ADAPTER = TypeAdapter(MatchFigures)


def figures_as_json(figures: MatchFigures) -> list[object]:
    """Return figures without their details as a list for JSON.

    Players and sides become one list for each of their fields.
    """
    *texts, seated, sides, _ = figures
    return [*texts, [*zip(*seated, strict=True)], [*zip(*sides, strict=True)]]


def read_figures(stored: Sequence[Any], details_json: str) -> MatchFigures:
    """Return figures from the list that `figures_as_json` made of them and from the JSON of their details."""
    *texts, seated, sides = stored
    return _FIGURES_ADAPTER.validate_python(
        (*texts, [*zip(*seated, strict=True)], [*zip(*sides, strict=True)], details_json)
    )


def bid_sort_key(bid: Bid) -> tuple[int, int]:
    """Return a key that sorts bids: first those of a number of points, then special ones such as a moon."""
    return (1, SPECIAL_BIDS.index(bid)) if isinstance(bid, str) else (0, bid)
