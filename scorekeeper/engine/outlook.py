"""What the next hand can bring: who deals and bids first, what each side needs, who may go out on it, and with whom."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from scorekeeper.engine.auction import Contract
from scorekeeper.engine.hand import Bid, SideId
from scorekeeper.engine.match import MatchState, Start, moved, open_match
from scorekeeper.engine.outcome import HandEnd, OpenEnd, Outcome, decide
from scorekeeper.engine.scoring import score_hand
from scorekeeper.engine.seats import HandSides, Seats, Side, deal_passes, divide_sides
from scorekeeper.engine.standing import Standing, comparable, is_overtime, target_of
from scorekeeper.engine.taken import Taken
from scorekeeper.rules.options import options
from scorekeeper.rules.schema import Ruleset

GoesOut = Literal["bid", "any"]
"""`bid`: only by making its own bid; `any`: on points that it takes against a bid as well, or where nobody bids."""


@dataclass(frozen=True, slots=True)
class SideOutlook:
    """What one side can do on the next hand."""

    side: SideId
    needs: int | None
    """Points to the target, or down to 0; 0 where it is reached already, `None` where no score ends the match."""
    goes_out: GoesOut | None
    """How it could win by this hand; `None` where it cannot."""
    least_bid: Bid | None
    """The lowest bid that takes it out when made with everything."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the next hand can bring."""

    dealer: str | None
    bids_first: str | None
    """The player on the dealer's left, who leads where nobody bids."""
    sides: tuple[SideOutlook, ...]


def outlook(state: MatchState) -> Outlook:
    """Return what the next hand of a match can bring."""
    is_known = state.dealer is not None and state.dealer in state.seats.players
    first = deal_passes(state.ruleset, state.seats, state.dealer) if is_known else None
    sides = tuple(_side_outlook(state, name) for name in state.seats.ids)
    return Outlook(state.dealer, first, sides)


def _side_outlook(state: MatchState, side: SideId) -> SideOutlook:
    # Nothing better can happen to a bidder than to make a bid with every point and every trick.
    winning_bids = (bid for bid in state.ruleset.bids if _wins(state, side, bidder=side, bid=bid))
    least_bid = None if state.outcome else next(winning_bids, None)
    against = not state.outcome and _may_go_out_without_bidding(state, side)
    return SideOutlook(
        side,
        _needs(state, side),
        "any" if against else "bid" if least_bid is not None else None,
        least_bid,
    )


def _needs(state: MatchState, side: SideId) -> int | None:
    target = target_of(state.ruleset)
    if target is None:
        return None
    return max(comparable(state.ruleset, target) - comparable(state.ruleset, state.scores[side]), 0)


def _may_go_out_without_bidding(state: MatchState, side: SideId) -> bool:
    """Return whether a side can win without bidding, at best by taking every point.

    Sides that score together may reach the target together, so fewer points can be better where defenders pool theirs.
    """
    ruleset = state.ruleset
    if not ruleset.has_bidding:
        return _wins(state, side, bidder=None, bid=None)
    needs = _needs(state, side)
    only_bidders = ruleset.winning.win_rule == "made_bid" or is_overtime(ruleset, state.best_of_two)
    everything = ruleset.points_per_hand
    if only_bidders or needs is None or needs > everything:
        if not ruleset.winning.four_points_win_game:
            return False
    enough = [everything]
    if ruleset.pools_defenders:
        enough = [count for count in _countable(ruleset) if count >= (needs or 0)]
    # Whoever bid is best set, and at the highest price: by the highest number, or by the highest bid of all.
    bids = dict.fromkeys((ruleset.top_number, ruleset.bids[-1]))
    return any(
        _wins(state, side, bidder=bidder, partner=partner, bid=bid, leaves=everything - count)
        for count in sorted(enough, reverse=True)
        for bidder, partner in _pairs(state, side)
        for bid in bids
    )


def _pairs(state: MatchState, side: SideId) -> Iterator[tuple[SideId, SideId | None]]:
    """Yield everybody else who may bid, alone and with each partner that they may call."""
    others = [name for name in state.seats.ids if name != side]
    for bidder in others:
        yield bidder, None
        if state.ruleset.table.called:
            yield from ((bidder, partner) for partner in others if partner != bidder)


