"""Who has won a match, and by which rule. It is decided at the end of each hand."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from scorekeeper.pitch.rules.awards import AwardId, AwardIds
from scorekeeper.pitch.rules.groups.winning import TieRule, WinRule
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.counting_order import MAX_ASSIGNMENT_STEPS, Assignment, Assignments, first_at_target
from scorekeeper.pitch.scoring.hand import BySide, SideId, SideIds
from scorekeeper.pitch.scoring.hand_score import (
    HandScore,
    InstantEnding,
    InstantEndingReason,
    Reason,
    with_penalties,
)
from scorekeeper.pitch.scoring.search_budget import Budget, BudgetExceeded
from scorekeeper.pitch.scoring.seats import Groups, HandSides
from scorekeeper.pitch.scoring.standing import Clause, Standing, has_reached_target, leading_sides
from scorekeeper.pitch.scoring.taken import Taken

OutcomeRule = (
    WinRule
    | TieRule
    | InstantEndingReason
    | Literal["better_score", "turned_up", "given_first", "pegged", "all_points", "set_limit", "hands"]
)
"""The rule by which a match was decided: the win rule, the tie rule, or a rule that ends a match without either."""
ChosenBy = Literal["alone", "bid", "order", "score", "points"]
"""How the winner was chosen among the sides that might have won. With `alone`, there was only one. With `points`,
points decided a stored match that is older than the entry of takers."""
_TIE_RULES_FOR_BIDDERS = ("bidder_first", "bidder_then_point_order")
"""The tie rules that put a side with a made bid before all others."""
_TIE_RULES_BY_SCORE = ("higher_score", "higher_score_or_play_on")
"""The tie rules under which the side with the better score wins."""
_MAX_LISTED_AWARDS = 4
"""The most awards for which a question about the end lists every possible answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: who won, and by which rule."""

    winners: SideIds
    rule: OutcomeRule
    losers: SideIds = ()
    """The sides that lost the match outright, as by a failed moon or a forfeit; empty in most matches."""
    chosen_by: ChosenBy = "alone"


class EndAnswer(NamedTuple):
    """One possible answer to the question who took some awards, with who wins by it."""

    takers: tuple[tuple[AwardId, SideIds], ...]
    winners: SideIds
    """The winners; empty if the match goes on."""


@dataclass(frozen=True, slots=True)
class EndQuestion:
    """A question that decides the end of the match: who took some awards, or who pegged first."""

    awards: AwardIds
    """The awards whose takers decide the end, in the order of counting; empty if the question is who pegged first."""
    winners: SideIds
    """The sides that may have won."""
    answers: tuple[EndAnswer, ...] = field(default=(), compare=False)
    """All possible answers; empty if they are too many to list, or if the question is who pegged first."""

    def minimal_winning_awards(self, side: SideId) -> tuple[AwardIds, ...]:
        """Return the smallest sets of awards with which a side wins: `(("low",), ("jack", "game"))`.

        It is empty if the side wins without any of them, or if no such sets tell exactly when the side wins.
        """
        sets_taken = [
            (tuple(award for award, sides in answer.takers if side in sides), side in answer.winners)
            for answer in self.answers
        ]
        winning_sets = {awards for awards, wins in sets_taken if wins}
        minimal_sets = {
            awards for awards in winning_sets if not any(set(other_set) < set(awards) for other_set in winning_sets)
        }
        is_exact = all(
            wins == any(set(awards).issuperset(minimal_set) for minimal_set in minimal_sets)
            for awards, wins in sets_taken
        )
        if () in minimal_sets or not is_exact:
            return ()
        return tuple(sorted(minimal_sets, key=lambda awards: [self.awards.index(award) for award in awards]))


class HandEnd(NamedTuple):
    """Everything about a hand and its match that may decide, at the end of the hand, who has won."""

    standing: Standing
    score: HandScore
    hand_sides: HandSides
    taken: Taken | None
    """What each group took; `None` if nothing was played."""
    sets: BySide
    """How often each side has been set in the match, including this hand."""
    hands: int
    """The number of hands scored, including this one and those on paper."""
    dealing_side: SideId | None = None
    sides_without_game: SideIds = ()
    """The sides that may not score Game in this hand, because they reneged."""
    first_there: SideId | None = None
    """The side that was entered as the first to peg the target."""
    carried: int = 0
    """The points that an earlier, tied Game adds to Game in this hand."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force in the hand."""
        return self.standing.ruleset


