"""What hangs on the next hand: who deals and speaks first, what each side needs, and who may go out on it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from scorekeeper.engine.camps import camps_of
from scorekeeper.engine.contract import Contract
from scorekeeper.engine.hand import Bid, SideId
from scorekeeper.engine.matches import MatchState
from scorekeeper.engine.outcome import Standing, decide, target_of, worth
from scorekeeper.engine.scoring import score_hand
from scorekeeper.engine.taken import Taken
from scorekeeper.engine.words import because, bid_word, listed
from scorekeeper.rules.schema import Ruleset

GoesOut = Literal["bid", "any"]
"""`bid`: only by making its own bid; `any`: on points that it takes against a bid as well, or where nobody bids."""


@dataclass(frozen=True, slots=True)
class SideOutlook:
    """What one side can do on the next hand."""

    side: SideId
    score: int
    needs: int | None
    """Points to the target, or down to 0; 0 where it is there already, `None` where no score ends the match."""
    goes_out: GoesOut | None
    """How it could win by this hand; `None` where it cannot."""
    least_bid: Bid | None
    """The lowest bid that takes it out when made with everything."""
    set_loses: bool
    """Whether one more set loses it the match."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What hangs on the next hand."""

    dealer: str | None
    speaks_first: str | None
    """The player on the dealer's left: bids first, or leads where nobody bids."""
    sides: tuple[SideOutlook, ...]
    sentence: str
    """Who can go out on this hand, and how."""


def outlook(state: MatchState) -> Outlook:
    """Look ahead from where a match stands."""
    first = state.seats.left_of(state.dealer) if state.dealer in state.seats.players and state.dealer else None
    sides = tuple(_side_outlook(state, name) for name in state.seats.names)
    return Outlook(state.dealer, first, sides, _sentence(state, sides))


def _side_outlook(state: MatchState, side: SideId) -> SideOutlook:
    limit = state.ruleset.winning.set_limit
    least_bid = None if state.outcome else _least_bid(state, side)
    against = not state.outcome and _may_go_out_without_bidding(state, side)
    return SideOutlook(
        side,
        state.scores[side],
        _needs(state, side),
        "any" if against else "bid" if least_bid is not None else None,
        least_bid,
        limit is not None and not state.outcome and state.sets[side] + 1 >= limit,
    )


def _needs(state: MatchState, side: SideId) -> int | None:
    target = target_of(state.ruleset)
    if target is None:
        return None
    return max(worth(state.ruleset, target) - worth(state.ruleset, state.scores[side]), 0)


def _least_bid(state: MatchState, side: SideId) -> Bid | None:
    """Try every bid from the lowest, made with every point and every trick: nothing better can happen to a bidder."""
    for bid in state.ruleset.ladder:
        if _wins(state, side, bidder=side, bid=bid):
            return bid
    return None


def _may_go_out_without_bidding(state: MatchState, side: SideId) -> bool:
    """Try what can happen to a side that does not bid, best of all that it takes every point.

    Who scores together may get there together, so fewer points can be better where defenders pool theirs.
    """
    ruleset = state.ruleset
    if not ruleset.bidding.auction:
        return _wins(state, side, bidder=None, bid=None)
    needs = _needs(state, side)
    only_bidders = ruleset.winning.win_rule == "made_bid" or state.overtime
    if only_bidders or needs is None or needs > ruleset.on_offer:
        if not ruleset.winning.four_points_win_game:
            return False
    everything = ruleset.on_offer
    enough = [count for count in _countable(ruleset) if count >= (needs or 0)] if ruleset.two_camps else [everything]
    # Whoever bid is best set, and at the highest price: by the highest number, or by the highest bid of all.
    bids = dict.fromkeys((ruleset.top_number, ruleset.ladder[-1]))
    return any(
        _wins(state, side, bidder=bidder, partner=partner, bid=bid, leaves=everything - count)
        for count in sorted(enough, reverse=True)
        for bidder, partner in _pairs(state, side)
        for bid in bids
    )


def _pairs(state: MatchState, side: SideId) -> Iterator[tuple[SideId, SideId | None]]:
    """Give everybody else who may bid, alone and with each partner that they may call."""
    others = [name for name in state.seats.names if name != side]
    for bidder in others:
        yield bidder, None
        if state.ruleset.table.called:
            yield from ((bidder, partner) for partner in others if partner != bidder)


