"""Who has won, and by which rule: asked at the end of each hand."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scorekeeper.engine.contract import Contract
from scorekeeper.engine.hand import SideId
from scorekeeper.engine.hand_sides import HandSides
from scorekeeper.engine.scoring import HandScore, Outright, ScoreLine
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.awards import AwardId
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
    """Whether a hand has ended with several at the target and none of them the bidder (`002`, Pawnee)."""


def decide(
    ruleset: Ruleset, seats: Seats, standing: Standing, hand_sides: HandSides, contract: Contract, score: HandScore
) -> tuple[Outcome | None, bool]:
    """Return who has won, if anybody, and whether a match that nobody has won goes into overtime."""
    winning = ruleset.winning
    if score.outright:
        return _outright(ruleset, standing, score.outright), False
    if winning.set_limit and score.sets:
        over = tuple(s for s in seats.ids if s in score.sets and standing.sets.get(s, 0) >= winning.set_limit)
        others = [s for s in seats.ids if s not in over]
        if over and others:
            return Outcome(leading(ruleset, standing.scores, others), "set_limit", over), False
    if winning.length == "hands":
        return by_hands(ruleset, standing.scores, standing.hands), False
    return _by_target(ruleset, seats, standing, hand_sides, contract, score)


def _outright(ruleset: Ruleset, standing: Standing, ends: Outright) -> Outcome:
    if ends.winners:
        return Outcome(ends.winners, ends.reason)
    others = [side for side in standing.scores if side not in ends.losers]
    return Outcome(leading(ruleset, standing.scores, others), ends.reason, ends.losers)


def by_hands(ruleset: Ruleset, scores: Mapping[SideId, int], hands: int) -> Outcome | None:
    """Decide a match of a number of hands: the best score, shared unless the house plays on."""
    if not ruleset.winning.hands or hands < ruleset.winning.hands:
        return None
    leaders = leading(ruleset, scores, scores)
    if len(leaders) > 1 and ruleset.winning.tie_rule == "another_hand":
        return None
    return Outcome(leaders, "hands")


def comparable(ruleset: Ruleset, score: int) -> int:
    """Return a score turned so that more is better, whichever way the match counts."""
    return -score if ruleset.winning.count_down_from else score


def target_of(ruleset: Ruleset) -> int | None:
    """Return the score that ends the match: 0 when counting down, `None` where none is agreed."""
    if ruleset.winning.length == "hands" or ruleset.winning.win_rule is None:
        return None
    return 0 if ruleset.winning.count_down_from else ruleset.winning.target


def has_reached_target(ruleset: Ruleset, score: int) -> bool:
    """Return whether a score has reached the target."""
    target = target_of(ruleset)
    return target is not None and comparable(ruleset, score) >= comparable(ruleset, target)


def several_at_target(ruleset: Ruleset, scores: Mapping[SideId, int]) -> bool:
    """Return whether more than one side has reached the target."""
    return sum(has_reached_target(ruleset, score) for score in scores.values()) > 1


def leading(ruleset: Ruleset, scores: Mapping[SideId, int], among: Iterable[SideId]) -> tuple[SideId, ...]:
    """Return whoever of some sides has the best score."""
    among = tuple(among)
    best = max(comparable(ruleset, scores[side]) for side in among)
    return tuple(side for side in among if comparable(ruleset, scores[side]) == best)


def _by_target(
    ruleset: Ruleset, seats: Seats, standing: Standing, hand_sides: HandSides, contract: Contract, score: HandScore
) -> tuple[Outcome | None, bool]:
    at_target = [side for side in seats.ids if has_reached_target(ruleset, standing.scores[side])]
    bidders = hand_sides.bidders
    tie_rule = ruleset.winning.tie_rule
    if ruleset.winning.win_rule == "made_bid":
        at_target = [side for side in at_target if score.made and side in bidders]
    if tie_rule == "bidder_or_play_on":
        return _bidder_or_play_on(ruleset, standing, at_target, bidders, score)
    at_target = [side for side in at_target if leads_enough(ruleset, standing.scores, side)]
    if not at_target:
        return None, False
    if len(at_target) == 1:
        return Outcome((at_target[0],), ruleset.winning.win_rule or "first_to_target"), False
    winner = _first(ruleset, standing, at_target, bidders, score)
    return (Outcome((winner,), tie_rule) if winner else None), False


def leads_enough(ruleset: Ruleset, scores: Mapping[SideId, int], side: SideId) -> bool:
    """Return whether a side leads every other by as much as a winner has to."""
    lead = ruleset.winning.win_by
    if not lead:
        return True
    mine = comparable(ruleset, scores[side])
    return all(mine - comparable(ruleset, other) >= lead for rival, other in scores.items() if rival != side)


def _bidder_or_play_on(
    ruleset: Ruleset, standing: Standing, at_target: list[SideId], bidders: tuple[SideId, ...], score: HandScore
) -> tuple[Outcome | None, bool]:
    """Decide as Pawnee does: once several were at the target without the bidder, only a made bid goes out (`002`)."""
    bidder = bidders[0] if bidders else None
    may_win = [side for side in at_target if leads_enough(ruleset, standing.scores, side)]
    if standing.overtime:
        won = bidder in may_win and score.made
        return (Outcome((bidder,), "bidder_or_play_on") if won and bidder else None), True
    if bidder in may_win and len(at_target) > 1 and bidder and score.made:
        return Outcome((bidder,), "bidder_or_play_on"), False
    if len(at_target) == 1 and may_win:
        return Outcome((at_target[0],), ruleset.winning.win_rule or "first_to_target"), False
    return None, len(at_target) > 1


def _first(
    ruleset: Ruleset, standing: Standing, at_target: list[SideId], bidders: tuple[SideId, ...], score: HandScore
) -> SideId | None:
    """Pick between several sides that reach the target in the same hand; `None` plays another hand."""
    leaders = leading(ruleset, standing.scores, at_target)
    match ruleset.winning.tie_rule:
        case "bidder_first":
            bidding = [side for side in bidders if side in at_target]
            if bidding:
                return bidding[0]
            return leaders[0] if len(leaders) == 1 else None
        case "higher_score":
            if len(leaders) == 1:
                return leaders[0]
            return next((side for side in bidders if side in leaders), None)
        case "higher_score_or_play_on":
            return leaders[0] if len(leaders) == 1 else None
        case "point_order" | "bidder_then_point_order" as rule:
            bidding = [side for side in bidders if side in at_target]
            if rule == "bidder_then_point_order" and bidding:
                return bidding[0]
            return _in_point_order(ruleset, standing, at_target, score) or (leaders[0] if len(leaders) == 1 else None)
        case _:
            return None


def _in_point_order(ruleset: Ruleset, standing: Standing, at_target: list[SideId], score: HandScore) -> SideId | None:
    """Count the awards in order and return the side that reaches the target first (All Fours custom, `003`)."""
    arrived = [side for side in at_target if has_reached_target(ruleset, standing.before[side])]
    for _, counted in counts_in_order(ruleset, standing.before, score.lines):
        if arrived:
            break
        arrived = [side for side in at_target if has_reached_target(ruleset, counted[side])]
    return arrived[0] if len(arrived) == 1 else None


def counts_in_order(
    ruleset: Ruleset, before: Mapping[SideId, int], lines: Iterable[ScoreLine]
) -> Iterator[tuple[AwardId | None, Mapping[SideId, int]]]:
    """Yield each award with the scores as they are once it is counted; what belongs to no award is counted last."""
    counted, lines = dict(before), tuple(lines)
    for award in (*ruleset.count_order, None):
        for line in lines:
            if line.award == award:
                counted[line.side] += line.points
        yield award, dict(counted)
