"""The frame with the house rules: what the house changed, what it agreed, and what is still to be agreed."""

from scorekeeper.rules import phrases
from scorekeeper.rules.options import options
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.sheets.parts import HouseFrame, OpenQuestion
from scorekeeper.sheets.sheet_writer import SheetWriter

_IMPLIED_BY = {"low": "dirty", "target": "count_down_from", "length": "hands"}
"""Options that change with another one, and are not listed beside it where that is given."""
_MEANINGLESS_WITHOUT = {
    **dict.fromkeys(("moon_made", "moon_set", "moon_after", "moon_needs", "moon_counts_burned", "double_moon"), "moon"),
    **dict.fromkeys(("double_moon_made", "double_moon_set"), "double_moon"),
    "double_loss_on_overtake": "pitching",
    "share_the_wealth": "kitty",
    "defenders_stop_at_one": "count_down_from",
    "hands": "length",
    "win_by": "length",
    "game_tie": "game_rule",
    "joker_order": "jokers",
}
"""Options that go back to their defaults with another one, and are not listed then."""


def house_frame(writer: SheetWriter) -> HouseFrame:
    """Return the house rules, with the changes from the book apart from what the book leaves open."""
    left_open = set(writer.base.open_options)
    changed = [option for option in (*_awards(writer), *_options(writer)) if not _is_implied(writer, option)]
    changes = tuple(_rule(writer, option) for option in changed if option not in left_open)
    agreed = tuple(_rule(writer, option) for option in changed if option in left_open)
    questions = _questions(writer)
    return HouseFrame(_title(len(changes), questions), changes, agreed, questions)


def _title(changes: int, questions: tuple[OpenQuestion, ...]) -> str:
    if not changes:
        return "To be agreed" if questions else "House rules"
    return f"{changes} change{'' if changes == 1 else 's'} from the book"


def _awards(writer: SheetWriter) -> tuple[str, ...]:
    return tuple(award_id for award_id in writer.ruleset.awards if award_id in writer.changed_awards)


def _options(writer: SheetWriter) -> tuple[str, ...]:
    return tuple(name for name in QUESTIONS if name in writer.changed_options)


def _is_implied(writer: SheetWriter, option: str) -> bool:
    if option == "jokers":
        return not writer.changed_awards.isdisjoint(writer.ruleset.joker_awards)
    cause = "game_rule" if option == writer.ruleset.game_award else _IMPLIED_BY.get(option)
    if cause and writer.differs(cause):
        return writer.ruleset.answer(cause) not in (None, False)
    cause = _MEANINGLESS_WITHOUT.get(option)
    return bool(cause and writer.differs(cause)) and writer.ruleset.answer(option) == options()[option].default


def _rule(writer: SheetWriter, option: str) -> str:
    if option in writer.ruleset.awards and option in writer.changed_awards:
        return _award(writer, option)
    return QUESTIONS[option].rule(writer.ruleset)


def _award(writer: SheetWriter, award_id: str) -> str:
    name = phrases.sentence(phrases.award_name(writer.ruleset, award_id))
    award = writer.ruleset.in_play.get(award_id)
    return f"{name} scores {award.points}." if award else f"{name} scores nothing."


def _questions(writer: SheetWriter) -> tuple[OpenQuestion, ...]:
    return tuple(_question(writer, option) for option in writer.ruleset.open_options)


def _question(writer: SheetWriter, option: str) -> OpenQuestion:
    question, ruleset = QUESTIONS[option], writer.ruleset
    if question.is_number:
        return OpenQuestion(question.ask(ruleset))
    choices = [word for word in question.answers if word != "none"]
    return OpenQuestion(question.ask(ruleset), tuple(question.label(word, ruleset) for word in choices))
