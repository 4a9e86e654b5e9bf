"""What house rules change, in sentences: each with what the book says, and the way back."""

from collections.abc import Iterator

from scorekeeper.rules import words
from scorekeeper.rules.offers import LOW
from scorekeeper.rules.options import options
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.contexts.composer import DifferenceView
from scorekeeper.web.forms.composer import RulesDraft, answer_to

_NUMBERS_OF_A_MOON = ("moon_made", "moon_set", "double_moon_made", "double_moon_set")
LEFT_OPEN = "The book leaves it to the table."
_FOLLOW = ("low", "jokers", "length", "game_rule")
"""Options whose answer may follow from another, and is then worth telling; awards are as well."""


def difference_views(draft: RulesDraft) -> tuple[DifferenceView, ...]:
    """Tell each change, then what follows from them."""
    return (*_changes(draft), *_consequences(draft))


def _changes(draft: RulesDraft) -> Iterator[DifferenceView]:
    for name in sorted(draft.said, key=[*draft.base.awards, *options()].index):
        is_worth = _is_worth(draft, name)
        was = LEFT_OPEN if name in draft.base.open_options else told(draft.base, name, is_worth=is_worth)
        if name in _NUMBERS_OF_A_MOON and draft.base.answer(name) is None:
            was = ""  # there was nothing to have a number
        title = draft.base.awards[name].name if is_worth else QUESTIONS[name].title(draft.base)
        yield DifferenceView(
            text=told(draft.ruleset, name, is_worth=is_worth),
            was=was,
            option=name,
            undo_label=f"{title}: back to what it was",
        )


def _consequences(draft: RulesDraft) -> Iterator[DifferenceView]:
    base, ruleset = draft.base, draft.ruleset
    for award_id in ruleset.in_play:
        if award_id not in draft.said and ruleset.worth(award_id) != base.worth(award_id):
            yield DifferenceView(text=told(ruleset, award_id, is_worth=True))
    for name in _FOLLOW:
        if name not in draft.said and answer_to(ruleset, name) not in (answer_to(base, name), "off", 0, "target"):
            yield DifferenceView(text=told(ruleset, name))


def _is_worth(draft: RulesDraft, name: str) -> bool:
    return name in draft.base.awards and (name not in options() or not isinstance(draft.said.get(name), str))


def told(ruleset: Ruleset, name: str, *, is_worth: bool = False) -> str:
    """Tell one rule in a sentence: the answer to an option, or what an award is worth."""
    if is_worth:
        named, points = words.award_name(ruleset, name), ruleset.worth(name)
        return words.sentence(f"{named} scores {points}.") if points else f"Nobody scores {named}."
    return QUESTIONS[name].sentence(answer_to(ruleset, name), ruleset)


def changes_told(before: Ruleset, after: Ruleset) -> tuple[str, ...]:
    """Tell what is new in the second of two versions of the same rules."""
    awards = [
        told(after, award_id, is_worth=True)
        for award_id in after.awards
        if after.worth(award_id) != before.worth(award_id)
    ]
    answers = [
        told(after, name)
        for name in options()
        if answer_to(after, name) != answer_to(before, name) and (name != LOW or after.worth(LOW) == before.worth(LOW))
    ]
    return (*awards, *answers)