def _countable(ruleset: Ruleset) -> set[int]:
    """Return every number of points that some of the awards make together."""
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
    """Return whether a side wins by a hand in which it takes all but what it leaves to the bidder.

    A match that the bidder loses outright, by a moon or by one set too many, does not count as the others going out.
    """
    ruleset = _without_set_limit(state.ruleset)
    hand_sides = divide_sides(ruleset, state.seats, bidder, partner)
    group = hand_sides.group_of(side)
    points = tuple(
        ruleset.points_per_hand - leaves if i == group else leaves * (i == 0) for i in range(len(hand_sides.groups))
    )
    rows = () if leaves else tuple((award_id, group, award.points) for award_id, award in ruleset.in_play.items())
    taken = Taken(points, rows, ruleset.points_per_hand)
    before, contract = state._replace(ruleset=ruleset), Contract(bidder, bid)
    decided = decide(_end(before, hand_sides, contract, taken, all_tricks=side == bidder))
    if isinstance(decided, Outcome) and decided.rule in ("hands", "moon_lost"):
        return False
    return decided is not None and side in decided.winners


def _end(
    state: MatchState, hand_sides: HandSides, contract: Contract, taken: Taken, *, all_tricks: bool = False
) -> HandEnd:
    """Return the end of the next hand of a match, in which the groups take this."""
    ruleset, scores = state.ruleset, state.scores
    score = score_hand(ruleset, state.seats, hand_sides, contract, taken, scores, all_tricks=all_tricks)
    _, after = moved(state, score)
    standing = Standing(ruleset, scores, after, hand_sides.bidders, score.made, best_of_two=state.best_of_two)
    return HandEnd(standing, score, hand_sides, taken, state.sets, state.scored + 1)


def _without_set_limit(ruleset: Ruleset) -> Ruleset:
    if ruleset.winning.set_limit is None:
        return ruleset
    return ruleset.changed(winning=ruleset.winning.changed(set_limit=None))


_SOME_TARGET = 21
"""For a game whose target is still to be agreed: what it is makes no difference."""

_FOR_BIDDERS = ("bidder_first", "bidder_or_play_on", "bidder_then_point_order")
"""The tie rules that ask who had the bid."""


def tie_rule_decides(ruleset: Ruleset, sides: int | None = None) -> bool:
    """Return whether some hand ends differently under another tie rule, with so many sides or the most that may play.

    Every side stands one point short of the target, so that whoever scores reaches it.
    """
    if ruleset.winning.length == "hands":
        return True
    ruleset = _with_end(ruleset)
    answers = (it for it in options()["tie_rule"].choices if ruleset.has_bidding or it not in _FOR_BIDDERS)
    rules = [ruleset.changed(winning=ruleset.winning.changed(tie_rule=it)) for it in answers]
    table = ruleset.table
    names = [str(number) for number in range(sides or max((table.most, *table.partners.values())))]
    seats = Seats(tuple(Side(name) for name in names))
    return any(_differ(rules, seats, contract, partner) for contract, partner in _contracts(ruleset, names))


def _with_end(ruleset: Ruleset) -> Ruleset:
    winning = ruleset.winning
    changed = winning.changed(
        win_rule=winning.win_rule or "first_to_target", set_limit=None, four_points_win_game=False
    )
    if target_of(ruleset.changed(winning=changed)) is None:
        changed = changed.changed(target=_SOME_TARGET)
    return ruleset.changed(winning=changed)


def _contracts(ruleset: Ruleset, names: list[str]) -> Iterator[tuple[Contract, str | None]]:
    """Yield the lowest and the highest bid, alone and with a partner where one is called; none where nobody bids."""
    if not ruleset.has_bidding:
        yield Contract(), None
        return
    for bid in dict.fromkeys((ruleset.bottom_number, ruleset.top_number)):
        yield Contract(names[0], bid), None
        if ruleset.table.called:
            yield Contract(names[0], bid), names[1]


def _differ(rules: list[Ruleset], seats: Seats, contract: Contract, partner: str | None) -> bool:
    """Return whether the tie rules disagree about a hand in which two groups share the points in some way."""
    ruleset = rules[0]
    hand_sides = divide_sides(ruleset, seats, contract.bidder, partner)
    before = dict.fromkeys(seats.ids, 1 if ruleset.counts_down else (target_of(ruleset) or 0) - 1)
    state = open_match(ruleset, seats, Start(before))
    # A card that is turned up wins at once, whatever the tie rule.
    given = sum(ruleset.awards[award].points for award in ruleset.given_awards if award in ruleset.in_play)
    everything = ruleset.points_per_hand - given
    for one, other in ((0, 1), (1, 2)):
        for count in range(everything + 1):
            took = {one: count, other: everything - count}
            points = tuple(took.get(group, 0) for group in range(len(hand_sides.groups)))
            if sum(points) != everything:
                continue
            end = _end(state, hand_sides, contract, Taken(points, (), everything))
            decided = (decide(end._replace(standing=replace(end.standing, ruleset=it))) for it in rules)
            if len(set(map(_told, decided))) > 1:
                return True
    return False


def _told(decided: Outcome | OpenEnd | None) -> object:
    """Return who has won, or what has to be told first."""
    return decided if isinstance(decided, OpenEnd) else decided and decided.winners
