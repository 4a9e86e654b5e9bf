"""What each line of a hand is for."""

from scorekeeper.engine.contract import Contract
from scorekeeper.engine.match import HandResult
from scorekeeper.engine.scoring import Reason, ScoreLine, needs_tricks
from scorekeeper.narration.phrases import bid_word

_REASONS = {
    Reason.TOOK: "took",
    Reason.MADE_BID: "made",
    Reason.MADE_SPECIAL: "made",
    Reason.WENT_SET: "set",
    Reason.PARTNER_SPARED: "the partner is not set",
    Reason.TOOK_SET: "went set instead of bidding",
    Reason.HELD_AT_ONE: "stopped at 1 against a made bid",
    Reason.HELD_SHORT: "stopped one short without the bid",
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
        award = result.ruleset.awards[line.award]
        return award.name if award.points == 1 else f"{award.name} {award.points}"
    words = _REASONS[line.reason]
    if line.reason == Reason.PENALTY:
        return f"{words} {(result.hand.penalties or {})[line.side]}"
    if line.reason == Reason.TOOK:
        return f"{words} {abs(line.points)}"
    if line.reason == Reason.MONEY_ONLY and result.score is not None and result.bid is not None:
        return f"bid {bid_word(result.bid)}{_took(result)}: {'made' if result.score.made else 'set'}, {words}"
    if line.reason in (Reason.MADE_BID, Reason.MADE_SPECIAL, Reason.WENT_SET):
        words = f"bid {bid_word(result.bid)}{_took(result)}: {words}"
    elif line.reason == Reason.MOON_TO_MINUS_FOUR and line.points > 0:
        words = f"{words}, which is a gain"
    elif line.reason not in (Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR):
        return words
    return f"{words}{_out_of_play(result)}"


def _took(result: HandResult) -> str:
    """Return what the bidding side took, and what a bid above the numbers needs."""
    if result.score is None or result.hand_sides is None:
        return ""
    took = f"took {result.score.points[result.hand_sides.bidders[0]]}"
    return (
        f", {took}"
        if isinstance(result.bid, int)
        else f", which needs {needs_words(result)}, {took}{tricks_words(result)}"
    )


def needs_words(result: HandResult) -> str:
    """Return what a bid above the numbers needs: "every point in play and every trick"."""
    in_play = result.bid != "smudge" and result.ruleset.moon.moon_counts_burned == "in_play"
    points = "every point in play" if in_play else f"all {result.ruleset.points_per_hand} points"
    return f"{points} and every trick" if _is_for_tricks(result) else points


def tricks_words(result: HandResult) -> str:
    """Return whether a side that had to take every trick did."""
    if not _is_for_tricks(result) or result.hand.all_tricks is None:
        return ""
    return " and every trick" if result.hand.all_tricks else ", but not every trick"


def _is_for_tricks(result: HandResult) -> bool:
    return needs_tricks(result.ruleset, Contract(result.bidder, result.bid))


def _out_of_play(result: HandResult) -> str:
    """Return the reason where a bid for every point failed only for a point that nobody took (`001`, burned cards)."""
    score, hand_sides = result.score, result.hand_sides
    if not isinstance(result.bid, str) or score is None or hand_sides is None or score.made is not False:
        return ""
    took = score.points[hand_sides.bidders[0]]
    left = sum(points for side, points in score.points.items() if side not in hand_sides.bidders)
    return ", because a point went to nobody" if 0 < took < result.ruleset.points_per_hand and not left else ""
