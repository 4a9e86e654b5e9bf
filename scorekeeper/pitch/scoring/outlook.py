"""The outlook for the next hand: who deals, and what each side needs to win."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Bid, Contract, SideId
from scorekeeper.pitch.scoring.hand_score import score_hand
from scorekeeper.pitch.scoring.match import MatchState, score_changes
from scorekeeper.pitch.scoring.outcome import HandEnd, Outcome, decide_match
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import dealer_after, divide_sides
from scorekeeper.pitch.scoring.standing import Standing, comparable_score, target_score
from scorekeeper.pitch.scoring.taken import Taken

GoesOut = Literal["bid", "any"]
"""How a side may win in the next hand: with `bid`, only by a made bid; with `any`, also without one."""


@dataclass(frozen=True, slots=True)
class SideOutlook:
    """The points that one side needs to win, and how it may win in the next hand."""

    side: SideId
    needs: int | None
    """The points from the side's score to the target, never negative; `None` if no score ends the match."""
    goes_out: GoesOut | None
    """How the side may win in the next hand; `None` if it cannot, or if a number of hands ends the match."""
    lowest_bid: Bid | None
    """The lowest bid that wins the match if the side makes it with every point and trick. It is `None` if no bid does,
    or if a number of hands ends the match."""
    wins_as_partner: bool
    """Whether the side can win as the called partner of a player who makes `lowest_bid`."""
    needs_bid: bool
    """Whether the side needs a bid to win, though it could take enough points as a defender."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Who deals and who bids first in the next hand, and what each side needs to win."""

    dealer: str | None
    first_bidder: str | None
    """The player who bids first, or in a game without bidding leads first; `None` if the dealer is not a known
    player."""
    sides: tuple[SideOutlook, ...]


def outlook(state: MatchState) -> Outlook:
    """Return who deals and who bids first in the next hand, and what each side needs to win.

    A win because another side is set once too often does not count.
    """
    # Winning because another side has one set too many is not counted, so the limit of sets is left out.
    rules = state.ruleset
    if rules.winning.set_limit is not None:
        rules = rules.copy_with(winning=rules.winning.copy_with(set_limit=None))
    state_without_set_limit = state._replace(ruleset=rules)
    sides = tuple(_side_outlook(state_without_set_limit, side) for side in state.seats.ids)
    return Outlook(state.dealer, first_bidder(state), sides)


def first_bidder(state: MatchState) -> str | None:
    """Return the player who bids first in the next hand; in a game without bidding, the one who leads first.

    If the dealer is not a known player, return `None`.
    """
    is_known_player = state.dealer is not None and state.dealer in state.seats.players
    return dealer_after(state.ruleset, state.seats, state.dealer) if is_known_player else None


def _side_outlook(state: MatchState, side: SideId) -> SideOutlook:
    """Return the points that one side needs to win, and how it may win in the next hand."""
    # Nothing better can happen to a bidder than to make a bid with every point and every trick.
    bids = () if state.outcome else state.ruleset.bids
    lowest_bid = next((bid for bid in bids if _would_win(state, side, bidder=side, bid=bid)), None)
    goes_out: GoesOut | None = None if lowest_bid is None else "bid"
    if not state.outcome and _may_go_out_without_bidding(state, side):
        goes_out = "any"
    wins_as_partner = bool(lowest_bid and state.ruleset.table.called) and any(
        _would_win(state, side, bidder=other, partner=side, bid=lowest_bid)
        for other in state.seats.ids
        if other != side
    )
    points_needed = _points_needed(state, side)
    return SideOutlook(side, points_needed, goes_out, lowest_bid, wins_as_partner, _needs_bid(state, side))


def _points_needed(state: MatchState, side: SideId) -> int | None:
    """Return how many points a side is short of the target, never negative.

    If no score ends the match, return `None`.
    """
    target = target_score(state.ruleset)
    if target is None:
        return None
    return max(comparable_score(state.ruleset, target) - comparable_score(state.ruleset, state.scores[side]), 0)


def _max_defender_points(ruleset: Ruleset) -> int:
    """Return the most points that a side can score in one hand as a defender."""
    if ruleset.scoring.defenders_score == "none":
        return 0
    return ruleset.points_per_hand + (ruleset.max_bid_number if ruleset.scoring.on_set == "bid_to_defenders" else 0)


def _only_bidders_win(state: MatchState) -> bool:
    """Return whether only a made bid can win the match."""
    winning = state.ruleset.winning
    return winning.win_rule == "made_bid" or state.is_overtime


