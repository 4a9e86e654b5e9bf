"""Whether points by side can be: some way to hand the awards out has to make them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.fault_codes import RefusalCode
from scorekeeper.rules.schema import Ruleset

_MOST_TRIED = 5000
"""Ways to share the points that are looked at: no known game has more than 40."""


def count_problem(
    ruleset: Ruleset, points: tuple[int, ...], *, complete: bool, counted: tuple[int, ...] | None = None
) -> tuple[RefusalCode, str] | None:
    """Return why counts by group cannot be, as a code and a sentence; `None` where they can.

    `complete`: every group is among them. `counted`: the groups that score Game, where card points have decided it.
    """
    worth = ruleset.points_per_hand
    shared = _shared_game(ruleset, len(points))
    if any(number > worth for number in points) or sum(points) > worth + shared + _shared_gift(ruleset, len(points)):
        return "too_many_points", f"{sum(points)} points were given, but a hand is worth only {worth}."
    if not can_be_split(ruleset, points, complete, counted):
        if counted is not None and can_be_split(ruleset, points, complete):
            return "against_the_count", "The card points give Game to a side that these counts leave no room for."
        certain = dict.fromkeys(award.name for award in ruleset.in_play.values() if not award.unclaimed)
        hint = f" {' and '.join(certain)} always go to someone." if certain and complete else ""
        return "impossible_counts", f"The points can’t split that way.{hint}"
    return None


def _shared_game(ruleset: Ruleset, groups: int) -> int:
    """Return the most by which a Game shared on tied card points raises the sum."""
    if ruleset.counted_award is None or ruleset.points.game_tie != "all_tied_score":
        return 0
    return ruleset.awards[ruleset.counted_award].points * (groups - 1)


def _shared_gift(ruleset: Ruleset, groups: int) -> int:
    """Return by how much a gift to all others raises the sum."""
    return ruleset.awards[ruleset.shared_gift].points * (groups - 2) if ruleset.shared_gift else 0


Barred = Mapping[AwardId, frozenset[int]]
"""The groups that cannot have an award, for some awards."""


def can_be_split(
    ruleset: Ruleset,
    points: tuple[int, ...],
    complete: bool,
    counted: tuple[int, ...] | None = None,
    barred: Barred | None = None,
) -> bool:
    awards = sorted(ruleset.in_play.items(), key=lambda item: -item[1].points)
    either = {card: ruleset.awards[caught].points for caught, card in ruleset.in_place_of.items()}
    worths = tuple(
        (
            tuple({award.points, either.get(award_id, award.points)}),
            award.unclaimed,
            award_id == ruleset.counted_award,
            award_id == ruleset.shared_gift,
            (barred or {}).get(award_id, frozenset()),
        )
        for award_id, award in awards
        if award_id not in ruleset.in_place_of
    )
    return can_hand_out(worths, _shared_game(ruleset, 2) > 0, points, complete, counted)


@lru_cache(maxsize=4096)  # a match has few ways to split its points, and they are tried again for every correction
def can_hand_out(
    awards: tuple[tuple[tuple[int, ...], bool, bool, bool, frozenset[int]], ...],
    shares_game: bool,
    points: tuple[int, ...],
    complete: bool,
    counted: tuple[int, ...] | None,
) -> bool:
    """Try to hand out the awards, the most valuable first, so that each group gets its count.

    Of each award: its possible worths, whether it may go to nobody, whether it goes to the most card points, whether to
    all but the dealer, and the groups that cannot have it. Where there are too many ways to look at them all, the
    counts are taken as they are.
    """
    # Card points, and who cannot have an award, tell groups apart: after those, groups with the same points left are
    # alike.
    awards = tuple(sorted(awards, key=lambda award: not (award[2] or award[4])))
    told_apart = sum(1 for award in awards if award[2] or award[4])
    least, most = [0], [0]
    for worths, may_be_nobodys, _, is_shared, _ in reversed(awards):
        least.insert(0, least[0] + (0 if may_be_nobodys or not complete else min(worths)))
        most.insert(0, most[0] + max(worths) * (len(points) - 1 if is_shared else 1))
    seen: set[tuple[int, tuple[int, ...]]] = set()
    waiting = [(0, points)]
    while waiting and len(seen) < _MOST_TRIED:
        at, left = waiting.pop()
        if at == len(awards):
            if not any(left):
                return True
            continue
        worths, may_be_nobodys, is_counted, is_shared, barred = awards[at]
        if is_shared:
            ways = [left, *_all_but_one(left, worths[0])]
        elif is_counted and counted is not None:
            ways = [left_after(left, counted, worths[0])] if all(left[i] >= worths[0] for i in counted) else []
        else:
            kept = [left] if may_be_nobodys or not complete else []
            ways = [*kept, *_ways(left, worths, barred, shares=is_counted and shares_game)]
        for way in ways:
            known = at + 1, way if at + 1 < told_apart else tuple(sorted(way))
            if least[at + 1] <= sum(way) <= most[at + 1] and known not in seen:
                seen.add(known)
                waiting.append(known)
    return bool(waiting)


def _ways(
    left: tuple[int, ...], worths: tuple[int, ...], barred: frozenset[int], *, shares: bool
) -> Iterator[tuple[int, ...]]:
    """Yield what is left after each way in which an award goes to somebody, those with the most left coming last."""
    for worth in worths:
        fits = [i for i, number in enumerate(left) if number >= worth and i not in barred]
        if shares:
            for number in range(len(fits), 1, -1):
                yield from (left_after(left, tied, worth) for tied in combinations(fits, number))
        yield from (left_after(left, (i,), worth) for i in sorted(fits, key=left.__getitem__))


def _all_but_one(left: tuple[int, ...], worth: int) -> Iterator[tuple[int, ...]]:
    """Yield what is left after each way in which all groups but one get an award."""
    for dealt in range(len(left)):
        others = tuple(i for i in range(len(left)) if i != dealt)
        if all(left[i] >= worth for i in others):
            yield left_after(left, others, worth)


def left_after(left: tuple[int, ...], groups: tuple[int, ...], worth: int) -> tuple[int, ...]:
    """Return the points that are left to each group once some of them got an award."""
    return tuple(number - worth if i in groups else number for i, number in enumerate(left))
