"""Worked hands for the rule sheet: a made bid, and a hand that shows the most surprising rule of the game.

They are scored like hands of a match, by `pitch.scoring`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import Gift, TurnedCard, rank_with_article
from scorekeeper.pitch.rules.phrases import digits, join_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.hand_score import MINUS_FOUR, Reason
from scorekeeper.pitch.scoring.standing import comparable_score, leading_sides, target_score
from scorekeeper.pitch.sheets.parts import ScoreRow, WorkedHand
from scorekeeper.pitch.sheets.sample_hands import (
    SampleHand,
    SampleTable,
    awards_in_losing_order,
    awards_lost_on_made,
    awards_lost_on_set,
    sample_bid,
    sample_table,
    usual_target,
)
from scorekeeper.pitch.text.endings import verdict_text
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES, bid_word, is_one_person, score_text, signed_text, verb_for
from scorekeeper.pitch.text.standing import dollar_text

_POINTS_BEYOND_TARGET = 3
"""How far past the target a defender starts if only a made bid wins, as in source `002`, Partnership Pitch."""


def worked_hands(ruleset: Ruleset) -> tuple[WorkedHand, ...]:
    """Return a usual hand, then one that shows the most surprising rule; either may be missing."""
    table = sample_table(ruleset)
    usual_sample = _usual_hand(table)
    title, surprising_sample = next(
        ((title, sample) for title, sample in _titled_surprising_hands(table) if sample), ("", None)
    )
    hands = []
    if usual_sample:
        # The surprising hand shows a set already where it is no more than a number bid that is set.
        is_plain_set = (
            surprising_sample
            and surprising_sample.result.made is False
            and isinstance(surprising_sample.result.bid, int)
            and not surprising_sample.state.outcome
        )
        set_sample = None if is_plain_set else _set_hand(table)
        hands.append(_worked_hand("A made bid" if usual_sample.result.bid else "A hand", usual_sample, set_sample))
    if surprising_sample:
        hands.append(_worked_hand(title, surprising_sample))
    return tuple(hands)


def spare_hand(ruleset: Ruleset, hands: Sequence[WorkedHand]) -> WorkedHand | None:
    """Return one more worked hand: a set bid if `hands` have none, else two sides at the target; `None` without one."""
    table = sample_table(ruleset)
    has_set = any(hand.is_set and hand.title != "A failed moon" for hand in hands)
    for title, sample in (("A set bid", None if has_set else _set_hand(table)), _titled_two_at_target(table)):
        if sample and title not in {hand.title for hand in hands}:
            return _worked_hand(title, sample)
    return None


def _worked_hand(title: str, sample: SampleHand, set_sample: SampleHand | None = None) -> WorkedHand:
    """Return a sample hand in words.

    With `set_sample`, a hand in which the same bid is set, the words add what that would have cost.
    """
    return WorkedHand(
        title=title,
        story=story_sentences(sample),
        sides=tuple(sample.result.scores),
        rows=score_rows(sample),
        result=result_sentence(sample, set_sample),
        is_set=sample.result.made is False,
    )


def _usual_hand(table: SampleTable) -> SampleHand | None:
    """Return a hand with a made bid or, in a game without bidding, a hand without one.

    The result is `None` if the rules do not allow it.
    """
    bid = sample_bid(table.ruleset)
    taken = table.assign_takers(awards_lost_on_made(table.ruleset, bid), is_made=bool(bid))
    with_early_awards = table.with_awards_before_play(taken) if bid is None else taken
    return table.play(bid, with_early_awards) or table.play(bid, taken)


def _set_hand(table: SampleTable) -> SampleHand | None:
    """Return a hand in which a number bid is set; `None` if the rules do not allow it."""
    bid = sample_bid(table.ruleset)
    return table.play(bid, table.assign_takers(awards_lost_on_set(table.ruleset, bid))) if bid else None


def _titled_surprising_hands(table: SampleTable) -> Iterator[tuple[str, SampleHand | None]]:
    """Yield a title and a hand for each surprising rule, ordered from the most surprising on.

    The hand is `None` where no sample hand shows the rule.
    """
    ruleset, bid = table.ruleset, sample_bid(table.ruleset)
    winning, target = ruleset.winning, target_score(ruleset)
    if "moon" in ruleset.special_bids:
        yield "A failed moon", table.play("moon", table.assign_takers(awards_in_losing_order(ruleset)[:1]))
    if table.partner:
        yield "Partners are set", _set_hand(table)
    elif ruleset.pools_defenders and len(table.other_sides) > 1:
        yield "Defenders score together", _set_hand(table)
    if ruleset.scoring.on_set == "bid_to_defenders":
        yield "A set bid", _set_hand(table)
    if winning.defenders_stop_at_one:
        yield "Stopping at 1", _stopped_short_hand(table, 0)
    if winning.defenders_stop_short and target is not None:
        yield f"Stopping at {target - 1}", _stopped_short_hand(table, target)
    if winning.four_points_win_game and bid:
        yield "Every point in one hand", _all_points_hand(table, bid)
    title, sample = _titled_two_at_target(table)
    if title == _FROM_BEHIND_TITLE:
        yield title, sample
    if "smudge" in ruleset.special_bids:  # with every point, it fails for a trick
        yield "A failed smudge", table.play("smudge", table.assign_takers(()))
    yield title, sample
    yield "A set bid", _set_hand(table)


_FROM_BEHIND_TITLE = "A win from behind"


def _titled_two_at_target(table: SampleTable) -> tuple[str, SampleHand | None]:
    """Return a title and a hand in which two sides are at the target, and the outcome is a surprise.

    If no such hand is found, they are `("", None)`.
    """
    bid, sample = sample_bid(table.ruleset), _two_at_target_hand(table)
    if sample:
        winners, scores = sample.state.winners, sample.result.scores
        if (
            bid
            and winners == (table.bidding_side,)
            and table.bidding_side not in leading_sides(table.ruleset, scores, scores)
        ):
            return _FROM_BEHIND_TITLE, sample
        if not bid or winners == (table.other_sides[0],):
            return f"Two reach {target_score(sample.table.ruleset)}", sample
    return "", None


def _stopped_short_hand(table: SampleTable, goal: int) -> SampleHand | None:
    """Return a hand in which a made bid stops a defender one point short of `goal`; `None` if none is found."""
    bid = sample_bid(table.ruleset)
    if not bid:
        return None
    lost_awards = awards_lost_on_made(table.ruleset, bid, points_over=0)
    lost_points = sum(map(table.ruleset.worth, lost_awards))
    scores_before = {table.other_sides[0]: goal - comparable_score(table.ruleset, lost_points)}
    sample = table.play(bid, table.assign_takers(lost_awards, max_takers=1, is_made=True), scores_before)
    return sample if sample and any(line.reason in STOPPED_SHORT_REASONS for line in sample.result.lines) else None


def _all_points_hand(table: SampleTable, bid: int) -> SampleHand | None:
    """Return a hand in which a defender wins by taking every point; `None` if none is found."""
    sample = table.play(bid, dict.fromkeys(table.ruleset.usual_awards, table.other_sides[-1]))
    outcome = sample.state.outcome if sample else None
    return sample if outcome and outcome.rule == "all_points" else None


def _two_at_target_hand(table: SampleTable) -> SampleHand | None:
    """Return a hand that brings two sides to the target or near it; `None` if none is found."""
    table = _with_usual_target(table)
    ruleset, bid = table.ruleset, sample_bid(table.ruleset)
    target = target_score(ruleset)
    if target is None or ruleset.winning.defenders_stop_short:
        return None
    if not bid:
        return _tie_without_bids(table, target)
    taken = table.assign_takers(awards_lost_on_made(ruleset, bid, points_over=0), max_takers=1, is_made=True)
    trial_sample = table.play(bid, taken)
    if trial_sample is None:
        return None
    points_ahead = _POINTS_BEYOND_TARGET if ruleset.winning.win_rule == "made_bid" else -1
    scores_before = {
        **{side: target - trial_sample.result.deltas[side] for side in trial_sample.bidders},
        table.other_sides[0]: target + comparable_score(ruleset, points_ahead),
    }
    return table.play(bid, taken, scores_before)


def _tie_without_bids(table: SampleTable, target: int) -> SampleHand | None:
    """Return a hand without bids in which two sides reach the target; `None` if none is found."""
    if len(table.ruleset.usual_awards) < 2:
        return None
    first_award, *other_awards = table.ruleset.usual_awards
    first_award_points = table.ruleset.worth(first_award)
    scores_before = {
        table.bidding_side: target - comparable_score(table.ruleset, first_award_points),
        table.other_sides[0]: target - comparable_score(table.ruleset, 1),
    }
    if table.ruleset.winning.pegged:
        taken = table.assign_takers(awards_lost_on_made(table.ruleset, None), max_takers=1)
        return table.play(None, taken, scores_before, first_there=table.bidding_side)
    return table.play(None, table.assign_takers(other_awards, max_takers=1), scores_before)


def _with_usual_target(table: SampleTable) -> SampleTable:
    """Return a table with the usual target if its rules leave the target open.

    Without an agreed win rule, the table is unchanged.
    """
    winning = table.ruleset.winning
    if (
        winning.win_rule is None
        or "target" not in table.ruleset.open_options
        or target_score(table.ruleset) is not None
    ):
        return table
    target = usual_target(table.ruleset)
    return replace(
        table, ruleset=table.ruleset.copy_with(winning=winning.copy_with(target=target)), assumed_target=target
    )


STOPPED_SHORT_REASONS = (Reason.HELD_AT_ONE, Reason.HELD_SHORT)
"""The reasons of score lines that say that a defender stops short of the target."""


def score_rows(sample: SampleHand) -> tuple[ScoreRow, ...]:
    """Return rows with the scores before a hand, the changes in the hand, and the scores after it.

    If each hand is paid, the rows show money instead of scores. A game that settles by the average has a fourth row.
    """
    result, state = sample.result, sample.state
    is_paid, money = state.ruleset.money.settles == "hand", state.money or {}
    changes, scores_after = (result.payments, state.cents_for_hands) if is_paid else (result.deltas, result.scores)
    amount_text, change_text = (dollar_text, dollar_text) if is_paid else (score_text, signed_text)
    rows = [
        ScoreRow("Before", tuple(map(amount_text, sample.scores_before.values()))),
        ScoreRow("This hand", tuple(map(change_text, changes.values()))),
        ScoreRow("After", tuple(map(amount_text, scores_after.values())), is_total=True),
    ]
    if state.ruleset.money.settles == "average" and state.ruleset.money.cents_per_point:
        rows.append(ScoreRow("To settle", tuple(map(dollar_text, money.values()))))
    return tuple(rows)


def story_sentences(sample: SampleHand) -> tuple[str, ...]:
    """Return up to three sentences on who bids and who takes what: "Ann bids 2 and takes High and Low (2 points).".

    They include awards scored before the play, and a target that is only assumed.
    """
    table, bidding = sample.table, _bidding_clauses(sample)
    if target := table.assumed_target:
        bidding = [f"Playing to {target}, {bidding[0]}" if bidding else f"The match is to {target}", *bidding[1:]]
    bidders_take = _takes_clause(sample, sample.bidders or (table.bidding_side,))
    if bidding and sample.bidders == (table.bidder,):
        bidding[-1] += bidders_take.removeprefix(table.bidder).replace(" ", " and ", 1)
        sentences = [_join_clauses(bidding)]
    else:
        sentences = (
            [_join_clauses(bidding), bidders_take] if bidding else [*_awards_before_play_sentence(sample), bidders_take]
        )
    return tuple(f"{sentence}." for sentence in (*sentences, *_defenders_sentence(sample)))


def _awards_before_play_sentence(sample: SampleHand) -> Iterator[str]:
    """Yield a sentence on a card turned up and on begging, without its full stop; nothing if the hand has neither."""
    ruleset, clauses = sample.table.ruleset, []
    for award, side in sample.taken.items():
        points = digits(ruleset.worth(award), "point")
        match ruleset.kinds[award]:
            case TurnedCard(rank):
                deals, turns = (_verb(sample, [side], word) for word in ("deal", "turn"))
                clauses.append(f"{side} {deals} and {turns} up {rank_with_article(rank)} ({points})")
            case Gift():
                begs = _verb(sample, [side], "beg")
                if award == ruleset.shared_gift and len(sample.scores_before) > 2:
                    *others, dealer = sample.table.other_sides
                    dealt = [] if clauses else [f"{dealer} {_verb(sample, [dealer], 'deal')}"]
                    clauses += [*dealt, f"{side} {begs}, and {join_words([side, *others])} are given {points} each"]
                else:
                    clauses.append(f"{side} {begs} and {_verb(sample, [side], 'are')} given {points}")
            case _:
                pass
    if clauses:
        yield "; ".join(clauses)


def _join_clauses(clauses: Sequence[str]) -> str:
    """Return clauses joined into a sentence without its full stop: "Ann bids 4, and Bea is the partner"."""
    *head, last = clauses
    return f"{', '.join(head)}, and {last}" if head else last


def _bidding_clauses(sample: SampleHand) -> list[str]:
    """Return clauses on the bids and the called partner: `["Ann bids 4", "Bea is the partner"]`.

    The list is empty if nobody bids.
    """
    bid, table, clauses = sample.result.bid, sample.table, []
    if bid is None:
        return []
    if bid == "moon":
        if table.ruleset.moon.moon_after == "top_bid_by_another":
            clauses.append(f"{table.opponent} bids {table.ruleset.max_bid_number}")
        clauses.append(f"{table.bidder} shoots the moon")
    else:
        clauses.append(f"{table.bidder} bids {bid_word(bid)}")
    if table.partner:
        clauses.append(f"{table.partner} is the partner")
    return clauses


def _defenders_sentence(sample: SampleHand) -> Iterator[str]:
    """Yield a sentence on what the defenders take, without its full stop; nothing if they take nothing.

    Defenders who take nothing against a smudge win a trick, and the sentence says that.
    """
    other_sides = sample.table.other_sides
    groups = [sample.defenders] if sample.has_pooled_defenders else [(side,) for side in other_sides]
    if take_clauses := [_takes_clause(sample, group) for group in groups if set(group) & set(sample.taken.values())]:
        yield "; ".join(take_clauses)
    elif sample.result.bid == "smudge":
        yield f"{other_sides[0]} {_verb(sample, other_sides[:1], 'win')} one trick, with no point in it"


def _takes_clause(sample: SampleHand, sides: Sequence[SideId]) -> str:
    """Return a clause on what `sides` take together: "Ann takes High and Game (2 points)"."""
    ruleset = sample.state.ruleset
    trick_awards = [award for award in ruleset.in_play if award in sample.taken and award not in ruleset.given_awards]
    awards_taken = [award for award in trick_awards if sample.taken[award] in sides]
    taken_names = phrases.award_names(ruleset, awards_taken)
    missed_names = phrases.award_names(ruleset, (award for award in trick_awards if award not in awards_taken))
    points = digits(sum(map(ruleset.worth, awards_taken)), "point")
    together = " together" if len(sides) > 1 else ""
    who_takes = f"{join_words(sides)}{together} {_verb(sample, sides, 'take')}"
    if not taken_names:
        return f"{who_takes} nothing"
    if len(missed_names) < len(taken_names) and missed_names and isinstance(sample.result.bid, str):
        return f"{who_takes} everything but {join_words(missed_names)} ({points})"
    return f"{who_takes} {join_words(taken_names)} ({points})"


def result_sentence(sample: SampleHand, set_sample: SampleHand | None) -> str:
    """Return the conclusion of a hand: who wins, or what the hand scores.

    With `set_sample`, a hand in which the same bid is set, the sentence adds what that would have cost.
    """
    if sample.state.outcome:
        winners, verdict = sample.state.winners, verdict_text(sample.state, IDS_AS_NAMES)
        winners_win = f"{join_words(winners)} {_verb(sample, winners, 'win')}"
        return verdict if re.search(r"\bwins?\b", verdict) else f"{verdict} {winners_win}."
    if not sample.bidders:
        is_given = not set(sample.taken).isdisjoint(sample.state.ruleset.given_awards)
        return f"Nobody bids, so everyone scores what they took{' and were given' if is_given else ''}."
    for line in sample.result.lines:
        if line.reason in STOPPED_SHORT_REASONS:
            side, stop_score = line.side, sample.result.scores[line.side]
            why = "against a made bid" if line.reason is Reason.HELD_AT_ONE else "without the bid"
            stops = f"{_name_or_they(sample, [side])} {_verb(sample, [side], 'stop')} at {stop_score}"
            return f"{side} would be at {score_text(stop_score - line.points)}, but {why} {stops}."
    set_clauses = _cost_if_set_clause(set_sample) if set_sample else ()
    return f"{'; '.join((_bidders_result_clause(sample), *set_clauses, *_defenders_result_clause(sample)))}."


def _bidders_result_clause(sample: SampleHand) -> str:
    """Return a clause on what the bidders win or lose: "That makes the bid: Ann scores only the bid, 4"."""
    ruleset, made, first_bidder = sample.state.ruleset, sample.result.made, sample.bidders[0]
    bidder_names, points_taken = join_words(sample.bidders), sample.result.bidders_points
    reason, change = next(
        ((line.reason, line.points) for line in sample.result.lines if line.side == first_bidder), (None, 0)
    )
    if reason is Reason.MONEY_ONLY:
        return (
            f"That makes the bid: {_defenders_pay_clause(sample)}"
            if made
            else _why_set_clause(sample, _bidders_pay_clause(sample))
        )
    if made:
        beyond_bid = ""
        scored = f"{'only the bid, ' if reason is Reason.MADE_BID else ''}{abs(change)}" if change else "nothing"
        if reason is Reason.TOOK:
            scored = f"all {points_taken}"
            beyond_bid = (
                ", not just the bid" if isinstance(sample.result.bid, int) and points_taken > sample.result.bid else ""
            )
        return f"That makes the bid: {bidder_names} {_scores_phrase(sample, sample.bidders, scored)}{beyond_bid}"
    if reason is Reason.MOON_TO_MINUS_FOUR:
        losers = _sides_charged(sample)
        losers_go = f"{join_words(losers)} {_each_if_several(losers)}{_verb(sample, losers, 'go')}"
        counts_sets = (
            ruleset.winning.set_limit or ruleset.money.set_stake_cents or "set_stake_cents" in ruleset.open_options
        )
        twice_clause = ", and it counts as two sets" if counts_sets else ""
        return _why_set_clause(sample, f"{losers_go} to {score_text(MINUS_FOUR)}, whatever the score was{twice_clause}")
    set_clause = _why_set_clause(sample, _loses_clause(sample))
    if isinstance(sample.result.bid, int) and points_taken and not _is_bid_scored_by_defenders(sample):
        points_clause = "the point taken does" if points_taken == 1 else f"the {points_taken} points taken do"
        return f"{set_clause}, and {points_clause} not count"
    return set_clause


def _why_set_clause(sample: SampleHand, cost_clause: str) -> str:
    """Return why the bid was set, and its cost: "That is 2 short of the bid: Ann is set and loses 4"."""
    match sample.result.bid:
        case int(bid):
            return f"That is {bid - sample.result.bidders_points} short of the bid: {cost_clause}"
        case "smudge":
            return f"A smudge needs every trick as well: {cost_clause}"
        case _ if sample.state.ruleset.moon.moon_needs == "points_and_tricks":
            return f"A moon needs every point and every trick: {cost_clause}"
        case _:
            return f"A moon needs every point: {cost_clause}"


def _loses_clause(sample: SampleHand) -> str:
    """Return a clause on what a set bid costs the bidders or gives the defenders: "Ann is set and loses 4"."""
    losers = _sides_charged(sample)
    cost = abs(sample.result.deltas[losers[0]])
    if _is_bid_scored_by_defenders(sample):
        defenders = sample.defenders
        points = abs(sample.result.deltas[defenders[0]])
        losers_clause = (
            f"{join_words(losers)} {_verb(sample, losers, 'are')} set and {_verb(sample, losers, 'score')} nothing"
        )
        defenders_clause = f"{join_words(defenders)} {_verb(sample, defenders, 'score')} {points}"
        return f"{losers_clause}, and {defenders_clause}: the bid of {sample.result.bid} and what they took"
    spared_bidders = [side for side in sample.bidders if side not in losers]
    down_from = sample.state.ruleset.winning.count_down_from
    lose = f"{_verb(sample, losers, 'go')} up {cost}" if down_from else f"{_verb(sample, losers, 'lose')} {cost}"
    set_clause = f"{join_words(losers)} {_verb(sample, losers, 'are')} set and {_each_if_several(losers)}{lose}"
    return f"{set_clause}, but not {join_words(spared_bidders)}" if spared_bidders else set_clause


def _is_bid_scored_by_defenders(sample: SampleHand) -> bool:
    """Return whether the bid was set and its points went to the defenders."""
    return any(line.reason is Reason.BID_OF_OTHERS for line in sample.result.lines)


def _sides_charged(sample: SampleHand) -> tuple[SideId, ...]:
    """Return the bidders who lose points or pay for a set bid; a partner may be spared."""
    score = sample.result.score
    return tuple(side for side in sample.bidders if score and side in (score.sets or ()))


def _defenders_pay_clause(sample: SampleHand) -> str:
    """Return a clause on what the defenders pay for a made bid, right after the hand: "Bea pays Ann 40 cents"."""
    payers = sample.defenders
    pay_words = f"{_each_if_several(payers)}{_verb(sample, payers, 'pay')}"
    return f"{join_words(payers)} {pay_words} {join_words(sample.bidders)}{_payment_amount(sample)}"


def _bidders_pay_clause(sample: SampleHand) -> str:
    """Return a clause on what the bidders pay for a set bid, right after the hand: "Ann pays Bea 40 cents".

    In a game that also keeps a score, the clause adds that they neither score nor lose points.
    """
    bidders, defenders = sample.bidders, sample.defenders
    payee_words = "each of the others" if len(defenders) > 1 else defenders[0]
    pay_words = f"{_each_if_several(bidders)}{_verb(sample, bidders, 'pay')}"
    pay_clause = f"{join_words(bidders)} {pay_words} {payee_words}{_payment_amount(sample)}"
    if sample.state.ruleset.pays_by_hand:
        return pay_clause
    return f"{pay_clause} and neither {_verb(sample, bidders, 'score')} nor {_verb(sample, bidders, 'lose')} points"


def _payment_amount(sample: SampleHand) -> str:
    """Return the amount that one side pays another, after a space: " 40 cents"; empty if none is agreed."""
    cents = abs(sample.result.payments.get(sample.defenders[0], 0)) // len(sample.bidders)
    return f" {phrases.money_text(cents)}" if cents else ""


def _defenders_result_clause(sample: SampleHand) -> Iterator[str]:
    """Yield a clause on what the defenders score; nothing where each side just scores what it took."""
    ruleset = sample.state.ruleset
    defenders_score, deltas = ruleset.scoring.defenders_score, sample.result.deltas
    if defenders_score == "none" and ruleset.pays_by_hand:
        yield "what the others took pays nothing"
    elif defenders_score == "none":
        yield f"{join_words(sample.defenders)} {_verb(sample, sample.defenders, 'score')} nothing"
    elif sample.has_pooled_defenders and (points := abs(deltas[sample.defenders[0]])):
        yield f"{join_words(sample.defenders)} {_scores_phrase(sample, sample.defenders, str(points))}"


def _cost_if_set_clause(set_sample: SampleHand) -> Iterator[str]:
    """Yield a clause on what a set bid would have cost: "with fewer than 4 Ann would lose 4".

    Nothing is yielded if the amount to pay is not agreed.
    """
    bid, losers = set_sample.result.bid, _sides_charged(set_sample)
    condition = f"with fewer than {bid}" if isinstance(bid, int) else "otherwise"
    losers_would = f"{condition} {_name_or_they(set_sample, losers)} would"
    if set_sample.state.ruleset.pays_by_hand:
        if amount := _payment_amount(set_sample):
            yield f"{losers_would} pay each of them{amount}"
    elif _is_bid_scored_by_defenders(set_sample):
        defenders = set_sample.defenders
        yield f"{losers_would} score nothing, and {join_words(defenders)} would score the bid of {bid} as well"
    else:
        cost_points = abs(set_sample.result.deltas[losers[0]])
        lose_words = "go up" if set_sample.state.ruleset.counts_down else "lose"
        yield f"{losers_would} {_each_if_several(losers)}{lose_words} {cost_points}"


def _scores_phrase(sample: SampleHand, sides: Sequence[SideId], points: str) -> str:
    """Return a verb with the points that `sides` score: "scores 3", "each score 3", "comes down by 3"."""
    each = _each_if_several(sides)
    if sample.state.ruleset.counts_down and points != "nothing":
        return f"{each}{_verb(sample, sides, 'come')} down by {points}"
    return f"{each}{_verb(sample, sides, 'score')} {points}"


def _each_if_several(sides: Sequence[SideId]) -> str:
    """Return "each " for several sides, and "" for one."""
    return "each " if len(sides) > 1 else ""


def _name_or_they(sample: SampleHand, sides: Sequence[SideId]) -> str:
    """Return the name of the player if `sides` are one person, else "they"."""
    return sides[0] if is_one_person(sample.state.seats, sides) else "they"


def _verb(sample: SampleHand, sides: Sequence[SideId], plural_form: str) -> str:
    """Return the form of a verb that agrees with `sides`: for "take", "takes" if they are one person."""
    return verb_for(sample.state.seats, sides, plural_form)
