"""A match scored again with other answers: to rules that may have decided it, or that are not agreed yet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product

from scorekeeper.pitch.compare.comparison import Comparison, PlayedMatch, compare
from scorekeeper.pitch.rules.awards import is_optional
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import moot_options, options
from scorekeeper.pitch.rules.questions import DISPUTED_OPTIONS, QUESTIONS, parse_word, possible_answers, usual_numbers
from scorekeeper.pitch.rules.schema import Answers, Ruleset
from scorekeeper.pitch.scoring.deciding_rules import deciding_options
from scorekeeper.pitch.scoring.hand import PASS
from scorekeeper.pitch.scoring.search_budget import MAX_REQUEST_STEPS, STEPS_PER_HAND, Budget

MAX_ALTERNATIVES_TRIED = 40
"""The most times that a match is scored again, each time with other answers."""
MAX_CHANGING_ALTERNATIVES = 2
"""The most alternatives that `changing_alternatives` returns."""
_MIN_STEPS_EACH = MAX_REQUEST_STEPS // 8
"""The fewest search steps that the budget of one alternative has."""
_OPTIONS_OF_CALLS = ("dealer_steal", "all_pass", "rounds", "forced_bid")
"""The options about which calls are legal. They cannot matter unless a hand was entered with calls or as all passed."""
_GROUPS_WITHOUT_SCORE = ("play", "money")
"""The ids of the groups of options that change neither the score of a hand nor the winner."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A match scored again with another answer to one option, or to several options that only matter together."""

    answers: Answers
    """The other answers, keyed by option: `{"win_by": 2}`. Several are for all jokers, or for rules not agreed yet."""
    comparison: Comparison


def alternatives(played: PlayedMatch, budget: Budget | None = None) -> Iterator[Alternative]:
    """Yield a match scored again with each of `other_answers` that fits its rules and is not moot.

    The match may end as it did. At most `MAX_ALTERNATIVES_TRIED` answers are tried, each with a part of `budget`.
    """
    budget = budget or Budget()
    for answers in islice(other_answers(played), MAX_ALTERNATIVES_TRIED):
        other_rules, faults = with_house(played.rules, answers)
        if not faults and not answers.keys() <= moot_options(other_rules).keys():
            budget_part = budget.limited_part(max(_MIN_STEPS_EACH, len(played.state.results) * STEPS_PER_HAND))
            yield Alternative(answers, compare(played, other_rules, answers=answers, budget=budget_part))


def changing_alternatives(played: PlayedMatch, budget: Budget | None = None) -> tuple[Alternative, ...]:
    """Return the first `MAX_CHANGING_ALTERNATIVES` alternatives that are known to change who has won.

    A winner instead of nobody, or nobody instead of a winner, is such a change.
    """
    changing = (alternative for alternative in alternatives(played, budget) if alternative.comparison.changes_winner)
    return tuple(islice(changing, MAX_CHANGING_ALTERNATIVES))


def undecided_alternatives(played: PlayedMatch, budget: Budget) -> tuple[Alternative, ...]:
    """Return a match of one hand scored again with each answer that the table may still agree on.

    An answer is to the target and the win rule together, or to what follows when all pass. The former are left out
    where nobody wins by any of them.
    """
    rules = played.rules
    choices_by_option: dict[str, Iterable[object]] = {}
    if "target" in rules.open_options:
        choices_by_option["target"] = usual_numbers(rules, QUESTIONS["target"])
    if "win_rule" in rules.open_options:
        choices_by_option["win_rule"] = options()["win_rule"].choices
    ending_answers = (
        dict(zip(choices_by_option, answers, strict=True))
        for answers in product(*choices_by_option.values())
        if answers
    )
    # The table went on to this hand, so an answer by which the match was already over is ruled out.
    found_alternatives = [
        alternative
        for alternative in _alternatives_with(played, ending_answers, budget)
        if alternative.comparison.first_differing_hand != 0
    ]
    # If nobody wins by any pair, it does not matter yet which one is agreed.
    if not any(alternative.comparison.winners for alternative in found_alternatives):
        found_alternatives = []
    if "all_pass" in rules.open_options and _may_depend_on_all_pass(played):
        all_pass_answers = ({"all_pass": answer} for answer in options()["all_pass"].choices if answer != "unobliged")
        found_alternatives += _alternatives_with(played, all_pass_answers, budget)
    return tuple(found_alternatives)


