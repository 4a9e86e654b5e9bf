"""The figures of one match, by seats and by who sat in them; it knows names, and nothing of a book's people.

They are computed once, when the match ends, and stored: `read_figures` restores them.
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
"""A bid, the bidder, the team, and whether a partner was called."""


class SeatedPlayer(NamedTuple):
    """A player in a seat, from sitting down until a substitute takes over."""

    seat: str
    sittings: int
    """The number of substitutions when the player sat down, this one included; 0 for a player of the first hand."""
    name: str
    """The name in the match."""
    typed: str
    """The name as typed, whatever the book calls the person: it identifies the person. Empty where none was typed."""
    hands: int
    """The number of scored hands that they played."""
    left_at: int
    """The `seq` of the substitution by which they left the seat; 0 where they sat there at the end."""


class SideFigures(NamedTuple):
    """A side at the end of a match."""

    id: str
    name: str
    """Its own name; empty where it is named after its players."""
    seats: tuple[str, ...]
    score: int
    won: bool
    mark: int
    """The number of the side's marker."""


class BidFigures(NamedTuple):
    """The bids of one height by one player with the same partners; players are indices into `seated`."""

    bid: Bid
    bidder: int | None
    """The bidder; `None` where only the side is known."""
    team: tuple[int, ...]
    """All who played the bid together, the bidder included."""
    is_called: bool
    """Whether a partner was called for it."""
    made: int
    tried: int


class TableFigures(NamedTuple):
    """The hands that the same players played together."""

    seated: tuple[int, ...]
    """The players, as indices into `MatchFigures.seated`."""
    hands: int
    points: tuple[int, ...]
    """The points that each side took in them, in the order of sides."""


class MoonFigures(NamedTuple):
    """A moon that was shot; players are indices into `MatchFigures.seated`."""

    bidder: int | None
    team: tuple[int, ...]
    made: bool
    change: int
    """The change of the bidding side's score."""


class Details(NamedTuple):
    """The figures that are computed hand by hand; parsed on use, since most pages need them for few matches."""

    tables: tuple[TableFigures, ...]
    bids: tuple[BidFigures, ...]
    moons: tuple[MoonFigures, ...]
    thrown_in: int
    """The number of hands that were dealt again."""
    behind: tuple[int, int] | None
    """The winner's score and the best other side's when the winner was furthest behind; `None` if never."""
    margin: int | None
    """The winner's lead over the best other side; less than 0 where the bid decided."""
    last_team: tuple[int, ...]
    """Who had the bid in the last hand."""

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return sum(table.hands for table in self.tables)

    @property
    def points_behind(self) -> int:
        """By how many points the winner was behind at worst; 0 if never."""
        return abs(self.behind[0] - self.behind[1]) if self.behind else 0


class MatchFigures(NamedTuple):
    """The figures of a match."""

    day: str
    """The day, as ISO 8601 has it."""
    at: str
    """When its last hand was written, which orders the matches of one day."""
    title: str
    venue: str
    note: str
    variant: str
    rules: str
    """The name of the rules that it was played by."""
    seated: tuple[SeatedPlayer, ...]
    """Everybody who sat in a seat, in order."""
    sides: tuple[SideFigures, ...]
    written: str
    """The details, as JSON."""

    @property
    def won(self) -> list[bool]:
        """Whether each side won."""
        return [side.won for side in self.sides]

    @property
    def details(self) -> Details:
        """The figures that are computed hand by hand, parsed from `written`."""
        return _read_details(self.written)

    @property
    def winner(self) -> int:
        """The index of the side that won; of several, the first."""
        return self.won.index(True)


def compute_figures(match: Match) -> MatchFigures | None:
    """Compute the figures of a match; `None` where it was not finished, or was deleted."""
    outcome = match.state.outcome
    if outcome is None or match.log.is_deleted:
        return None
    setup, state, renamed = match.setup, match.state, match.log.renamed
    seated = seated_players(setup, match.log)
    winner = outcome.winners[0] if len(outcome.winners) == 1 and len(setup.sides) > 1 else None
    details = _compute_details(match, seated, winner)
    last = match.log.hands[-1].added.at if match.log.hands else setup.created_at
    return MatchFigures(
        day=match.occasion.day,
        at=last.isoformat(),
        title=match.title,
        venue=match.occasion.venue,
        note=match.occasion.note,
        variant=setup.variant,
        rules=state.ruleset.name,
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
                match.marks[side.id],
            )
            for side in setup.sides
        ),
        written=details_as_json(details),
    )


