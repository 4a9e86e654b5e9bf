"""Who reached the target first, when a hand's awards are counted in order (All Fours custom, `003`).

Where only points were entered, every assignment is tried: every way to hand out the awards to groups that adds up to
the points.
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
"""The sides that were first at the target, where no side reached it."""


def scores_in_counting_order(
    ruleset: Ruleset, scores_before: BySide, lines: Iterable[ScoreLine]
) -> Iterator[tuple[AwardId | None, BySide]]:
    """Yield each award in the order of counting, with the scores once it is counted.

    The last item is `None` with the scores after all lines. Penalties, and points for others' mistakes, are counted
    before all awards.
    """
    lines = tuple(lines)
    scores_so_far = with_penalties(scores_before, lines)
    for award in (*ruleset.counting_order, None):
        for line in lines:
            if line.award == award and line.reason not in PENALTY_REASONS:
                scores_so_far[line.side] += line.points
        yield award, dict(scores_so_far)


def first_at_target(
    ruleset: Ruleset, scores_before: BySide, lines: Iterable[ScoreLine], among: SideIds
) -> frozenset[SideId]:
    """Return the sides in `among` that reach the target first; several if the same award brings them there.

    At least one of the sides must reach the target.
    """
    return next(
        sides_at_target
        for _, scores_so_far in scores_in_counting_order(ruleset, scores_before, lines)
        if (sides_at_target := frozenset(side for side in among if has_reached_target(ruleset, scores_so_far[side])))
    )


class Assignment(NamedTuple):
    """One way to hand out a hand's awards to the groups, as far as it can decide the match."""

    first_sides: frozenset[SideId] = NOBODY_FIRST
    """The sides that reached the target first."""
    taker_of_all: int | None = None
    """The group that took every award of the play. `None` if no group did, or if it wins nothing in this game."""
    given_awards: tuple[tuple[AwardId, int], ...] = ()
    """The awards scored before the play, each with the group that got it."""


_SoleTaker = int | Literal["nobody_yet", "not_one"]
"""The group that took every award handed out so far, leaving out those scored before the play. With `not_one`, several
groups took awards, or nobody took one of them."""


class _SearchNode(NamedTuple):
    """A state of the search for assignments, in which some awards have been handed out."""

    points_left: PointsByGroup
    """The points that each group must still get from the other awards."""
    scored_awards: frozenset[AwardId] = frozenset()
    """The awards handed out so far of which a card scores one or another. With one scored, the other for its card is
    not."""
    taker_so_far: _SoleTaker = "nobody_yet"


MAX_ASSIGNMENT_STEPS = 50_000
"""The most steps, as `Budget` counts them, of the search for the assignments of one hand."""


