"""Who reached the target first, counting a hand's awards in order (All Fours custom, `003`).

Where only points were entered, every assignment of awards to groups that adds up to the points is tried.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from scorekeeper.pitch.rules.awards import AwardId, AwardIds
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BySide, SideId, SideIds
from scorekeeper.pitch.scoring.hand_score import PENALTY_REASONS, ScoreLine, with_penalties
from scorekeeper.pitch.scoring.point_counts import allowed_takers, remaining_points
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import Groups, HandSides, PointsByGroup
from scorekeeper.pitch.scoring.standing import has_reached_target, target_score

NOBODY_FIRST: frozenset[SideId] = frozenset()
"""An empty set, for the sides first at the target where no side reached it."""


def scores_in_counting_order(
    ruleset: Ruleset, before: BySide, lines: Iterable[ScoreLine]
) -> Iterator[tuple[AwardId | None, BySide]]:
    """Yield each award in counting order with the scores after it, and last `None` with the scores after all lines.

    Penalties, and points for the others' mistakes, are counted before all awards.
    """
    lines = tuple(lines)
    counted = with_penalties(before, lines)
    for award in (*ruleset.counting_order, None):
        for line in lines:
            if line.award == award and line.reason not in PENALTY_REASONS:
                counted[line.side] += line.points
        yield award, dict(counted)


def first_at_target(ruleset: Ruleset, before: BySide, lines: Iterable[ScoreLine], among: SideIds) -> frozenset[SideId]:
    """Return the first of the sides in `among` to reach the target; several if the same award brings them there.

    At least one of the sides must reach the target.
    """
    return next(
        reached
        for _, counted in scores_in_counting_order(ruleset, before, lines)
        if (reached := frozenset(side for side in among if has_reached_target(ruleset, counted[side])))
    )


class Assignment(NamedTuple):
    """One way to hand out a hand's awards among the groups, reduced to what can decide the match."""

    first: frozenset[SideId] = NOBODY_FIRST
    """The sides that reached the target first."""
    taker_of_all: int | None = None
    """The group that took every award of the play; `None` if none did, or if taking all wins nothing."""
    given: tuple[tuple[AwardId, int], ...] = ()
    """The awards scored before a card was played, each with the group that got it."""


_SoleTaker = int | Literal["nobody_yet", "not_one"]
"""The group that took every award handed out so far, except those before play.

`not_one`: several groups took awards, or nobody took one of them.
"""


class _SearchNode(NamedTuple):
    """A node of the search for assignments, in which some awards are handed out and some are left."""

    points_left: PointsByGroup
    """The points that the awards not yet handed out must bring each group."""
    scored: frozenset[AwardId] = frozenset()
    """The awards that have a taker so far, and rule out another award for the same card."""
    taker_so_far: _SoleTaker = "nobody_yet"


MAX_STEPS = 50_000
"""The most steps, as counted by `Budget`, for the assignments of one hand."""


