"""The score of one hand, as lines with points and a reason each.

| rule                                           | source                  | tested in                          |
|------------------------------------------------|-------------------------|------------------------------------|
| a made bid scores the points taken             | 002 Scoring, 001, 003   | scenarios/partnership-pitch        |
| a made bid scores the bid                      | 002 Charbonneau         | scenarios/charbonneau-ten-point    |
| a made bid scores nothing                      | 002 Racehorse           | scenarios/racehorse                |
| a set costs the bid, whatever was taken        | 002 Scoring, 001, 003   | scenarios/partnership-pitch        |
| defenders keep what they took                  | 002 Scoring, 001, 003   | scenarios/partnership-pitch        |
| a set costs nothing, the others score the bid  | 051 Cinch               | scenarios/cinch                    |
| defenders all score what they took together    | 002 Pawnee, 001, 003    | scenarios/razzle-dazzle            |
| defenders score nothing                        | 002 Racehorse           | scenarios/racehorse                |
| a called partner wins and loses with the bid   | 002 Pawnee              | scenarios/pawnee-call-your-partner |
| smudge: every point and every trick            | 002 Bidding             | scenarios/partnership-pitch        |
| moon for a stake; double moon                  | 001 Scoring, 002 Pawnee | scenarios/colorado-ten-point       |
| moon wins the match or lifts to 0, or loses it | 002 Charbonneau         | scenarios/charbonneau-ten-point    |
| failed moon: the score becomes minus four      | 002 Moon over Four      | scenarios/moon-over-four           |
| moon for money leaves the shooter's points     | 002 Money game          | scenarios/money-pitch              |
| a dealer set after overtaking loses double     | 002 Pitching            | scenarios/partnership-pitch        |
| counting down; defenders stop at one           | 002 Nine Card Pitch     | scenarios/nine-card-pitch          |
| counting up; defenders stop one short          | 023 Smear               | scenarios/canadian-smear           |
| all pass, and everybody scores what they take  | 026 Auction Pitch       | scenarios/hoyle-auction-pitch      |
| every point in one hand wins outright          | house option            | scenarios/partnership-pitch        |
| a called partner is spared                     | house option            | scenarios/razzle-dazzle            |
| a dealer who takes the set loses the bid       | house option            | scenarios/partnership-pitch        |
| a penalty counts against the side              | the table decides       | scenarios/partnership-pitch        |
| a penalty is paid where every hand is paid     | the table decides       | scenarios/racehorse                |
| points for the others' mistake count first     | 031 Yorkshire, Trinidad | scenarios/yorkshire-all-fours      |
| a mistake that costs Game, or the match        | 031 Trinidad            | scenarios/trinidad-all-fours       |
| each card turned up scores, one twice as well  | 031 Trinidad, 032, 033  | scenarios/trinidad-all-fours       |

The play itself is not here: no card is dealt or played by this program.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import Literal, NamedTuple

from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Bid, BySide, Contract, Hand, SideId, SideIds
from scorekeeper.pitch.scoring.seats import HandSides, Seats, divide_sides
from scorekeeper.pitch.scoring.standing import has_reached_target, target_score
from scorekeeper.pitch.scoring.taken import Taken

MINUS_FOUR = -4
"""The score after a failed moon, whatever it was before (`002`, Moon over Four)."""


class Reason(StrEnum):
    """Why a side scores the points of a score line."""

    TOOK = "took"
    """The side took the points."""
    MADE_BID = "made_bid"
    """The side made its bid, and scores the bid or, by some rules, nothing."""
    MADE_SPECIAL = "made_special"
    """The side made a special bid, such as a moon."""
    WENT_SET = "set"
    """The side was set on its bid."""
    BID_OF_OTHERS = "bid_of_others"
    """Another side was set on its bid, and this side scores that bid."""
    PARTNER_SPARED = "partner_spared"
    """The bidder was set, but the side of the called partner loses nothing."""
    TOOK_SET = "took_set"
    """The side's dealer went set instead of bidding."""
    HELD_AT_ONE = "held_at_one"
    """Points are taken back from a defender where scores count down, so that its score stops at 1."""
    HELD_SHORT = "held_short"
    """Points are taken back from a defender, so that its score stops one short of the target."""
    RENEGED_SHORT = "reneged_short"
    """Points are taken back from a side that reneged, so that its score stops one short of the target."""
    MOON_WINS = "moon_wins"
    """The side made a moon that wins the match outright."""
    MOON_LOSES = "moon_loses"
    """The side failed at a moon, and by that loses the match outright."""
    MOON_TO_ZERO = "moon_to_zero"
    """The side made a moon that lifts its score from below 0 to 0."""
    MOON_TO_MINUS_FOUR = "moon_to_minus_four"
    """The side failed at a moon, and its score becomes `MINUS_FOUR`."""
    MONEY_ONLY = "money_only"
    """The side's bid is paid in money at once, and changes no score."""
    PENALTY = "penalty"
    """Points are taken off the side's score for its own mistake."""
    PENALTY_TO = "penalty_to"
    """Points are given to the side for a mistake of the others."""
    FORFEIT = "forfeit"
    """The side lost the match by a renege."""


