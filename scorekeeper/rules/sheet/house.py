"""The frame at the foot: what the house changed, what it agreed, and what it has yet to agree."""

from scorekeeper.rules import words
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import HouseFrame, OpenQuestion

# An answer that follows from another is not told twice. These follow where the other is given…
_BROUGHT = {"low": "dirty", "target": "count_down_from", "length": "hands", "game": "game_rule"}
# …and these fall away with the other: nothing is said of what there is no more.
_FALLEN = {
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


def house(telling: Telling) -> HouseFrame:
    """Tell the house rules: changes from the book apart from what the book leaves open."""
    left_open = set(telling.base.open_options)
    changed = [option for option in (*_awards(telling), *_options(telling)) if not _follows(telling, option)]
    changes = tuple(_told(telling, option) for option in changed if option not in left_open)
    agreed = tuple(_told(telling, option) for option in changed if option in left_open)
    questions = _questions(telling)
    return HouseFrame(_title(len(changes), questions), changes, agreed, questions)


def _title(changes: int, questions: tuple[OpenQuestion, ...]) -> str:
    if not changes:
        return "To be agreed" if questions else "House rules"
    return f"{changes} change{'' if changes == 1 else 's'} from the book"


def _awards(telling: Telling) -> tuple[str, ...]:
    return tuple(award_id for award_id in telling.ruleset.awards if award_id in telling.changed_awards)


def _options(telling: Telling) -> tuple[str, ...]:
    options = (name for name, question in QUESTIONS.items() if question.group != "awards")
    return tuple(
        name for name in options if QUESTIONS[name].answer(telling.ruleset) != QUESTIONS[name].answer(telling.base)
    )


def _follows(telling: Telling, option: str) -> bool:
    if option == "jokers":
        return any(
            telling.ruleset.in_play[a].card.endswith("joker")
            for a in telling.changed_awards & {*telling.ruleset.in_play}
        )
    if (cause := _BROUGHT.get(option)) in telling.changed and cause:
        return QUESTIONS[cause].answer(telling.ruleset) not in (None, False)
    return _FALLEN.get(option) in telling.changed and _is_nothing(telling, option)


def _is_nothing(telling: Telling, option: str) -> bool:
    """Tell whether an option is back at the answer that says nothing."""
    group = getattr(telling.ruleset, QUESTIONS[option].group)
    return bool(getattr(group, option) == type(group).model_fields[option].default)


def _told(telling: Telling, option: str) -> str:
    if option in telling.ruleset.awards and option in telling.changed_awards:
        return _award(telling, option)
    question = QUESTIONS[option]
    return question.sentence(question.answer(telling.ruleset), telling.ruleset)


def _award(telling: Telling, award_id: str) -> str:
    name = words.sentence(words.award_name(telling.ruleset, award_id))
    award = telling.ruleset.in_play.get(award_id)
    return f"{name} scores {award.points}." if award else f"{name} scores nothing."


def _questions(telling: Telling) -> tuple[OpenQuestion, ...]:
    return tuple(_question(telling, option) for option in telling.ruleset.open_options)


def _question(telling: Telling, option: str) -> OpenQuestion:
    question, ruleset = QUESTIONS[option], telling.ruleset
    if question.is_number:
        return OpenQuestion(question.ask(ruleset))
    choices = [word for word in question.answers if word != "none"]
    return OpenQuestion(question.ask(ruleset), tuple(question.label(word, ruleset) for word in choices))