@dataclass
class Assignments:
    """All ways to hand out the awards of a hand to groups so that each group gets its points."""

    ruleset: Ruleset
    hand_sides: HandSides
    points: PointsByGroup
    """The entered points that each group took."""
    before: BySide
    """The scores before the hand, with its penalties and its points for the others' mistakes applied."""
    award_scorers: frozenset[SideId]
    """The sides that score the awards they take, unlike a bidder who scores or loses the bid."""
    reaching_sides: SideIds
    """The sides that reach the target in this hand, among which the first is sought."""
    dealing: SideId | None
    """The side that dealt; `None` where that is not known."""
    game_groups: Groups | None
    """The groups that score Game by card points; `None` where no card points decide that."""
    reneging_groups: frozenset[int]
    """The groups that reneged in this hand, and may not score the awards that a renege costs."""
    budget: Budget
    _assignments_by_node: dict[tuple[int, _SearchNode], frozenset[Assignment]] = field(default_factory=dict)

    @property
    def possible(self) -> frozenset[Assignment]:
        """All assignments that give each group its points; empty where there is none. Raises `BudgetExceeded`."""
        return frozenset(map(self._with_default_first, self._assignments_from(0, _SearchNode(self.points))))

    def deciding_awards(self, winners: Mapping[Assignment, SideIds]) -> AwardIds:
        """Return the fewest awards, from the first in counting order on, whose takers decide who wins.

        `winners` has the winners by each possible assignment, `()` for none. Raises `BudgetExceeded`.
        """
        partials: set[tuple[_SearchNode, Assignment]] = {(_SearchNode(self.points), Assignment())}
        for index in range(len(self.ruleset.counting_order)):
            # Once it is decided who won, nothing that is counted later changes it.
            undecided = [
                partial for partial in partials if len({winners[end] for end in self._completions(index, *partial)}) > 1
            ]
            if not undecided:
                return self.ruleset.counting_order[:index]
            partials = {
                (node, so_far) for partial in undecided for _, node, so_far in self._extensions(index, *partial)
            }
        return self.ruleset.counting_order

    def taker_combinations(
        self, awards: Sequence[AwardId], winners: Mapping[Assignment, SideIds]
    ) -> tuple[tuple[tuple[SideIds, ...], SideIds], ...]:
        """Return every possible combination of takers of `awards`, with its winners.

        `awards` must be the first in counting order, and `winners` has the winners by each possible assignment. Raises
        `BudgetExceeded`.
        """
        first = ((), _SearchNode(self.points), Assignment())
        partials: dict[tuple[tuple[SideIds, ...], _SearchNode, Assignment], None] = {first: None}
        for index in range(len(awards)):
            partials = {
                ((*takers, sides), after, extended): None
                for takers, node, so_far in partials
                for sides, after, extended in self._extensions(index, node, so_far)
            }
        combinations = (
            (takers, winners[assignment])
            for takers, node, so_far in partials
            for assignment in self._completions(len(awards), node, so_far)
        )
        return tuple(dict.fromkeys(combinations))

    def _extensions(
        self, index: int, node: _SearchNode, so_far: Assignment
    ) -> Iterator[tuple[SideIds, _SearchNode, Assignment]]:
        """Yield each way to add the award at `index` to a partial assignment that can still be completed.

        Each has the sides that take the award, and the search node and the partial assignment after it. Raises
        `BudgetExceeded`.
        """
        for after, given in self._hand_out_award(index, node):
            if self._assignments_from(index + 1, after):
                groups = zip(self.hand_sides.groups, node.points_left, after.points_left, strict=True)
                sides = tuple(side for group, points_left, rest in groups if points_left != rest for side in group)
                first = so_far.first or self._who_reached_target(after.points_left)
                yield sides, after, Assignment(first, given=(*so_far.given, *given))

    def _completions(self, index: int, node: _SearchNode, so_far: Assignment) -> Iterator[Assignment]:
        """Yield every complete assignment that begins with the partial one `so_far`; raises `BudgetExceeded`."""
        assignments = self._assignments_from(index, node)
        self.budget.spend(1 + len(assignments))
        for first, taker_of_all, given in assignments:
            yield self._with_default_first(Assignment(so_far.first or first, taker_of_all, (*so_far.given, *given)))

    def _with_default_first(self, assignment: Assignment) -> Assignment:
        """Return an assignment with `first` filled in where no award brought a side to the target.

        The sides that reach it by other points, such as those of a bid, are then the first.
        """
        if assignment.first:
            return assignment
        return assignment._replace(first=frozenset(self.reaching_sides) - self.award_scorers)

    def _assignments_from(self, index: int, node: _SearchNode) -> frozenset[Assignment]:
        """Return, cached, the assignments of awards from `index` on that fit a search node; raises `BudgetExceeded`."""
        assignments = self._assignments_by_node.get((index, node))
        if assignments is None:
            assignments = self._assignments_by_node[index, node] = frozenset(self._search(index, node))
        return assignments

    def _search(self, index: int, node: _SearchNode) -> Iterator[Assignment]:
        """Yield the assignments of all awards from `index` on, some of them repeatedly; raises `BudgetExceeded`."""
        first = self._who_reached_target(node.points_left)
        if index == len(self.ruleset.counting_order):
            yield Assignment(first, node.taker_so_far if isinstance(node.taker_so_far, int) else None)
            return
        for after, given in self._hand_out_award(index, node):
            rest = self._assignments_from(index + 1, after)
            self.budget.spend(1 + len(rest))
            for later_first, took_all, later_given in rest:
                yield Assignment(first or later_first, took_all, (*given, *later_given))
            if first and rest and index >= self._first_target_only_index:
                return  # the points left fit some awards, and who takes those no longer matters

    def _hand_out_award(
        self, index: int, node: _SearchNode
    ) -> Iterator[tuple[_SearchNode, tuple[tuple[AwardId, int], ...]]]:
        """Yield each possible node after the award at `index`, with the taker of an award scored before play."""
        points_left, scored, taker_so_far = node
        ruleset, award = self.ruleset, self.ruleset.counting_order[index]
        worth, exclusive, is_given = (
            ruleset.awards[award].points,
            self._exclusive_awards[award],
            award in ruleset.given_awards,
        )
        min_worth = sum(points_left) - self._max_worths_from[index + 1]
        fitting = {group for group, number in enumerate(points_left) if number >= worth}
        for takers in ((),) if exclusive & scored else self._possible_takers[award]:  # a card scores once
            if worth * len(takers) < min_worth or not fitting.issuperset(takers):
                continue  # the awards that are left would not be worth enough, or this one is worth too much
            # Another award for the same card scores, or is still to be counted.
            is_elsewhere = (
                exclusive
                and not takers
                and (exclusive & scored or not exclusive.isdisjoint(ruleset.counting_order[index + 1 :]))
            )
            taker_after = taker_so_far
            if ruleset.winning.four_points_win_game and not is_given and not is_elsewhere:
                taker: _SoleTaker = takers[0] if len(takers) == 1 else "not_one"
                taker_after = taker if taker_so_far in ("nobody_yet", taker) else "not_one"
            scored_after = scored | {award} if takers and exclusive else scored
            given = ((award, takers[0]),) if is_given and takers else ()
            yield _SearchNode(remaining_points(points_left, takers, worth), scored_after, taker_after), given

    @cached_property
    def _first_target_only_index(self) -> int:
        """The index in counting order from which on takers matter only for who reaches the target first."""
        order, given = self.ruleset.counting_order, self.ruleset.given_awards
        if self.ruleset.winning.four_points_win_game:
            return len(order)
        return max((index for index, award in enumerate(order, 1) if award in given), default=0)

    def _who_reached_target(self, points_left: PointsByGroup) -> frozenset[SideId]:
        """Return which of `_possible_first_sides` are at the target while each group still has `points_left` to get."""
        return frozenset(
            [side for side, group, max_left in self._possible_first_sides if points_left[group] <= max_left]
        )

    @cached_property
    def _possible_first_sides(self) -> tuple[tuple[SideId, int, int], ...]:
        """Each side that an award may bring to the target first, its group, and the most `points_left` once there."""
        groups = {side: self.hand_sides.group_of(side) for side in self.reaching_sides if side in self.award_scorers}
        points_to_target = {
            side: self.ruleset.score_sign * ((target_score(self.ruleset) or 0) - self.before[side]) for side in groups
        }
        return tuple((side, group, self.points[group] - points_to_target[side]) for side, group in groups.items())

    @cached_property
    def _max_worths_from(self) -> tuple[int, ...]:
        """By index in counting order: the most points that all awards from there on can be worth; the last is 0."""
        sharing = {award: max(map(len, takers), default=0) for award, takers in self._possible_takers.items()}
        worths = [self.ruleset.awards[award].points * sharing[award] for award in reversed(self.ruleset.counting_order)]
        return tuple(accumulate(worths, initial=0))[::-1]

    @cached_property
    def _possible_takers(self) -> Mapping[AwardId, tuple[Groups, ...]]:
        """By award, every possible set of groups that take it, `()` for nobody."""
        ruleset, group_count, takers = self.ruleset, len(self.points), {}
        for award in ruleset.counting_order:
            barred = set(self.reneging_groups if award in ruleset.awards_lost_by_renege else ())
            if self.dealing is not None and award in ruleset.given_awards:
                dealing_group = self.hand_sides.group_of(self.dealing)
                barred |= {
                    i
                    for i in range(group_count)
                    if award not in ruleset.given_awards_for(is_dealing_side=i == dealing_group)
                }
            may_be_nobodys = (
                ruleset.awards[award].unclaimed or ruleset.only_bidder_counts or bool(self._exclusive_awards[award])
            )
            takers[award] = allowed_takers(
                ruleset, award, group_count, may_be_nobodys=may_be_nobodys, barred=barred, game_groups=self.game_groups
            )
        return takers

    @cached_property
    def _exclusive_awards(self) -> Mapping[AwardId, frozenset[AwardId]]:
        """By award, the other awards for the same card, of which only one scores in a hand."""
        pairs = [frozenset(pair) for pair in self.ruleset.replaced_award_by_caught.items()]
        return {
            award: frozenset().union(*(pair - {award} for pair in pairs if award in pair))
            for award in self.ruleset.counting_order
        }
