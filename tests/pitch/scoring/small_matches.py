"""Small matches that show whether two answers to a house option differ: short auctions, and a hand near the end."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

from scorekeeper.pitch.rules.groups.declare import PITCHED_BID
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.options import MEANINGLESS_BESIDE, options
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import call_objection, open_auction, possible_calls, run_auction
from scorekeeper.pitch.scoring.hand import Call, Hand
from scorekeeper.pitch.scoring.match import ImpossibleHand, MatchState, Start, open_match, play
from scorekeeper.pitch.scoring.outcome import EndQuestion
from scorekeeper.pitch.scoring.seats import Seats, seat_table
from scorekeeper.pitch.scoring.standing import has_reached_target

SHEET_ALONE = (
    *("dirty", "reverse", "draw", "kitty", "share_the_wealth", "cut", "first_lead", "follow", "misdeal", "burn"),
    *("joker_order", "call", "call_lead", "alone"),
)
"""Options that change only the rule sheet: they are about the play of the cards, before anything is scored."""
NAMES = ("Ann", "Bob", "Cal", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")


def answering(ruleset: Ruleset, name: str, answer: object) -> Ruleset:
    """Return a ruleset with another answer to one option and all else as it is, even where that contradicts it.

    What means nothing beside that answer goes with it, as in a house.
    """
    gone = {
        option: options()[option].default for option, cause in MEANINGLESS_BESIDE.items() if cause == (name, answer)
    }
    for option, value in {**gone, name: answer}.items():
        group = options()[option].group
        ruleset = ruleset.copy_with(**{group: getattr(ruleset, group).copy_with(**{option: value})})
    return ruleset


class Bidding(NamedTuple):
    """A run of calls."""

    seats: Seats
    dealer: str
    calls: tuple[tuple[str, Call], ...]

    def outcome(self, ruleset: Ruleset) -> object:
        """Return who may make which call next, or the bid that the calls end with."""
        return _legal(ruleset, *self)


class LastHand(NamedTuple):
    """A hand from scores near the end of a match."""

    seats: Seats
    start: Start
    hand: Hand

    def outcome(self, ruleset: Ruleset) -> object:
        """Return what the hand scores, pays and ends; `None` where it cannot have been."""
        try:
            state = play(open_match(ruleset, self.seats, self.start, self.hand.dealer), self.hand)
        except ImpossibleHand:
            return None
        return _consequences(state)


SmallMatch = Bidding | LastHand
Pair = tuple[Ruleset, Ruleset]


def find_difference(
    pairs: Sequence[Pair], random: Random, most: int, known: Iterable[SmallMatch] = ()
) -> SmallMatch | None:
    """Return a small match in which some auction, score, payment or winner differs under two rulesets of a pair.

    The known ones are tried first, and then as many of each pair at random.
    """
    for small, (one, other) in product(known, pairs):
        stands = isinstance(small, Bidding) or (_may_stand(one, small.start) and _may_stand(other, small.start))
        if stands and small.outcome(one) != small.outcome(other):
            return small
    return next((found for pair in pairs if (found := _found(*pair, random, most))), None)


def _found(one: Ruleset, other: Ruleset, random: Random, most: int) -> SmallMatch | None:
    # What is no rule of bidding seldom changes who may call what.
    are_alike = (one.bidding, one.moon, one.bids) == (other.bidding, other.moon, other.bids)
    auctions = 10 if are_alike else min(most, 300)
    for seats in _tables(one):
        if bidding := _differing_bidding(one, other, seats, random, auctions):
            return bidding
    hands = _last_hands(one, other, random, most)
    return next((hand for hand in hands if hand.outcome(one) != hand.outcome(other)), None)


def _tables(ruleset: Ruleset) -> list[Seats]:
    """Return the tables with the fewest and the most sides."""
    tables = [seat_table(ruleset, NAMES[:players], None)[0] for players in ruleset.table.player_counts]
    found = sorted((seats for seats in tables if seats), key=lambda seats: (len(seats.ids), len(seats.players)))
    return [found[0], found[-1]] if len(found) > 1 and len(found[0].ids) != len(found[-1].ids) else found[:1]


# ---------- auctions: who may call what ----------


def _legal(ruleset: Ruleset, seats: Seats, dealer: str, calls: tuple[tuple[str, Call], ...]) -> tuple[object, ...]:
    auction, fault = run_auction(ruleset, seats, dealer, calls) if calls else (open_auction(seats, dealer), None)
    if fault:
        return ("impossible",)
    if auction.is_over:
        over = auction.bidder, auction.bid, auction.took_set, auction.all_passed, auction.overtook_pitch
        again = auction.all_passed and ruleset.bidding.all_pass
        return ("over", *over, again)
    who = auction.waiting_players[0]
    return who, *(call for call in possible_calls(ruleset) if not call_objection(ruleset, auction, who, call))


def _differing_bidding(one: Ruleset, other: Ruleset, seats: Seats, random: Random, most: int) -> Bidding | None:
    if not one.has_bidding or not seats.players:
        return None
    dealer = seats.players[-1]
    for number in range(most):
        calls: tuple[tuple[str, Call], ...] = ()
        eager = (0.1, 0.5, 0.9)[number % 3]
        while True:
            legal, also = _legal(one, seats, dealer, calls), _legal(other, seats, dealer, calls)
            if legal != also:
                return Bidding(seats, dealer, calls)
            if legal[0] == "over":
                break
            who, *may = legal
            bids = [call for call in may if call != "pass"]
            wants_bid = bids and (may == bids or random.random() < eager)
            call: Any = random.choice((bids[0], bids[0], bids[-1], random.choice(bids))) if wants_bid else "pass"
            calls = (*calls, (str(who), call))
    return None


# ---------- hands, near the end of a match ----------


def _consequences(state: MatchState) -> object:
    question = state.question
    ends = ("open", question.winners) if isinstance(question, EndQuestion) else state.winners
    money = {who: cents for who, cents in (state.money or {}).items() if cents}
    moved = state.results[-1].deltas
    return moved, ends, money, state.dealer, state.carried, dict(state.sets)


def _last_hands(one: Ruleset, other: Ruleset, random: Random, most: int) -> Iterator[LastHand]:
    """Yield hands from one point short of the target and from elsewhere; more of them at random than one by one."""
    for seats in _tables(one):
        starts = [start for start in _starts(one, other, seats) if _may_stand(one, start) and _may_stand(other, start)]
        hands = list(_hands(one, other, seats))
        level = [start for start in starts if len({*start.scores.values()}) < 2]
        points = [hand for hand in hands if hand.points is not None and not isinstance(hand.bid, str)]
        yield from (LastHand(seats, start, hand) for start in level[:2] for hand in points)
        starts = starts if _counts(one) or _counts(other) else level
        every = range(len(starts) * len(hands))
        for number in random.sample(every, min(most, len(every))):
            yield LastHand(seats, starts[number // len(hands)], hands[number % len(hands)])


def _counts(ruleset: Ruleset) -> bool:
    """Return whether some hand moves a score."""
    return not (ruleset.pays_by_hand and ruleset.only_bidder_counts) or ruleset.bidding.all_pass == "unobliged"


def _may_stand(ruleset: Ruleset, start: Start) -> bool:
    """Return whether a match goes on from there: past the target only where that alone does not win."""
    winning, sets = ruleset.winning, max(start.sets.values(), default=0)
    if (winning.set_limit or sets + 1) <= sets or (winning.hands or start.hands + 1) <= start.hands:
        return False
    stays = has_end(ruleset) and (winning.win_rule == "made_bid" or winning.win_by)
    return bool(stays) or not any(has_reached_target(ruleset, score) for score in start.scores.values())


def _starts(one: Ruleset, other: Ruleset, seats: Seats) -> Iterator[Start]:
    hands = min((rules.winning.hands for rules in (one, other) if rules.winning.hands), default=1) - 1
    worth = max(one.points_per_hand, other.points_per_hand)
    far, ahead, on_bid = 3 * worth, (1, 3 - worth), (one.min_bid_number, 1)
    lead = max(one.winning.win_by or 0, other.winning.win_by or 0)
    level, unlike = ((1,), (far,)), ((0, 1), (2, 1), (4, 1), (1, 2), (1, 0, 1), (0, 1, 9), (0, 9, 1), (2, 1, 9))
    limits = [rules.winning.set_limit for rules in (one, other) if rules.winning.set_limit]
    sets = dict.fromkeys(seats.ids, min(limits) - 1 if limits else int(one.has_bidding))
    for winning in (one.winning, other.winning)[: 1 + (one.winning != other.winning)]:
        target, sign = (0, -1) if winning.count_down_from else (winning.target or 21, 1)
        for short in (*level, *unlike, (far, 1), (1, far), (-1, -1, 2), (0, 1 - lead, 2), on_bid, ahead):
            away = [short[min(i, len(short) - 1)] for i in range(len(seats.ids))]
            for order in (away, away[::-1]):
                scores = {side: target - sign * off for side, off in zip(seats.ids, order, strict=True)}
                yield Start(scores, hands, sets)
                if limits:
                    yield Start(scores, hands, {})
        if winning.count_down_from:
            yield Start({}, hands, sets)
    yield Start(dict.fromkeys(seats.ids, -3), hands, sets)


def _hands(one: Ruleset, other: Ruleset, seats: Seats) -> Iterator[Hand]:
    dealer, splits = seats.chairs[-1], list(_splits(one, other, seats))
    contracts = list(_contracts(one, other, seats))
    for taken in splits:
        for contract in contracts:
            yield Hand(dealer=dealer, **contract, **taken)
            if one.winning.pegged:
                yield Hand(dealer=dealer, **contract, **taken, first_there=seats.ids[0])
    if one.has_bidding:
        yield Hand(dealer=dealer, thrown_in="all_passed")
        if seats.players:
            passes = tuple((who, "pass") for who in seats.players)
            yield Hand(dealer=dealer, auction=passes)
            yield Hand(dealer=dealer, auction=(*passes[:-1], (seats.players[-1], "take_set")))
            yield from (Hand(dealer=dealer, auction=passes, **split) for split in splits)
    for award in {*one.turned_awards, *other.turned_awards}:
        own = {award: seats.side_of(dealer)}
        yield from (Hand(dealer=dealer, thrown_in="misdeal", taken=own, times=times) for times in (None, {award: 2}))


def _contracts(one: Ruleset, other: Ruleset, seats: Seats) -> Iterator[dict[str, Any]]:
    if not one.has_bidding:
        yield {}
        return
    specials = dict.fromkeys((*one.special_bids, *other.special_bids))
    numbers = sorted({number for rules in (one, other) for number in (rules.min_bid_number, rules.max_bid_number)})
    partners: list[dict[str, Any]] = [{"alone": True}, {"partner": seats.chairs[1]}] if one.table.called else [{}]
    for bid in (*numbers, *specials):
        tricks = [{"all_tricks": True}, {"all_tricks": False}] if isinstance(bid, str) else [{}]
        for bidder, tail, partner in product((seats.chairs[0], seats.chairs[-1]), tricks, partners):
            yield {"bidder": bidder, "bid": bid, **partner, **tail}
    if one.bidding.pitching:
        overtaken = {"bidder": seats.chairs[-1], "bid": PITCHED_BID, "overtook_pitch": True}
        yield from ({**overtaken, **partner} for partner in partners)


def _splits(one: Ruleset, other: Ruleset, seats: Seats) -> Iterator[dict[str, Any]]:
    """Yield who took what: points in every way between two, some awards to each of them, Game tied, nobody's cards."""
    awards = {**other.in_play, **one.in_play}
    usual = [award_id for award_id in awards if award_id in one.usual_awards or award_id in other.usual_awards]
    seldom = [award_id for award_id in awards if award_id not in usual]
    first, *others = seats.ids
    last = others[-1]
    pairs = [(first, last), (last, first), (others[0], last)] if len(others) > 1 else [(first, last), (last, first)]
    counted = one.card_points_award or other.card_points_award
    points = sum(awards[award_id].points for award_id in usual)
    nothing = dict.fromkeys(seats.ids, 0)
    for one_side, other_side in pairs:
        yield from ({"points": {**nothing, one_side: n, other_side: points - n}} for n in _spread(points))
        yield from ({"points": {**nothing, one_side: n}} for n in (0, points - 1))
        for count in sorted({0, 1, len(usual) // 2, len(usual) - 1, len(usual)}):
            takers: dict[str, str | None] = {
                award_id: one_side if i < count else other_side for i, award_id in enumerate(usual)
            }
            yield {"taken": takers}
            if counted in takers:
                for tied in ((one_side, other_side), seats.ids[:3]):
                    yield {"taken": {**takers, counted: None}, "card_points": dict.fromkeys(tied, 12)}
                yield {"taken": {**takers, counted: None}}
    for lost in usual:
        yield {"taken": {**dict.fromkeys(usual, first), lost: None}}
    for award in seldom:
        taken = {**dict.fromkeys(usual, last), award: first}
        yield from ({"taken": taken, "times": times} for times in (None, {award: 2}))
    if len(seldom) > 1:
        yield {"taken": {**dict.fromkeys(usual, last), **dict.fromkeys(seldom, first)}}


def _spread(points: int) -> Iterator[int]:
    """Yield every number of points up to a few, and of many the smallest, the largest and those in the middle."""
    ends = {*range(5), *range(points - 4, points + 1), *range(points // 2 - 2, points // 2 + 3)}
    yield from (number for number in range(points + 1) if points < 12 or number in ends)
