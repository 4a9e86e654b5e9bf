"""The figures of one match and its players: how they are computed when the match ends, and their stored form.

The module `people` finds out which people of a book the players are.
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
"""The version of how figures are computed. Stored figures of another edition are computed again."""
MOON_BIDS = ("moon", "double_moon")
_BidKey = tuple[Bid, int | None, tuple[int, ...], bool]
"""The first four fields of `BidFigures`. Bids in which all four are equal are counted together."""


class SeatedPlayer(NamedTuple):
    """A player in a seat, from sitting down until a substitute takes over."""

    seat: str
    substitution_number: int
    """The number of the substitution that seated the player, from 1; 0 for a player who began the match."""
    name: str
    """The name that the match shows: as typed, as renamed by a book, or a number: "Seat 3"."""
    typed_name: str
    """The name as last typed in the match, by which a book finds the person; empty if none was typed."""
    hand_count: int
    """The number of scored hands that the player played in this seat."""
    left_at_seq: int
    """The `seq` of the substitution by which the player left the seat; 0 if the player stayed."""

    @property
    def person_arguments(self) -> tuple[str, int, str, str]:
        """The arguments of `Book.person_of_player` that follow the uid of the match."""
        return self.seat, self.substitution_number, self.typed_name, self.name


class SideFigures(NamedTuple):
    """A side at the end of a match: its id, name, seats, score and marker, and whether the side has won."""

    id: str
    name: str
    """The name chosen for a side of several seats; empty if none was chosen."""
    seats: tuple[str, ...]
    score: int
    has_won: bool
    marker_number: int
    """The number of the side's marker, from 1."""


class BidFigures(NamedTuple):
    """How often the same bidder and partners tried and made the same bid.

    Players are indices of `MatchFigures.players`. Bids for which a partner was called are counted apart from others.
    """

    bid: Bid
    bidder: int | None
    """The player who bid; `None` if only the side is known."""
    players: tuple[int, ...]
    """The players who played the bid together, the bidder included."""
    is_called: bool
    """Whether a partner was called for the bid."""
    made_count: int
    """How often the bid was made."""
    tried_count: int
    """How often the bid was bid, made or set."""


class TableFigures(NamedTuple):
    """How many scored hands the same players played together, and each side's points in these hands."""

    players: tuple[int, ...]
    """The players in seat order, as indices of `MatchFigures.players`."""
    hand_count: int
    points_of_sides: tuple[int, ...]
    """The points that each side took in these hands, in the order of `MatchFigures.sides`."""


class MoonFigures(NamedTuple):
    """A hand in which a moon was bid: who played the moon, whether it was made, and how the hand changed the score.

    Players are indices of `MatchFigures.players`.
    """

    bidder: int | None
    """The player who bid the moon; `None` if only the side is known."""
    players: tuple[int, ...]
    """The players who played the moon together, the bidder included."""
    was_made: bool
    score_change: int
    """The points by which the hand changed the score of the bidding side; negative if the score fell."""


class MatchDetails(NamedTuple):
    """The figures of a match that are computed hand by hand.

    They are stored apart from the other figures, since few pages need them. In the docstrings of the fields, a match
    has a *winner* if just one of several sides has won.
    """

    tables: tuple[TableFigures, ...]
    bids: tuple[BidFigures, ...]
    moons: tuple[MoonFigures, ...]
    thrown_in_count: int
    """The number of hands that were thrown in and dealt again."""
    scores_furthest_behind: tuple[int, int] | None
    """The score of the winner and the best other score when the winner was furthest behind: (3, 20).

    `None` if the winner was never behind, or if there is no winner.
    """
    margin: int | None
    """The winner's lead over the best other side at the end, in points; negative if the bid decided.

    `None` without a winner.
    """
    last_bidders: tuple[int, ...]
    """The players who played the bid of the last scored hand together; empty without a bid.

    They are indices of `MatchFigures.players`.
    """

    @property
    def hand_count(self) -> int:
        """The number of hands that were scored."""
        return sum(table.hand_count for table in self.tables)

    @property
    def max_points_behind(self) -> int:
        """The most points by which the winner was ever behind; 0 if never behind, or without a winner."""
        scores = self.scores_furthest_behind
        return abs(scores[0] - scores[1]) if scores else 0


