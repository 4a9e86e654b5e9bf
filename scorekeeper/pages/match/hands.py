"""The rows of hands on the match page, on the TV and in the history, and the details that a row opens to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from flask import url_for

from scorekeeper.matches.change_log import hand_changes_words, writer_name
from scorekeeper.matches.fold import Match, played_match
from scorekeeper.matches.log import LoggedHand
from scorekeeper.matches.notices import RuleChange, dispute_words, rule_changes_by_position, side_views
from scorekeeper.pitch.compare.sentences import bid_result_sentence, other_rule_sentences
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.phrases import digits, join_words, renege_cost, times_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.deciding_rules import dealers_bid_rules
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.hand_score import Reason, bid_rules
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.scoring.standing import has_reached_target
from scorekeeper.pitch.sheets.citations import CitedRule, CitedRules
from scorekeeper.pitch.sheets.parts import LEFT_OPEN
from scorekeeper.pitch.text.endings import final_score, held_back_verdict, rule_change_sentences, verdict
from scorekeeper.pitch.text.hands import (
    HandCell,
    HandLine,
    bid_words,
    bidding_remark,
    card_points_sentence,
    carried_from_paper_words,
    explanation_sentences,
    hand_cells,
    hand_lines,
    hand_remarks,
    mistake_words,
    moon_goes_on_sentence,
    not_counted_words,
    outcome_word,
    redeal_words,
    score_change_words,
)
from scorekeeper.pitch.text.phrases import (
    Names,
    join_nonempty,
    names_of,
    score_text,
    signed_text,
    substitution_words,
    sum_words,
)
from scorekeeper.pitch.text.standing import hand_payment_sentences
from scorekeeper.web.context import budget
from scorekeeper.web.library import (
    basis,
    citations_of_hand,
    deciding_rules_of,
    hand_uid_of_earlier_rules,
    standard_rules,
)
from scorekeeper.web.locale import date_style
from scorekeeper.web.widgets import LineView

_MAX_CORRECTION_LENGTH = 60
"""The most characters of a correction in the row of a hand; longer ones are only in the history."""
MAX_SIDE_BY_SIDE = 3
"""The most sides that fit beside each other; with more, hands are a list instead of a table."""


@dataclass(frozen=True, kw_only=True)
class HandSummary:
    """The row of a hand in the table of hands, or with many sides, in the list of hands."""

    uid: int
    number: str
    """The number of the hand; empty for a hand that was dealt again, as the next one has its number."""
    bid: str
    """The bidder and the bid, or why there is none: "Dan 2", "Cleo 7 with Ann", "Misdeal"."""
    trump: str | None
    outcome: str
    """How the hand ended, "made", "set", "after the end" or "not finished"; empty for none of these."""
    dispute_note: str
    """The phones that dispute the hand, "Mia’s phone: That’s wrong."; empty without any."""
    cells: tuple[HandCell, ...]
    """The cells of the row, one for each side; none in a list of hands."""
    bidders: tuple[SideView, ...]
    """The sides that played for the bid; shown in a list of hands only."""
    others_change: str
    """The change of the other sides' scores, for a list of hands: "the others +2 each"; empty without one."""
    bidders_change: str
    """The change of the bidding sides' scores, for a list of hands: "+8 each"; empty without one, or if unequal."""
    is_new: bool = False
    """Whether the hand was saved or corrected since the phone last showed the match."""
    notes: tuple[str, ...] = ()
    """The notes below the row on the match page: "penalty 2 for Us", "corrected: bid 3 → 4"."""


@dataclass(frozen=True, kw_only=True)
class OpenedHand:
    """The details of a hand, which are shown when its row is opened."""

    lines: tuple[LineView, ...]
    """The lines of the score of the hand, each with its side and points."""
    deciding_rules: CitedRules
    """The rules that decided the result and the points, without those that the page shows elsewhere."""
    sheet_url: str
    """The URL of the page with the rules of the hand."""


