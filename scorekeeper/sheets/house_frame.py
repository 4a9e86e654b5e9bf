"""The frame with the house rules: what the house changed, what it agreed, and what is still to be agreed."""

from collections.abc import Iterator, Sequence
from typing import Any

from scorekeeper.rules import phrases
from scorekeeper.rules.options import MEANINGLESS_WITH, options
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.open_questions import choices
from scorekeeper.sheets.parts import BLANK, HouseFrame, Offer, OpenQuestion
from scorekeeper.sheets.sheet_writer import SheetWriter

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
    other, settled = (
        [name for name in changed if name not in left_open],
        [name for name in changed if name in left_open],
    )
    changes, agreed = (tuple(_rule(writer, name) for name in names) for names in (other, settled))
    questions = (
        *(OpenQuestion(QUESTIONS[name].ask(ruleset), _choices(writer, name)) for name in ruleset.open_options),
        *_about_the_table(ruleset),
        *_left_to_the_table(writer),
    )
    title = f"House rules: {phrases.digits(len(changes), 'change')} from standard" if changes else "House rules"
    notes = tuple(note for note in ruleset.notes if note not in writer.base.notes)
    return HouseFrame(title, changes, agreed, notes, questions, tuple(_offers(writer)), (*other, *settled))


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
            labels = (question.label(_value(writer.ruleset, name, it), writer.ruleset) for it in answers)
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
