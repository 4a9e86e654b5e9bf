"""Lay a table's house options over a ruleset, and tell the differences between two."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.rules.checks import contradictions
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.options import Option, options, read_award
from scorekeeper.rules.schema import GROUPS, AwardId, Ruleset

JOKER_AWARDS: Mapping[int, frozenset[AwardId]] = {
    0: frozenset(),
    1: frozenset({"joker"}),
    2: frozenset({"high_joker", "low_joker"}),
}


def with_house(ruleset: Ruleset, house: Mapping[str, Any]) -> tuple[Ruleset, list[Fault]]:
    """Answer options anew and give the ruleset that follows, with every fault found on the way.

    What hangs together is moved together unless the house says otherwise: `dirty` makes the deuce a captured card,
    `jokers` brings their awards, `game` and `game_rule` switch each other on, `count_down_from` replaces the target.
    """
    answers, faults = _read(ruleset, house)
    if faults:
        return ruleset, faults
    changed = _answered(ruleset, _drawn_along(ruleset, answers))
    return changed, contradictions(changed, stated=answers)


def differences(base: Ruleset, changed: Ruleset) -> dict[str, Any]:
    """Give the house options that turn one ruleset into another of the same variant."""
    names = (*base.awards, *options())
    return {name: changed.answer(name) for name in names if changed.answer(name) != base.answer(name)}


def _read(ruleset: Ruleset, house: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    answers: dict[str, Any] = {}
    faults = []
    for name, given in house.items():
        option = options().get(name)
        if option is None and name not in ruleset.awards:
            faults.append(Fault(name, "unknown_option", f"There is no house option {name!r}."))
            continue
        try:
            answers[name] = _read_one(ruleset, name, option, given)
        except ValueError as error:
            faults.append(Fault(name, "bad_value", f"{_shown(given)} is no answer here: it is {error}."))
    return answers, faults


def _read_one(ruleset: Ruleset, name: str, option: Option | None, given: object) -> Any:
    if option:
        return option.read(given)
    answer = read_award(given)
    if answer is True:
        return ruleset.awards[name].points
    return answer


def _shown(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _drawn_along(ruleset: Ruleset, stated: Mapping[str, Any]) -> dict[str, Any]:
    """Add the answers that follow from those given."""
    answers = dict(stated)
    if stated.get("dirty"):
        answers.setdefault("low", "captured")
    if "jokers" in stated:
        for number, awards in JOKER_AWARDS.items():
            for award in awards:
                answers.setdefault(award, ruleset.awards[award].points if number == stated["jokers"] else False)
    else:
        turned_on = [n for n, awards in JOKER_AWARDS.items() if any(stated.get(award) for award in awards)]
        if turned_on and ruleset.points.jokers < max(turned_on):
            answers["jokers"] = max(turned_on)
    if stated.get("game") and ruleset.points.game_rule == "off":
        answers.setdefault("game_rule", "card_points")
    if "game_rule" in stated and "game" not in stated:
        answers["game"] = ruleset.awards["game"].points if stated["game_rule"] != "off" else False
    if stated.get("count_down_from"):
        answers.setdefault("target", None)
    if "hands" in stated and stated["hands"]:
        answers.setdefault("length", "hands")
    return answers


def _answered(ruleset: Ruleset, answers: Mapping[str, Any]) -> Ruleset:
    """Build the ruleset with these answers in it."""
    awards = {
        award_id: award.changed(on=bool(answers[award_id]), points=answers[award_id] or award.points)
        if award_id in answers
        else award
        for award_id, award in ruleset.awards.items()
    }
    groups: dict[str, Any] = {}
    for group in GROUPS:
        part = getattr(ruleset, group)
        changes = {name: answers[name] for name in type(part).model_fields if name in answers}
        if changes:
            groups[group] = part.changed(**changes)
    return ruleset.changed(awards=awards, **groups)