def _countable(ruleset: Ruleset) -> set[int]:
    """Give every number of points that some of the awards make together."""
    sums = {0}
    for award in ruleset.in_play.values():
        sums |= {number + award.points for number in sums}
    return sums


def _wins(
    state: MatchState,
    side: SideId,
    *,
    bidder: SideId | None,
    bid: Bid | None,
    partner: SideId | None = None,
    leaves: int = 0,
) -> bool:
    """Play a hand in which one side takes all but what it leaves to the bidder; tell whether that wins it the match.

    A match that the bidder loses outright, by a moon or by one set too many, is not counted as the others' going out.
    """
    ruleset = _without_set_limit(state.ruleset)
    camps = camps_of(ruleset, state.seats, bidder, partner)
    group = camps.of(side)
    points = tuple(ruleset.on_offer - leaves if i == group else leaves * (i == 0) for i in range(len(camps.groups)))
    rows = () if leaves else tuple((award_id, group, award.points) for award_id, award in ruleset.in_play.items())
    contract = Contract(bidder, bid)
    taken = Taken(points, rows, ruleset.on_offer)
    score = score_hand(ruleset, state.seats, camps, contract, taken, state.scores, all_tricks=side == bidder)
    after = dict(state.scores)
    for line in score.lines:
        after[line.side] += line.points
    standing = Standing(after, state.scores, state.sets, state.scored + 1, state.overtime)
    outcome, _ = decide(ruleset, state.seats, standing, camps, contract, score)
    return outcome is not None and outcome.rule not in ("hands", "moon_lost") and side in outcome.winners


def _without_set_limit(ruleset: Ruleset) -> Ruleset:
    if ruleset.winning.set_limit is None:
        return ruleset
    return ruleset.changed(winning=ruleset.winning.changed(set_limit=None))


def _sentence(state: MatchState, sides: Sequence[SideOutlook]) -> str:
    if state.outcome:
        return "The match is over."
    may_go_out = [side for side in sides if side.goes_out]
    if may_go_out:
        return " ".join(_who_goes_out(state, sides))
    winning = state.ruleset.winning
    if winning.length == "hands":
        return _hands_left(state)
    return because(state) if target_of(state.ruleset) is None else "Nobody can go out on this hand."


def _hands_left(state: MatchState) -> str:
    left = (state.ruleset.winning.hands or 0) - state.scored
    if left < 1:
        return "The hands are played, and the best score is level: this hand may decide."
    return "This is the last hand." if left == 1 else f"{left} hands are left."


def _who_goes_out(state: MatchState, sides: Sequence[SideOutlook]) -> Iterator[str]:
    """Write one sentence for all who can go out in the same way."""
    ways: dict[str, list[SideId]] = {}
    for side in sides:
        if side.goes_out:
            ways.setdefault(_way(state, side), []).append(side.side)
    for way, names in ways.items():
        if len(names) < len(sides):
            yield f"{listed(names)} can go out {way}."
        else:
            yield f"{'Either side' if len(names) == 2 else 'Anybody'} can go out {way}."


def _way(state: MatchState, side: SideOutlook) -> str:
    """Say how a side goes out: on any points, by a bid of so many, or by a special bid."""
    ruleset = state.ruleset
    if side.needs is None or (side.needs > ruleset.on_offer and side.goes_out == "any"):
        return "by taking every point of this hand"
    if not ruleset.bidding.auction:
        return "on this hand"
    if side.goes_out == "any":
        return "on this hand, whoever bids"
    bid, needs = side.least_bid, side.needs or 0
    if isinstance(bid, int):
        if bid > ruleset.bottom_number:
            top = " or more" if bid < ruleset.top_number or ruleset.specials else ""
            return f"by making a bid of {bid}{top}"
        if needs > bid and ruleset.scoring.score_on_made == "points":
            return f"by making a bid with {needs} points{' or more' if needs < ruleset.on_offer else ''}"
        return "by making a bid"
    return "by shooting the moon" if bid == "moon" else f"by making a {bid_word(bid)}"
