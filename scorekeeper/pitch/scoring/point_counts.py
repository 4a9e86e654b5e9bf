"""Whether a hand's awards can be handed out so that each group gets the points entered for it."""

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

_MIN_UNLISTED_TOTALS = 3
"""The fewest possible totals that are too many for a message to list."""
_MAX_SEARCH_STEPS = 2000
"""The most steps of one search. Each step hands out one award, and no known game takes more than 300."""


def points_problem(
    ruleset: Ruleset, points: PointsByGroup, budget: Budget, *, is_complete: bool, game_groups: Groups | None = None
) -> tuple[RefusalCode, str] | None:
    """Return why the points of the groups are impossible, as a code and a message; `None` if they are possible.

    With `is_complete`, they are all points of a hand played to its end, so they must add up. `game_groups` are the
    groups that score Game by card points, if these decide it. Raises `BudgetExceeded`.
    """
    hand_points = ruleset.points_per_hand
    sums = possible_sums(ruleset, len(points), is_complete=is_complete)
    if max(points) > hand_points or sum(points) > sums.highest:
        return "too_many_points", f"{sum(points)} points were given, but a hand is worth only {hand_points}."
    if not can_be_split(ruleset, points, budget, is_complete, game_groups):
        if game_groups is not None and can_be_split(ruleset, points, budget, is_complete):
            message = f"These points do not fit who scores {ruleset.game_name} by the card points."
            return "against_the_count", message
        totals = [total for total in range(sums.highest + 1) if sums.total_bits >> total & 1]
        if len(totals) < _MIN_UNLISTED_TOTALS and sum(points) not in totals:
            message = f"All points of this hand make {' or '.join(map(str, totals))}, and here they make {sum(points)}."
            return "impossible_counts", message
        certain_awards = dict.fromkeys(award.name for award in ruleset.in_play.values() if not award.unclaimed)
        hint = f" {join_words(certain_awards)} can’t be nobody’s." if certain_awards and is_complete else ""
        return "impossible_counts", f"The points can’t split that way.{hint}"
    return None


BarredGroupsByAward = Mapping[AwardId, Collection[int]]
"""The groups that cannot have an award, keyed by award. An award that is left out may go to any group."""


def allowed_takers(
    ruleset: Ruleset,
    award_id: AwardId,
    group_count: int,
    *,
    may_be_nobodys: bool,
    barred_groups: Collection[int] = (),
    game_groups: Groups | None,
) -> tuple[Groups, ...]:
    """Return each possible set of groups that take an award; `()` stands for nobody.

    `barred_groups` cannot have the award. Of an award for all but the dealer, they are the dealer's group.
    `game_groups` are the groups that score Game, if card points decide it.
    """
    all_groups = range(group_count)
    allowed_groups = [group for group in all_groups if group not in barred_groups]
    takers: Iterable[Groups] = combinations(allowed_groups, 1)
    if award_id == ruleset.shared_gift:  # to all but the dealer
        takers = [
            tuple(group for group in all_groups if group != dealing_group)
            for dealing_group in barred_groups or all_groups
        ]
    elif award_id == ruleset.card_points_award and game_groups is not None:
        return (game_groups,)
    elif award_id == ruleset.card_points_award and ruleset.points.game_tie == "all_tied_score":
        takers = nonempty_subsets(allowed_groups)
    return ((), *takers) if may_be_nobodys else tuple(takers)


def nonempty_subsets(groups: Collection[int]) -> Iterator[Groups]:
    """Yield every subset of `groups` but the empty one, the smallest first."""
    return chain.from_iterable(combinations(groups, number) for number in range(1, len(groups) + 1))


class AwardToAssign(NamedTuple):
    """An award to hand out to groups.

    Two awards for one card are one `AwardToAssign`, because only one of them scores.
    """

    worths: tuple[int, ...]
    """The points that the award may be worth. There are several where it stands for two awards of different worth."""
    takers: tuple[Groups, ...]
    """Each possible set of groups that take the award; `()` stands for nobody."""
    distinguishes_groups: bool = False
    """Whether it matters which of two groups takes the award, although both must still get the same points."""


class SplitSearch(NamedTuple):
    """The result of a search for a way to hand out awards that gives each group its points."""

    fits: bool | None
    """Whether there is such a way; `None` if the search was given up after too many steps."""
    steps: int


def can_be_split(
    ruleset: Ruleset,
    points: PointsByGroup,
    budget: Budget,
    is_complete: bool,
    game_groups: Groups | None = None,
    barred_by_award: BarredGroupsByAward = MappingProxyType({}),
) -> bool:
    """Return whether the awards can be handed out so that each group gets its points; raises `BudgetExceeded`.

    With `is_complete`, the points are all those of a hand played to its end. `game_groups` are the groups that score
    Game by card points, if these decide it.
    """
    budget.spend()
    split_search = search_split(
        _awards_to_assign(ruleset, len(points), is_complete, game_groups, barred_by_award), points
    )
    budget.spend(split_search.steps)
    if split_search.fits is None:
        raise BudgetExceeded
    return split_search.fits


