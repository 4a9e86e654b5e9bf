"""What each line of a hand is for."""

from scorekeeper.engine.match import HandResult
from scorekeeper.engine.scoring import Reason, ScoreLine
from scorekeeper.narration.phrases import bid_word

_REASONS = {
    Reason.TOOK: "took",
    Reason.MADE_BID: "made the bid",
    Reason.MADE_SPECIAL: "made",
    Reason.WENT_SET: "set",
    Reason.PARTNER_SPARED: "the partner is not set",
    Reason.TOOK_SET: "went set instead of bidding",
    Reason.HELD_AT_ONE: "stopped at 1 against a made bid",
    Reason.MOON_WINS: "shot the moon: that wins the match",
    Reason.MOON_LOSES: "missed the moon: that loses the match",
    Reason.MOON_TO_ZERO: "shot the moon from below zero: up to 0",
    Reason.MOON_TO_MINUS_FOUR: "missed the moon: the score becomes −4",
    Reason.MONEY_ONLY: "paid in money, not in points",
    Reason.PENALTY: "penalty",
}


def line_words(result: HandResult, line: ScoreLine) -> str:
    """Return what a line is for, without its points."""
    if line.award:
        return result.ruleset.awards[line.award].name
    words = _REASONS[line.reason]
    if line.reason == Reason.PENALTY:
        return f"{words} {(result.hand.penalties or {})[line.side]}"
    if line.reason == Reason.TOOK:
        return f"{words} {abs(line.points)}"
    if line.reason in (Reason.MADE_SPECIAL, Reason.WENT_SET):
        words = f"bid {bid_word(result.bid)}{_took(result)}: {words}"
    elif line.reason == Reason.MOON_TO_MINUS_FOUR and line.points > 0:
        words = f"{words}, which is a gain"
    elif line.reason not in (Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR):
        return words
    return f"{words}{_out_of_play(result)}"


def _took(result: HandResult) -> str:
    """Return what the bidding side took of a bid in points."""
    if not isinstance(result.bid, int) or result.score is None or result.hand_sides is None:
        return ""
    return f", took {result.score.points[result.hand_sides.bidders[0]]}"


def _out_of_play(result: HandResult) -> str:
    """Return the reason where a bid for every point failed only for a point that nobody took (`001`, burned cards)."""
    score, hand_sides = result.score, result.hand_sides
    if not isinstance(result.bid, str) or score is None or hand_sides is None or score.made is not False:
        return ""
    took = score.points[hand_sides.bidders[0]]
    left = sum(points for side, points in score.points.items() if side not in hand_sides.bidders)
    return ", because a point went to nobody" if 0 < took < result.ruleset.points_per_hand and not left else ""