@dataclass(frozen=True, kw_only=True)
class PaperRow:
    """The row of the scores that were carried over from paper, below the row of the first hand."""

    hands_and_sets: str
    """The hands played and the sets on paper, "3 hands, Us set twice"; empty if neither was entered."""
    sentence: str
    """The row as a sentence for a list of hands: "From paper after 3 hands: Us 10, Them 7."."""


def rules_url(match: Match, ruleset: Ruleset) -> str:
    """Return the URL of the page with these rules, which are the match's current rules or those of one of its hands."""
    return url_for("rules.show_match", code=match.code, hand=hand_uid_of_earlier_rules(match, ruleset))


def latest_hands(match: Match, at_most: int, since: int | None) -> tuple[HandSummary, ...]:
    """Return the rows of the last `at_most` hands, newest first; hands changed after the version `since` are new.

    If `since` is `None`, no hand is new.
    """
    seen_version = match.version if since is None else since
    changes = rule_changes_by_position(match)
    rows = []
    for result, logged in zip(match.state.results[-at_most:], match.log.hands[-at_most:], strict=True):
        is_new = max(logged.uid, *(correction.stamp.seq for correction in logged.corrections), 0) > seen_version
        notes = tuple(_hand_notes(match, result, logged, changes.get(result.position, ())))
        rows.append(replace(hand_summary(match, result, logged), is_new=is_new, notes=notes))
    return tuple(reversed(rows))


def last_hand(match: Match) -> OpenedHand | None:
    """Return the details of the last hand; `None` if it has no score to show, or if the match is over."""
    last = match.state.results[-1] if match.state.results else None
    # Of a match that is over, the verdict shows the hand that ended it.
    if last is None or not last.changes_scores or match.state.outcome:
        return None
    hand, moon = opened_hand(match, last), moon_goes_on_sentence(last)
    return replace(hand, lines=(*hand.lines, LineView(text=moon))) if moon else hand


def opened_hand(match: Match, result: HandResult, cited: CitedRules = ()) -> OpenedHand:
    """Return the details of a hand; its lines show the score so far: "18 + 3 = 21".

    Rules in `cited` are left out, as the page shows them with the verdict.
    """
    lines = tuple(line_views(match, result, has_sums=True))
    # In a line on awards, each award opens to its own rules.
    rules = chain(
        citations_of_hand(result).deciding_rules(result),
        made_or_set_rules(result),
        *(line.cited for line in lines if not line.parts),
    )
    deciding_rules = tuple(rule for rule in dict.fromkeys(rules) if rule not in cited)
    return OpenedHand(lines=lines, deciding_rules=deciding_rules, sheet_url=rules_url(match, result.ruleset))


def _hand_notes(match: Match, result: HandResult, logged: LoggedHand, changes: Sequence[RuleChange]) -> Iterator[str]:
    """Yield the notes below the row of a hand, such as its corrections; `changes` are the rule changes before it.

    The scoring of the last hand is left out, as its details show it.
    """
    names = match.names_in(result.position)
    if changes:
        yield f"New rules: {' '.join(change.words for change in changes)}"
    if newcomers := substitution_words(match.substitutes(result.position)):
        yield newcomers
    yield from mistake_words(result.hand, names, renege_cost(result.ruleset))
    if result.status == "thrown_in" and result.next_dealer and not result.ended_unplayed:
        yield redeal_words(result, names)
        for rule in citations_of_hand(result).redeal_rule(result):
            yield join_nonempty(_rule_words(rule), basis(rule))
    if result.hand.note:
        yield f"“{result.hand.note}”"
    if result.position < len(match.state.results):
        yield from _scoring_notes(result, names)
    if logged.corrections:
        yield correction_words(match, result, logged)