class MatchFigures(NamedTuple):
    """The figures of a match that is over, with the texts that lists and pages show of the match."""

    day: str
    """The day in ISO 8601."""
    last_hand_at: str
    """When the last hand was recorded or, without hands, when the match began; in ISO 8601.

    The matches of a day are sorted by this time.
    """
    title: str
    venue: str
    note: str
    variant: str
    """The id of the game."""
    rules_name: str
    """The name of the rules: that of the game, or of house rules."""
    players: tuple[SeatedPlayer, ...]
    """The players in the order of `seated_players`, with the number of hands that each played."""
    sides: tuple[SideFigures, ...]
    details_json: str

    @property
    def wins_of_sides(self) -> list[bool]:
        """Whether each of `sides` has won, in their order."""
        return [side.has_won for side in self.sides]

    @property
    def details(self) -> MatchDetails:
        """The figures that are computed hand by hand, parsed from `details_json`."""
        return _read_details(self.details_json)

    @property
    def winner_index(self) -> int:
        """The index of the side that won, or of the first one if several won."""
        return self.wins_of_sides.index(True)


def compute_match_figures(match: Match) -> MatchFigures | None:
    """Return the figures of a match; `None` if it has no outcome or was deleted."""
    outcome = match.state.outcome
    if outcome is None or match.log.is_deleted:
        return None
    setup, state, renamed = match.setup, match.state, match.log.renamed
    players = seated_players(setup, match.log)
    winner = outcome.winners[0] if len(outcome.winners) == 1 and len(setup.sides) > 1 else None
    details = _compute_details(match, players, winner)
    last_hand_at = match.log.hands[-1].added.at if match.log.hands else setup.created_at
    return MatchFigures(
        day=match.occasion.day,
        last_hand_at=last_hand_at.isoformat(),
        title=match.title,
        venue=match.occasion.venue,
        note=match.occasion.note,
        variant=setup.variant,
        rules_name=state.ruleset.name,
        players=tuple(
            player._replace(hand_count=sum(table.hand_count for table in details.tables if index in table.players))
            for index, player in enumerate(players)
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


def _compute_details(match: Match, players: Sequence[SeatedPlayer], winner: str | None) -> MatchDetails:
    """Return the figures of a match that are computed hand by hand.

    `winner` is the id of the side that won if just one of several sides did; else `None`.
    """
    setup, state = match.setup, match.state
    scored_hands = [result for result in state.results if result.status == "scored"]
    hand_counts = Counter[tuple[int, ...]]()
    points_by_table = defaultdict[tuple[int, ...], Counter[str]](Counter)
    tried_counts, made_counts, moons = Counter[_BidKey](), Counter[_BidKey](), list[MoonFigures]()
    last_bidders: tuple[int, ...] = ()
    for result in scored_hands:
        substitution_count = match.log.hands[result.position - 1].substitution_count
        player_index_by_seat = {
            player.seat: index
            for index, player in enumerate(players)
            if player.substitution_number <= substitution_count
        }
        table = tuple(player_index_by_seat.values())
        hand_counts[table] += 1
        points_by_table[table].update(result.points)
        last_bidders = ()
        if result.made is not None and result.bid is not None and result.bidder:
            bid_key = _, bidder, last_bidders, _ = _bid_key(setup, result, result.bid, player_index_by_seat)
            tried_counts[bid_key] += 1
            made_counts[bid_key] += result.made
            if result.bid in MOON_BIDS:
                moons.append(MoonFigures(bidder, last_bidders, result.made, result.deltas[result.bidders[0]]))
    scores_in_order = [
        *([match.state_carried_over.scores] if match.state_carried_over else []),
        *(result.scores for result in scored_hands),
    ]
    return MatchDetails(
        tables=tuple(
            TableFigures(table, hand_count, tuple(points_by_table[table][side.id] for side in setup.sides))
            for table, hand_count in hand_counts.items()
        ),
        bids=tuple(
            BidFigures(*bid_key, made_counts[bid_key], tried_count) for bid_key, tried_count in tried_counts.items()
        ),
        moons=tuple(moons),
        thrown_in_count=sum(result.status == "thrown_in" for result in state.results),
        scores_furthest_behind=_scores_furthest_behind(match, scores_in_order, winner) if winner else None,
        margin=_winner_lead(match, state.scores, winner) if winner else None,
        last_bidders=last_bidders,
    )


def _bid_key(setup: MatchSetup, result: HandResult, bid: Bid, player_index_by_seat: Mapping[str, int]) -> _BidKey:
    """Return the key under which the bid of a hand is counted.

    `player_index_by_seat` has the index of the player who sat in each seat in that hand.
    """
    seats = [seat for side in result.bidders for seat in setup.seating.side(side).seats]
    players = tuple(player_index_by_seat[seat] for seat in seats if seat in player_index_by_seat)
    bidder = player_index_by_seat.get(result.bidder or "")
    if bidder is None and len(players) == len(seats) == 1:
        bidder = players[0]
    return bid, bidder, players, len(result.bidders) > 1


def seated_players(setup: MatchSetup, log: MatchLog) -> tuple[SeatedPlayer, ...]:
    """Return all players of a match: those who began it, in seat order, then the substitutes.

    Each has a `hand_count` of 0: hands are not counted yet.
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
    ruleset = match.state.ruleset
    best_other_score = max(comparable_score(ruleset, score) for side, score in scores.items() if side != winner)
    return comparable_score(ruleset, scores[winner]) - best_other_score


def _scores_furthest_behind(
    match: Match, scores_in_order: Sequence[Mapping[str, int]], winner: str
) -> tuple[int, int] | None:
    """Return the winner's score and the best other score when the winner was furthest behind: (3, 20).

    `None` if the winner was never behind. `scores_in_order` has the scores carried over from paper, if any, and the
    scores after each scored hand.
    """
    scores = min(scores_in_order[:-1], key=lambda scores: _winner_lead(match, scores, winner), default=None)
    if scores is None or _winner_lead(match, scores, winner) >= 0:
        return None
    other_scores = (score for side, score in scores.items() if side != winner)
    return scores[winner], max(other_scores, key=partial(comparable_score, match.state.ruleset))


def details_as_json(details: MatchDetails) -> str:
    """Return the details of a match as compact JSON."""
    return json.dumps(details, separators=(",", ":"))


_read_details = lru_cache(maxsize=4096)(
    TypeAdapter(MatchDetails).validate_json
)  # a page needs those of one match often
_FIGURES_ADAPTER = TypeAdapter(MatchFigures)


def figures_as_json(figures: MatchFigures) -> list[object]:
    """Return figures without their details as a list for JSON.

    In place of the players, there is a list for each field of a player: all seats, all names. So it is with the sides.
    """
    *texts, players, sides, _ = figures
    return [*texts, [*zip(*players, strict=True)], [*zip(*sides, strict=True)]]


def read_figures(stored_figures: Sequence[Any], details_json: str) -> MatchFigures:
    """Return figures from the list that `figures_as_json` returns and from the JSON of their details."""
    *texts, player_fields, side_fields = stored_figures
    return _FIGURES_ADAPTER.validate_python(
        (*texts, [*zip(*player_fields, strict=True)], [*zip(*side_fields, strict=True)], details_json)
    )


def bid_sort_key(bid: Bid) -> tuple[int, int]:
    """Return a key that sorts bids: first the numbers, then the special bids, such as "moon"."""
    return (1, SPECIAL_BIDS.index(bid)) if isinstance(bid, str) else (0, bid)
