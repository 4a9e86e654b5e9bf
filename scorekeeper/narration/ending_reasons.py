"""How a match was decided in two or three words, for a card with little room."""

from collections.abc import Collection, Mapping

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult
from scorekeeper.engine.outcome import leading
from scorekeeper.rules.phrases import digits

_BID, _SCORE, GOT_THERE_FIRST = "had the bid", "the higher score", "got there first"
_REASONS: Mapping[str, str] = {
    "made_bid": "made the bid",
    "bidder_or_play_on": "made the bid",
    "point_order": GOT_THERE_FIRST,
    "moon_won": "made the moon",
    "moon_lost": "the moon was set",
    "all_points": "took every point",
    "set_limit": "on sets",
}


def ending_reason(rule: str | None, winners: Collection[SideId], last: HandResult) -> str:
    """Return why the last hand ended a match, given the rule that an outcome names: "had the bid"."""
    winning = last.ruleset.winning
    if rule == "first_to_target":
        down = winning.count_down_from
        return f"out from {down}" if down else f"reached {winning.target}"
    if rule == "hands":
        return f"after {digits(winning.hands or 0, 'hand')}"
    bidders = last.hand_sides.bidders if last.hand_sides and last.hand_sides.has_bidders else ()
    had_the_bid = any(side in bidders for side in winners)
    if rule == "bidder_first":
        return _BID if had_the_bid else _SCORE
    if rule == "bidder_then_point_order":
        return _BID if had_the_bid else GOT_THERE_FIRST
    if rule in ("higher_score", "higher_score_or_play_on"):
        return _SCORE if set(leading(last.ruleset, last.scores, last.scores)) == set(winners) else _BID
    return _REASONS.get(rule or "", "")