def _scoring_notes(result: HandResult, names: Names) -> Iterator[str]:
    """Yield notes on payments and on unusual bidding or scoring, for a row that does not open."""
    citations = citations_of_hand(result)
    for remark in hand_remarks(result, names):
        if remark.rules[0] in ("count.game_tie", "bid.all_pass"):
            yield " ".join((remark.text, *map(_rule_number, citations.first_rule(*remark.rules))))
    yield from map(_rule_words, citations.rules_by_id(dealers_bid_rules(result)))
    for award_id, number in (result.hand.times or {}).items():
        if number > 1:
            kick = f"{result.ruleset.awards[award_id].name} {times_word(number)}."
            yield " ".join((kick, *map(_rule_words, citations.first_rule("count.turned_cards"))))
    for line in hand_lines(result):
        if line.is_set:
            yield join_nonempty(f"{line.text}.", *map(_rule_number, citations.rules_by_id(line.rules)))
    yield from hand_payment_sentences(result, names)


def _rule_words(rule: CitedRule) -> str:
    """Return the text of a rule, followed by its number: "… Rule 7.1"."""
    return f"{rule.text} {_rule_number(rule)}"


def _rule_number(rule: CitedRule) -> str:
    """Return the number of a rule in words: "Rule 7.1"."""
    return f"Rule {rule.number}"


def correction_words(match: Match, result: HandResult, logged: LoggedHand) -> str:
    """Return who last corrected a corrected hand, and if short, all its changes: "corrected by Bea: bid 3 → 4"."""
    last = logged.corrections[-1]
    change = hand_changes_words(
        logged.corrections[0].before, last.after, match.names_in(result.position), result.ruleset
    )
    who = writer_name(match, last.stamp)
    return f"corrected{f' by {who}' if who else ''}{f': {change}' if 0 < len(change) <= _MAX_CORRECTION_LENGTH else ''}"


def paper_row(match: Match) -> PaperRow | None:
    """Return the row of the scores carried over from paper; `None` if none were."""
    carried_over = match.state_carried_over
    if carried_over is None:
        return None
    names = match.names_at(0)
    played = [digits(carried_over.hands_scored, "hand")] if carried_over.hands_scored else []
    was_set = [f"{names[side]} set {times_word(times)}" for side, times in carried_over.sets.items() if times]
    carried = carried_from_paper_words(carried_over.scores, carried_over.hands_scored, names)
    return PaperRow(
        hands_and_sets=", ".join(played + was_set),
        sentence=f"{', '.join([carried, *was_set])}.",
    )


def hand_summary(
    match: Match,
    result: HandResult,
    logged: LoggedHand,
    *,
    earlier: Mapping[SideId, int] | None = None,
) -> HandSummary:
    """Return the row of a hand; `earlier` are the scores to cross out, from before the match's last event."""
    names = match.names_of(logged)
    sides = side_views(match, names)
    is_table = len(sides) <= MAX_SIDE_BY_SIDE
    bidders_change, others_change = ("", "") if is_table else score_change_words(result, names)
    return HandSummary(
        uid=logged.uid,
        number="" if result.is_redealt else str(result.number),
        bid=bid_words(result, names),
        trump=result.hand.trump,
        outcome=outcome_word(result),
        dispute_note=dispute_words(match, logged),
        cells=hand_cells(result, earlier) if is_table else (),
        bidders=tuple(sides[side] for side in result.bidders),
        others_change=others_change,
        bidders_change=bidders_change,
    )


