"""The rules that decided a hand or a match, as ids of rules on a rules sheet or as names of house options.

A sheet may lack some of them, because it leaves out rules that decide nothing in its game.
"""

from collections.abc import Iterator, Mapping

from scorekeeper.pitch.rules.awards import HighestSpade, HighestTrump
from scorekeeper.pitch.rules.options import LOW
from scorekeeper.pitch.scoring.hand_score import Reason, award_rules
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.outcome import OutcomeRule
from scorekeeper.pitch.scoring.standing import Clause, has_reached_target


def dealers_bid_rules(result: HandResult) -> Iterator[str]:
    """Yield the ids of the rules that made the dealer's bid a special one, such as a stolen bid."""
    rules = (
        ("bid.all_pass", result.was_stuck),
        ("bid.dealer_steal", result.was_stolen),
        ("bid.pitching", result.overtook_pitch),
        ("bid.double_loss_on_overtake", result.lost_double),
    )
    yield from (rule for rule, holds in rules if holds)


def deciding_rules(result: HandResult) -> Iterator[str]:
    """Yield the ids of rules that a loser of this hand may dispute, such as those on a set or a tie.

    Ids may repeat. There are none for a hand without a score.
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
    hand, bid, scored_awards = result.hand, result.bid, {line.award for line in result.lines}
    is_special, is_moon = isinstance(bid, str), bid in ("moon", "double_moon")
    burned, has_unclaimed = bool(result.awards_out_of_play), result.has_unclaimed_points
    is_incomplete = is_special and (None in (hand.taken or {}).values() or has_unclaimed)
    rules = (
        ("count.no_score", result.ruleset.pays_by_hand and result.was_played),
        (f"bid.{bid}", is_special),
        ("bid.top_is_moon", is_moon or bid == result.ruleset.points_per_hand),
        ("bid.moon_wins", is_moon and not result.ruleset.pays_by_hand),
        ("bid.moon_missing" if is_moon else f"bid.{bid}_needs", is_incomplete),
        ("count.missing", burned and has_unclaimed and not (is_special or result.made)),
        ("trump.discard", burned),
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
    """Return whether a partner was called, or several defenders whose points count together took some."""
    groups = result.hand_sides.groups if result.ruleset.pools_defenders else ()
    return bool(result.hand.partner) or any(len(group) > 1 and result.points[group[0]] for group in groups[1:])


def _may_dispute_by_award(result: HandResult) -> Iterator[tuple[str, bool]]:
    """Yield the id of each award taken, and whether a loser of the hand may dispute its rule."""
    ruleset = result.ruleset
    for award_id, group, points in result.taken.awards if result.taken else ():
        is_uncaptured = ruleset.awards[award_id].won == "by_low_rule" and not ruleset.is_captured(award_id)
        by_ten = award_id == ruleset.game_award != ruleset.card_points_award
        is_scored_low = award_id == LOW and any(line.award == LOW for line in result.lines)
        yield award_id, is_scored_low or ((is_uncaptured or by_ten) and _may_have_decided(result, group, points))


def _has_disputed_double_high(result: HandResult) -> bool:
    """Return whether one card was highest trump and highest spade, and may have decided the bid or the match."""
    kinds, awards = result.ruleset.kinds, result.taken.awards if result.taken and result.hand.trump == "spades" else ()
    high = [(group, points) for award, group, points in awards if isinstance(kinds[award], HighestTrump | HighestSpade)]
    is_one_card = len(high) > 1 and len({group for group, _ in high}) == 1
    return is_one_card and any(_may_have_decided(result, group, points) for group, points in high)


def _has_equal_counts(result: HandResult) -> bool:
    """Return whether two sides were entered with equal card points, even if others have more."""
    counts = (result.hand.card_points or {}).values()
    return len(set(counts)) < len(counts)


def _may_have_decided(result: HandResult, group: int, points: int) -> bool:
    """Return whether the bid or the match might have ended differently if `group` had not taken these points."""
    bid, took = result.bid, result.bidders_points
    at_target = [
        {has_reached_target(result.ruleset, score + by) for by in (-points, 0, points)}
        for score in result.scores.values()
    ]
    if at_target.count({True}) > 1 or any(len(reached) > 1 for reached in at_target):
        return True
    if result.bidders and group == 0:
        return bool(result.made) and (not isinstance(bid, int) or took - points < bid)
    return result.made is False and (not isinstance(bid, int) or bid <= took + points)


_RULES_OF_ENDINGS: Mapping[OutcomeRule, tuple[str, tuple[str, ...]]] = {
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
"""By rule that ended a match in place of a win or tie rule: its id on a sheet, and the house options about it."""


def ending_rules(state: MatchState) -> Iterator[str]:
    """Yield the ids of the rules that ended a match, such as a set limit.

    There are none where the usual rules on winning decided, or where the match goes on.
    """
    outcome, last = state.outcome, state.last_scored
    if outcome and last and outcome.rule == "given_first":
        for line in last.lines:
            if line.reason is Reason.PENALTY_TO and line.side in outcome.winners:
                yield from line.rules
    elif outcome and outcome.rule in _RULES_OF_ENDINGS:
        yield _RULES_OF_ENDINGS[outcome.rule][0]


def deciding_options(state: MatchState) -> tuple[str, ...]:
    """Return the names of the house options that decided how a match ended, if any did."""
    if state.outcome is None:
        return ()
    rule, last = state.outcome.rule, state.last_scored
    held = {line.reason for line in last.lines} if last else set()
    short = ("defenders_stop_short",) if Reason.HELD_SHORT in held else ()
    if rule not in ("first_to_target", "made_bid"):
        return _RULES_OF_ENDINGS[rule][1] if rule in _RULES_OF_ENDINGS else ("tie_rule", *short)
    down = ("count_down_from",) if state.ruleset.counts_down else ()
    lacking = {side.missing for side in last.standing.at_target if side.missing} if last and last.standing else set()
    if lacking == {(Clause.LEAD,)}:
        return ("win_by",)
    if Reason.HELD_AT_ONE in held or any(Clause.BID_OR_SET in missing for missing in lacking):
        return ("defenders_stop_at_one",)
    return ("win_rule", *down, *short, *(("win_by",) if (Clause.LEAD,) in lacking else ()))


def options_delaying_win(state: MatchState) -> tuple[str, ...]:
    """Return the names of the house options because of which no side at the target has won yet.

    Empty if no side is at the target, or if the match is decided or has an open question.
    """
    at_target = state.standing.at_target
    if state.outcome or state.question or not at_target:
        return ()
    clauses = {clause for side in at_target for clause in side.missing}
    if state.is_overtime:
        return ("tie_rule", "win_by") if state.ruleset.winning.win_by else ("tie_rule",)
    if state.standing.candidates and state.standing.is_end_of_hand:
        return ("tie_rule",)
    found = (name for clause, name in _OPTION_OF_CLAUSE.items() if clause in clauses)
    return tuple(found) or ("win_rule", "tie_rule")


_OPTION_OF_CLAUSE = {Clause.MADE_BID: "win_rule", Clause.BID_OR_SET: "defenders_stop_at_one", Clause.LEAD: "win_by"}
"""By condition to win: the name of the house option that sets it, if one does."""


def is_tied_across_hands(state: MatchState) -> bool:
    """Return whether several sides meet all conditions to win, some of them since before the last hand."""
    standing = state.last_scored.standing if state.last_scored else None
    return standing is not None and len(standing.candidates) > max(len(standing.new_candidates), 1)
