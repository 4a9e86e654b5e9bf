"""How a match was decided in two or three words, for a card with little room."""

from collections.abc import Mapping

from scorekeeper.engine.match import HandResult
from scorekeeper.engine.outcome import ChosenBy, Outcome
from scorekeeper.rules.phrases import digits

_REASONS: Mapping[str, str] = {
    "made_bid": "made the bid",
    "bidder_or_play_on": "made the bid",
    "turned_up": "a card turned up",
    "moon_won": "made the moon",
    "moon_lost": "the moon was set",
    "all_points": "took every point",
    "set_limit": "on sets",
}
_CHOSEN: Mapping[ChosenBy, str] = {"bid": "had the bid", "order": "got there first", "score": "the higher score"}


def ending_reason(outcome: Outcome | None, last: HandResult) -> str:
    """Return why the last hand ended a match: "had the bid"; empty where that is not known."""
    if outcome is None:
        return ""
    winning = last.ruleset.winning
    if outcome.rule == "first_to_target":
        down = winning.count_down_from
        return f"out from {down}" if down else f"reached {winning.target}"
    if outcome.rule == "hands":
        return f"after {digits(winning.hands or 0, 'hand')}"
    if outcome.chosen_by == "score" and winning.count_down_from:
        return "the lower score"
    return _REASONS.get(outcome.rule) or _CHOSEN.get(outcome.chosen_by, "")