def line_views(
    match: Match, result: HandResult, earlier: Mapping[AwardId, str] | None = None, *, has_sums: bool = False
) -> Iterator[LineView]:
    """Yield the lines of a hand's score, with remarks on its bidding, payments and scoring.

    `earlier` are the names of takers that the last correction replaced. With `has_sums`, lines show the score so far.
    """
    earlier_takers = earlier or {}
    scores = {side: result.scores[side] - change for side, change in result.deltas.items()} if has_sums else {}
    names, rules = match.names_in(result.position), citations_of_hand(result)
    sides = side_views(match, names)
    why_not_counted = not_counted_words(result)
    if call_remark := bidding_remark(result, names):
        yield LineView(text=call_remark.text, cited=rules.first_rule(*call_remark.rules))
    for line in hand_lines(result, earlier_takers):
        counts_first = line.reason == Reason.PENALTY and _is_drop_below_target(result, line)
        if counts_first and not has_sums:
            scores[line.sides[0]] = result.scores[line.sides[0]] - result.deltas[line.sides[0]]
        is_paid = line.reason == Reason.MONEY_ONLY or (result.ruleset.pays_by_hand and not line.points)
        yield LineView(
            side=sides[line.sides[0]] if len(line.sides) == 1 else None,
            text=f"{line.text}: it counts first" if counts_first else line.text,
            points="" if is_paid else _add_to_sum(line, scores) or _points_text(line, sides),
            earlier_side=earlier_takers.get(line.award or "", ""),
            is_set=line.is_set,
            cited=rules.rules_by_id(line.rules),
            parts=tuple(zip(line.parts, map(rules.award_rules, line.awards), strict=True)) if line.parts else (),
        )
        if line.is_set and why_not_counted:
            yield LineView(text=f"Does not count: {why_not_counted}")
            why_not_counted = ""
    yield from (LineView(text=text, cited=made_or_set_rules(result)) for text in hand_payment_sentences(result, names))
    yield from (
        LineView(text=remark.text, cited=rules.first_rule(*remark.rules)) for remark in hand_remarks(result, names)
    )
    is_game_left_open = any(LEFT_OPEN in rule.text for rule in rules.first_rule("count.game"))
    if is_game_left_open and (counted := card_points_sentence(result)):
        yield LineView(text=counted)
    if why_not_counted:
        yield LineView(text=f"Does not count: {why_not_counted}")


def _is_drop_below_target(result: HandResult, line: HandLine) -> bool:
    """Return whether the side of a line is below the target only because of the line's points."""
    score = result.scores[line.sides[0]]
    was_at_target, is_at_target = (has_reached_target(result.ruleset, total) for total in (score - line.points, score))
    return was_at_target and not is_at_target


def _add_to_sum(line: HandLine, scores: dict[SideId, int]) -> str:
    """Add a line's points to its side in `scores`, and return "18 + 3 = 21".

    For a line with several sides, or with one that is not in `scores`, add nothing and return "".
    """
    if len(line.sides) > 1 or line.sides[0] not in scores:
        return ""
    side = line.sides[0]
    before, scores[side] = scores[side], scores[side] + line.points
    return f"{sum_words(before, line.points)} {score_text(scores[side])}"


def _points_text(line: HandLine, sides: Mapping[SideId, SideView]) -> str:
    """Return the sides of a line and its points: "Us +3", or "Ann, Cal +2 each"."""
    names = [sides[side].name for side in line.sides]
    return f"{', '.join(names)} {signed_text(line.points)}{' each' if len(names) > 1 else ''}"


def made_or_set_rules(result: HandResult) -> CitedRules:
    """Return the rules on a made or set bid and, in a game that pays for each hand, on what is paid."""
    ids = () if result.made is None else bid_rules(result.bid, made=result.made)
    for line in result.lines if result.ruleset.pays_by_hand else ():
        if line.reason != Reason.FORFEIT:
            ids += bid_rules(None, made=False) if line.reason == Reason.TOOK_SET else line.rules
    return citations_of_hand(result).rules_by_id(ids)


_MAX_REASONS_NOT_ENDED = 2
"""The most hands, the last ones, for which a verdict explains why they did not end the match."""


@dataclass(frozen=True, kw_only=True)
class VerdictDetails:
    """The details of a verdict, which are shown when it is opened."""

    hand: OpenedHand | None
    """The details of the last hand that counts; `None` if there is no score to show."""
    other_winners: tuple[str, ...]
    """Sentences on other rules by which another side or nobody would have won: "Nobody scores the Off Jack: …"."""
    hands_not_ending: tuple[tuple[str, CitedRules], ...]
    """Why earlier hands did not end the match although a side was at the target, with the rules."""
    explanation: tuple[str, ...]
    """Sentences that explain the last hand that counts and the end of the match; none without an end."""