def decide_match(end: HandEnd, budget: Budget) -> Outcome | EndQuestion | None:
    """Return the outcome of the match, or the question that decides it; `None` if the match goes on.

    If more takers are possible than the budget allows to try, the question is who took each award.
    """
    if end.ruleset.winning.pegged and not (end.first_there or _is_decided_before_pegging(end)):
        possible_first_sides = possible_first_peggers(end)
        if len(possible_first_sides) > 1:
            return EndQuestion((), possible_first_sides)
        end = end._replace(first_there=next(iter(possible_first_sides), None))
    if end.taken is None or end.taken.awards:
        return _outcome_under(end, None)
    assignments = _relevant_assignments(end, budget)
    try:
        return _decide_by_assignments(end, assignments) if assignments else _outcome_under(end, None)
    except BudgetExceeded:
        return EndQuestion(
            end.ruleset.counting_order, tuple(side.side for side in end.standing.sides if side.is_newly_at_target)
        )


def _decide_by_assignments(end: HandEnd, assignments: Assignments) -> Outcome | EndQuestion | None:
    """Return the outcome of the match if the winners are the same under all `assignments`; `None` if it goes on.

    If the winners differ, return the question that decides it. Raises `BudgetExceeded`.
    """
    outcome_by_assignment = {assignment: _outcome_under(end, assignment) for assignment in assignments.possible}
    if not outcome_by_assignment:
        # Then the points alone decide.
        return _outcome_under(end, None)
    winners_by_assignment = {
        assignment: outcome.winners if outcome else () for assignment, outcome in outcome_by_assignment.items()
    }
    if len(set(winners_by_assignment.values())) == 1:
        # If the same side wins for different reasons, prefer the score: it holds whoever took the awards.
        return min(
            outcome_by_assignment.values(),
            key=lambda outcome: f"{outcome.chosen_by != 'score'} {outcome}" if outcome else "",
        )
    awards = assignments.deciding_awards(winners_by_assignment)
    combinations = (
        assignments.taker_combinations(awards, winners_by_assignment) if len(awards) <= _MAX_LISTED_AWARDS else ()
    )
    answers = tuple(EndAnswer(tuple(zip(awards, takers, strict=True)), winners) for takers, winners in combinations)
    possible_winners = set().union(*winners_by_assignment.values())
    return EndQuestion(awards, tuple(side for side in end.standing.scores if side in possible_winners), answers)


def _is_decided_before_pegging(end: HandEnd) -> bool:
    """Return whether the match is decided, whichever side pegged the target first."""
    standing, winning = end.standing, end.ruleset.winning
    mistake_winner = _winner_by_mistake_points(standing, end.score)
    has_taker_of_all = winning.four_points_win_game and end.taken and end.taken.taker_of_all(end.ruleset) is not None
    return bool(end.score.instant_ending or _winner_by_made_bid(standing) or mistake_winner or has_taker_of_all)


def possible_first_peggers(end: HandEnd) -> SideIds:
    """Return the sides that may have pegged the target first, if several reached it in this hand.

    Game is counted last, so a side that needs Game is behind one that does not. If points are not pegged, return no
    sides.
    """
    new_candidates = end.standing.new_candidates
    if not end.ruleset.winning.pegged or len(new_candidates) < 2:
        return ()
    first_sides: set[SideId] = set()
    for game_groups, game_points in _possible_game_takers(end):
        sides_with_game = {side for group in game_groups for side in end.hand_sides.groups[group]}
        scores_by_tricks = {
            side: end.standing.scores[side] - end.ruleset.score_sign * game_points * (side in sides_with_game)
            for side in new_candidates
        }
        sides_there_by_tricks = [
            side for side in new_candidates if has_reached_target(end.ruleset, scores_by_tricks[side])
        ]
        first_sides.update(sides_there_by_tricks or new_candidates)
    return tuple(side for side in new_candidates if side in first_sides)