def _alternatives_with(played: PlayedMatch, answers_to_try: Iterable[Answers], budget: Budget) -> Iterator[Alternative]:
    """Yield a match of one hand scored again with each of `answers_to_try` that fits the rules."""
    for answers in answers_to_try:
        other_rules, faults = with_house(played.rules, answers)
        if not faults:
            yield Alternative(answers, compare(played, other_rules, answers=answers, budget=budget))


def _may_depend_on_all_pass(played: PlayedMatch) -> bool:
    """Return whether the last hand may depend on the option `all_pass`: all players passed, or all but the dealer."""
    result = played.state.results[-1]
    auction = result.hand.auction or ()
    bidders = {player for player, call in auction if call != PASS}
    return result.hand.thrown_in == "all_passed" or bool(auction and bidders <= {result.dealer})


def other_answers(played: PlayedMatch, *, every: bool = False) -> Iterator[Answers]:
    """Yield answers, other than those of the match, that may change its result: `{"win_by": 2}`.

    The first are to the rules that decided the match. Only likely options follow; with `every`, all options do.
    """
    rules, results = played.rules, played.state.results
    options_changed_midway = [name for result in results for name in result.hand.house or {}]
    options_on_burned_cards = ("moon_counts_burned",) if any(isinstance(result.bid, str) for result in results) else ()
    options_on_overtaking = ("double_loss_on_overtake",) if any(result.overtook_pitch for result in results) else ()
    agreed_options = [name for name in options() if name not in played.base.open_options]
    house_options = [name for name in agreed_options if rules.answer(name) != played.base.answer(name)]
    option_names = dict.fromkeys(
        (
            *deciding_options(played.state),
            *options_changed_midway,
            *rules.sheet.argued,
            *options_on_burned_cards,
            *options_on_overtaking,
            *DISPUTED_OPTIONS,
            *house_options,
        )
    )
    if every:
        option_names |= dict.fromkeys(options())
    for name in option_names:
        if name in options() and name not in rules.open_options and _may_matter(played, name):
            yield from ({name: answer} for answer in _other_answers_to_option(played, name))
    yield from _answers_without_awards(rules)


def _may_matter(played: PlayedMatch, name: str) -> bool:
    """Return whether another answer to an option might have changed a score or the winner of the match."""
    if options()[name].group in _GROUPS_WITHOUT_SCORE:
        return False
    rulesets_by_identity = {
        id(rules): rules for rules in (played.rules, *(hand.ruleset for hand in played.state.results))
    }
    if all(name in moot_options(rules) for rules in rulesets_by_identity.values()):
        return False
    hands = [result.hand for result in played.state.results]
    return name not in _OPTIONS_OF_CALLS or any(hand.auction or hand.thrown_in == "all_passed" for hand in hands)


def _other_answers_to_option(played: PlayedMatch, name: str) -> Iterator[object]:
    """Yield other answers to an option: those that held for part of the match, then the variant's, then all others.

    Where an answer is a number, the others are only the numbers that the source offers.
    """
    rules, option = played.rules, options()[name]
    answers_held = dict.fromkeys(
        [rules.answer(name), *(result.ruleset.answer(name) for result in played.state.results)]
    )
    possible_others: Iterable[object]
    if QUESTIONS[name].is_number:
        possible_others = rules.sheet.offers.get(name, [])
    else:
        possible_others = [option.parse_answer(parse_word(word)) for word in possible_answers(rules, name)]
    if len(answers_held) > 1:
        yield from answers_held
    published_answers = () if name in played.base.open_options else (played.base.answer(name),)
    yield from dict.fromkeys(answer for answer in (*published_answers, *possible_others) if answer not in answers_held)


def _answers_without_awards(rules: Ruleset) -> Iterator[Answers]:
    """Yield an answer that switches off an award, for each optional one: `{"off_jack": False}`.

    All jokers are switched off together.
    """
    jokers = [award_id for award_id in rules.award_rows if award_id in rules.joker_awards]
    for award_id in rules.award_rows:
        if award_id not in jokers:
            if is_optional(rules.kinds[award_id]):
                yield {award_id: False}
        elif award_id == jokers[0]:
            yield dict.fromkeys(jokers, False)
