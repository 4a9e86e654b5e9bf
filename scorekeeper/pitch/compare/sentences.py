"""The result of a hand or a match in words: what was bid, who wins and why, and who would win under other rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from scorekeeper.pitch.compare.alternatives import Alternative, changing_alternatives
from scorekeeper.pitch.compare.comparison import Comparison, PlayedMatch
from scorekeeper.pitch.compare.ruling import Ruling
from scorekeeper.pitch.rules.phrases import capitalize, join_words, money_text
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Answers, Ruleset
from scorekeeper.pitch.scoring.deciding_rules import options_delaying_win
from scorekeeper.pitch.scoring.hand import BySide, SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.outlook import outlook
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.text.endings import (
    deciding_rules_text,
    final_score,
    held_back_verdict,
    option_rules_text,
    outcome_heading,
    verdict_text,
)
from scorekeeper.pitch.text.hands import (
    HandLine,
    bid_result_word,
    bid_words,
    hand_lines,
    needs_words,
    result_words,
    tricks_words,
)
from scorekeeper.pitch.text.phrases import (
    Names,
    bid_word,
    group_by_key,
    join_nonempty,
    name_with_verb,
    names_of,
    score_text,
    verb_for,
)
from scorekeeper.pitch.text.rule_changes import answer_sentences
from scorekeeper.pitch.text.standing import outlook_sentence

NOBODY_YET = "nobody yet"
"""The words in place of a winner while nobody has won."""


def house_answers_text(answers: Answers, other: Ruleset, before: Ruleset | None = None) -> str:
    """Return answers to house options as sentences, without the last full stop: "Nobody scores the Off Jack".

    `other` are the rules with these answers. An award that they lack is named as in the ruleset `before`.
    """
    return " ".join(answer_sentences(other, answers, before)).removesuffix(".")


def other_rule_sentences(played: PlayedMatch, names: Names, budget: Budget | None = None) -> tuple[str, ...]:
    """Return a sentence on each of `changing_alternatives`: the other answer to a rule, and who would win by it."""
    return tuple(alternative_sentence(alternative, names) for alternative in changing_alternatives(played, budget))


def alternative_sentence(alternative: Alternative, names: Names) -> str:
    """Return who would win by another answer to a rule: "By the rule “Nobody scores Low”: Bea would win, 42 to 40."."""
    comparison = alternative.comparison
    rule = house_answers_text(alternative.answers, comparison.ends[0].ruleset)
    return f"By the rule “{rule}”: {comparison_heading(comparison, names)}{_scores_clause(comparison)}."


def winner_words(comparison: Comparison, names: Names) -> str:
    """Return who wins under other rules: "We win, 42 to 40", "nobody yet, 40 to 40", "We win either way", "not known".

    With more than two sides, no scores are included.
    """
    winners = comparison.winners
    if winners is None:
        return "not known"
    who_wins = (
        f"{join_words(names_of(winners, names))} {verb_for(comparison.ends[0].seats, winners, 'win')}"
        if winners
        else NOBODY_YET
    )
    return f"{who_wins}{_scores_clause(comparison)}"


def _scores_clause(comparison: Comparison) -> str:
    """Return the scores under other rules, to add after the winner: ", 42 to 40", or " either way" if not known.

    The clause is empty with more than two sides.
    """
    state = comparison.state
    if state is None:
        return " either way"
    if len(state.scores) > 2:
        return ""
    return f", {final_score(state) or scores_in_side_order(state)}"


def scores_in_side_order(state: MatchState) -> str:
    """Return all scores of a match, in the order of its sides: "40 to 40"."""
    return " to ".join(map(score_text, state.scores.values()))


def comparison_heading(comparison: Comparison, names: Names) -> str:
    """Return who would win by other rules: "We would win", "Nobody would have won yet", "It depends", "Not known"."""
    winners = comparison.winners
    if winners is None:
        return "It depends" if comparison.question else "Not known"
    return f"{join_words(names_of(winners, names))} would win" if winners else "Nobody would have won yet"


def comparison_sentence(comparison: Comparison, names: Names, *, stopped: bool = False) -> str:
    """Return why a match ends as it does under other rules, or why that is not known, in sentences."""
    winners, state = comparison.winners, comparison.state
    if comparison.problem:
        return comparison.problem
    if state is not None and not state.results and winners:
        leading_scores = join_words(f"{names[side]} had {score_text(state.scores[side])}" for side in winners)
        return f"{leading_scores} before the first hand."
    if state is not None:
        return verdict_text(state, names, stopped=stopped)
    if winners is None:
        return "That depends on what was not written down."
    return f"{comparison_heading(comparison, names)}, whatever was not written down."


def first_difference_sentence(comparison: Comparison) -> str:
    """Return a sentence on the first hand that differs: "The first hand that differs is hand 9."."""
    if comparison.first_differing_hand is None:
        return "All hands come out the same."
    if comparison.first_differing_hand == 0:
        if any(state.outcome and not state.results for state in comparison.ends):
            return "The scores are the same, but the match was over before the first hand."
        return "The scores differ before the first hand."
    return f"The first hand that differs is hand {comparison.first_differing_hand}."


def payments_words(payments: BySide, names: Names) -> str:
    """Return who gets and who pays how much: "Ann gets $1, Bob pays 50 cents"; empty where nobody pays."""
    named_payments = ((names[side], cents) for side, cents in payments.items() if cents)
    return ", ".join(
        f"{name_with_verb(name, 'get' if cents > 0 else 'pay')} {money_text(abs(cents))}"
        for name, cents in named_payments
    )


def undecided_sentence(ruling: Ruling) -> str:
    """Return a sentence on the rules that a ruling depends on and that are not agreed yet; empty if there are none."""
    options = dict.fromkeys(option for alternative in ruling.undecided for option in alternative.answers)
    questions = [QUESTIONS[option].question_text(ruling.state_before.ruleset) for option in options]
    if not questions:
        return ""
    rule_count_words = "a rule" if len(questions) == 1 else f"{len(questions)} rules"
    return f"This turns on {rule_count_words} that you have not agreed: {' '.join(questions)}"


def results_by_answer(ruling: Ruling, names: Names) -> list[tuple[str, str]]:
    """Return answers to the rules not agreed yet, each with its result: `("Target: 11 or 15", "We win, 16 to 9")`.

    Answers with the same result are one item. If the hand cannot be scored, the result says why.
    """
    results_by_target = group_by_key(
        (
            alternative.answers.get("target"),
            (
                alternative,
                alternative.comparison.problem.removesuffix(".") or winner_words(alternative.comparison, names),
            ),
        )
        for alternative in ruling.undecided
    )
    answers_and_results = []
    for target, results in results_by_target.items():
        # A target that has the same result under every win rule is shown without the win rule.
        target_decides_alone = target is not None and len({words for _, words in results}) == 1
        for alternative, words in results[:1] if target_decides_alone else results:
            other_options = [] if target_decides_alone else [name for name in alternative.answers if name != "target"]
            other_answers = ", ".join(_answer_with_title(alternative, name) for name in other_options)
            answers_and_results.append(((other_answers, words), "" if target is None else str(target)))
    combined_results = []
    for (other_answers, words), targets in group_by_key(answers_and_results).items():
        target = f"Target: {join_words(targets, 'or')}" if targets[0] else ""
        combined_results.append((", ".join(filter(None, (target, other_answers))), words))
    return combined_results


def _answer_with_title(alternative: Alternative, option: str) -> str:
    """Return the title of an option and the answer of an alternative to it: "Target: 15"."""
    question, other_rules = QUESTIONS[option], alternative.comparison.other
    return f"{question.title(other_rules)}: {question.label(alternative.answers[option], other_rules)}"


@dataclass(frozen=True, slots=True)
class SideScoreChange:
    """The score of one side before and after a hand, with the lines that explain the change."""

    side: SideId
    before: int
    """The score before the hand."""
    after: int
    """The score after the hand."""
    lines: tuple[HandLine, ...]
    """The lines of the hand's score that are for the side."""


