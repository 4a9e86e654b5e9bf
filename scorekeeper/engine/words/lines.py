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
        return f"{bid_word(hand.bid)}, {_REASONS[line.reason]}"
    if line.reason == Reason.MOON_TO_MINUS_FOUR and line.points > 0:
        return "missed the moon: the score becomes −4, and that is a gain"
    return _REASONS[line.reason]