def _awards_to_assign(
    ruleset: Ruleset,
    group_count: int,
    is_complete: bool,
    game_groups: Groups | None = None,
    barred_by_award: BarredGroupsByAward = MappingProxyType({}),
) -> tuple[AwardToAssign, ...]:
    """Return the awards in play with their possible takers, the most valuable first.

    Two awards for one card are one. With `is_complete`, the hand was played to its end, and most awards need a taker.
    `game_groups` are the groups that score Game by card points, if these decide it.
    """
    caught_points_by_award = {
        replaced: ruleset.awards[caught].points for caught, replaced in ruleset.replaced_award_by_caught.items()
    }
    awards_to_assign = []
    for award_id, award in sorted(ruleset.in_play.items(), key=lambda item: -item[1].points):
        if award_id not in ruleset.replaced_award_by_caught:
            worths = tuple({award.points, caught_points_by_award.get(award_id, award.points)})
            barred_groups = barred_by_award.get(award_id, ())
            may_be_nobodys = award.unclaimed or not is_complete
            takers = allowed_takers(
                ruleset,
                award_id,
                group_count,
                may_be_nobodys=may_be_nobodys,
                barred_groups=barred_groups,
                game_groups=game_groups,
            )
            awards_to_assign.append(
                AwardToAssign(worths, takers, award_id == ruleset.card_points_award or bool(barred_groups))
            )
    return tuple(awards_to_assign)


class Sums(NamedTuple):
    """The possible sums of the points of some awards, as bits of a number: bit 7 is set if 7 is possible."""

    group_bits: int = 1
    """The sums that a single group can get from the awards."""
    total_bits: int = 1
    """The sums that all groups together can get from the awards."""

    @property
    def highest(self) -> int:
        """The highest sum that all groups together can get from the awards."""
        return self.total_bits.bit_length() - 1

    def may_fit(self, points: PointsByGroup) -> bool:
        """Return whether the awards may be able to give each group its `points`.

        Only `False` is certain.
        """
        return bool(self.total_bits >> sum(points) & 1) and all([self.group_bits >> number & 1 for number in points])

    def with_award(self, worths: Iterable[int], taker_counts: Iterable[int]) -> "Sums":
        """Return the sums with one more award.

        `worths` are the points that the award may be worth, and `taker_counts` the possible numbers of groups that take
        it.
        """
        group_bits, total_bits = self.group_bits, 0
        for worth in worths:
            group_bits |= self.group_bits << worth
            for taker_count in taker_counts:
                total_bits |= self.total_bits << worth * taker_count
        return Sums(group_bits, total_bits)


def possible_sums(ruleset: Ruleset, group_count: int, *, is_complete: bool) -> Sums:
    """Return the sums that a hand's awards can add up to when they are handed out to `group_count` groups.

    Without `is_complete`, any award may have no taker.
    """
    return sums_from_each(_awards_to_assign(ruleset, group_count, is_complete), Sums())[0]


def sums_from_each(awards: Sequence[AwardToAssign], rest: Sums) -> list[Sums]:
    """Return the possible sums of the awards from each index on, added to the sums in `rest`.

    The last item is `rest` itself.
    """
    sums_from_last = [rest]
    for award in reversed(awards):
        sums_from_last.append(sums_from_last[-1].with_award(award.worths, set(map(len, award.takers))))
    return sums_from_last[::-1]


@lru_cache(maxsize=4096)  # a match has few splits of points, and each is searched again for every correction
def search_split(awards: tuple[AwardToAssign, ...], points: PointsByGroup) -> SplitSearch:
    """Search for a way to hand out awards that gives each group its points. Cached."""
    # Once the awards that distinguish groups are handed out, groups with the same points left are interchangeable.
    awards = tuple(sorted(awards, key=lambda award: not award.distinguishes_groups))
    distinguishing_count = sum(award.distinguishes_groups for award in awards)
    sums = sums_from_each(awards, Sums())
    if not sums[0].may_fit(points):
        return SplitSearch(False, 0)
    steps = 0
    seen_nodes: set[tuple[int, PointsByGroup]] = set()
    waiting_nodes = [(0, points)]
    while waiting_nodes:
        index, points_left = waiting_nodes.pop()
        if index == len(awards):
            return SplitSearch(True, steps)
        for points_after in _possible_remaining_points(points_left, awards[index]):
            steps += 1
            node = index + 1, points_after if index + 1 < distinguishing_count else tuple(sorted(points_after))
            if sums[index + 1].may_fit(points_after) and node not in seen_nodes:
                seen_nodes.add(node)
                waiting_nodes.append(node)
        if steps > _MAX_SEARCH_STEPS:
            return SplitSearch(None, steps)
    return SplitSearch(False, steps)


def _possible_remaining_points(points_left: PointsByGroup, award: AwardToAssign) -> Iterator[PointsByGroup]:
    """Yield the points that each group must still get after each way to hand out an award.

    No group gets more than it must still get.
    """
    for worth in award.worths:
        fitting_takers = [groups for groups in award.takers if all([points_left[group] >= worth for group in groups])]
        # The search goes on with the last way first: the takers most likely to lead to a distribution that fits.
        fitting_takers.sort(key=lambda groups: (len(groups) == 1, [points_left[group] for group in groups]))
        yield from (remaining_points(points_left, groups, worth) for groups in fitting_takers)


def remaining_points(points_left: PointsByGroup, groups: Groups, worth: int) -> PointsByGroup:
    """Return the points that each group must still get after `groups` have each got `worth` points."""
    return tuple(
        [group_points - worth if group in groups else group_points for group, group_points in enumerate(points_left)]
    )
