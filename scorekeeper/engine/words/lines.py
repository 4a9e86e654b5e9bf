"""What each line of a hand is for."""

from scorekeeper.engine.matches import HandResult
from scorekeeper.engine.scoring import Reason, ScoreLine
from scorekeeper.engine.words.phrases import bid_word

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
        return f"{bid_word(hand.bid)}, {_REASONS[line.reason]}{_out_of_play(hand)}"
    if line.reason == Reason.MOON_TO_MINUS_FOUR and line.points > 0:
        return f"missed the moon: the score becomes −4, and that is a gain{_out_of_play(hand)}"
    if line.reason in (Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR):
        return f"{_REASONS[line.reason]}{_out_of_play(hand)}"
    return _REASONS[line.reason]


def _out_of_play(hand: HandResult) -> str:
    """Say it where a bid for every point failed only because one of them was nobody's (`001`, burned cards)."""
    score, camps = hand.score, hand.camps
    if not isinstance(hand.bid, str) or score is None or camps is None or score.made is not False:
        return ""
    took = score.points[camps.groups[0][0]]
    left = sum(points for side, points in score.points.items() if side not in camps.groups[0])
    return ", for a point was nobody’s" if 0 < took < hand.ruleset.on_offer and not left else ""
