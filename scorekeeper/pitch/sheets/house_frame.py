"""The house rules on a sheet, the questions still to be agreed, and the questions that players argue about."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import RANK_NAMES, OffTrump, OneTrump
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.questions import DISPUTED_OPTIONS, QUESTIONS, possible_answers
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.parts import (
    BLANK,
    LEFT_OPEN,
    ArguedQuestion,
    HouseFrame,
    Mark,
    Offer,
    OpenQuestion,
    Rule,
    RuleOrigin,
    Section,
    SheetWriter,
)
from scorekeeper.pitch.text.rule_changes import award_sentence


def blank_options(rules: Iterable[Rule]) -> set[str]:
    """Return the unanswered options that have a blank to write on in these rules."""
    return {option for rule in rules if rule.has_blank for option in rule.origin.open}


def open_questions(ruleset: Ruleset, rules: Iterable[Rule]) -> tuple[OpenQuestion, ...]:
    """Return a question for each unanswered option.

    A number with a blank in these rules is left out.
    """
    blank = blank_options(rules)
    return tuple(
        OpenQuestion(QUESTIONS[option].title(ruleset), answer_labels(ruleset, option))
        for option in ruleset.open_options
        if option not in blank or not QUESTIONS[option].is_number
    )


def answer_labels(ruleset: Ruleset, option: str) -> tuple[str, ...]:
    """Return the labels of the boxes for an option's answers, except "none".

    Empty for a number, which needs a blank.
    """
    question = QUESTIONS[option]
    words = () if question.is_number else question.answers
    return tuple(question.label(word, ruleset) for word in words if word != "none")


_RESETTING_OPTION = {"game_tie": "game_rule", "joker_order": "jokers"}
"""By option, another one that resets it to its default when changed; only the other is then listed."""


def house_frame(writer: SheetWriter) -> HouseFrame:
    """Return the house rules for a sheet, with questions still to be agreed and optional rules."""
    ruleset, left_open = writer.ruleset, writer.base.open_options
    awards = [award_id for award_id in ruleset.awards if award_id in writer.changed_awards]
    answers = [name for name in QUESTIONS if name in writer.changed_options]
    changed = [name for name in (*awards, *answers) if not _is_implied(writer, name)]
    changed.sort(key=lambda name: name in left_open)
    changes = tuple(_rule_sentence(writer, name) for name in changed if name not in left_open)
    questions = (
        *(
            OpenQuestion(QUESTIONS[name].question_text(ruleset), _answer_labels_with_offers(writer, name))
            for name in ruleset.open_options
        ),
        *_questions_about_table(ruleset),
        *_questions_left_to_table(writer),
    )
    return HouseFrame(
        title=f"House rules: {phrases.digits(len(changes), 'change')}" if changes else "House rules",
        changes=changes,
        agreed=tuple(_rule_sentence(writer, name) for name in changed if name in left_open),
        notes=tuple(note for note in ruleset.notes if note not in writer.base.notes),
        questions=questions,
        offers=(*_combined_offers(writer), *_single_offers(writer)),
        options=tuple(changed),
    )


def _answer_labels_with_offers(writer: SheetWriter, option: str) -> tuple[str, ...]:
    """Return the labels of the boxes for an option's answers.

    If a number has offers, there is a box for each of them and one for `BLANK`.
    """
    question, offered = QUESTIONS[option], writer.base.sheet.offers.get(option)
    if not offered or not question.is_number:
        return answer_labels(writer.ruleset, option)
    return (*(question.label(answer, writer.ruleset) for answer in offered), BLANK)


def _questions_about_table(ruleset: Ruleset) -> Iterator[OpenQuestion]:
    """Yield the questions on who plays with whom, on the deal, the draw and ties, if still open."""
    if ruleset.table.open:
        yield OpenQuestion("Who plays with whom?")
    if ruleset.cards.dealt is None:
        yield OpenQuestion("How many cards does each player get?")
        yield OpenQuestion("Does anyone discard and draw?")
    if ruleset.winning.win_rule is None:
        yield OpenQuestion(question_with_target(ruleset, "tie_rule"))


def _questions_left_to_table(writer: SheetWriter) -> Iterator[OpenQuestion]:
    """Yield the questions to which the sources offer several answers, for the table to choose.

    Options that the house decided or that make no difference are left out.
    """
    for name, answers in writer.offers.items():
        if writer.is_left_to_table(name):
            question = QUESTIONS[name]
            labels = (question.label(writer.offered_answer(name, answer), writer.ruleset) for answer in answers)
            is_interpretation = bool(writer.origin(f"house.{name}").interpretations)
            yield OpenQuestion(question.question_text(writer.ruleset), tuple(labels), is_interpretation)


def question_with_target(ruleset: Ruleset, option: str) -> str:
    """Return an option's question with "reach 21" instead of "reach it", which is clear only on the screen."""
    goal = phrases.placeholders(ruleset)["target"]
    return QUESTIONS[option].question_text(ruleset).replace(" reach it ", f" reach {goal} ")


def _single_offers(writer: SheetWriter) -> Iterator[Offer]:
    """Yield the answers that the sources offer beside the published one.

    Options that are open, decided by the house or left to the table are left out.
    """
    for name, answers in writer.offers.items():
        if name not in writer.ruleset.open_options and not writer.is_left_to_table(name):
            option_origin = writer.origin(f"house.{name}")
            own = writer.base.sheet.sentences.get(f"house.{name}")
            for answer in answers:
                text = _offer_sentence(writer, name, answer) + _off_trump_sentence(writer, name)
                answer_origin = writer.origin(f"house.{name}_{answer}")
                yield Offer(
                    own.text.format_map(writer.words) if own else text,
                    answer_origin if answer_origin.references else option_origin,
                )