class ScoreLine(NamedTuple):
    """A change of one side's score in a hand, with the reason for it.

    The points may be 0 or negative.
    """

    side: SideId
    points: int
    reason: Reason
    rules: tuple[str, ...]
    """The ids of the rules to cite for the line. The rule sheet of the game may lack some of them."""
    award: AwardId | None = None


@cache  # score lines share the tuple
def award_rules(award_id: AwardId) -> tuple[str, ...]:
    """Return the id of the rule that scores an award, as a tuple of one: `("count.jack",)`. Cached."""
    return (f"count.{award_id}",)


def bid_rules(bid: Bid | None, *, made: bool) -> tuple[str, ...]:
    """Return the ids of the rules on a bid that is made or set.

    If `bid` is `None` or a number, they are those on any numbered bid.
    """
    if isinstance(bid, str):
        return (f"bid.{bid}",)
    return ("count.made", "count.paid") if made else ("count.set", "count.paid_set")


_DEFENDERS_RULES = ("count.defenders", "count.unbid")
"""The ids of the rules on the points that a side takes without having bid."""
_RENEGE_RULES = ("play.renege",)
"""The id of the rule on what a renege costs, as a tuple of one."""
_MOON_RULES = ("bid.moon_wins",)
"""The id of the rule on a moon that does more than score points, as a tuple of one."""


InstantEndingReason = Literal["moon_won", "moon_lost", "forfeit"]


class InstantEnding(NamedTuple):
    """An end of the match by a moon or a forfeit, whatever the scores are.

    Either `winners` win, or `losers` lose.
    """

    reason: InstantEndingReason
    winners: SideIds = ()
    losers: SideIds = ()


class HandScore(NamedTuple):
    """The score of one hand, with the sides that were set, the payments, and whether it ends the match at once."""

    lines: tuple[ScoreLine, ...]
    points: BySide
    """The points that each side took. Sides in one group each have the points of the whole group."""
    made: bool | None = None
    """Whether the bid was made; `None` if nobody bid."""
    sets: BySide | None = None
    """1 for each side that was set in this hand; empty or `None` if no side was."""
    set_stakes: BySide | None = None
    """The number of stakes that each side owes for being set in this hand: 1, or 2 for some failed moons."""
    payments: BySide | None = None
    """The cents that each side gets at once for this hand; negative if it pays."""
    instant_ending: InstantEnding | None = None


