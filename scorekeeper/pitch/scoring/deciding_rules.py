"""The rules that decided a hand or a match, as ids of rules on a rule sheet or as names of house options.

A sheet may lack some of the rules, because it leaves out those that decide nothing in its game.
"""

from collections.abc import Iterator, Mapping

from scorekeeper.pitch.rules.awards import HighestSpade, HighestTrump
from scorekeeper.pitch.rules.options import LOW
from scorekeeper.pitch.scoring.hand_score import Reason, award_rules
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.outcome import OutcomeRule
from scorekeeper.pitch.scoring.standing import Clause, has_reached_target


def dealers_bid_rules(result: HandResult) -> Iterator[str]:
    """Yield the ids of the rules that made the bid of the dealer a special one: "bid.dealer_steal" for a stolen bid."""
    rules = (
        ("bid.all_pass", result.was_stuck),
        ("bid.dealer_steal", result.was_stolen),
        ("bid.pitching", result.overtook_pitch),
        ("bid.double_loss_on_overtake", result.lost_double),
    )
    yield from (rule for rule, holds in rules if holds)


def deciding_rules(result: HandResult) -> Iterator[str]:
    """Yield the ids of rules that a loser of this hand may dispute, such as those on a set or a tie.

    An id may be yielded twice. For a hand without a score, there are none.
    """
    if result.score is None:
        return
    yield from dealers_bid_rules(result)
    for line in result.lines:
        # Taken awards need no rule, and payments are explained where the match is settled. A made bid needs one
        # where it scored the bid instead of the points taken.
        is_plain = line.reason in (Reason.TOOK, Reason.MONEY_ONLY)
        if not is_plain and not (line.reason is Reason.MADE_BID and line.points in (0, result.bidders_points)):
            yield from line.rules
    hand = result.hand
    bid = result.bid
    scored_awards = {line.award for line in result.lines}
    is_special, is_moon = isinstance(bid, str), bid in ("moon", "double_moon")
    has_awards_out_of_play = bool(result.awards_out_of_play)
    has_unclaimed = result.has_unclaimed_points
    is_incomplete = is_special and (None in (hand.taken or {}).values() or has_unclaimed)
    rules = (
        ("count.no_score", result.ruleset.pays_by_hand and result.was_played),
        (f"bid.{bid}", is_special),
        ("bid.top_is_moon", is_moon or bid == result.ruleset.points_per_hand),
        ("bid.moon_wins", is_moon and not result.ruleset.pays_by_hand),
        ("bid.moon_missing" if is_moon else f"bid.{bid}_needs", is_incomplete),
        ("count.missing", has_awards_out_of_play and has_unclaimed and not (is_special or result.made)),
        ("trump.discard", has_awards_out_of_play),
        ("trump.alone", result.ruleset.table.called and len(result.bidders) == 1),
        ("count.no_game", result.was_played),
        ("count.defenders", _has_shared_points(result)),
        ("count.partner_set_too", bool(hand.partner) and result.made is False),
        *((award_rules(award_id)[0], may_dispute) for award_id, may_dispute in _may_dispute_by_award(result)),
        ("players.jokers", LOW in scored_awards and not scored_awards.isdisjoint(result.ruleset.joker_awards)),
        ("count.both_high", _has_disputed_double_high(result)),
        ("count.turned_cards", any(times > 1 for times in (hand.times or {}).values())),
        ("count.game_tie", result.has_tied_game or _has_equal_counts(result)),
    )
    yield from (rule for rule, holds in rules if holds)


def _has_shared_points(result: HandResult) -> bool:
    """Return whether a partner was called, or defenders whose points count together took some."""
    groups = result.hand_sides.groups if result.ruleset.pools_defenders else ()
    return bool(result.hand.partner) or any(len(group) > 1 and result.points[group[0]] for group in groups[1:])


def _may_dispute_by_award(result: HandResult) -> Iterator[tuple[str, bool]]:
    """Yield the id of each award taken, with whether a loser of the hand may dispute the award's rule."""
    ruleset = result.ruleset
    for award_id, group, points in result.taken.awards if result.taken else ():
        is_uncaptured = ruleset.awards[award_id].won == "by_low_rule" and not ruleset.is_captured(award_id)
        is_won_by_ten = award_id == ruleset.game_award != ruleset.card_points_award
        is_scored_low = award_id == LOW and any(line.award == LOW for line in result.lines)
        yield award_id, is_scored_low or ((is_uncaptured or is_won_by_ten) and _may_have_decided(result, group, points))


def _has_disputed_double_high(result: HandResult) -> bool:
    """Return whether one card was both the highest trump and the highest spade, and scored for both.

    Its points must also be enough to have decided the bid or the match.
    """
    kind_by_award = result.ruleset.kinds
    taken_awards = result.taken.awards if result.taken and result.hand.trump == "spades" else ()
    high_awards = [
        (group, points)
        for award, group, points in taken_awards
        if isinstance(kind_by_award[award], HighestTrump | HighestSpade)
    ]
    is_one_card = len(high_awards) > 1 and len({group for group, _ in high_awards}) == 1
    return is_one_card and any(_may_have_decided(result, group, points) for group, points in high_awards)


