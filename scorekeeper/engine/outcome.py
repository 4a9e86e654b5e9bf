"""Who has won, and by which rule: asked at the end of each hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.engine.camps import Camps
from scorekeeper.engine.contract import Contract
from scorekeeper.engine.hand import SideId
from scorekeeper.engine.scoring import HandScore, Outright
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: who won, and the rule that decided."""

    winners: tuple[SideId, ...]
    rule: str
    """`made_bid`, `first_to_target`, a tie rule, `moon_won`, `moon_lost`, `all_points`, `set_limit`, `hands`."""
    losers: tuple[SideId, ...] = ()
    """Who lost outright, where that decided."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What deciding a match needs to know after a hand."""

    scores: Mapping[SideId, int]
    before: Mapping[SideId, int]
    sets: Mapping[SideId, int]
    hands: int
    """Hands scored so far, those from before the record included."""
    overtime: bool = False
    """Whether a hand has ended with several there and none of them the bidder (`002`, Pawnee)."""


def decide(
    ruleset: Ruleset, seats: Seats, standing: Standing, camps: Camps, contract: Contract, score: HandScore
) -> tuple[Outcome | None, bool]:
    """Say who has won, if anybody, and whether a match that nobody has won goes into overtime."""
    winning = ruleset.winning
    if score.outright:
        return _outright(ruleset, standing, score.outright), False
    if winning.set_limit and score.sets:
        over = tuple(s for s in seats.names if s in score.sets and standing.sets.get(s, 0) >= winning.set_limit)
        others = [s for s in seats.names if s not in over]
        if over and others:
            return Outcome(_leaders(ruleset, standing.scores, others), "set_limit", over), False
    if winning.length == "hands":
        return by_hands(ruleset, standing.scores, standing.hands), False
    return _by_target(ruleset, seats, standing, camps, contract, score)


def _outright(ruleset: Ruleset, standing: Standing, ends: Outright) -> Outcome:
    if ends.winners:
        return Outcome(ends.winners, ends.reason)
    others = [side for side in standing.scores if side not in ends.losers]
    return Outcome(_leaders(ruleset, standing.scores, others), ends.reason, ends.losers)


def by_hands(ruleset: Ruleset, scores: Mapping[SideId, int], hands: int) -> Outcome | None:
    """Decide a match of a number of hands: the best score, shared unless the house plays on."""
    if not ruleset.winning.hands or hands < ruleset.winning.hands:
        return None
    leaders = _leaders(ruleset, scores, list(scores))
    if len(leaders) > 1 and ruleset.winning.tie_rule == "another_hand":
        return None
    return Outcome(leaders, "hands")


def worth(ruleset: Ruleset, score: int) -> int:
    """Turn a score so that more is better, whichever way the match counts."""
    return -score if ruleset.winning.count_down_from else score


def target_of(ruleset: Ruleset) -> int | None:
    """Give the score that ends the match: 0 when counting down, `None` where none is agreed."""
    if ruleset.winning.length == "hands" or ruleset.winning.win_rule is None:
        return None
    return 0 if ruleset.winning.count_down_from else ruleset.winning.target


def is_there(ruleset: Ruleset, score: int) -> bool:
    """Tell whether a score has reached the target."""
    target = target_of(ruleset)
    return target is not None and worth(ruleset, score) >= worth(ruleset, target)


def several_there(ruleset: Ruleset, scores: Mapping[SideId, int]) -> bool:
    """Tell whether more than one side has reached the target."""
    return sum(is_there(ruleset, score) for score in scores.values()) > 1


def _leaders(ruleset: Ruleset, scores: Mapping[SideId, int], among: Sequence[SideId]) -> tuple[SideId, ...]:
    best = max(worth(ruleset, scores[side]) for side in among)
    return tuple(side for side in among if worth(ruleset, scores[side]) == best)


