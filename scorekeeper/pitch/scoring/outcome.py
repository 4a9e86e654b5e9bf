"""Who has won a match, and by which rule, as decided at the end of each hand."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from scorekeeper.pitch.rules.awards import AwardId, AwardIds
from scorekeeper.pitch.rules.groups.winning import TieRule, WinRule
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.counting_order import MAX_STEPS, Assignment, Assignments, first_at_target
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
"""The rule by which a match was decided: the win rule, the tie rule, or one that ends a match without either."""
ChosenBy = Literal["alone", "bid", "order", "score", "points"]
"""How the winner was chosen among several sides that might have won.

`alone`: there was nothing to choose. `points`: a stored match, from before takers were entered, was decided by points.
"""
_TIE_RULES_FOR_BIDDERS = ("bidder_first", "bidder_then_point_order")
"""The tie rules that put a side with a made bid before all others."""
_TIE_RULES_BY_SCORE = ("higher_score", "higher_score_or_play_on")
"""The tie rules by which the side with the higher score wins."""
_MAX_LISTED_AWARDS = 4
"""The most awards that a question about the end may have for every possible answer to be listed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: who won, and by which rule."""

    winners: SideIds
    rule: OutcomeRule
    losers: SideIds = ()
    """The sides that lost the match outright, as by a failed moon or a forfeit."""
    chosen_by: ChosenBy = "alone"


class EndAnswer(NamedTuple):
    """One possible answer to the question who took some awards, and the winners in that case."""

    takers: tuple[tuple[AwardId, SideIds], ...]
    winners: SideIds
    """The winners; empty where the match goes on."""


@dataclass(frozen=True, slots=True)
class EndQuestion:
    """A question that decides the end of the match: who took some awards, or who pegged first."""

    awards: AwardIds
    """The awards whose takers decide the end, in counting order; empty if who pegged first decides it."""
    winners: SideIds
    """The sides that may have won."""
    answers: tuple[EndAnswer, ...] = field(default=(), compare=False)
    """All possible answers; empty if they are too many to list, or if who pegged first is the question."""

    def minimal_winning_awards(self, side: SideId) -> tuple[AwardIds, ...]:
        """Return the minimal sets of awards with which a side wins, such as (Low,) or (Jack, Game).

        Empty if the side needs none of them, or if no such sets show exactly when it wins.
        """
        took = [
            (tuple(award for award, sides in answer.takers if side in sides), side in answer.winners)
            for answer in self.answers
        ]
        winning = {awards for awards, wins in took if wins}
        minimal = {awards for awards in winning if not any(set(other) < set(awards) for other in winning)}
        is_complete = all(wins == any(set(awards).issuperset(needed) for needed in minimal) for awards, wins in took)
        if () in minimal or not is_complete:
            return ()
        return tuple(sorted(minimal, key=lambda awards: [self.awards.index(award) for award in awards]))


class HandEnd(NamedTuple):
    """The end of a hand: everything about the hand and the match that may decide who has won."""

    standing: Standing
    score: HandScore
    hand_sides: HandSides
    taken: Taken | None
    """What each group took; `None` where nothing was played."""
    sets: BySide
    """How often each side has been set in the match, this hand included."""
    hands: int
    """The number of hands scored, including this one and hands carried over from paper."""
    dealing_side: SideId | None = None
    without_game: SideIds = ()
    """The sides that may not score Game in this hand, because they reneged."""
    first_there: SideId | None = None
    """The side that was entered as the first to peg the target."""
    carried: int = 0
    """Points added to Game in this hand, carried over from a tied Game."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force in the hand."""
        return self.standing.ruleset


def decide_match(end: HandEnd, budget: Budget) -> Outcome | EndQuestion | None:
    """Return the outcome of the match, or the question that decides it; `None` if the match goes on.

    If the possible takers are too many for the budget, the question is who took each award.
    """
    if end.ruleset.winning.pegged and not (end.first_there or _is_decided_before_pegging(end)):
        racing = possible_first_peggers(end)
        if len(racing) > 1:
            return EndQuestion((), racing)
        end = end._replace(first_there=next(iter(racing), None))
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
    """Return the outcome on which all `assignments` agree, or else the question that decides it.

    `None` if the match goes on under all of them. Raises `BudgetExceeded`.
    """
    found = {assignment: _outcome_under(end, assignment) for assignment in assignments.possible}
    if not found:
        # Then the points alone decide.
        return _outcome_under(end, None)
    winners = {assignment: outcome.winners if outcome else () for assignment, outcome in found.items()}
    if len(set(winners.values())) == 1:
        # If the same side wins for different reasons, prefer the score: it holds whoever took the awards.
        return min(found.values(), key=lambda outcome: f"{outcome.chosen_by != 'score'} {outcome}" if outcome else "")
    awards = assignments.deciding_awards(winners)
    takings = assignments.taker_combinations(awards, winners) if len(awards) <= _MAX_LISTED_AWARDS else ()
    answers = tuple(EndAnswer(tuple(zip(awards, takers, strict=True)), winning) for takers, winning in takings)
    possible_winners = set().union(*winners.values())
    return EndQuestion(awards, tuple(side for side in end.standing.scores if side in possible_winners), answers)