def _offer_sentence(writer: SheetWriter, option: str, answer: object) -> str:
    """Return the rule that an option would state if the house took an offered answer."""
    return QUESTIONS[option].sentence(writer.offered_answer(option, answer), writer.ruleset)


def _combined_offers(writer: SheetWriter) -> Iterator[Offer]:
    """Yield the source's optional rules that answer several options at once, if the house changed none of these."""
    for answers in writer.base.sheet.together:
        if not writer.has_changed(*answers):
            text = " ".join(_offer_sentence(writer, name, answer) for name, answer in answers.items())
            traced = (writer.origin(f"house.{name}").references for name in answers)
            yield Offer(text, RuleOrigin(tuple(dict.fromkeys(chain.from_iterable(traced)))))


def _off_trump_sentence(writer: SheetWriter, option: str) -> str:
    """Return a sentence on the card that an offered award makes a trump, or no longer a trump.

    Empty unless the award is for a card of the other suit of the same color.
    """
    match writer.ruleset.kinds.get(option):
        case OneTrump(OffTrump(rank)):
            card = RANK_NAMES[rank]
            made_trump = f" It is the {card} of the other suit of the same color, a trump just below the {card}."
            return " That card is then no trump." if option in writer.ruleset.in_play else made_trump
    return ""


def _is_implied(writer: SheetWriter, option: str) -> bool:
    """Return whether a change follows from another one, so that the house rules need not list it."""
    if option == "jokers":
        return not writer.changed_awards.isdisjoint(writer.ruleset.joker_awards)
    if writer.is_implied(option) or (option == writer.ruleset.game_award and writer.has_changed("game_rule")):
        return True
    cause = _RESETTING_OPTION.get(option)
    return bool(cause and writer.has_changed(cause)) and writer.ruleset.answer(option) == options()[option].default


def _rule_sentence(writer: SheetWriter, option: str) -> str:
    """Return the sentence for the house rules on a changed award or option."""
    is_award = option in writer.changed_awards
    return award_sentence(writer.ruleset, option) if is_award else QUESTIONS[option].rule(writer.ruleset)


MAX_ARGUED_QUESTIONS = 4


def argued_questions(writer: SheetWriter, rules: Sequence[Rule]) -> tuple[ArguedQuestion, ...]:
    """Return the questions that players argue about most, `MAX_ARGUED_QUESTIONS` at most, with their answers."""
    return tuple(islice(_all_argued_questions(writer, rules), MAX_ARGUED_QUESTIONS))


def _all_argued_questions(writer: SheetWriter, rules: Sequence[Rule]) -> Iterator[ArguedQuestion]:
    """Yield the questions that players argue about, most disputed first.

    Left out are questions without a rule on the sheet, or with only one possible answer.
    """
    ruleset = writer.ruleset
    for name in dict.fromkeys((*writer.base.sheet.argued, *DISPUTED_OPTIONS)):
        rule = next(_rules_answering(rules, name), None)
        # A number always has another answer.
        has_other = QUESTIONS[name].is_number or (name in options() and len(possible_answers(ruleset, name)) > 1)
        if rule and name not in writer.moot_reasons and has_other:
            answer = QUESTIONS[name].label(ruleset.answer(name), ruleset)
            yield ArguedQuestion(
                question=question_with_target(ruleset, name),
                answer=LEFT_OPEN if writer.is_left_to_table(name) else answer,
                number=rule.number,
                rule_id=rule.id,
                mark=_mark_of_option(writer, rule, name),
            )


def _rules_answering(rules: Sequence[Rule], option: str) -> Iterator[Rule]:
    """Yield the rules that answer an option, the most specific first; a rule may come twice."""
    yield from (rule for rule in rules if rule.id.endswith(f".{option}"))
    deciding = (rule for rule in rules if option in rule.decided_by)
    yield from sorted(deciding, key=lambda rule: rule.decided_by.index(option))


def _mark_of_option(writer: SheetWriter, rule: Rule, option: str) -> Mark:
    """Return the mark that a rule would have if it depended on this option alone.

    The references of "argue.<option>" replace those of the rule, if the published sheet has any.
    """

    def only_this_option(names: tuple[str, ...]) -> tuple[str, ...]:
        """Return a tuple of the option alone if it is among `names`, or else an empty tuple."""
        return (option,) if option in names else ()

    origin = rule.origin
    return replace(
        origin,
        references=writer.origin(f"argue.{option}").references or origin.references,
        changed=only_this_option(origin.changed),
        agreed=only_this_option(origin.agreed),
        open=only_this_option(origin.open),
        is_left_open=option in writer.base.open_options,
    ).mark


def mark_changes(sections: Iterable[Section], published: Iterable[Section], writer: SheetWriter) -> tuple[Section, ...]:
    """Return the sections, with every rule marked that differs from the `published` one.

    A differing rule without a change as its origin gets all changes of the house.
    """
    published_texts = {
        rule_id: rule.text for section in published for rule in section.all_rules for rule_id in (rule.id, *rule.also)
    }
    left_open = writer.base.open_options
    changed = tuple(name for name in writer.changed if name not in left_open)
    agreed = tuple(name for name in writer.changed if name in left_open)

    def mark_rule(rule: Rule) -> Rule:
        """Return a rule, with all changes as its origin if it differs and has none."""
        if rule.origin.changed or rule.origin.agreed or rule.text == published_texts.get(rule.id):
            return rule
        return replace(rule, origin=replace(rule.origin, changed=changed, agreed=agreed))

    return tuple(replace(section, all_rules=tuple(map(mark_rule, section.all_rules))) for section in sections)