def score_changes(ruling: Ruling) -> tuple[SideScoreChange, ...]:
    """Return how the hand of a ruling changed the score of each side."""
    lines = tuple(hand_lines(ruling.result))
    return tuple(
        SideScoreChange(side, before, ruling.state.scores[side], tuple(line for line in lines if side in line.sides))
        for side, before in ruling.state_before.scores.items()
    )


def ruling_hand_sentence(ruling: Ruling, names: Names) -> str:
    """Return the bid and the result of a ruling's hand: "We bid 6 and took 5: set."; empty if nobody bid.

    Of a hand that was thrown in or entered after the end of the match, the sentence says that.
    """
    result = ruling.result
    if result.status == "after_end":
        return "The match was over before this hand, so it scores nothing."
    if result.status == "thrown_in":
        return f"{bid_words(result, names)}: {result_words(result, names)}."
    return bid_result_sentence(result, names)


def bid_result_sentence(result: HandResult, names: Names) -> str:
    """Return the bid of a played hand and its result: "We bid 6 and took 5: set."; empty if nobody bid."""
    if result.set_taken_by:
        return f"{names[result.set_taken_by]} went set instead of bidding."
    if result.bidder is None or result.score is None:
        return ""
    partner = " alone" if result.hand.alone else f" with {names[result.hand.partner]}" if result.hand.partner else ""
    who_bid = f"{names[result.bidder]} bid {bid_word(result.bid)}{partner}"
    if isinstance(result.bid, int):
        return f"{who_bid} and took {result.bidders_points}: {bid_result_word(result)}."
    who_bid_and_need = f"{who_bid}, which needs {needs_words(result)}"
    return f"{who_bid_and_need}, and took {result.bidders_points}{tricks_words(result)}: {bid_result_word(result)}."


