"""Lay a table's house options over a ruleset, and tell the differences between two."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scorekeeper.rules.checks import contradictions
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.options import options, read_award
from scorekeeper.rules.schema import GROUPS, AwardId, Ruleset

JOKER_AWARDS: Mapping[int, frozenset[AwardId]] = {
    0: frozenset(),
    1: frozenset({"joker"}),
    2: frozenset({"high_joker", "low_joker"}),
}


@dataclass(frozen=True, slots=True)
class _Answers:
    """A house's answers, those about awards apart: `low` names an award and an option."""

    options: dict[str, Any]
    awards: dict[AwardId, int | Literal[False]]


def with_house(ruleset: Ruleset, house: Mapping[str, Any]) -> tuple[Ruleset, list[Fault]]:
    """Answer options anew and give the ruleset that follows, with every fault found on the way.

    What hangs together is moved together unless the house says otherwise: `dirty` makes the deuce a captured card,
    `jokers` brings their awards, `game` and `game_rule` switch each other on, `count_down_from` replaces the target.
    """
    answers, faults = _read(ruleset, house)
    if faults:
        return ruleset, faults
    changed = _answered(ruleset, _drawn_along(ruleset, answers))
    return changed, contradictions(changed, stated=house)


def differences(base: Ruleset, changed: Ruleset) -> dict[str, Any]:
    """Give the house options that turn one ruleset into another of the same variant."""
    answers = {name: changed.answer(name) for name in options() if changed.answer(name) != base.answer(name)}
    awards = {name: changed.worth(name) for name in base.awards if changed.worth(name) != base.worth(name)}
    return answers | awards


def _read(ruleset: Ruleset, house: Mapping[str, Any]) -> tuple[_Answers, list[Fault]]:
    answers = _Answers({}, {})
    faults = []
    for name, given in house.items():
        option = options().get(name)
        if option is None and name not in ruleset.awards:
            faults.append(Fault(name, "unknown_option", f"There is no house option {name!r}."))
            continue
        try:
            if name in ruleset.awards and not (option and isinstance(given, str) and given in option.choices):
                answer = read_award(given)
                answers.awards[name] = ruleset.awards[name].points if answer is True else answer
            elif option:
                answers.options[name] = option.read(given)
        except ValueError as error:
            faults.append(Fault(name, "bad_value", f"{_shown(given)} is no answer here: it is {error}."))
    return answers, faults


def _shown(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _drawn_along(ruleset: Ruleset, stated: _Answers) -> _Answers:
    """Add the answers that follow from those given."""
    answers, awards = dict(stated.options), dict(stated.awards)
    if answers.get("dirty"):
        answers.setdefault("low", "captured")
    if "jokers" in stated.options:
        for number, joker_awards in JOKER_AWARDS.items():
            for award in joker_awards:
                awards.setdefault(award, ruleset.awards[award].points if number == answers["jokers"] else False)
    else:
        turned_on = [n for n, joker_awards in JOKER_AWARDS.items() if any(awards.get(a) for a in joker_awards)]
        if turned_on and ruleset.points.jokers < max(turned_on):
            answers["jokers"] = max(turned_on)
    if awards.get("game") and ruleset.points.game_rule == "off":
        answers.setdefault("game_rule", "card_points")
    elif "game" in awards and not awards["game"]:
        answers.setdefault("game_rule", "off")
    elif "game_rule" in answers:
        awards["game"] = ruleset.awards["game"].points if answers["game_rule"] != "off" else False
    if answers.get("count_down_from"):
        answers.setdefault("target", None)
    if answers.get("hands"):
        answers.setdefault("length", "hands")
    return _Answers(answers, awards)


def _answered(ruleset: Ruleset, answers: _Answers) -> Ruleset:
    """Build the ruleset with these answers in it."""
    awards = {
        award_id: award.changed(on=bool(answers.awards[award_id]), points=answers.awards[award_id] or award.points)
        if award_id in answers.awards
        else award
        for award_id, award in ruleset.awards.items()
    }
    groups: dict[str, Any] = {}
    for group in GROUPS:
        part = getattr(ruleset, group)
        changes = {name: answers.options[name] for name in type(part).model_fields if name in answers.options}
        if changes:
            groups[group] = part.changed(**changes)
    return ruleset.changed(awards=awards, **groups)