def _is_decided_before_pegging(end: HandEnd) -> bool:
    """Return whether the match is decided without regard to which side pegged the target first."""
    standing, winning = end.standing, end.ruleset.winning
    mistake_winner = _winner_by_mistake_points(standing, end.score)
    took_all = winning.four_points_win_game and end.taken and end.taken.taker_of_all(end.ruleset) is not None
    return bool(end.score.instant_ending or _winner_by_made_bid(standing) or mistake_winner or took_all)


def possible_first_peggers(end: HandEnd) -> SideIds:
    """Return the sides that may have pegged the target first, if several reached it in this hand.

    Game is counted last, so a side that needs Game comes after one that does not. Empty if points are not pegged.
    """
    reached = end.standing.new_candidates
    if not end.ruleset.winning.pegged or len(reached) < 2:
        return ()
    first: set[SideId] = set()
    for takers, worth in _possible_game_takers(end):
        late = {side for group in takers for side in end.hand_sides.groups[group]}
        by_tricks = {
            side: end.standing.scores[side] - end.ruleset.score_sign * worth * (side in late) for side in reached
        }
        early = [side for side in reached if has_reached_target(end.ruleset, by_tricks[side])]
        first.update(early or reached)
    return tuple(side for side in reached if side in first)


def _possible_game_takers(end: HandEnd) -> Iterator[tuple[Groups, int]]:
    """Yield each set of groups that may have scored Game, with the points that Game was worth.

    `()` stands for nobody. The points are 0 if Game does not go to the most card points.
    """
    ruleset, taken, game = end.ruleset, end.taken, end.ruleset.card_points_award
    if taken is None or game is None:
        yield (), 0
        return
    worth = ruleset.awards[game].points + end.carried
    if taken.awards:
        yield tuple(group for award, group, _ in taken.awards if award == game), worth
    elif taken.game_groups is not None:
        yield taken.game_groups, worth
    else:
        yield (), worth
        yield from (((group,), worth) for group, points in enumerate(taken.points) if points >= worth)


def turned_card_winner(
    ruleset: Ruleset, before: BySide, reached_by_two: int | None, given_awards: Iterable[tuple[AwardId, SideId]]
) -> SideId | None:
    """Return the side that wins because cards turned up for trump bring it to the target.

    `before` are the scores without these cards. `given_awards` are all awards scored before play, each as often as it
    scored.
    """
    scores, turners = dict(before), set[SideId]()
    for award, side in given_awards:
        if award in ruleset.turned_awards:
            scores[side] += ruleset.score_sign * ruleset.worth(award)
            turners.add(side)
    standing = Standing(ruleset, before, scores, reached_by_two=reached_by_two)
    return next(iter(_candidates_by_target(standing, turners)), None)


def _candidates_by_target(standing: Standing, among: Collection[SideId]) -> SideIds:
    """Return the sides in `among` that may win by reaching the target now.

    Empty if a win needs a made bid.
    """
    if not among or standing.ruleset.winning.win_rule != "first_to_target":
        return ()
    return tuple(side for side in standing.new_candidates if side in among)


def thrown_in_outcome(
    standing: Standing, score: HandScore, given_awards: Iterable[tuple[AwardId, SideId]]
) -> Outcome | None:
    """Return the outcome after a thrown-in hand; `None` if the match goes on.

    `given_awards` are all awards scored before play, each as often as it scored.
    """
    if score.instant_ending:
        return _instant_outcome(replace(standing, scores=standing.before), score.instant_ending)
    if first := _winner_by_mistake_points(standing, score):
        return Outcome((first,), "given_first")
    before = with_penalties(standing.before, score.lines)
    turned = turned_card_winner(standing.ruleset, before, standing.reached_by_two, given_awards)
    return Outcome((turned,), "turned_up") if turned else None