def verdict_details(match: Match) -> VerdictDetails:
    state, last = match.state, match.state.last_scored
    hand = opened_hand(match, last, deciding_rules_of(match)) if last and last.changes_scores else None
    return VerdictDetails(
        hand=hand if hand and hand.lines else None,
        other_winners=_other_winners(match) if not match.log.is_stopped else (),
        hands_not_ending=tuple(_why_hands_did_not_end(match)) if state.outcome else (),
        explanation=tuple(_explanation_sentences(match, last)) if last and state.outcome else (),
    )


def _other_winners(match: Match) -> tuple[str, ...]:
    """Return sentences on other rules by which another side or nobody would have won, as far as the budget allows.

    None if no hand counts yet, or the match goes on and no side is at the target.
    """
    state = match.state
    if state.last_scored is None or (state.goes_on and not state.standing.at_target):
        return ()
    return other_rule_sentences(played_match(match, standard_rules(match.rules)), match.names, budget())


def _explanation_sentences(match: Match, last: HandResult) -> Iterator[str]:
    """Yield simple sentences that explain the last hand that counts and the end of the match."""
    names = match.names_in(last.position)
    if played := bid_result_sentence(last, names):
        yield played
    yield from explanation_sentences(last, names)
    yield verdict(match.state, match.names).sentence


def _why_hands_did_not_end(match: Match) -> list[tuple[str, CitedRules]]:
    """Return why earlier hands did not end the match although a side was at the target, with the rules.

    They are the last `_MAX_REASONS_NOT_ENDED` of these hands.
    """
    last = match.state.last_scored
    earlier = (hand for hand in reversed(match.state.results) if hand is not last and hand.status == "scored")
    at_target = (hand for hand in earlier if hand.standing and hand.standing.at_target)
    return [_why_hand_did_not_end(match, hand) for hand in islice(at_target, _MAX_REASONS_NOT_ENDED)][::-1]


def _why_hand_did_not_end(match: Match, result: HandResult) -> tuple[str, CitedRules]:
    """Return why a hand with a side at the target did not end the match, and the rules that say so."""
    state = match.state_before(result.position + 1)._replace(ruleset=result.ruleset)
    names, citations = match.names_in(result.position), citations_of_hand(result)
    waiting = held_back_verdict(state, names, hand_name="that hand")
    remarks = hand_remarks(result, names) if result.has_tied_game else ()
    tied = next((remark for remark in remarks if "count.game_tie" in remark.rules), None)
    why = join_nonempty(f"Hand {result.number} did not end it: {waiting.sentence}", tied.text if tied else "")
    return why, citations.undecided_rules(state) + (citations.first_rule(*tied.rules) if tied else ())


def course_notes(match: Match) -> Iterator[str]:
    """Yield notes on a match: new rules, a new target already met, a former winner, hands after the end."""
    yield from rule_change_sentences(match.rules, match.state, date_style())
    for result in match.state.results:
        if result.standing and "target" in (result.hand.house or {}):
            earlier_ruleset = match.state_before(result.position).ruleset
            names, scores = match.names_in(result.position), result.standing.before
            at_target = [side for side in scores if has_reached_target(result.ruleset, scores[side])]
            if at_target and not any(has_reached_target(earlier_ruleset, scores[side]) for side in at_target):
                had = join_words(f"{names[side]} had {score_text(scores[side])}" for side in at_target)
                yield f"{had} before that, which won nothing: a new target is looked at when a hand ends."
    before = match.before_last_change()
    if before and before.state.outcome and before.state.winners != match.state.winners:
        winners = join_words(names_of(before.state.winners, before.names))
        yield f"Before the last change {winners} had won {final_score(before.state)}."
    late = (result for result in match.state.results if result.status == "after_end")
    late_numbers = [str(result.number) for result in late if not result.is_redealt]
    if late_numbers:
        verbs = "came after the end and do" if len(late_numbers) > 1 else "came after the end and does"
        yield f"Hand{'s' if len(late_numbers) > 1 else ''} {join_words(late_numbers)} {verbs} not count."