def score_hand(
    ruleset: Ruleset,
    seats: Seats,
    hand_sides: HandSides,
    contract: Contract,
    taken: Taken,
    scores_before: BySide,
    penalized_scores: BySide | None = None,
    *,
    all_tricks: bool = False,
) -> HandScore:
    """Return the score of a hand without faults, before `with_mistakes` adds its penalties.

    `scores_before` are the scores before the hand, and `penalized_scores` those with its penalties counted.
    `all_tricks` is whether the bidding side took every trick.
    """
    penalized_scores = penalized_scores or scores_before
    points = {side: taken.points[hand_sides.group_of(side)] for side in seats.ids}
    if not contract.is_bid:
        taken_lines = [line for side in seats.ids for line in _lines_for_taken(ruleset, hand_sides, taken, side)]
        lines = _stop_short(ruleset, seats.ids, taken_lines, penalized_scores, made=False)
        payments = _payments(ruleset, seats, hand_sides, contract, made=False)
        return HandScore(lines, points, payments=payments)
    made = is_made(ruleset, contract, taken, all_tricks=all_tricks)
    moon_ending = _moon_ending(ruleset, hand_sides, contract, scores_before, made)
    if moon_ending:
        # A bid that wins or loses the match outright changes no score, not even that of a partner below zero.
        lines = (ScoreLine(hand_sides.groups[0][0], 0, Reason.MOON_WINS if made else Reason.MOON_LOSES, _MOON_RULES),)
    else:
        bidders_lines = _bidders_lines(ruleset, hand_sides, contract, taken, scores_before, made)
        lines = (*bidders_lines, *_defenders_lines(ruleset, hand_sides, contract, taken, penalized_scores, made))
    sets = {} if made else dict.fromkeys(_sides_set_by_bid(ruleset, hand_sides), 1)
    # A failed moon that costs a score whatever it was is paid like two sets (`002`, Moon over Four).
    set_stakes = dict.fromkeys(sets, 2 if contract.bid == "moon" and ruleset.moon.moon == "to_minus_four" else 1)
    payments = _payments(ruleset, seats, hand_sides, contract, made=made)
    return HandScore(lines, points, made, sets, set_stakes, payments, moon_ending)


def score_taken_set(ruleset: Ruleset, seats: Seats, dealer: str, penalized_scores: BySide) -> HandScore:
    """Return the score of a hand in which the dealer went set instead of bidding.

    It is that of a bidder who is set on the forced bid. `penalized_scores` are those before the hand, with its mistakes
    counted.
    """
    side = seats.side_of(dealer) or dealer
    contract = Contract(dealer, ruleset.forced_bid)
    signed_cost = 0 if ruleset.pays_by_hand else ruleset.score_sign * ruleset.forced_bid
    others_score_bid = _bid_goes_to_defenders(ruleset, contract)
    lines = [ScoreLine(side, 0 if others_score_bid else -signed_cost, Reason.TOOK_SET, ("bid.all_pass",))]
    if others_score_bid:
        others = [other for other in seats.ids if other != side]
        bid_lines = [ScoreLine(other, signed_cost, Reason.BID_OF_OTHERS, ("count.set",)) for other in others]
        lines += _stop_short(ruleset, others, bid_lines, penalized_scores, made=False)
    payments = _payments(ruleset, seats, divide_sides(ruleset, seats, dealer, None), contract, made=False)
    return HandScore(tuple(lines), dict.fromkeys(seats.ids, 0), sets={side: 1}, set_stakes={side: 1}, payments=payments)


def with_mistakes(
    ruleset: Ruleset, seats: Seats, score: HandScore | None, hand: Hand, scores_before: BySide
) -> HandScore | None:
    """Return the score of a hand with its penalties, points given and forfeits added.

    `score` is `None` for a hand that was not played. In a hand without mistakes, it is returned unchanged.
    """
    if not hand.has_mistakes:
        return score
    score = score or HandScore((), dict.fromkeys(seats.ids, 0))
    lines = [*score.lines, *penalty_lines(ruleset, seats, hand)]
    payments = score.payments
    losers = tuple(side for side in seats.ids if (hand.forfeits or {}).get(side) == "match")
    if ruleset.pays_by_hand and (hand.penalties or hand.penalties_to):
        # A side pays its penalty to every other side, and gets what it is given from every other side.
        points_given = hand.penalties_to or {}
        points_taken_off = hand.penalties or {}
        mistake_points = {side: points_given.get(side, 0) - points_taken_off.get(side, 0) for side in seats.ids}
        total_points = sum(mistake_points.values())
        cents_per_point = ruleset.money.cents_per_point or 0
        payments = {
            side: (payments or {}).get(side, 0) + (side_points * len(mistake_points) - total_points) * cents_per_point
            for side, side_points in mistake_points.items()
        }
    lines += [ScoreLine(side, 0, Reason.FORFEIT, _RENEGE_RULES) for side in losers]
    lines += _renege_stop_lines(ruleset, seats, hand, lines, scores_before)
    instant_ending = InstantEnding("forfeit", losers=losers) if losers else score.instant_ending
    return score._replace(lines=tuple(lines), payments=payments, instant_ending=instant_ending)