def _has_equal_counts(result: HandResult) -> bool:
    """Return whether two sides were entered with the same card points, even if others have more."""
    entered_card_points = (result.hand.card_points or {}).values()
    return len(set(entered_card_points)) < len(entered_card_points)


def _may_have_decided(result: HandResult, group: int, points: int) -> bool:
    """Return whether the bid or the match might have ended differently if `group` had not taken these points."""
    bid, points_taken = result.bid, result.bidders_points
    target_results_by_side = [
        {has_reached_target(result.ruleset, score + change) for change in (-points, 0, points)}
        for score in result.scores.values()
    ]
    if target_results_by_side.count({True}) > 1 or any(
        len(target_results) > 1 for target_results in target_results_by_side
    ):
        return True
    if result.bidders and group == 0:
        return bool(result.made) and (not isinstance(bid, int) or points_taken - points < bid)
    return result.made is False and (not isinstance(bid, int) or bid <= points_taken + points)


_RULE_AND_OPTIONS_BY_ENDING: Mapping[OutcomeRule, tuple[str, tuple[str, ...]]] = {
    "turned_up": ("win.turned", ("win_rule",)),
    "given_first": ("argue.mistakes", ("win_rule",)),
    "forfeit": ("play.renege", ()),
    "pegged": ("win.pegged", ()),
    "moon_won": ("bid.moon_wins", ("moon",)),
    "moon_lost": ("bid.moon_wins", ("moon",)),
    "all_points": ("win.four_points_win_game", ("four_points_win_game",)),
    "set_limit": ("win.set_limit", ("set_limit",)),
    "hands": ("win.hands", ("length",)),
}
"""The id on a sheet of each rule that ends a match in place of the win or tie rule, and the house options about it,
keyed by the rule."""


def ending_rules(state: MatchState) -> Iterator[str]:
    """Yield the ids of the rules that ended a match, such as a set limit.

    There are none where the win rule or the tie rule decided, or where the match goes on.
    """
    outcome, last_hand = state.outcome, state.last_scored
    if outcome and last_hand and outcome.rule == "given_first":
        for line in last_hand.lines:
            if line.reason is Reason.PENALTY_TO and line.side in outcome.winners:
                yield from line.rules
    elif outcome and outcome.rule in _RULE_AND_OPTIONS_BY_ENDING:
        yield _RULE_AND_OPTIONS_BY_ENDING[outcome.rule][0]


def deciding_options(state: MatchState) -> tuple[str, ...]:
    """Return the names of the house options that decided how a match ended; empty if none did."""
    if state.outcome is None:
        return ()
    rule, last_hand = state.outcome.rule, state.last_scored
    reasons = {line.reason for line in last_hand.lines} if last_hand else set()
    stop_short_options = ("defenders_stop_short",) if Reason.HELD_SHORT in reasons else ()
    if rule not in ("first_to_target", "made_bid"):
        return (
            _RULE_AND_OPTIONS_BY_ENDING[rule][1]
            if rule in _RULE_AND_OPTIONS_BY_ENDING
            else ("tie_rule", *stop_short_options)
        )
    count_down_options = ("count_down_from",) if state.ruleset.counts_down else ()
    missing_clauses = (
        {side.missing for side in last_hand.standing.at_target if side.missing}
        if last_hand and last_hand.standing
        else set()
    )
    if missing_clauses == {(Clause.LEAD,)}:
        return ("win_by",)
    if Reason.HELD_AT_ONE in reasons or any(Clause.BID_OR_SET in missing for missing in missing_clauses):
        return ("defenders_stop_at_one",)
    return (
        "win_rule",
        *count_down_options,
        *stop_short_options,
        *(("win_by",) if (Clause.LEAD,) in missing_clauses else ()),
    )


def options_delaying_win(state: MatchState) -> tuple[str, ...]:
    """Return the names of the house options because of which no side at the target has won yet.

    They are empty if no side is at the target, or if the match is decided or has an open question.
    """
    at_target = state.standing.at_target
    if state.outcome or state.question or not at_target:
        return ()
    missing_clauses = {clause for side in at_target for clause in side.missing}
    if state.is_overtime:
        return ("tie_rule", "win_by") if state.ruleset.winning.win_by else ("tie_rule",)
    if state.standing.candidates and state.standing.is_end_of_hand:
        return ("tie_rule",)
    delaying_options = (name for clause, name in _OPTION_BY_CLAUSE.items() if clause in missing_clauses)
    return tuple(delaying_options) or ("win_rule", "tie_rule")


_OPTION_BY_CLAUSE = {Clause.MADE_BID: "win_rule", Clause.BID_OR_SET: "defenders_stop_at_one", Clause.LEAD: "win_by"}
"""The name of the house option that sets a condition to win, keyed by the condition. Other conditions have none."""


def is_tied_across_hands(state: MatchState) -> bool:
    """Return whether several sides meet all conditions to win, and some did before the last hand."""
    standing = state.last_scored.standing if state.last_scored else None
    return standing is not None and len(standing.candidates) > max(len(standing.new_candidates), 1)