def _possible_game_takers(end: HandEnd) -> Iterator[tuple[Groups, int]]:
    """Yield each set of groups that may have scored Game, with the points that Game was worth.

    `()` stands for nobody. Where Game does not go to the most card points, the points are 0.
    """
    ruleset = end.ruleset
    taken = end.taken
    game_award = end.ruleset.card_points_award
    if taken is None or game_award is None:
        yield (), 0
        return
    game_points = ruleset.awards[game_award].points + end.carried
    if taken.awards:
        yield tuple(group for award, group, _ in taken.awards if award == game_award), game_points
    elif taken.game_groups is not None:
        yield taken.game_groups, game_points
    else:
        yield (), game_points
        yield from (((group,), game_points) for group, points in enumerate(taken.points) if points >= game_points)


def turned_card_winner(
    ruleset: Ruleset, scores_before: BySide, reached_by_two: int | None, given_awards: Iterable[tuple[AwardId, SideId]]
) -> SideId | None:
    """Return the side that wins because cards turned up for trump bring it to the target.

    `scores_before` are the scores without these cards. `given_awards` are all awards scored before the play, each as
    often as it scored.
    """
    scores_after, turning_sides = dict(scores_before), set[SideId]()
    for award, side in given_awards:
        if award in ruleset.turned_awards:
            scores_after[side] += ruleset.score_sign * ruleset.worth(award)
            turning_sides.add(side)
    standing = Standing(ruleset, scores_before, scores_after, reached_by_two=reached_by_two)
    return next(iter(_candidates_by_target(standing, turning_sides)), None)


def _candidates_by_target(standing: Standing, among: Collection[SideId]) -> SideIds:
    """Return the sides in `among` that may win by reaching the target now.

    There are none if a win needs a made bid.
    """
    if not among or standing.ruleset.winning.win_rule != "first_to_target":
        return ()
    return tuple(side for side in standing.new_candidates if side in among)


def thrown_in_outcome(
    standing: Standing, score: HandScore, given_awards: Iterable[tuple[AwardId, SideId]]
) -> Outcome | None:
    """Return the outcome of the match after a hand was thrown in; `None` if the match goes on.

    `given_awards` are all awards scored before the play, each as often as it scored.
    """
    if score.instant_ending:
        return _instant_outcome(replace(standing, scores=standing.before), score.instant_ending)
    if mistake_winner := _winner_by_mistake_points(standing, score):
        return Outcome((mistake_winner,), "given_first")
    penalized_scores = with_penalties(standing.before, score.lines)
    turned_card_side = turned_card_winner(standing.ruleset, penalized_scores, standing.reached_by_two, given_awards)
    return Outcome((turned_card_side,), "turned_up") if turned_card_side else None


def _winner_by_mistake_points(standing: Standing, score: HandScore) -> SideId | None:
    """Return the side that wins because points for others' mistakes bring it to the target.

    If several sides reach it, or if a win needs a made bid, return `None`.
    """
    sides_given_points = {line.side for line in score.lines if line.reason is Reason.PENALTY_TO}
    if not sides_given_points:
        return None
    scores = with_penalties(standing.before, score.lines)
    candidates = _candidates_by_target(
        Standing(standing.ruleset, standing.before, scores, reached_by_two=standing.reached_by_two), sides_given_points
    )
    return candidates[0] if len(candidates) == 1 else None


def outcome_by_hands(ruleset: Ruleset, scores: BySide, hand_count: int) -> Outcome | None:
    """Return the outcome of a match that a number of hands ends, after `hand_count` of them.

    All sides with the best score win, unless another hand is played after a tie. If the match goes on, or is not for a
    number of hands, return `None`.
    """
    if not ruleset.winning.hands or hand_count < ruleset.winning.hands:
        return None
    leaders = leading_sides(ruleset, scores, scores)
    if len(leaders) > 1 and ruleset.winning.plays_on_when_tied:
        return None
    return Outcome(leaders, "hands")