def penalty_lines(ruleset: Ruleset, seats: Seats, hand: Hand) -> Iterator[ScoreLine]:
    """Yield a line for each side that loses or gets points for mistakes.

    The points are 0 where every hand is paid in money.
    """
    # Only for a misdeal is the kind of mistake known.
    misdeal_rules = ("deal.wrong_number", "deal.again") if hand.thrown_in == "misdeal" else ()
    rules = (*misdeal_rules, "argue.mistakes")
    for points_by_id, reason, sign in ((hand.penalties_to, Reason.PENALTY_TO, 1), (hand.penalties, Reason.PENALTY, -1)):
        factor = 0 if ruleset.pays_by_hand else sign * ruleset.score_sign
        yield from (
            ScoreLine(side, factor * points_by_id[side], reason, rules)
            for side in seats.ids
            if points_by_id and side in points_by_id
        )


def _renege_stop_lines(
    ruleset: Ruleset, seats: Seats, hand: Hand, lines: Sequence[ScoreLine], scores_before: BySide
) -> Iterator[ScoreLine]:
    """Yield a line for each side that gave up Game for a renege and must stop one short of the target.

    `lines` are those of the hand so far.
    """
    target = target_score(ruleset)
    if not ruleset.scoring.renege_stops_short or target is None:
        return
    for side in seats.ids:
        score_after = scores_before[side] + sum(line.points for line in lines if line.side == side)
        reaches_target = has_reached_target(ruleset, score_after) and not has_reached_target(
            ruleset, scores_before[side]
        )
        if reaches_target and (hand.forfeits or {}).get(side) == "game":
            yield ScoreLine(side, target - ruleset.score_sign - score_after, Reason.RENEGED_SHORT, _RENEGE_RULES)


def with_penalties(scores: BySide, lines: Iterable[ScoreLine]) -> dict[SideId, int]:
    """Return scores changed only by penalties and by points given for a mistake of the others."""
    penalized_scores = dict(scores)
    for line in lines:
        if line.reason in PENALTY_REASONS:
            penalized_scores[line.side] += line.points
    return penalized_scores


PENALTY_REASONS = (Reason.PENALTY, Reason.PENALTY_TO)
"""The reasons of lines that are counted before all others in a hand (interpretation R111 in `rulesets/READINGS.md`)."""


def is_made(ruleset: Ruleset, contract: Contract, taken: Taken, *, all_tricks: bool) -> bool:
    """Return whether the bidding side made its bid.

    It needs enough points and, for some special bids, every trick.
    """
    points_taken, bid = taken.points[0], contract.bid
    if isinstance(bid, int):
        return points_taken >= bid
    if sum(taken.points) > points_taken:  # somebody else has a point, or a part in Game
        return False
    has_all = points_taken >= ruleset.points_per_hand or taken.taker_of_all(ruleset) == 0
    needs_burned_points = ruleset.moon.moon_counts_burned == "all" or (ruleset.only_bidder_counts and not taken.awards)
    has_points = has_all if bid == "smudge" or needs_burned_points else points_taken >= max(taken.claimed, 1)
    return has_points and (all_tricks or not needs_every_trick(ruleset, contract))


