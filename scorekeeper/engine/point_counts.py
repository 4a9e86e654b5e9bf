"""Whether points entered as bare counts can have been taken with the awards in play."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from scorekeeper.rules.schema import Ruleset

_MOST_TRIED = 5000
"""Ways to share the points that are looked at: no known game has more than 40."""


def count_problem(
    ruleset: Ruleset, points: tuple[int, ...], *, complete: bool, counted: tuple[int, ...] | None = None
) -> tuple[str, str] | None:
    """Return why counts by group cannot be, as a code and a sentence; `None` where they can.

    `complete`: every group is among them. `counted`: the groups that score Game, where card points have decided it.
    """
    worth = ruleset.points_per_hand
    shared = _shared_game(ruleset, len(points))
    if any(number > worth for number in points) or sum(points) > worth + shared:
        return "too_many_points", f"{sum(points)} points were given, but a hand is worth only {worth}."
    if not _can_be(ruleset, points, complete, counted):
        if counted is not None and _can_be(ruleset, points, complete):
            return "against_the_count", "The card points give Game to a side that these counts leave no room for."
        certain = [award.name for award in ruleset.in_play.values() if not award.unclaimed]
        hint = f" {' and '.join(certain)} always go to someone." if certain and complete else ""
        return "impossible_counts", f"The points can’t split that way.{hint}"
    return None


def _shared_game(ruleset: Ruleset, groups: int) -> int:
    """Return the most by which a Game shared on tied card points raises the sum."""
    if ruleset.counted_award is None or ruleset.points.game_tie != "all_tied_score":
        return 0
    return ruleset.awards[ruleset.counted_award].points * (groups - 1)


def _can_be(ruleset: Ruleset, points: tuple[int, ...], complete: bool, counted: tuple[int, ...] | None = None) -> bool:
    awards = sorted(ruleset.in_play.items(), key=lambda item: -item[1].points)
    either = {card: ruleset.awards[caught].points for caught, card in ruleset.in_place_of.items()}
    worths = tuple(
        (tuple({award.points, either.get(it, award.points)}), award.unclaimed, it == ruleset.counted_award)
        for it, award in awards
        if it not in ruleset.in_place_of
    )
    return _can_hand_out(worths, _shared_game(ruleset, 2) > 0, points, complete, counted)


@lru_cache(maxsize=4096)  # a match has few ways to split its points, and they are tried again for every correction
def _can_hand_out(
    awards: tuple[tuple[tuple[int, ...], bool, bool], ...],
    shares_game: bool,
    points: tuple[int, ...],
    complete: bool,
    counted: tuple[int, ...] | None,
) -> bool:
    """Try to hand out the awards, the most valuable first, so that each group gets its count.

    Of each award: its possible worths, whether it may go to nobody, and whether it goes to the most card points. Where
    there are too many ways to look at them all, the counts are taken as they are.
    """
    # Card points alone tell groups apart: after that award, groups with the same points left are alike.
    awards = tuple(sorted(awards, key=lambda award: not award[2]))
    least, most = [0], [0]
    for worths, may_be_nobodys, _ in reversed(awards):
        least.insert(0, least[0] + (0 if may_be_nobodys or not complete else min(worths)))
        most.insert(0, most[0] + max(worths))
    seen: set[tuple[int, tuple[int, ...]]] = set()
    waiting = [(0, points)]
    while waiting and len(seen) < _MOST_TRIED:
        at, left = waiting.pop()
        if at == len(awards):
            if not any(left):
                return True
            continue
        worths, may_be_nobodys, is_counted = awards[at]
        if is_counted and counted is not None:
            ways = [_without(left, counted, worths[0])] if all(left[i] >= worths[0] for i in counted) else []
        else:
            kept = [left] if may_be_nobodys or not complete else []
            ways = [*kept, *_ways(left, worths, shares=is_counted and shares_game)]
        for way in ways:
            known = at + 1, tuple(sorted(way))
            if least[at + 1] <= sum(way) <= most[at + 1] and known not in seen:
                seen.add(known)
                waiting.append(known)
    return bool(waiting)


def _ways(left: tuple[int, ...], worths: tuple[int, ...], *, shares: bool) -> Iterator[tuple[int, ...]]:
    """Yield what is left after each way in which an award goes to somebody, those with the most left coming last."""
    for worth in worths:
        fits = [i for i, number in enumerate(left) if number >= worth]
        if shares:
            for number in range(len(fits), 1, -1):
                yield from (_without(left, tied, worth) for tied in combinations(fits, number))
        yield from (_without(left, (i,), worth) for i in sorted(fits, key=left.__getitem__))


def _without(left: tuple[int, ...], groups: tuple[int, ...], worth: int) -> tuple[int, ...]:
    return tuple(number - worth if i in groups else number for i, number in enumerate(left))