def _outcome_under(end: HandEnd, assignment: Assignment | None) -> Outcome | None:
    """Return the outcome of the match; `None` if the match goes on.

    `assignment` is who took which award; if `None`, the entered takers did.
    """
    ruleset, standing, score = end.ruleset, end.standing, end.score
    winning = ruleset.winning
    if score.instant_ending and score.instant_ending.reason == "forfeit":
        return _instant_outcome(standing, score.instant_ending)
    if winning.length == "target" and (mistake_winner := _winner_by_mistake_points(standing, score)):
        return Outcome((mistake_winner,), "given_first")
    if ruleset.given_awards and (turned_card_side := _winner_by_turned_card(end, assignment)):
        return Outcome((turned_card_side,), "turned_up")
    if score.instant_ending:
        return _instant_outcome(standing, score.instant_ending)
    if winning.four_points_win_game and end.taken:
        taker_of_all = assignment.taker_of_all if assignment else end.taken.taker_of_all(ruleset)
        if taker_of_all is not None:
            return Outcome(end.hand_sides.groups[taker_of_all], "all_points")
    if winning.set_limit and score.sets:
        sides_at_limit = tuple(
            side for side in standing.scores if side in score.sets and end.sets.get(side, 0) >= winning.set_limit
        )
        other_sides = [side for side in standing.scores if side not in sides_at_limit]
        if sides_at_limit and other_sides:
            return Outcome(leading_sides(ruleset, standing.scores, other_sides), "set_limit", sides_at_limit)
    if winning.length == "hands":
        return outcome_by_hands(ruleset, standing.scores, end.hands)
    return _outcome_at_target(end, assignment)