def _compute_details(match: Match, seated: Sequence[SeatedPlayer], winner: str | None) -> Details:
    """Compute the figures of a match hand by hand; `winner` is the only side that won, if there is one."""
    setup, state = match.setup, match.state
    hands = [result for result in state.results if result.status == "scored"]
    tables, points = Counter[tuple[int, ...]](), defaultdict[tuple[int, ...], Counter[str]](Counter)
    tried, made, moons = Counter[_BidKey](), Counter[_BidKey](), list[MoonFigures]()
    last_team: tuple[int, ...] = ()
    for result in hands:
        sittings = match.log.hands[result.position - 1].substitution_count
        now = {player.seat: index for index, player in enumerate(seated) if player.sittings <= sittings}
        table = tuple(now.values())
        tables[table] += 1
        points[table].update(result.points)
        last_team = ()
        if result.made is not None and result.bid is not None and result.bidder:
            key = _, bidder, last_team, _ = _bid_key(setup, result, result.bid, now)
            tried[key] += 1
            made[key] += result.made
            if result.bid in MOON_BIDS:
                moons.append(MoonFigures(bidder, last_team, result.made, result.deltas[result.bidders[0]]))
    states = [
        *([match.state_carried_over.scores] if match.state_carried_over else []),
        *(result.scores for result in hands),
    ]
    return Details(
        tables=tuple(
            TableFigures(table, count, tuple(points[table][side.id] for side in setup.sides))
            for table, count in tables.items()
        ),
        bids=tuple(BidFigures(*key, made[key], count) for key, count in tried.items()),
        moons=tuple(moons),
        thrown_in=sum(result.status == "thrown_in" for result in state.results),
        behind=_scores_furthest_behind(match, states, winner) if winner else None,
        margin=_winner_lead(match, state.scores, winner) if winner else None,
        last_team=last_team,
    )


def _bid_key(setup: MatchSetup, result: HandResult, bid: Bid, now: Mapping[str, int]) -> _BidKey:
    """Return the key under which a hand's bid is added up; `now` has the index of the player in each seat."""
    members = [seat for side in result.bidders for seat in setup.seating.side(side).seats]
    team = tuple(now[seat] for seat in members if seat in now)
    bidder = now.get(result.bidder or "")
    if bidder is None and len(team) == len(members) == 1:
        bidder = team[0]
    return bid, bidder, team, len(result.bidders) > 1


def seated_players(setup: MatchSetup, log: MatchLog) -> tuple[SeatedPlayer, ...]:
    """Return everybody who sat in a seat: first the players of the beginning, then substitutes; `hands` is 0."""
    first = {seat.id: seat.name for seat in setup.seats}
    tenures = [(seat, 0) for seat in first]
    tenures += [(substitution.who, since) for since, substitution in enumerate(log.substitutions, 1)]
    return tuple(
        SeatedPlayer(
            seat,
            since,
            setup.names(log.renamed_at(since))[seat],
            "" if setup.is_nameless(seat, log.renamed_at(since)) else log.typed_at(since).get(seat) or first[seat],
            0,
            next((later.seq for later in log.substitutions[since:] if later.who == seat), 0),
        )
        for seat, since in tenures
    )


def _winner_lead(match: Match, scores: Mapping[str, int], winner: str) -> int:
    """Return the winner's lead over the best other side, in points; negative where it was behind."""
    rules = match.state.ruleset
    best = max(comparable_score(rules, score) for side, score in scores.items() if side != winner)
    return comparable_score(rules, scores[winner]) - best


def _scores_furthest_behind(match: Match, states: Sequence[Mapping[str, int]], winner: str) -> tuple[int, int] | None:
    """Return the winner's and the best other score when the winner was furthest behind; `None` if never."""
    scores = min(states[:-1], key=lambda scores: _winner_lead(match, scores, winner), default=None)
    if scores is None or _winner_lead(match, scores, winner) >= 0:
        return None
    others = (score for side, score in scores.items() if side != winner)
    return scores[winner], max(others, key=partial(comparable_score, match.state.ruleset))


def details_as_json(details: Details) -> str:
    """Return details as JSON."""
    return json.dumps(details, separators=(",", ":"))


_read_details = lru_cache(maxsize=4096)(TypeAdapter(Details).validate_json)  # a page needs those of one match often
_FIGURES = TypeAdapter(MatchFigures)


def figures_as_json(figures: MatchFigures) -> list[object]:
    """Return figures as a JSON list in the order of their fields, without details; seats and sides transposed."""
    *texts, seated, sides, _ = figures
    return [*texts, [*zip(*seated, strict=True)], [*zip(*sides, strict=True)]]


def read_figures(stored: Sequence[Any], written: str) -> MatchFigures:
    """Return the figures that were stored as `figures_as_json` and their details as JSON."""
    *texts, seated, sides = stored
    return _FIGURES.validate_python((*texts, [*zip(*seated, strict=True)], [*zip(*sides, strict=True)], written))


def bid_order(bid: Bid) -> tuple[int, int]:
    """Return the sort key of a bid: numbers first, then the special ones."""
    return (1, SPECIAL_BIDS.index(bid)) if isinstance(bid, str) else (0, bid)
