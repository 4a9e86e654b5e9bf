"""The frame with the house rules: what the house changed, what it agreed, and what is still to be agreed."""

from scorekeeper.rules import phrases
from scorekeeper.rules.options import MEANINGLESS_WITH, options
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import HouseFrame, OpenQuestion
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
    changes = tuple(_rule(writer, name) for name in changed if name not in left_open)
    agreed = tuple(_rule(writer, name) for name in changed if name in left_open)
    questions = tuple(_question(ruleset, name) for name in ruleset.open_options)
    if changes:
        title = f"{phrases.digits(len(changes), 'change')} from standard"
    else:
        title = "Agree on these first" if questions else "House rules"
    return HouseFrame(title, changes, agreed, questions)


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


def _question(ruleset: Ruleset, option: str) -> OpenQuestion:
    question = QUESTIONS[option]
    words = () if question.is_number else question.answers
    return OpenQuestion(question.ask(ruleset), tuple(question.label(word, ruleset) for word in words if word != "none"))
