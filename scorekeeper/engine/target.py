"""The score that ends a match, and which of two scores is better, whichever way a match counts."""

from collections.abc import Iterable, Mapping

from scorekeeper.engine.hand import SideId
from scorekeeper.rules.schema import Ruleset


def comparable(ruleset: Ruleset, score: int) -> int:
    """Return a score turned so that more is better, whichever way the match counts."""
    return -score if ruleset.winning.count_down_from else score


def target_of(ruleset: Ruleset) -> int | None:
    """Return the score that ends the match: 0 when counting down, `None` where none is agreed."""
    if ruleset.winning.length == "hands" or ruleset.winning.win_rule is None:
        return None
    return 0 if ruleset.winning.count_down_from else ruleset.winning.target


def has_reached_target(ruleset: Ruleset, score: int) -> bool:
    """Return whether a score has reached the target."""
    target = target_of(ruleset)
    if target is None:
        return False
    return score <= target if ruleset.winning.count_down_from else score >= target


def leading(ruleset: Ruleset, scores: Mapping[SideId, int], among: Iterable[SideId]) -> tuple[SideId, ...]:
    """Return whoever of some sides has the best score."""
    among = tuple(among)
    best = max(comparable(ruleset, scores[side]) for side in among)
    return tuple(side for side in among if comparable(ruleset, scores[side]) == best)


def second_best(ruleset: Ruleset, scores: Iterable[int]) -> int | None:
    """Return the best score that two sides have, or have passed; `None` where one side plays alone."""
    ordered = sorted(scores)
    if len(ordered) < 2:
        return None
    return ordered[1] if ruleset.winning.count_down_from else ordered[-2]
