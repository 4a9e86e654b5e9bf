"""Whether some distribution of the awards gives each group the points entered for it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from types import MappingProxyType
from typing import NamedTuple

from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.faults import RefusalCode
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.search_budget import Budget, BudgetExceeded
from scorekeeper.pitch.scoring.seats import Groups, PointsByGroup

_MANY_TOTALS = 3
"""The number of possible totals from which on a message does not list them."""
_MAX_SEARCH_STEPS = 2000
"""The most steps of one search, each handing out one award; no known game takes more than 300."""


def points_problem(
    ruleset: Ruleset, points: PointsByGroup, budget: Budget, *, is_complete: bool, game_groups: Groups | None = None
) -> tuple[RefusalCode, str] | None:
    """Return why the points by group are impossible, as a code and a message, or `None`.

    `is_complete`: the points are all those of a hand played to its end, so they must add up. `game_groups` are the
    groups that score Game, if card points decide it. Raises `BudgetExceeded`.
    """
    worth, sums = ruleset.points_per_hand, possible_sums(ruleset, len(points), is_complete=is_complete)
    if max(points) > worth or sum(points) > sums.highest:
        return "too_many_points", f"{sum(points)} points were given, but a hand is worth only {worth}."
    if not can_be_split(ruleset, points, budget, is_complete, game_groups):
        if game_groups is not None and can_be_split(ruleset, points, budget, is_complete):
            why = f"These points do not fit who scores {ruleset.game_name} by the card points."
            return "against_the_count", why
        totals = [total for total in range(sums.highest + 1) if sums.in_all >> total & 1]
        if len(totals) < _MANY_TOTALS and sum(points) not in totals:
            why = f"All points of this hand make {' or '.join(map(str, totals))}, and here they make {sum(points)}."
            return "impossible_counts", why
        certain = dict.fromkeys(award.name for award in ruleset.in_play.values() if not award.unclaimed)
        hint = f" {join_words(certain)} can’t be nobody’s." if certain and is_complete else ""
        return "impossible_counts", f"The points can’t split that way.{hint}"
    return None


Barred = Mapping[AwardId, Collection[int]]
"""By award, the groups that cannot have it; an award that is left out may go to any group."""


def allowed_takers(
    ruleset: Ruleset,
    award_id: AwardId,
    group_count: int,
    *,
    may_be_nobodys: bool,
    barred: Collection[int] = (),
    game_groups: Groups | None,
) -> tuple[Groups, ...]:
    """Return each possible set of takers of an award; `()` stands for nobody.

    Groups in `barred` cannot have it; of an award for all but the dealer, that is the dealer. `game_groups` are the
    groups that score Game, if card points decide it.
    """
    every = range(group_count)
    allowed = [group for group in every if group not in barred]
    takers: Iterable[Groups] = combinations(allowed, 1)
    if award_id == ruleset.shared_gift:  # to all but the dealer
        takers = [tuple(group for group in every if group != dealt) for dealt in barred or every]
    elif award_id == ruleset.card_points_award and game_groups is not None:
        return (game_groups,)
    elif award_id == ruleset.card_points_award and ruleset.points.game_tie == "all_tied_score":
        takers = nonempty_subsets(allowed)
    return ((), *takers) if may_be_nobodys else tuple(takers)


def nonempty_subsets(groups: Collection[int]) -> Iterator[Groups]:
    """Yield every subset of `groups` except the empty one, smallest first."""
    return chain.from_iterable(combinations(groups, number) for number in range(1, len(groups) + 1))


class AwardToAssign(NamedTuple):
    """An award to hand out to groups, or two awards for one card, of which only one scores."""

    worths: tuple[int, ...]
    """The points that the award may be worth: several where it stands for two awards of different worth."""
    takers: tuple[Groups, ...]
    """Each possible set of groups that take the award; `()` stands for nobody."""
    distinguishes: bool = False
    """Whether groups differ as takers of the award even where they still have to get the same points."""


class SplitSearch(NamedTuple):
    """The result of a search for a distribution of awards that gives each group its points."""

    fits: bool | None
    """Whether some distribution fits; `None` if the search was given up after too many steps."""
    steps: int


def can_be_split(
    ruleset: Ruleset,
    points: PointsByGroup,
    budget: Budget,
    is_complete: bool,
    game_groups: Groups | None = None,
    barred: Barred = MappingProxyType({}),
) -> bool:
    """Return whether some distribution of the awards gives each group its points; raises `BudgetExceeded`.

    For `is_complete` and `game_groups` see `points_problem`, and for `barred` see `Barred`.
    """
    budget.spend()
    tried = search_split(_awards_to_assign(ruleset, len(points), is_complete, game_groups, barred), points)
    budget.spend(tried.steps)
    if tried.fits is None:
        raise BudgetExceeded
    return tried.fits


def _awards_to_assign(
    ruleset: Ruleset,
    group_count: int,
    is_complete: bool,
    game_groups: Groups | None = None,
    barred: Barred = MappingProxyType({}),
) -> tuple[AwardToAssign, ...]:
    """Return the awards in play with their possible takers, most valuable first.

    Two awards for the same card are one. For `is_complete` and `game_groups` see `points_problem`, and for `barred` see
    `Barred`.
    """
    caught_points = {card: ruleset.awards[caught].points for caught, card in ruleset.replaced_award_by_caught.items()}
    found = []
    for award_id, award in sorted(ruleset.in_play.items(), key=lambda item: -item[1].points):
        if award_id not in ruleset.replaced_award_by_caught:
            worths = tuple({award.points, caught_points.get(award_id, award.points)})
            without = barred.get(award_id, ())
            may_be_nobodys = award.unclaimed or not is_complete
            takers = allowed_takers(
                ruleset, award_id, group_count, may_be_nobodys=may_be_nobodys, barred=without, game_groups=game_groups
            )
            found.append(AwardToAssign(worths, takers, award_id == ruleset.card_points_award or bool(without)))
    return tuple(found)


class Sums(NamedTuple):
    """The possible sums of some awards, as bits: bit 7 is set if 7 is possible."""

    per_group: int = 1
    """The sums that a single group can get from the awards."""
    in_all: int = 1
    """The totals that all groups together can get from the awards."""

    @property
    def highest(self) -> int:
        """The highest total that all groups together can get from the awards."""
        return self.in_all.bit_length() - 1

    def may_fit(self, points: PointsByGroup) -> bool:
        """Return whether the awards may be able to give each group its `points`; only a `False` is certain."""
        return bool(self.in_all >> sum(points) & 1) and all([self.per_group >> number & 1 for number in points])

    def with_award(self, worths: Iterable[int], taker_counts: Iterable[int]) -> "Sums":
        """Return the sums with one more award, given its possible worths and its possible numbers of takers."""
        per_group, in_all = self.per_group, 0
        for worth in worths:
            per_group |= self.per_group << worth
            for number in taker_counts:
                in_all |= self.in_all << worth * number
        return Sums(per_group, in_all)


def possible_sums(ruleset: Ruleset, group_count: int, *, is_complete: bool) -> Sums:
    """Return the sums that a hand's awards can add up to when handed out to `group_count` groups.

    For `is_complete` see `points_problem`; without it, any award may have no taker.
    """
    return sums_from_each(_awards_to_assign(ruleset, group_count, is_complete), Sums())[0]


def sums_from_each(awards: Sequence[AwardToAssign], rest: Sums) -> list[Sums]:
    """Return, for each index, the possible sums of the awards from there on, added to those of `rest`.

    The last item is `rest` itself.
    """
    found = [rest]
    for award in reversed(awards):
        found.append(found[-1].with_award(award.worths, set(map(len, award.takers))))
    return found[::-1]


@lru_cache(maxsize=4096)  # a match has few splits of points, and each is searched again for every correction
def search_split(awards: tuple[AwardToAssign, ...], points: PointsByGroup) -> SplitSearch:
    """Search for a distribution of awards that gives each group its points. Cached."""
    # Once the awards that distinguish groups are handed out, groups with the same points left are interchangeable.
    awards = tuple(sorted(awards, key=lambda award: not award.distinguishes))
    distinguishing = sum(award.distinguishes for award in awards)
    sums = sums_from_each(awards, Sums())
    if not sums[0].may_fit(points):
        return SplitSearch(False, 0)
    steps = 0
    seen: set[tuple[int, PointsByGroup]] = set()
    waiting = [(0, points)]
    while waiting:
        index, remaining = waiting.pop()
        if index == len(awards):
            return SplitSearch(True, steps)
        for after in _possible_remaining_points(remaining, awards[index]):
            steps += 1
            node = index + 1, after if index + 1 < distinguishing else tuple(sorted(after))
            if sums[index + 1].may_fit(after) and node not in seen:
                seen.add(node)
                waiting.append(node)
        if steps > _MAX_SEARCH_STEPS:
            return SplitSearch(None, steps)
    return SplitSearch(False, steps)


def _possible_remaining_points(remaining: PointsByGroup, award: AwardToAssign) -> Iterator[PointsByGroup]:
    """Yield the points that each group still has to get after each way to hand out an award.

    No group gets more than it still has to get.
    """
    for worth in award.worths:
        fitting = [groups for groups in award.takers if all([remaining[group] >= worth for group in groups])]
        # The search goes on with the last way first: the takers most likely to lead to a distribution that fits.
        fitting.sort(key=lambda groups: (len(groups) == 1, [remaining[group] for group in groups]))
        yield from (remaining_points(remaining, groups, worth) for groups in fitting)


def remaining_points(remaining: PointsByGroup, groups: Groups, worth: int) -> PointsByGroup:
    """Return the points that each group still has to get once `groups` have got an award."""
    return tuple([number - worth if group in groups else number for group, number in enumerate(remaining)])
