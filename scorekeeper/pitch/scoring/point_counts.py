"""Whether points by side can be: some way to hand the awards out has to make them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.fault_codes import RefusalCode
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import Budget, TooManyWays

_MOST_TRIED = 2000
"""Ways to hand an award out that are tried for one hand: no known game takes more than 300."""


def count_problem(
    ruleset: Ruleset, points: tuple[int, ...], budget: Budget, *, complete: bool, counted: tuple[int, ...] | None = None
) -> tuple[RefusalCode, str] | None:
    """Return why counts by group cannot be, as a code and a sentence; `None` where they can. Raises `TooManyWays`.

    `complete`: every group is among them. `counted`: the groups that score Game, where card points have decided it.
    """
    worth = ruleset.points_per_hand
    shared = _shared_game(ruleset, len(points))
    if any(number > worth for number in points) or sum(points) > worth + shared + _shared_gift(ruleset, len(points)):
        return "too_many_points", f"{sum(points)} points were given, but a hand is worth only {worth}."
    if not can_be_split(ruleset, points, budget, complete, counted):
        if counted is not None and can_be_split(ruleset, points, budget, complete):
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


class AwardToShare(NamedTuple):
    """One award of those that are handed out."""

    worths: tuple[int, ...]
    may_be_nobodys: bool
    is_counted: bool = False
    """Whether it goes to the most card points."""
    is_shared: bool = False
    """Whether it goes to all but the dealer."""
    barred: frozenset[int] = frozenset()
    """The groups that cannot have it."""


class Tried(NamedTuple):
    """What came of trying to hand awards out."""

    fits: bool | None
    """`None` where there are too many ways to look at them all."""
    steps: int


def can_be_split(
    ruleset: Ruleset,
    points: tuple[int, ...],
    budget: Budget,
    complete: bool,
    counted: tuple[int, ...] | None = None,
    barred: Barred | None = None,
) -> bool:
    """Return whether some way to hand the awards out gives each group its points; raises `TooManyWays`."""
    budget.spend()
    tried = can_hand_out(_to_share(ruleset, barred), _shared_game(ruleset, 2) > 0, points, complete, counted)
    budget.spend(tried.steps)
    if tried.fits is None:
        raise TooManyWays
    return tried.fits


def _to_share(ruleset: Ruleset, barred: Barred | None = None) -> tuple[AwardToShare, ...]:
    """Return the awards of a hand, the most valuable first; two for the same card are one, which has either worth."""
    awards = sorted(ruleset.in_play.items(), key=lambda item: -item[1].points)
    either = {card: ruleset.awards[caught].points for caught, card in ruleset.in_place_of.items()}
    return tuple(
        AwardToShare(
            tuple({award.points, either.get(award_id, award.points)}),
            award.unclaimed,
            award_id == ruleset.counted_award,
            award_id == ruleset.shared_gift,
            (barred or {}).get(award_id, frozenset()),
        )
        for award_id, award in awards
        if award_id not in ruleset.in_place_of
    )


class Sums(NamedTuple):
    """Which sums some awards can make, as the bits of a number: bit 7 says whether they make 7."""

    one: int = 1
    """For one group."""
    every: int = 1
    """For all groups together."""

    def fit(self, left: tuple[int, ...]) -> bool:
        """Return whether the awards may give each group what it has left; where not, nothing does."""
        return bool(self.every >> sum(left) & 1) and all([self.one >> number & 1 for number in left])

    def with_award(self, worths: Iterable[int], shares: Iterable[int]) -> "Sums":
        """Return the sums with one more award, which so many groups can share; 0 is nobody."""
        one, every = self.one, 0
        for worth in worths:
            one |= self.one << worth
            for number in shares:
                every |= self.every << worth * number
        return Sums(one, every)


def sums_of(ruleset: Ruleset, groups: int, *, complete: bool) -> Sums:
    """Return the sums that the awards of a hand can make."""
    return _sums(_to_share(ruleset), groups, shares_game=_shared_game(ruleset, 2) > 0, complete=complete)[0]


def _sums(
    awards: Sequence[AwardToShare],
    groups: int,
    *,
    shares_game: bool,
    complete: bool,
    counted: tuple[int, ...] | None = None,
) -> list[Sums]:
    """Return the sums that the awards can make from each of them on, and at their end."""
    found = [Sums()]
    for award in reversed(awards):
        shares = {0, 1} if award.may_be_nobodys or not complete else {1}
        if award.is_shared:
            shares = {0, groups - 1}
        elif award.is_counted and counted is not None:
            shares = {len(counted)}
        elif award.is_counted and shares_game:
            shares |= {*range(1, groups + 1)}
        found.append(found[-1].with_award(award.worths, shares))
    return found[::-1]


@lru_cache(maxsize=4096)  # a match has few ways to split its points, and they are tried again for every correction
def can_hand_out(
    awards: tuple[AwardToShare, ...],
    shares_game: bool,
    points: tuple[int, ...],
    complete: bool,
    counted: tuple[int, ...] | None,
) -> Tried:
    """Try to hand out the awards, the most valuable first, so that each group gets its count."""
    # Card points, and who cannot have an award, tell groups apart: after those, groups with the same points left are
    # alike.
    awards = tuple(sorted(awards, key=lambda award: not (award.is_counted or award.barred)))
    told_apart = sum(1 for award in awards if award.is_counted or award.barred)
    sums = _sums(awards, len(points), shares_game=shares_game, complete=complete, counted=counted)
    if not sums[0].fit(points):
        return Tried(False, 0)
    steps = 0
    seen: set[tuple[int, tuple[int, ...]]] = set()
    waiting = [(0, points)]
    while waiting:
        at, left = waiting.pop()
        if at == len(awards):
            return Tried(True, steps)
        award = awards[at]
        if award.is_shared:
            ways = [left, *_all_but_one(left, award.worths[0])]
        elif award.is_counted and counted is not None:
            worth = award.worths[0]
            ways = [left_after(left, counted, worth)] if all(left[i] >= worth for i in counted) else []
        else:
            kept = [left] if award.may_be_nobodys or not complete else []
            ways = [*kept, *_ways(left, award, shares=award.is_counted and shares_game)]
        for way in ways:
            steps += 1
            known = at + 1, way if at + 1 < told_apart else tuple(sorted(way))
            if sums[at + 1].fit(way) and known not in seen:
                seen.add(known)
                waiting.append(known)
        if steps > _MOST_TRIED:
            return Tried(None, steps)
    return Tried(False, steps)


def _ways(left: tuple[int, ...], award: AwardToShare, *, shares: bool) -> Iterator[tuple[int, ...]]:
    """Yield what is left after each way in which an award goes to somebody, those with the most left coming last."""
    for worth in award.worths:
        fits = [i for i, number in enumerate(left) if number >= worth and i not in award.barred]
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