def _by_target(
    ruleset: Ruleset, seats: Seats, standing: Standing, camps: Camps, contract: Contract, score: HandScore
) -> tuple[Outcome | None, bool]:
    there = [side for side in seats.names if is_there(ruleset, standing.scores[side])]
    bidders = camps.groups[0] if camps.has_bidders else ()
    tie_rule = ruleset.winning.tie_rule
    if ruleset.winning.win_rule == "made_bid":
        there = [side for side in there if score.made and side in bidders]
    if tie_rule == "bidder_or_play_on":
        return _bidder_or_play_on(ruleset, standing, there, bidders, score)
    there = [side for side in there if _leads_enough(ruleset, standing.scores, side)]
    if not there:
        return None, False
    if len(there) == 1:
        return Outcome((there[0],), ruleset.winning.win_rule or "first_to_target"), False
    winner = _first(ruleset, standing, there, bidders, score)
    return (Outcome((winner,), tie_rule) if winner else None), False


def _leads_enough(ruleset: Ruleset, scores: Mapping[SideId, int], side: SideId) -> bool:
    lead = ruleset.winning.win_by
    if not lead:
        return True
    mine = worth(ruleset, scores[side])
    return all(mine - worth(ruleset, other) >= lead for name, other in scores.items() if name != side)


def _bidder_or_play_on(
    ruleset: Ruleset, standing: Standing, there: list[SideId], bidders: tuple[SideId, ...], score: HandScore
) -> tuple[Outcome | None, bool]:
    """Decide as Pawnee does: once several were there without the bidder, only a made bid goes out (`002`)."""
    bidder = bidders[0] if bidders else None
    may_win = [side for side in there if _leads_enough(ruleset, standing.scores, side)]
    if standing.overtime:
        won = bidder in may_win and score.made
        return (Outcome((bidder,), "bidder_or_play_on") if won and bidder else None), True
    if bidder in may_win and len(there) > 1 and bidder and score.made:
        return Outcome((bidder,), "bidder_or_play_on"), False
    if len(there) == 1 and may_win:
        return Outcome((there[0],), ruleset.winning.win_rule or "first_to_target"), False
    return None, len(there) > 1


def _first(
    ruleset: Ruleset, standing: Standing, there: list[SideId], bidders: tuple[SideId, ...], score: HandScore
) -> SideId | None:
    """Pick between several sides that are there in the same hand; `None` plays another hand."""
    leaders = _leaders(ruleset, standing.scores, there)
    match ruleset.winning.tie_rule:
        case "bidder_first":
            bidding = [side for side in bidders if side in there]
            if bidding:
                return bidding[0]
            return leaders[0] if len(leaders) == 1 else None
        case "higher_score":
            if len(leaders) == 1:
                return leaders[0]
            return next((side for side in bidders if side in leaders), None)
        case "point_order":
            return _in_point_order(ruleset, standing, there, score) or (leaders[0] if len(leaders) == 1 else None)
        case _:
            return None


def _in_point_order(ruleset: Ruleset, standing: Standing, there: list[SideId], score: HandScore) -> SideId | None:
    """Count the awards in their order and give the side that gets there first (All Fours custom, `003`)."""
    counted = dict(standing.before)
    already = [side for side in there if is_there(ruleset, counted[side])]
    if already:
        return already[0] if len(already) == 1 else None
    arrivals = _arrivals(ruleset, counted, there, score)
    arrived = next(sides for sides in arrivals if sides)
    return arrived[0] if len(arrived) == 1 else None


def _arrivals(
    ruleset: Ruleset, counted: dict[SideId, int], there: list[SideId], score: HandScore
) -> list[list[SideId]]:
    """Count one award after another, then what hangs on none, and give who is there by then."""
    arrivals = []
    for award in (*ruleset.in_play, None):
        for line in score.lines:
            if line.award == award:
                counted[line.side] += line.points
        arrivals.append([side for side in there if is_there(ruleset, counted[side])])
    return arrivals