@dataclass
class Assignments:
    """All assignments of a hand: the ways to hand out its awards so that each group gets its points."""

    ruleset: Ruleset
    hand_sides: HandSides
    points: PointsByGroup
    """The points that each group took, as entered."""
    scores_before: BySide
    """The scores before the awards of the hand, with its penalties and points for others' mistakes already counted."""
    award_scorers: frozenset[SideId]
    """The sides that score the awards they take. A bidder who scores or loses the bid is not one."""
    reaching_sides: SideIds
    """The sides that reach the target in this hand. One of them is first."""
    dealing_side: SideId | None
    """The side that dealt; `None` where that is unknown."""
    game_groups: Groups | None
    """The groups that score Game by card points; `None` where card points do not decide it."""
    reneging_groups: frozenset[int]
    """The groups that reneged in this hand, and so score none of the awards that a renege costs."""
    budget: Budget
    _assignments_by_node: dict[tuple[int, _SearchNode], frozenset[Assignment]] = field(default_factory=dict)

    @property
    def possible(self) -> frozenset[Assignment]:
        """All assignments that give each group its points; empty if there is none.

        Raises `BudgetExceeded`.
        """
        return frozenset(map(self._with_default_first, self._assignments_from(0, _SearchNode(self.points))))

    def deciding_awards(self, winners_by_assignment: Mapping[Assignment, SideIds]) -> AwardIds:
        """Return the fewest awards, from the first in the order of counting on, whose takers decide who wins.

        `winners_by_assignment` are the winners under each possible assignment, `()` for none. Raises `BudgetExceeded`.
        """
        partial_assignments: set[tuple[_SearchNode, Assignment]] = {(_SearchNode(self.points), Assignment())}
        for index in range(len(self.ruleset.counting_order)):
            # Once it is decided who won, nothing that is counted later changes it.
            undecided_partials = [
                partial_assignment
                for partial_assignment in partial_assignments
                if len(
                    {winners_by_assignment[assignment] for assignment in self._completions(index, *partial_assignment)}
                )
                > 1
            ]
            if not undecided_partials:
                return self.ruleset.counting_order[:index]
            partial_assignments = {
                (node, extended_assignment)
                for partial_assignment in undecided_partials
                for _, node, extended_assignment in self._extensions(index, *partial_assignment)
            }
        return self.ruleset.counting_order

    def taker_combinations(
        self, awards: Sequence[AwardId], winners_by_assignment: Mapping[Assignment, SideIds]
    ) -> tuple[tuple[tuple[SideIds, ...], SideIds], ...]:
        """Return every possible combination of takers of `awards`, with its winners.

        `awards` must be the first in the order of counting. `winners_by_assignment` are the winners under each possible
        assignment. Raises `BudgetExceeded`.
        """
        empty_combination = ((), _SearchNode(self.points), Assignment())
        partial_combinations: dict[tuple[tuple[SideIds, ...], _SearchNode, Assignment], None] = {
            empty_combination: None
        }
        for index in range(len(awards)):
            partial_combinations = {
                ((*takers, sides), next_node, extended_assignment): None
                for takers, node, partial_assignment in partial_combinations
                for sides, next_node, extended_assignment in self._extensions(index, node, partial_assignment)
            }
        combinations = (
            (takers, winners_by_assignment[assignment])
            for takers, node, partial_assignment in partial_combinations
            for assignment in self._completions(len(awards), node, partial_assignment)
        )
        return tuple(dict.fromkeys(combinations))

    def _extensions(
        self, index: int, node: _SearchNode, partial_assignment: Assignment
    ) -> Iterator[tuple[SideIds, _SearchNode, Assignment]]:
        """Yield each way to add the award at `index` to a partial assignment that can still be completed.

        Each has the sides that take the award, and then the search node and the partial assignment with it added.
        Raises `BudgetExceeded`.
        """
        for next_node, new_given_awards in self._hand_out_award(index, node):
            if self._assignments_from(index + 1, next_node):
                groups_with_points = zip(self.hand_sides.groups, node.points_left, next_node.points_left, strict=True)
                sides = tuple(
                    side
                    for group, points_left, points_left_after in groups_with_points
                    if points_left != points_left_after
                    for side in group
                )
                first_sides = partial_assignment.first_sides or self._who_reached_target(next_node.points_left)
                yield (
                    sides,
                    next_node,
                    Assignment(first_sides, given_awards=(*partial_assignment.given_awards, *new_given_awards)),
                )

    def _completions(self, index: int, node: _SearchNode, partial_assignment: Assignment) -> Iterator[Assignment]:
        """Yield every complete assignment that begins with `partial_assignment`; raises `BudgetExceeded`."""
        assignments = self._assignments_from(index, node)
        self.budget.spend(1 + len(assignments))
        for first_sides, taker_of_all, given_awards in assignments:
            yield self._with_default_first(
                Assignment(
                    partial_assignment.first_sides or first_sides,
                    taker_of_all,
                    (*partial_assignment.given_awards, *given_awards),
                )
            )

    def _with_default_first(self, assignment: Assignment) -> Assignment:
        """Return an assignment with its first sides filled in where no award brought a side to the target.

        They are the sides that reach the target by other points, such as those of a bid.
        """
        if assignment.first_sides:
            return assignment
        return assignment._replace(first_sides=frozenset(self.reaching_sides) - self.award_scorers)

    def _assignments_from(self, index: int, node: _SearchNode) -> frozenset[Assignment]:
        """Return the assignments of the awards from `index` on that fit a search node. Cached.

        Raises `BudgetExceeded`.
        """
        assignments = self._assignments_by_node.get((index, node))
        if assignments is None:
            assignments = self._assignments_by_node[index, node] = frozenset(self._search(index, node))
        return assignments

    def _search(self, index: int, node: _SearchNode) -> Iterator[Assignment]:
        """Yield the assignments of the awards from `index` on, some repeatedly; raises `BudgetExceeded`."""
        first_sides = self._who_reached_target(node.points_left)
        if index == len(self.ruleset.counting_order):
            yield Assignment(first_sides, node.taker_so_far if isinstance(node.taker_so_far, int) else None)
            return
        for next_node, new_given_awards in self._hand_out_award(index, node):
            later_assignments = self._assignments_from(index + 1, next_node)
            self.budget.spend(1 + len(later_assignments))
            for later_first_sides, taker_of_all, later_given_awards in later_assignments:
                yield Assignment(
                    first_sides or later_first_sides, taker_of_all, (*new_given_awards, *later_given_awards)
                )
            if first_sides and later_assignments and index >= self._first_target_only_index:
                return  # the points left fit some awards, and who takes those no longer matters

    def _hand_out_award(
        self, index: int, node: _SearchNode
    ) -> Iterator[tuple[_SearchNode, tuple[tuple[AwardId, int], ...]]]:
        """Yield each possible search node after the award at `index` is handed out.

        Beside it is the award with its taker if it is one that is scored before the play.
        """
        points_left, scored_awards, taker_so_far = node
        ruleset, award = self.ruleset, self.ruleset.counting_order[index]
        worth = ruleset.awards[award].points
        exclusive_awards = self._exclusive_awards_by_award[award]
        is_given = award in ruleset.given_awards
        min_worth_needed = sum(points_left) - self._max_worths_from[index + 1]
        groups_with_room = {group for group, number in enumerate(points_left) if number >= worth}
        for takers in (
            ((),) if exclusive_awards & scored_awards else self._possible_takers_by_award[award]
        ):  # a card scores once
            if worth * len(takers) < min_worth_needed or not groups_with_room.issuperset(takers):
                continue  # the awards that are left would not be worth enough, or this one is worth too much
            # Another award for the same card scores, or is still to be counted.
            is_card_elsewhere = (
                exclusive_awards
                and not takers
                and (
                    exclusive_awards & scored_awards
                    or not exclusive_awards.isdisjoint(ruleset.counting_order[index + 1 :])
                )
            )
            taker_after = taker_so_far
            if ruleset.winning.four_points_win_game and not is_given and not is_card_elsewhere:
                sole_taker: _SoleTaker = takers[0] if len(takers) == 1 else "not_one"
                taker_after = sole_taker if taker_so_far in ("nobody_yet", sole_taker) else "not_one"
            scored_awards_after = scored_awards | {award} if takers and exclusive_awards else scored_awards
            new_given_awards = ((award, takers[0]),) if is_given and takers else ()
            yield (
                _SearchNode(remaining_points(points_left, takers, worth), scored_awards_after, taker_after),
                new_given_awards,
            )

    @cached_property
    def _first_target_only_index(self) -> int:
        """The index in the order of counting from which on takers decide only who reaches the target first."""
        counting_order = self.ruleset.counting_order
        given_awards = self.ruleset.given_awards
        if self.ruleset.winning.four_points_win_game:
            return len(counting_order)
        return max((index for index, award in enumerate(counting_order, 1) if award in given_awards), default=0)

    def _who_reached_target(self, points_left: PointsByGroup) -> frozenset[SideId]:
        """Return the sides that are at the target while each group must still get `points_left`.

        They are among `_possible_first_sides`.
        """
        return frozenset(
            [side for side, group, max_left in self._possible_first_sides if points_left[group] <= max_left]
        )

    @cached_property
    def _possible_first_sides(self) -> tuple[tuple[SideId, int, int], ...]:
        """Each side that an award may bring to the target first, with its group and a number of points.

        Once its group has no more than so many points left to get, the side is at the target.
        """
        group_by_side = {
            side: self.hand_sides.group_of(side) for side in self.reaching_sides if side in self.award_scorers
        }
        points_to_target = {
            side: self.ruleset.score_sign * ((target_score(self.ruleset) or 0) - self.scores_before[side])
            for side in group_by_side
        }
        return tuple(
            (side, group, self.points[group] - points_to_target[side]) for side, group in group_by_side.items()
        )

    @cached_property
    def _max_worths_from(self) -> tuple[int, ...]:
        """The most points that all awards from each index on can be worth, in the order of counting.

        The last is 0.
        """
        max_taker_counts = {
            award: max(map(len, takers), default=0) for award, takers in self._possible_takers_by_award.items()
        }
        max_worths = [
            self.ruleset.awards[award].points * max_taker_counts[award]
            for award in reversed(self.ruleset.counting_order)
        ]
        return tuple(accumulate(max_worths, initial=0))[::-1]

    @cached_property
    def _possible_takers_by_award(self) -> Mapping[AwardId, tuple[Groups, ...]]:
        """Every possible set of groups that take an award, `()` for nobody, keyed by award."""
        ruleset = self.ruleset
        group_count = len(self.points)
        takers_by_award = {}
        for award in ruleset.counting_order:
            barred_groups = set(self.reneging_groups if award in ruleset.awards_lost_by_renege else ())
            if self.dealing_side is not None and award in ruleset.given_awards:
                dealing_group = self.hand_sides.group_of(self.dealing_side)
                is_turned = award in ruleset.turned_awards
                barred_groups |= {group for group in range(group_count) if (group == dealing_group) != is_turned}
            may_be_nobodys = (
                ruleset.awards[award].unclaimed
                or ruleset.only_bidder_counts
                or bool(self._exclusive_awards_by_award[award])
            )
            takers_by_award[award] = allowed_takers(
                ruleset,
                award,
                group_count,
                may_be_nobodys=may_be_nobodys,
                barred_groups=barred_groups,
                game_groups=self.game_groups,
            )
        return takers_by_award

    @cached_property
    def _exclusive_awards_by_award(self) -> Mapping[AwardId, frozenset[AwardId]]:
        """The other awards for the card of each award, keyed by award.

        Of the awards for one card, only one scores in a hand.
        """
        pairs = [frozenset(pair) for pair in self.ruleset.replaced_award_by_caught.items()]
        return {
            award: frozenset().union(*(pair - {award} for pair in pairs if award in pair))
            for award in self.ruleset.counting_order
        }
