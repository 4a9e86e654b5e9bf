"""Results in sentences that a family can read."""

from collections.abc import Sequence

from scorekeeper.engine.hand import Bid, SideId
from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.outcome import is_there, target_of, worth
from scorekeeper.engine.scoring import Reason, ScoreLine
from scorekeeper.engine.seats import Seats

MINUS = "−"


def signed(number: int) -> str:
    """Write a change of score with its sign: +3, 0, −5."""
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    """Write a number with a real minus."""
    return f"{MINUS}{-number}" if number < 0 else str(number)


def listed(names: Sequence[str]) -> str:
    """Join names as one says them: A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def bid_word(bid: Bid | None) -> str:
    """Write a bid as the table says it."""
    return str(bid).replace("_", " ")


def verb(seats: Seats, names: Sequence[SideId], plural: str, singular: str) -> str:
    """Choose the form of a verb: Us win, Ann wins."""
    many = len(names) != 1 or seats.side(names[0]).plural
    return plural if many else singular


def because(state: MatchState, *, stopped: bool = False) -> str:
    """Say in a sentence or two who won and by which rule, or why nobody has yet."""
    if state.outcome:
        return _won(state)
    if stopped:
        return f"The table stopped before there was a winner. {_lead(state)}"
    return _nobody_yet(state)


def _won(state: MatchState) -> str:
    outcome = state.outcome
    if outcome is None:
        return ""
    winners = outcome.winners
    who, hand = listed(winners), _deciding(state)
    win, have = verb(state.seats, winners, "win", "wins"), verb(state.seats, winners, "have", "has")
    score = plain(state.scores[winners[0]])
    target = target_of(state.ruleset)
    match outcome.rule:
        case "made_bid" if hand:
            stand = verb(state.seats, winners, "stand", "stands")
            bid = f"{who} bid {bid_word(hand.bid)}, made it, and {stand} at {score}."
            if _side(state, hand.bidder) != winners[0]:
                bid = f"{who} {verb(state.seats, winners, 'were', 'was')} on the side that made its bid, and {stand} at {score}."
            return bid + _there_too(state, hand)
        case "first_to_target":
            at = "down at 0" if state.ruleset.winning.count_down_from else f"at {target}"
            return f"{who} {have} {score}, and {win}: nobody else is {at}."
        case "bidder_first":
            if hand and _side(state, hand.bidder) in winners:
                return f"{_both_there(state)} {who} won the bidding, so {who} {win} with {score}."
            if hand and hand.camps and hand.camps.has_bidders and winners[0] in hand.camps.groups[0]:
                return f"{_both_there(state)} The bidding side goes first, so {who} {win} with {score}."
            return f"{_both_there(state)} {who} {have} the best score of them, so {who} {win} with {score}."
        case "higher_score":
            level = [s for s, n in state.scores.items() if n == state.scores[winners[0]]]
            if len(level) > 1:
                return f"{_both_there(state)} The scores are level, and {who} had the bid, so {who} {win}."
            return f"{_both_there(state)} The better score wins, so {who} {win} with {score}."
        case "point_order":
            order = ", ".join(award.name for award in state.ruleset.in_play.values())
            return f"{_both_there(state)} Counted in the order {order}, {who} {verb(state.seats, winners, 'were', 'was')} there first."
        case "bidder_or_play_on":
            return f"{who} bid {bid_word(hand.bid) if hand else ''} and {have} {score}: the bidder goes out before anybody else."
        case "moon_won":
            return f"{who} shot the moon and made it: that wins the match."
        case "moon_lost":
            lost = listed(outcome.losers)
            return f"{lost} shot the moon and did not make it: that loses the match, so {who} {win}."
        case "all_points":
            return f"{who} took every point of the hand: that wins the match."
        case "set_limit":
            lost = listed(outcome.losers)
            were = verb(state.seats, outcome.losers, "were", "was")
            return f"{lost} {were} set {state.ruleset.winning.set_limit} times: that loses the match, so {who} {win}."
        case _:
            share = "share the win" if len(winners) > 1 else win
            hands = state.ruleset.winning.hands
            return f"{hands} hands are played. {who} {have} the best score, {score}, and {share}."


def _side(state: MatchState, who: str | None) -> SideId | None:
    return state.seats.side_of(who) if who is not None else None


def _deciding(state: MatchState) -> HandResult | None:
    """Give the last hand that scored."""
    return next((hand for hand in reversed(state.hands) if hand.status == "scored"), None)


def _there_too(state: MatchState, hand: HandResult) -> str:
    """Name those who have enough as well, and why it did not win."""
    winners = state.outcome.winners if state.outcome else ()
    others = [s for s in state.seats.names if s not in winners and is_there(state.ruleset, state.scores[s])]
    said = ""
    for name in others:
        have = verb(state.seats, [name], "have", "has")
        said += f" {name} {have} {plain(state.scores[name])} but did not bid this hand."
    return said


def _both_there(state: MatchState) -> str:
    there = [s for s in state.seats.names if is_there(state.ruleset, state.scores[s])]
    target = target_of(state.ruleset)
    return f"{listed(there)} got to {target} in the same hand."


def _lead(state: MatchState) -> str:
    best = max(worth(state.ruleset, score) for score in state.scores.values())
    leaders = [name for name, score in state.scores.items() if worth(state.ruleset, score) == best]
    if len(leaders) == len(state.scores):
        return f"All are level at {plain(state.scores[leaders[0]])}."
    rest = [f"{name} {plain(score)}" for name, score in state.scores.items() if name not in leaders]
    lead = verb(state.seats, leaders, "lead", "leads")
    return f"{listed(leaders)} {lead} with {plain(state.scores[leaders[0]])}; {listed(rest)}."


def _nobody_yet(state: MatchState) -> str:
    ruleset = state.ruleset
    winning = ruleset.winning
    if winning.length == "hands":
        if winning.hands and state.scored >= winning.hands:
            return f"{winning.hands} hands are played, and the best score is level: play another hand."
        return f"The match goes on: {state.scored} of {winning.hands} hands are played. {_lead(state)}"
    if winning.win_rule is None:
        return "No win rule has been agreed, so no score ends the match."
    target = target_of(ruleset)
    if target is None:
        if "target" in ruleset.to_agree:
            return "No target has been agreed, so no score ends the match."
        return "No score ends this match: it is settled in money when the table stops."
    there = [s for s in state.seats.names if is_there(ruleset, state.scores[s])]
    if not there:
        return f"Nobody has {'come down to 0' if winning.count_down_from else f'reached {target}'} yet."
    have = listed([f"{name} {verb(state.seats, [name], 'have', 'has')} {plain(state.scores[name])}" for name in there])
    if winning.win_rule == "made_bid":
        return f"{have}, but only a made bid goes out. Play on."
    if winning.win_by and len(there) < 2:
        return f"{have}, but a lead of {winning.win_by} is needed. Play on."
    if state.overtime:
        return f"{have}, and none of them was the bidder: play on until a bidder makes a bid and is there."
    return f"{have}: that is not decided by the rule of this table. Play another hand."


_REASONS = {
    Reason.TOOK: "took points",
    Reason.MADE_BID: "made the bid",
    Reason.MADE_SPECIAL: "made it",
    Reason.WENT_SET: "set",
    Reason.PARTNER_SPARED: "the partner is not set",
    Reason.TOOK_SET: "took the set instead of bidding",
    Reason.HELD_AT_ONE: "held at 1 against a made bid",
    Reason.MOON_WINS: "shot the moon: that wins the match",
    Reason.MOON_LOSES: "missed the moon: that loses the match",
    Reason.MOON_TO_ZERO: "shot the moon from below zero: up to 0",
    Reason.MOON_TO_MINUS_FOUR: "missed the moon: the score becomes −4",
    Reason.MONEY_ONLY: "paid in money, not in points",
}


def line_words(hand: HandResult, line: ScoreLine) -> str:
    """Say what a line is for, without its points."""
    if line.award:
        return hand.ruleset.awards[line.award].name
    if line.reason in (Reason.MADE_SPECIAL, Reason.WENT_SET):
        return f"{bid_word(hand.bid)}, {_REASONS[line.reason]}"
    if line.reason == Reason.MOON_TO_MINUS_FOUR and line.points > 0:
        return "missed the moon: the score becomes −4, and that is a gain"
    return _REASONS[line.reason]
