"""What a house changed, agreed and still has to agree: its frame, where tables argue, and the marks beside rules."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from scorekeeper.rules import phrases
from scorekeeper.rules.options import MEANINGLESS_WITH, options
from scorekeeper.rules.questions import DISPUTED, QUESTIONS, possible_answers
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import (
    BLANK,
    Argument,
    HouseFrame,
    Mark,
    Offer,
    OpenQuestion,
    Rule,
    Section,
    SheetWriter,
)

_RARE = {"all_pass": ("pass_deal", "unobliged")}
"""Answers that few tables give: a card or a pad has no room to ask about them."""


def blank_options(rules: Iterable[Rule]) -> set[str]:
    """Return the options that are still to be agreed and have their blank in these rules."""
    return {option for rule in rules if rule.has_blank for option in rule.origin.open}


def open_questions(ruleset: Ruleset, rules: Iterable[Rule]) -> tuple[OpenQuestion, ...]:
    """Return what the table still has to agree on, but for what has its blank in these rules."""
    blank = blank_options(rules)
    return tuple(
        OpenQuestion(QUESTIONS[option].title(ruleset), choices(ruleset, option, left_out=_RARE.get(option, ())))
        for option in ruleset.open_options
        if option not in blank or not QUESTIONS[option].is_number
    )


def choices(ruleset: Ruleset, option: str, *, left_out: Collection[str] = ()) -> tuple[str, ...]:
    """Return the answers to an open question that have a box each; none for a number, which has a blank."""
    question = QUESTIONS[option]
    words = () if question.is_number else question.answers
    return tuple(question.label(word, ruleset) for word in words if word not in ("none", *left_out))


_IMPLIED_BY = {"low": "dirty", "target": "count_down_from", "length": "hands"}
"""Options that change with another one, and are not listed beside it where that is given."""
_FOLLOWS = {name: cause for name, (cause, _) in MEANINGLESS_WITH.items()} | {
    "game_tie": "game_rule",
    "joker_order": "jokers",
}
"""Options that go back to their defaults with another one, and are not listed then."""


def house_frame(writer: SheetWriter) -> HouseFrame:
    """Return the house rules, with the changes from standard apart from what the book leaves open."""
    ruleset, left_open = writer.ruleset, writer.base.open_options
    awards = [award_id for award_id in ruleset.awards if award_id in writer.changed_awards]
    answers = [name for name in QUESTIONS if name in writer.changed_options]
    changed = [name for name in (*awards, *answers) if not _is_implied(writer, name)]
    changed.sort(key=lambda name: name in left_open)
    changes = tuple(_rule(writer, name) for name in changed if name not in left_open)
    agreed = tuple(_rule(writer, name) for name in changed if name in left_open)
    questions = (
        *(OpenQuestion(QUESTIONS[name].ask(ruleset), _choices(writer, name)) for name in ruleset.open_options),
        *_about_the_table(ruleset),
        *_left_to_the_table(writer),
    )
    title = f"House rules: {phrases.digits(len(changes), 'change')} from standard" if changes else "House rules"
    notes = tuple(note for note in ruleset.notes if note not in writer.base.notes)
    return HouseFrame(title, changes, agreed, notes, questions, tuple(_offers(writer)), tuple(changed))


def _choices(writer: SheetWriter, name: str) -> tuple[str, ...]:
    """Return the answers that have a box: for a number those that a source has, if one has any, and a blank."""
    offered = writer.base.sheet.offers.get(name) or ()
    if not offered or not QUESTIONS[name].is_number:
        return choices(writer.ruleset, name)
    return (*(QUESTIONS[name].label(answer, writer.ruleset) for answer in offered), BLANK)


def _about_the_table(ruleset: Ruleset) -> Iterator[OpenQuestion]:
    """Yield what the sources leave open and no option answers."""
    if ruleset.table.open:
        yield OpenQuestion("Who plays with whom?")
    if ruleset.cards.dealt is None:
        yield OpenQuestion("How many cards does each player get?")


def _left_to_the_table(writer: SheetWriter) -> Iterator[OpenQuestion]:
    """Yield the questions to which the source itself gives several answers, until the house has given another one."""
    for name, answers in _unchanged_offers(writer):
        if _is_answer(writer.ruleset, name, answers):
            question = QUESTIONS[name]
            labels = (question.label(_value(writer.ruleset, name, answer), writer.ruleset) for answer in answers)
            yield OpenQuestion(question.ask(writer.ruleset), tuple(labels))


def _offers(writer: SheetWriter) -> Iterator[Offer]:
    """Yield the rules that the source has as options and that the house does not play; open ones are asked instead."""
    for name, answers in _unchanged_offers(writer):
        if name not in writer.ruleset.open_options and not _is_answer(writer.ruleset, name, answers):
            references = writer.origin(f"house.{name}").references
            for answer in answers:
                text = QUESTIONS[name].sentence(_value(writer.ruleset, name, answer), writer.ruleset)
                yield Offer(text, references)


def _unchanged_offers(writer: SheetWriter) -> Iterator[tuple[str, list[Any]]]:
    for name, answers in writer.base.sheet.offers.items():
        if not writer.differs(name):
            yield name, answers


def _is_answer(ruleset: Ruleset, name: str, answers: Sequence[Any]) -> bool:
    return ruleset.answer(name) in [_value(ruleset, name, answer) for answer in answers]


def _value(ruleset: Ruleset, name: str, answer: object) -> object:
    """Return an answer as the ruleset has it: an award that is on scores its points."""
    return ruleset.awards[name].points if answer is True and name in ruleset.awards else answer


def _is_implied(writer: SheetWriter, option: str) -> bool:
    if option == "jokers":
        return not writer.changed_awards.isdisjoint(writer.ruleset.joker_awards)
    cause = "game_rule" if option == writer.ruleset.game_award else _IMPLIED_BY.get(option)
    if cause and writer.differs(cause):
        return writer.ruleset.answer(cause) not in (None, False)
    cause = _FOLLOWS.get(option)
    return bool(cause and writer.differs(cause)) and writer.ruleset.answer(option) == options()[option].default


def _rule(writer: SheetWriter, option: str) -> str:
    if option not in writer.changed_awards:
        return QUESTIONS[option].rule(writer.ruleset)
    name = phrases.sentence(phrases.award_name(writer.ruleset, option))
    return f"{name} scores {writer.ruleset.worth(option) or 'nothing'}."


MOST = 4


def arguments(writer: SheetWriter, rules: Sequence[Rule]) -> tuple[Argument, ...]:
    """Return the worst of the questions that some rule of the sheet answers, with the number of that rule."""
    found = []
    for name in dict.fromkeys((*writer.base.sheet.argued, *DISPUTED)):
        rule = next(_answering(rules, name), None)
        if rule and _is_open(writer, name):
            question = QUESTIONS[name]
            answer = question.label(question.answer(writer.ruleset), writer.ruleset)
            mark = _mark(rule, name)
            found.append(Argument(question=question.ask(writer.ruleset), answer=answer, number=rule.number, mark=mark))
    return tuple(found[:MOST])


def _answering(rules: Sequence[Rule], name: str) -> Iterator[Rule]:
    """Yield the rules that state the answer to an option: one named after it, then those that it decides foremost."""
    yield from (rule for rule in rules if rule.id.endswith(f".{name}"))
    deciding = (rule for rule in rules if name in rule.decided_by)
    yield from sorted(deciding, key=lambda rule: rule.decided_by.index(name))


def _mark(rule: Rule, name: str) -> Mark:
    """Return the mark of a rule as far as one option is concerned: another that decides it may be open, or changed."""

    def only(names: tuple[str, ...]) -> tuple[str, ...]:
        return (name,) if name in names else ()

    origin = rule.origin
    return replace(origin, house=only(origin.house), agreed=only(origin.agreed), open=only(origin.open)).mark


def _is_open(writer: SheetWriter, name: str) -> bool:
    """Return whether the question has another answer here; a number always has."""
    if QUESTIONS[name].is_number:
        return True
    return name in options() and len(possible_answers(writer.ruleset, name)) > 1


def mark_changes(sections: Iterable[Section], book: Iterable[Section], writer: SheetWriter) -> tuple[Section, ...]:
    """Return the sections with every rule marked that the book does not have, or has in other words."""
    in_book = {
        rule_id: rule.text for section in book for rule in section.all_rules for rule_id in (rule.id, *rule.also)
    }
    left_open = writer.base.open_options
    house = tuple(name for name in writer.changed if name not in left_open)
    agreed = tuple(name for name in writer.changed if name in left_open)

    def marked(rule: Rule) -> Rule:
        """Return a rule as one that follows from what the house changed, all taken together."""
        if rule.origin.house or rule.origin.agreed or rule.text == in_book.get(rule.id):
            return rule
        return replace(rule, origin=replace(rule.origin, house=house, agreed=agreed))

    return tuple(replace(section, all_rules=tuple(map(marked, section.all_rules))) for section in sections)
