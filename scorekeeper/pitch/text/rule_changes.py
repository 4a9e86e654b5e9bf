"""Changed rules in sentences: house rules beside the published rules, and changes in the middle of a match."""

from dataclasses import dataclass

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS, AwardId, award_description, how_won_options
from scorekeeper.pitch.rules.options import LOW, moot_options, options
from scorekeeper.pitch.rules.questions import QUESTIONS, RuleKey
from scorekeeper.pitch.rules.schema import Answers, Ruleset

_LEFT_OPEN_SENTENCE = "The printed rules leave it up to you."
"""The sentence for an option to which the published rules have no answer."""
_MOON_POINT_OPTIONS = ("moon_made", "moon_set", "double_moon_made", "double_moon_set")
"""The options for the points of a moon; their answer is `None` in rules without a moon."""
_IMPLIED_OPTIONS = ("low", "jokers", "length", "game_rule")
"""The options that answers to other options can change, and that then need a sentence."""
_ANSWERS_WITHOUT_SENTENCE = ("off", 0, "target")
"""The answers that need no sentence, since they mean that a rule is absent or as usual."""


@dataclass(frozen=True, slots=True)
class AnsweredRule:
    """A rule that the house chose, beside the published rule."""

    name: str
    """The name of the option, or the id of the award."""
    title: str
    """The title of the option's question, such as "Target", or the name of the award."""
    sentence: str
    """The rule that the house chose: "The match is played to 15."; empty for an own award that is switched off."""
    published: str
    """The published rule, "The match is played to 21.", or "The printed rules leave it up to you."; may be empty."""


def house_answers_as_rules(base: Ruleset, ruleset: Ruleset, answers: Answers) -> tuple[AnsweredRule, ...]:
    """Return the rule of each answer of a house, beside the published rule, if they differ; rules on awards are first.

    `ruleset` is `base` with the answers.
    """
    name_order = list(dict.fromkeys((*base.awards, *OWN_AWARD_IDS, *options())))
    # A house award that is switched off, and that neither ruleset has, is no rule.
    unknown_awards = {*OWN_AWARD_IDS}.difference(base.awards, ruleset.awards)
    names = sorted(answers.keys() - unknown_awards, key=name_order.index)
    rules = (_answered_rule(base, ruleset, name, answers[name]) for name in names)
    return tuple(rule for rule in rules if rule.sentence != rule.published)


def _answered_rule(base: Ruleset, ruleset: Ruleset, name: str, answer: object) -> AnsweredRule:
    """Return the rule that a house chose by one answer, beside the published rule."""
    if RuleKey.of_answer(name, answer).is_worth:
        published = award_sentence(base, name) if name in base.awards else ""
        title = (ruleset if name in ruleset.awards else base).awards[name].name
        return AnsweredRule(name, title, award_sentence(ruleset, name) if name in ruleset.awards else "", published)
    question = QUESTIONS[name]
    published = _LEFT_OPEN_SENTENCE if name in base.open_options else question.rule(base)
    if name in _MOON_POINT_OPTIONS and base.answer(name) is None:
        published = ""
    return AnsweredRule(name, question.title(base), question.rule(ruleset), published)


def implied_rule_sentences(base: Ruleset, ruleset: Ruleset, answers: Answers) -> tuple[str, ...]:
    """Return a sentence for each rule that changed only because of answers to other options.

    Moot options are left out.
    """
    award_sentences = (
        award_sentence(ruleset, award_id)
        for award_id in ruleset.award_rows
        if award_id not in answers and ruleset.worth(award_id) != base.worth(award_id)
    )
    option_sentences = (
        QUESTIONS[name].rule(ruleset)
        for name in _IMPLIED_OPTIONS
        if name not in answers
        and ruleset.answer(name) not in (base.answer(name), *_ANSWERS_WITHOUT_SENTENCE)
        and not _is_moot(name, ruleset)
    )
    return (*award_sentences, *option_sentences)


def changed_rule_sentences(before: Ruleset, after: Ruleset, wording_ruleset: Ruleset | None = None) -> tuple[str, ...]:
    """Return a sentence for each rule of `after` that differs from `before`, awards first.

    Moot options of `after` are left out. Sentences on options have the words of `wording_ruleset`, by default `after`.
    """
    own_awards = [award for award in OWN_AWARD_IDS if after.in_play.get(award) != before.in_play.get(award)]
    other_awards = [
        award
        for award in after.alike_awards_by_first
        if after.worth(award) != before.worth(award) and award not in own_awards
    ]
    changed_options = [
        option
        for option in options()
        if after.answer(option) != before.answer(option) and not (option == LOW and LOW in other_awards)
    ]
    rules = (
        QUESTIONS[option].rule(wording_ruleset or after) for option in changed_options if not _is_moot(option, after)
    )
    return (*(award_sentence(after, award, before) for award in (*other_awards, *own_awards)), *rules)


def _is_moot(name: str, ruleset: Ruleset) -> bool:
    """Return whether an option is moot, because other answers override it or none of its awards is in play."""
    if name in moot_options(ruleset):
        return True
    award_options = {option for award in ruleset.awards.values() for option in how_won_options(award.won)}
    return name in award_options and not any(name in how_won_options(award.won) for award in ruleset.in_play.values())


def answer_sentences(ruleset: Ruleset, answers: Answers, before: Ruleset | None) -> tuple[str, ...]:
    """Return a sentence for each rule of `ruleset` that a house has answered, each sentence once.

    Awards that `ruleset` lacks have their names from `before`.
    """
    rules = (
        award_sentence(ruleset, name, before)
        if RuleKey.of_answer(name, answer).is_worth
        else QUESTIONS[name].rule(ruleset)
        for name, answer in answers.items()
    )
    return tuple(dict.fromkeys(rules))


def award_sentence(ruleset: Ruleset, award_id: AwardId, before: Ruleset | None = None) -> str:
    """Return the rule on the points of an award: "Low scores 1.", "Nobody scores Low.".

    For an own award, the sentence also says what wins it. An award that `ruleset` lacks has its name from `before`.
    """
    naming_ruleset = ruleset if before is None or award_id in ruleset.awards else before
    name, points = phrases.award_name(naming_ruleset, award_id), ruleset.worth(award_id)
    if points and award_id in OWN_AWARD_IDS:
        name += f", {award_description(ruleset.kinds[award_id])},"
    return phrases.capitalize(f"{name} scores {points}.") if points else f"Nobody scores {name}."