def outcome_and_scores(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return who has won, if anyone, with the scores: "We win, 21 to 25", "Nobody yet, 31 to 40".

    With more than two sides, only the winner's score is included.
    """
    has_two_sides = len(state.scores) == 2
    if state.outcome:
        return f"{outcome_heading(state, names, stopped=stopped)}{',' if has_two_sides else ''} {final_score(state)}"
    heading = "Stopped" if stopped else "Nobody yet" if state.goes_on else "It depends"
    return f"{heading}, {scores_in_side_order(state)}" if has_two_sides else heading


def reason_words(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return why the winners have won, in sentences; if nobody has won, why, and what the next hand may change."""
    verdict = verdict_text(state, names, stopped=stopped)
    if stopped or not state.goes_on:
        return verdict
    if held_back_words := join_nonempty(*held_back_verdict(state, names)):
        return held_back_words
    if state.ruleset.winning.length == "hands":
        return verdict
    outlook_words = outlook_sentence(state, names, outlook(state).sides, hand_name="the next hand")
    return join_nonempty(verdict, "" if outlook_words == verdict else outlook_words)


def ending_rule_sentences(state: MatchState) -> str:
    """Return the rules that decided the match, as sentences. If nobody has won yet, they are those that may end it."""
    if state.outcome:
        return deciding_rules_text(state)
    return option_rules_text(state, dict.fromkeys((*_ending_options(state), *options_delaying_win(state))))


def _ending_options(state: MatchState) -> Iterator[str]:
    """Yield the names of the options by which a match ends: "target", "win_rule"."""
    winning = state.ruleset.winning
    if winning.length == "hands":
        yield "hands"
        return
    if winning.count_down_from:
        yield "count_down_from"
    elif winning.target:
        yield "target"
    if (winning.target or winning.count_down_from) and winning.win_rule and not options_delaying_win(state):
        yield "win_rule"
        if winning.win_by:
            yield "win_by"


def payments_and_settlement_words(ruling: Ruling, names: Names) -> str:
    """Return in words the payments for the hand and, if different, those that would settle the match now.

    The text is empty where nobody pays.
    """
    hand_payments, settlement = (
        payments_words(cents, names) for cents in (ruling.result.payments, ruling.state.money or {})
    )
    hand_sentence = capitalize(f"for this hand {hand_payments}.") if hand_payments else ""
    return join_nonempty(
        hand_sentence, f"Settled now: {settlement}." if settlement and settlement != hand_payments else ""
    )