def _needs_bid(state: MatchState, side: SideId) -> bool:
    """Return whether a side needs a bid to win, though it could take enough points as a defender."""
    ruleset, points_needed = state.ruleset, _points_needed(state, side)
    if not points_needed or points_needed > _max_defender_points(ruleset) or not ruleset.has_bidding:
        return False
    if ruleset.winning.four_points_win_game and points_needed >= ruleset.points_per_hand:
        return False  # a side that takes so many has every award, which wins
    return _only_bidders_win(state) or ruleset.winning.defenders_stop_short


def _may_go_out_without_bidding(state: MatchState, side: SideId) -> bool:
    """Return whether a side can win in the next hand without a bid of its own."""
    ruleset = state.ruleset
    if not ruleset.has_bidding:
        return _would_win(state, side, bidder=None, bid=None)
    points_needed = _points_needed(state, side)
    all_points = ruleset.points_per_hand
    if _only_bidders_win(state) or points_needed is None or points_needed > _max_defender_points(ruleset):
        if not ruleset.winning.four_points_win_game:
            return False
    possible_points = {all_points}
    if ruleset.pools_defenders:
        # With fewer points, another defender may stay short of the target.
        possible_points |= {points for points in _possible_sums(ruleset) if points >= (points_needed or 0)}
    # It is best for the side that the bidder is set, at the highest price: the highest number, or the highest bid.
    bids = dict.fromkeys((ruleset.max_bid_number, ruleset.bids[-1]))
    return any(
        _would_win(state, side, bidder=bidder, partner=partner, bid=bid, points_for_bidder=all_points - points)
        for points in sorted(possible_points, reverse=True)
        for bidder, partner in _bidders_and_partners(state, side)
        for bid in bids
    )


def _bidders_and_partners(state: MatchState, side: SideId) -> Iterator[tuple[SideId, SideId | None]]:
    """Yield each bidder and called partner against whom a side may play.

    For a bidder who plays alone, the partner is `None`.
    """
    other_sides = [other_side for other_side in state.seats.ids if other_side != side]
    for bidder in other_sides:
        yield bidder, None
        if state.ruleset.table.called:
            yield from ((bidder, partner) for partner in other_sides if partner != bidder)


def _possible_sums(ruleset: Ruleset) -> set[int]:
    """Return every number of points that some of the awards in play can add up to; 0 is one of them."""
    sums = {0}
    for award in ruleset.in_play.values():
        sums |= {partial_sum + award.points for partial_sum in sums}
    return sums


def _would_win(
    state: MatchState,
    side: SideId,
    *,
    bidder: SideId | None,
    bid: Bid | None,
    partner: SideId | None = None,
    points_for_bidder: int = 0,
) -> bool:
    """Return whether a side would win the next hand by taking all points except `points_for_bidder`.

    A side that bids takes every trick, too. A win that depends on an open question counts; a win by the number of hands
    or by a failed moon does not.
    """
    ruleset, dealing_side = state.ruleset, state.seats.side_of(state.dealer)
    hand_sides = divide_sides(ruleset, state.seats, bidder, partner)
    group = hand_sides.group_of(side)
    # Only the side that deals scores a card turned up, and only another one a gift.
    awards_of_others = ruleset.given_awards_for(is_dealer=side != dealing_side) if dealing_side else ()
    max_points = ruleset.points_per_hand - sum(map(ruleset.worth, awards_of_others))
    points = tuple(
        max_points - points_for_bidder if index == group else points_for_bidder * (index == 0)
        for index in range(len(hand_sides.groups))
    )
    # Of two awards for the same card a side scores one: at best the one that is worth more.
    lesser_awards = {min(pair, key=ruleset.worth) for pair in ruleset.replaced_award_by_caught.items()}
    awards = (award_id for award_id in ruleset.in_play if award_id not in {*lesser_awards, *awards_of_others})
    rows = () if points_for_bidder else tuple((award_id, group, ruleset.worth(award_id)) for award_id in awards)
    taken = Taken(points, rows, ruleset.points_per_hand)
    contract, is_bidder = Contract(bidder, bid), side == bidder
    score = score_hand(ruleset, state.seats, hand_sides, contract, taken, state.scores, all_tricks=is_bidder)
    _, scores_after = score_changes(state, score)
    standing = Standing(
        ruleset, state.scores, scores_after, hand_sides.bidders, score.made, reached_by_two=state.reached_by_two
    )
    decision = decide_match(HandEnd(standing, score, hand_sides, taken, state.sets, state.hands_scored + 1), Budget())
    if isinstance(decision, Outcome) and decision.rule in ("hands", "moon_lost"):
        return False
    return decision is not None and side in decision.winners