def _winner_by_turned_card(end: HandEnd, assignment: Assignment | None) -> SideId | None:
    """Return the side that wins by cards turned up for trump in this hand; `None` if no side does.

    `assignment` is who took which award; if `None`, the entered takers did.
    """
    if assignment is None:
        given_awards = [
            (line.award, line.side)
            for line in end.score.lines
            if line.award in end.ruleset.given_awards
            for _ in range(abs(line.points) // end.ruleset.worth(line.award))
        ]
    else:
        given_awards = [
            (award, side) for award, group in assignment.given_awards for side in end.hand_sides.groups[group]
        ]
    penalized_scores = with_penalties(end.standing.before, end.score.lines)
    return turned_card_winner(end.ruleset, penalized_scores, end.standing.reached_by_two, given_awards)


def _instant_outcome(standing: Standing, ending: InstantEnding) -> Outcome:
    """Return the outcome of a match that a moon or a forfeit ends.

    If the ending has only losers, the side with the best score among the others wins.
    """
    if ending.winners:
        return Outcome(ending.winners, ending.reason)
    other_sides = [side for side in standing.scores if side not in ending.losers]
    return Outcome(leading_sides(standing.ruleset, standing.scores, other_sides), ending.reason, ending.losers)


def _relevant_assignments(end: HandEnd, budget: Budget) -> Assignments | None:
    """Return the assignments that fit the entered points; `None` if they cannot change the outcome."""
    ruleset, standing, taken = end.ruleset, end.standing, end.taken
    assert taken is not None
    rivals: SideIds = ()
    is_order_decisive = (
        ruleset.breaks_ties_in_counting_order and ruleset.winning.length != "hands" and standing.is_anybody_at_target
    )
    if is_order_decisive and not _winner_by_made_bid(standing):
        rivals = standing.new_candidates
    # Where points may include a gift, a card turned up or a caught card, they do not show who took every award.
    hides_taker_of_all = bool(ruleset.given_awards or ruleset.replaced_award_by_caught)
    may_win_by_turning = bool(ruleset.given_awards) and _may_have_won_by_turned_card(end, taken)
    if len(rivals) < 2 and not may_win_by_turning and not (ruleset.winning.four_points_win_game and hides_taker_of_all):
        return None
    return Assignments(
        ruleset,
        end.hand_sides,
        taken.points,
        with_penalties(standing.before, end.score.lines),
        frozenset(line.side for line in end.score.lines if line.reason is Reason.TOOK),
        rivals,
        end.dealing_side,
        taken.game_groups,
        frozenset(end.hand_sides.group_of(side) for side in end.sides_without_game),
        budget.limited_part(MAX_ASSIGNMENT_STEPS),
    )


def _may_have_won_by_turned_card(end: HandEnd, taken: Taken) -> bool:
    """Return whether a side may have won by cards turned up for trump, as far as the entered points show."""
    ruleset = end.ruleset
    penalized_scores = with_penalties(end.standing.before, end.score.lines)
    if ruleset.winning.win_rule != "first_to_target" or not end.standing.is_anybody_at_target:
        return False
    max_turned_points = sum(map(ruleset.worth, ruleset.turned_awards))
    return any(
        has_reached_target(ruleset, penalized_scores[side] + ruleset.score_sign * min(points, max_turned_points))
        for points, group in zip(taken.points, end.hand_sides.groups, strict=True)
        for side in group
    )


def _outcome_at_target(end: HandEnd, assignment: Assignment | None) -> Outcome | None:
    """Return the outcome of a match to a target; `None` if the match goes on.

    `assignment` is who took which award; if `None`, the entered takers did.
    """
    standing, winning = end.standing, end.ruleset.winning
    if not (standing.is_anybody_at_target and standing.candidates):
        return None
    made_bid_winner = _winner_by_made_bid(standing)
    if made_bid_winner and len(standing.at_target) > 1:
        return Outcome((made_bid_winner,), winning.tie_rule, chosen_by="bid")
    if not made_bid_winner and _only_made_bid_wins(standing):
        return None
    if made_bid_winner or len(standing.candidates) == 1:
        return Outcome((made_bid_winner or standing.candidates[0],), winning.win_rule or "first_to_target")
    return _choose_winner(end, assignment)


def _winner_by_made_bid(standing: Standing) -> SideId | None:
    """Return the side that the tie rule puts first for its made bid; `None` if there is none."""
    tie_rule, sides = standing.ruleset.winning.tie_rule, standing.candidates
    if tie_rule == "bidder_or_play_on":
        # In Pawnee only the player who bid makes the bid, not a partner (R46).
        return standing.bidder if standing.made and standing.bidder in sides and _only_made_bid_wins(standing) else None
    if tie_rule not in _TIE_RULES_FOR_BIDDERS or len(sides) < 2:
        return None
    return next((side for side in standing.sides_with_made_bid if side in sides), None)


def _only_made_bid_wins(standing: Standing) -> bool:
    """Return whether only a made bid wins, because several sides have reached the target (`002`, Pawnee)."""
    if standing.ruleset.winning.tie_rule != "bidder_or_play_on":
        return False
    rivals = [side for side in standing.at_target if Clause.MADE_BID not in side.missing]
    return standing.is_overtime or len(rivals) > 1


def _choose_winner(end: HandEnd, assignment: Assignment | None) -> Outcome | None:
    """Return the outcome among several sides that may win; `None` if another hand is played.

    The tie rule decides between sides that reach the target in the same hand. If some were there before, the better
    score wins (interpretation R5 in `rulesets/READINGS.md`). `assignment` is who took which award; if `None`, the
    entered takers did.
    """
    ruleset, standing = end.ruleset, end.standing
    candidates, new_candidates = standing.candidates, standing.new_candidates
    tie_rule = ruleset.winning.tie_rule
    if ruleset.winning.pegged and end.first_there in new_candidates:
        return Outcome((end.first_there,), "pegged", chosen_by="order")
    is_on_same_hand = len(new_candidates) == len(candidates)
    if tie_rule == "another_hand" and is_on_same_hand:
        return None
    contenders = candidates
    if ruleset.breaks_ties_in_counting_order and len(new_candidates) > 1:
        first_sides = (
            assignment.first_sides
            if assignment
            else first_at_target(ruleset, standing.before, end.score.lines, new_candidates)
        )
        contenders = tuple(side for side in candidates if side in first_sides or side not in new_candidates)
    leaders = leading_sides(ruleset, standing.scores, contenders)
    if len(leaders) == 1:
        is_by_tie_rule = is_on_same_hand or contenders != candidates or tie_rule in _TIE_RULES_BY_SCORE
        chosen_by: ChosenBy = "score" if len(contenders) > 1 else "order"
        return Outcome(leaders, tie_rule if is_by_tie_rule else "better_score", chosen_by=chosen_by)
    if tie_rule == "higher_score":
        side_with_made_bid = next((side for side in standing.sides_with_made_bid if side in leaders), None)
        return Outcome((side_with_made_bid,), tie_rule, chosen_by="bid") if side_with_made_bid else None
    return None
