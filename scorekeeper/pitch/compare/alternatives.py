"""A match scored again with other answers to rules that may matter or are not agreed yet."""

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
"""The most other answers for which a match is scored again."""
MAX_CHANGING_ALTERNATIVES = 2
"""The most alternatives that `changing_alternatives` returns."""
_MIN_STEPS_EACH = MAX_REQUEST_STEPS // 8
"""The fewest search steps that the budget of one alternative has."""
_OPTIONS_OF_CALLS = ("dealer_steal", "all_pass", "rounds", "forced_bid")
"""The options about legal calls; not tried where no hand shows its calls or that all passed."""
_GROUPS_WITHOUT_SCORE = ("play", "money")
"""The groups of options that change neither the score of a hand nor the winner."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A match scored again with another answer to one rule, or to several rules that only matter together."""

    answers: Answers
    """The other answers by option; several only for all jokers or for rules not agreed yet."""
    comparison: Comparison


def alternatives(played: PlayedMatch, budget: Budget | None = None) -> Iterator[Alternative]:
    """Yield a match scored again with each of `other_answers` that is possible and has an effect.

    It may end just as the match did. At most `MAX_ALTERNATIVES_TRIED` answers are tried, each with a part of the
    budget.
    """
    budget = budget or Budget()
    for answers in islice(other_answers(played), MAX_ALTERNATIVES_TRIED):
        other, faults = with_house(played.rules, answers)
        if not faults and not answers.keys() <= moot_options(other).keys():
            part = budget.limited_part(max(_MIN_STEPS_EACH, len(played.state.results) * STEPS_PER_HAND))
            yield Alternative(answers, compare(played, other, answers=answers, budget=part))


def changing_alternatives(played: PlayedMatch, budget: Budget | None = None) -> tuple[Alternative, ...]:
    """Return the first alternatives that are known to change who has won, at most `MAX_CHANGING_ALTERNATIVES`.

    A winner instead of nobody, or nobody instead of a winner, is a change.
    """
    changing = (other for other in alternatives(played, budget) if other.comparison.changes_winner)
    return tuple(islice(changing, MAX_CHANGING_ALTERNATIVES))


def undecided_alternatives(played: PlayedMatch, budget: Budget) -> tuple[Alternative, ...]:
    """Return a match of one hand scored again with each answer that may still be agreed on.

    The answers are pairs of target and win rule, and what follows when all pass. Pairs that do not matter yet are left
    out.
    """
    rules = played.rules
    choices: dict[str, Iterable[object]] = {}
    if "target" in rules.open_options:
        choices["target"] = usual_numbers(rules, QUESTIONS["target"])
    if "win_rule" in rules.open_options:
        choices["win_rule"] = options()["win_rule"].choices
    pairs = (dict(zip(choices, answers, strict=True)) for answers in product(*choices.values()) if answers)
    # The table went on to this hand, so an answer by which the match was already over is ruled out.
    found = [other for other in _alternatives_by(played, pairs, budget) if other.comparison.first_differing_hand != 0]
    # If nobody wins by any pair, it does not matter yet which one is agreed.
    if not any(other.comparison.winners for other in found):
        found = []
    if "all_pass" in rules.open_options and _may_depend_on_all_pass(played):
        all_pass = ({"all_pass": answer} for answer in options()["all_pass"].choices if answer != "unobliged")
        found += _alternatives_by(played, all_pass, budget)
    return tuple(found)


def _alternatives_by(played: PlayedMatch, found: Iterable[Answers], budget: Budget) -> Iterator[Alternative]:
    """Yield a match of one hand scored again with each of the answers that do not contradict the rules."""
    for answers in found:
        other, faults = with_house(played.rules, answers)
        if not faults:
            yield Alternative(answers, compare(played, other, answers=answers, budget=budget))


def _may_depend_on_all_pass(played: PlayedMatch) -> bool:
    """Return whether the last hand may depend on the `all_pass` rule: all players passed, or all but the dealer."""
    result = played.state.results[-1]
    auction = result.hand.auction or ()
    bidders = {who for who, call in auction if call != PASS}
    return result.hand.thrown_in == "all_passed" or bool(auction and bidders <= {result.dealer})


def other_answers(played: PlayedMatch, *, every: bool = False) -> Iterator[Answers]:
    """Yield other answers that may change a match's result, first those to the rules that decided it.

    Each is to one option, one award or all jokers. With `every`, all agreed options are included.
    """
    rules, results = played.rules, played.state.results
    changed = [name for result in results for name in result.hand.house or {}]
    burned = ("moon_counts_burned",) if any(isinstance(result.bid, str) for result in results) else ()
    led = ("double_loss_on_overtake",) if any(result.overtook_pitch for result in results) else ()
    published = [name for name in options() if name not in played.base.open_options]
    differing = [name for name in published if rules.answer(name) != played.base.answer(name)]
    names = dict.fromkeys(
        (*deciding_options(played.state), *changed, *rules.sheet.argued, *burned, *led, *DISPUTED_OPTIONS, *differing)
    )
    if every:
        names |= dict.fromkeys(options())
    for name in names:
        if name in options() and name not in rules.open_options and _may_matter(played, name):
            yield from ({name: answer} for answer in _other_answers_to_option(played, name))
    yield from _answers_without_awards(rules)


def _may_matter(played: PlayedMatch, name: str) -> bool:
    """Return whether an option can change a score or the winner, as far as the entered hands show."""
    if options()[name].group in _GROUPS_WITHOUT_SCORE:
        return False
    in_force = {id(rules): rules for rules in (played.rules, *(hand.ruleset for hand in played.state.results))}
    if all(name in moot_options(rules) for rules in in_force.values()):
        return False
    hands = [result.hand for result in played.state.results]
    return name not in _OPTIONS_OF_CALLS or any(hand.auction or hand.thrown_in == "all_passed" for hand in hands)


def _other_answers_to_option(played: PlayedMatch, name: str) -> Iterator[object]:
    """Yield other answers to an option: those that held for part of the match, the variant's, then all possible ones.

    Of numbers, only those that the source itself offers are tried.
    """
    rules, option = played.rules, options()[name]
    held = dict.fromkeys([rules.answer(name), *(result.ruleset.answer(name) for result in played.state.results)])
    found: Iterable[object]
    if QUESTIONS[name].is_number:
        found = rules.sheet.offers.get(name, [])
    else:
        found = [option.parse_answer(parse_word(word)) for word in possible_answers(rules, name)]
    if len(held) > 1:
        yield from held
    published = () if name in played.base.open_options else (played.base.answer(name),)
    yield from dict.fromkeys(answer for answer in (*published, *found) if answer not in held)


def _answers_without_awards(rules: Ruleset) -> Iterator[Answers]:
    """Yield, for each optional award, an answer that switches it off; all jokers are switched off together."""
    jokers = [award_id for award_id in rules.award_rows if award_id in rules.joker_awards]
    for award_id in rules.award_rows:
        if award_id not in jokers:
            if is_optional(rules.kinds[award_id]):
                yield {award_id: False}
        elif award_id == jokers[0]:
            yield dict.fromkeys(jokers, False)