def needs_every_trick(ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether the bid is made only with every trick, beside its points."""
    if contract.bid == "smudge":
        return True
    return contract.bid in ("moon", "double_moon") and ruleset.moon.moon_needs == "points_and_tricks"


def bid_stake(ruleset: Ruleset, contract: Contract, *, made: bool) -> int:
    """Return the points that a bid is worth if made, or costs if set, without a sign.

    Some rules score a bid in another way: see `_change_by_bid`.
    """
    moon = ruleset.moon
    match contract.bid:
        case int(number):
            stake = number
        case "smudge":
            stake = ruleset.smudge_value
        case "double_moon":
            stake = (moon.double_moon_made if made else moon.double_moon_set) or 0
        case _ if moon.moon == "win_or_minus_target":
            stake = ruleset.winning.target or 0
        case _ if moon.moon == "to_minus_four":
            stake = moon.moon_made or ruleset.bidding.max_bid or ruleset.points_per_hand
        case _:
            stake = (moon.moon_made if made else moon.moon_set) or ruleset.points_per_hand
    return stake * 2 if not made and _costs_double(ruleset, contract) else stake


def _costs_double(ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether a set costs double because the bid was made over a led card."""
    return contract.overtook_pitch and ruleset.bidding.double_loss_on_overtake


def _lines_for_taken(ruleset: Ruleset, hand_sides: HandSides, taken: Taken, side: SideId) -> list[ScoreLine]:
    """Return the lines for what a side's group took.

    There is one for each award; where only points were entered, there is one for all of them.
    """
    sign, group = ruleset.score_sign, hand_sides.group_of(side)
    if taken.awards:
        return [
            ScoreLine(side, sign * points, Reason.TOOK, award_rules(award_id), award_id)
            for award_id, taking_group, points in taken.awards
            if taking_group == group
        ]
    rules = bid_rules(None, made=True) if side in hand_sides.bidders else _DEFENDERS_RULES
    return [ScoreLine(side, sign * taken.points[group], Reason.TOOK, rules)] if taken.points[group] else []


def _bidders_lines(
    ruleset: Ruleset, hand_sides: HandSides, contract: Contract, taken: Taken, scores_before: BySide, made: bool
) -> list[ScoreLine]:
    """Return the lines of the bidder's side and of a called partner's.

    They are for a bid that does not end the match outright.
    """
    group = hand_sides.groups[0]
    if ruleset.pays_by_hand:
        return [ScoreLine(group[0], 0, Reason.MONEY_ONLY, _MOON_RULES if contract.bid == "moon" else ())]
    lines: list[ScoreLine] = []
    for side in group:
        if side != group[0] and not made and not ruleset.scoring.partner_set_too:
            lines.append(ScoreLine(side, 0, Reason.PARTNER_SPARED, ("count.partner_set_too",)))
        elif bid_change := _change_by_bid(ruleset, contract, scores_before[side], made):
            lines.append(ScoreLine(side, *bid_change))
        else:
            lines += _lines_for_taken(ruleset, hand_sides, taken, side)
    return lines


def _change_by_bid(
    ruleset: Ruleset, contract: Contract, score_before: int, made: bool
) -> tuple[int, Reason, tuple[str, ...]] | None:
    """Return how a bid changes the score of a bidder: the points, the reason and the rule ids.

    Return `None` if the side scores the points that it took.
    """
    rules = bid_rules(contract.bid, made=made)
    if not made and _costs_double(ruleset, contract):
        rules += ("bid.double_loss_on_overtake",)
    score_on_made = ruleset.scoring.score_on_made
    is_number = not isinstance(contract.bid, str)
    if made and is_number and score_on_made == "points":
        return None
    if not made and _bid_goes_to_defenders(ruleset, contract):
        return 0, Reason.WENT_SET, rules
    signed_stake = ruleset.score_sign * bid_stake(ruleset, contract, made=made)
    match ruleset.moon.moon if contract.bid == "moon" else "", made:
        case "money", _:
            return 0, Reason.MONEY_ONLY, _MOON_RULES
        case "to_minus_four", True:
            return signed_stake, Reason.MADE_SPECIAL, rules
        case "to_minus_four", False:
            return MINUS_FOUR - score_before, Reason.MOON_TO_MINUS_FOUR, _MOON_RULES
        case "win_or_lose" | "win_or_minus_target", True:  # the match is not won by it: everybody here was below zero
            return -score_before, Reason.MOON_TO_ZERO, _MOON_RULES
        case _, False:
            return -signed_stake, Reason.WENT_SET, rules
    if score_on_made == "nothing":
        return 0, Reason.MADE_BID, rules
    return signed_stake, Reason.MADE_BID if is_number else Reason.MADE_SPECIAL, rules


def _bid_goes_to_defenders(ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether a set on this bid costs the bidders nothing, and the defenders score the bid."""
    return ruleset.scoring.on_set == "bid_to_defenders" and isinstance(contract.bid, int)


def _moon_ending(
    ruleset: Ruleset, hand_sides: HandSides, contract: Contract, scores_before: BySide, made: bool
) -> InstantEnding | None:
    """Return the end of the match by a moon that wins or loses it outright; `None` if the match goes on."""
    if contract.bid != "moon" or ruleset.moon.moon not in ("win_or_lose", "win_or_minus_target"):
        return None
    if made:
        winners = tuple(side for side in hand_sides.groups[0] if scores_before[side] >= 0)
        return InstantEnding("moon_won", winners=winners) if winners else None
    losers = _sides_set_by_bid(ruleset, hand_sides)
    return InstantEnding("moon_lost", losers=losers) if ruleset.moon.moon == "win_or_lose" else None


def _defenders_lines(
    ruleset: Ruleset, hand_sides: HandSides, contract: Contract, taken: Taken, penalized_scores: BySide, made: bool
) -> tuple[ScoreLine, ...]:
    """Return the lines of the defenders, among them the lines that stop them short of the target."""
    if ruleset.scoring.defenders_score == "none":
        return ()
    defenders = [side for group in hand_sides.groups[1:] for side in group]
    lines = [line for side in defenders for line in _lines_for_taken(ruleset, hand_sides, taken, side)]
    if not made and _bid_goes_to_defenders(ruleset, contract):
        bid_points = ruleset.score_sign * bid_stake(ruleset, contract, made=made)
        lines += [ScoreLine(side, bid_points, Reason.BID_OF_OTHERS, ("count.set",)) for side in defenders]
    return _stop_short(ruleset, defenders, lines, penalized_scores, made=made)


def _stop_short(
    ruleset: Ruleset, sides: Iterable[SideId], lines: list[ScoreLine], penalized_scores: BySide, *, made: bool
) -> tuple[ScoreLine, ...]:
    """Return the lines of `sides` that did not bid, with further lines that stop them short of the target."""
    winning, target = ruleset.winning, target_score(ruleset)
    if target is None or not (winning.defenders_stop_at_one or winning.defenders_stop_short):
        return tuple(lines)  # nobody stops where no score ends the match
    for side in sides:
        score_after = penalized_scores[side] + sum(line.points for line in lines if line.side == side)
        # A side that was out before stays out.
        lowest_score = min(1, penalized_scores[side])
        highest_score = max(target - 1, penalized_scores[side])
        if winning.defenders_stop_short and score_after > highest_score:
            lines.append(ScoreLine(side, highest_score - score_after, Reason.HELD_SHORT, ("win.defenders_stop_short",)))
        elif winning.defenders_stop_at_one and made and score_after < lowest_score:
            lines.append(
                ScoreLine(side, lowest_score - score_after, Reason.HELD_AT_ONE, ("win.defenders_stop_at_one",))
            )
    return tuple(lines)


def _sides_set_by_bid(ruleset: Ruleset, hand_sides: HandSides) -> SideIds:
    """Return the sides that are set if the bid fails: the bidder's and, by some rules, the called partner's."""
    return hand_sides.groups[0] if ruleset.scoring.partner_set_too else hand_sides.groups[0][:1]


def _payments(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, contract: Contract, *, made: bool
) -> dict[SideId, int] | None:
    """Return the cents that each side gets at once for a bid; negative if it pays.

    They are all 0 for a bid that is not paid at once. In a game without money, return `None`.
    """
    if not ruleset.is_for_money:
        return None
    cents_for_each = 0
    if contract.bid == "moon" and ruleset.moon.moon == "money":
        cents_for_each = ruleset.money.moon_cents or 0
    elif contract.is_bid and ruleset.pays_by_hand:
        cents_for_each = bid_stake(ruleset, contract, made=made) * (ruleset.money.cents_per_point or 0)
    bidder_cents = cents_for_each if made else -cents_for_each
    bidders = hand_sides.groups[0]
    other_count = len(seats.ids) - len(bidders)
    return {side: bidder_cents * other_count if side in bidders else -bidder_cents * len(bidders) for side in seats.ids}