def _winner_by_mistake_points(standing: Standing, score: HandScore) -> SideId | None:
    """Return the side that wins because points for others' mistakes bring it to the target.

    `None` if several sides reach it, or if a win needs a made bid.
    """
    given_to = {line.side for line in score.lines if line.reason is Reason.PENALTY_TO}
    if not given_to:
        return None
    scores = with_penalties(standing.before, score.lines)
    won = _candidates_by_target(
        Standing(standing.ruleset, standing.before, scores, reached_by_two=standing.reached_by_two), given_to
    )
    return won[0] if len(won) == 1 else None


def outcome_by_hands(ruleset: Ruleset, scores: BySide, hand_count: int) -> Outcome | None:
    """Return the outcome of a match that a number of hands ends, after `hand_count` of them.

    All sides with the best score win, unless a tie is played on. `None` if the match goes on or has no such end.
    """
    if not ruleset.winning.hands or hand_count < ruleset.winning.hands:
        return None
    leaders = leading_sides(ruleset, scores, scores)
    if len(leaders) > 1 and ruleset.winning.plays_on_when_tied:
        return None
    return Outcome(leaders, "hands")


def _outcome_under(end: HandEnd, assignment: Assignment | None) -> Outcome | None:
    """Return the outcome of the match, or `None` if it goes on.

    Awards go to the takers in `assignment`, or without one to the entered takers.
    """
    ruleset, standing, score = end.ruleset, end.standing, end.score
    winning = ruleset.winning
    if score.instant_ending and score.instant_ending.reason == "forfeit":
        return _instant_outcome(standing, score.instant_ending)
    if winning.length == "target" and (first := _winner_by_mistake_points(standing, score)):
        return Outcome((first,), "given_first")
    if ruleset.given_awards and (turned := _winner_by_turned_card(end, assignment)):
        return Outcome((turned,), "turned_up")
    if score.instant_ending:
        return _instant_outcome(standing, score.instant_ending)
    if winning.four_points_win_game and end.taken:
        group = assignment.taker_of_all if assignment else end.taken.taker_of_all(ruleset)
        if group is not None:
            return Outcome(end.hand_sides.groups[group], "all_points")
    if winning.set_limit and score.sets:
        at_limit = tuple(s for s in standing.scores if s in score.sets and end.sets.get(s, 0) >= winning.set_limit)
        others = [s for s in standing.scores if s not in at_limit]
        if at_limit and others:
            return Outcome(leading_sides(ruleset, standing.scores, others), "set_limit", at_limit)
    if winning.length == "hands":
        return outcome_by_hands(ruleset, standing.scores, end.hands)
    return _outcome_at_target(end, assignment)


def _winner_by_turned_card(end: HandEnd, assignment: Assignment | None) -> SideId | None:
    """Return the side that wins by cards turned up for trump in this hand; `None` for no side.

    For `assignment` see `_outcome_under`.
    """
    if assignment is None:
        given_awards = [
            (line.award, line.side)
            for line in end.score.lines
            if line.award in end.ruleset.given_awards
            for _ in range(abs(line.points) // end.ruleset.worth(line.award))
        ]
    else:
        given_awards = [(award, side) for award, group in assignment.given for side in end.hand_sides.groups[group]]
    before = with_penalties(end.standing.before, end.score.lines)
    return turned_card_winner(end.ruleset, before, end.standing.reached_by_two, given_awards)


def _instant_outcome(standing: Standing, ending: InstantEnding) -> Outcome:
    """Return the outcome of a match that a moon or a forfeit ends.

    If the ending has only losers, the best score among the other sides wins.
    """
    if ending.winners:
        return Outcome(ending.winners, ending.reason)
    others = [side for side in standing.scores if side not in ending.losers]
    return Outcome(leading_sides(standing.ruleset, standing.scores, others), ending.reason, ending.losers)


def _relevant_assignments(end: HandEnd, budget: Budget) -> Assignments | None:
    """Return the assignments of awards that fit the entered points; `None` where they cannot change the outcome."""
    ruleset, standing, taken = end.ruleset, end.standing, end.taken
    assert taken is not None
    racing: SideIds = ()
    is_raced = (
        ruleset.breaks_ties_in_counting_order and ruleset.winning.length != "hands" and standing.is_anybody_at_target
    )
    if is_raced and not _winner_by_made_bid(standing):
        racing = standing.new_candidates
    # Where points may include a gift, a card turned up or a caught card, they do not show who took every award.
    is_hidden = bool(ruleset.given_awards or ruleset.replaced_award_by_caught)
    may_turn = bool(ruleset.given_awards) and _may_have_won_by_turned_card(end, taken)
    if len(racing) < 2 and not may_turn and not (ruleset.winning.four_points_win_game and is_hidden):
        return None
    return Assignments(
        ruleset,
        end.hand_sides,
        taken.points,
        with_penalties(standing.before, end.score.lines),
        frozenset(line.side for line in end.score.lines if line.reason is Reason.TOOK),
        racing,
        end.dealing_side,
        taken.game_groups,
        frozenset(end.hand_sides.group_of(side) for side in end.without_game),
        budget.limited_part(MAX_STEPS),
    )


def _may_have_won_by_turned_card(end: HandEnd, taken: Taken) -> bool:
    """Return whether the entered points leave room for a win by cards turned up for trump."""
    ruleset, before = end.ruleset, with_penalties(end.standing.before, end.score.lines)
    if ruleset.winning.win_rule != "first_to_target" or not end.standing.is_anybody_at_target:
        return False
    worth = sum(map(ruleset.worth, ruleset.turned_awards))
    return any(
        has_reached_target(ruleset, before[side] + ruleset.score_sign * min(points, worth))
        for points, group in zip(taken.points, end.hand_sides.groups, strict=True)
        for side in group
    )


def _outcome_at_target(end: HandEnd, assignment: Assignment | None) -> Outcome | None:
    """Return the outcome of a match to a target; `None` if it goes on.

    For `assignment` see `_outcome_under`.
    """
    standing, winning = end.standing, end.ruleset.winning
    if not (standing.is_anybody_at_target and standing.candidates):
        return None
    made = _winner_by_made_bid(standing)
    if made and len(standing.at_target) > 1:
        return Outcome((made,), winning.tie_rule, chosen_by="bid")
    if not made and _only_made_bid_wins(standing):
        return None
    if made or len(standing.candidates) == 1:
        return Outcome((made or standing.candidates[0],), winning.win_rule or "first_to_target")
    return _choose_winner(end, assignment)


def _winner_by_made_bid(standing: Standing) -> SideId | None:
    """Return the side that the tie rule prefers for its made bid; `None` where it prefers none."""
    rule, among = standing.ruleset.winning.tie_rule, standing.candidates
    if rule == "bidder_or_play_on":
        # In Pawnee only the player who bid makes the bid, not a partner (R46).
        return standing.bidder if standing.made and standing.bidder in among and _only_made_bid_wins(standing) else None
    if rule not in _TIE_RULES_FOR_BIDDERS or len(among) < 2:
        return None
    return next((side for side in standing.sides_with_made_bid if side in among), None)


def _only_made_bid_wins(standing: Standing) -> bool:
    """Return whether only a made bid wins, because several sides have reached the target (`002`, Pawnee)."""
    if standing.ruleset.winning.tie_rule != "bidder_or_play_on":
        return False
    rivals = [side for side in standing.at_target if Clause.MADE_BID not in side.missing]
    return standing.is_overtime or len(rivals) > 1


def _choose_winner(end: HandEnd, assignment: Assignment | None) -> Outcome | None:
    """Return the outcome among several sides that may win; `None` if another hand is played.

    A tie rule is for sides that reach the target in the same hand. Otherwise the better score wins (interpretation R5
    in `rulesets/READINGS.md`). For `assignment` see `_outcome_under`.
    """
    ruleset, standing = end.ruleset, end.standing
    candidates, reached = standing.candidates, standing.new_candidates
    rule = ruleset.winning.tie_rule
    if ruleset.winning.pegged and end.first_there in reached:
        return Outcome((end.first_there,), "pegged", chosen_by="order")
    is_on_same_hand = len(reached) == len(candidates)
    if rule == "another_hand" and is_on_same_hand:
        return None
    contenders = candidates
    if ruleset.breaks_ties_in_counting_order and len(reached) > 1:
        first = assignment.first if assignment else first_at_target(ruleset, standing.before, end.score.lines, reached)
        contenders = tuple(side for side in candidates if side in first or side not in reached)
    leaders = leading_sides(ruleset, standing.scores, contenders)
    if len(leaders) == 1:
        by_rule = is_on_same_hand or contenders != candidates or rule in _TIE_RULES_BY_SCORE
        chosen_by: ChosenBy = "score" if len(contenders) > 1 else "order"
        return Outcome(leaders, rule if by_rule else "better_score", chosen_by=chosen_by)
    if rule == "higher_score":
        made = next((side for side in standing.sides_with_made_bid if side in leaders), None)
        return Outcome((made,), rule, chosen_by="bid") if made else None
    return None
