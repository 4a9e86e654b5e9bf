"""Apply a table's house options to a ruleset, and find the options that turn one ruleset into another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scorekeeper.rules.awards import AwardId, card_of
from scorekeeper.rules.cards import JOKERS, Joker
from scorekeeper.rules.characters import shortened
from scorekeeper.rules.checks import contradictions
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.options import MEANINGLESS_WITH, options, read_award
from scorekeeper.rules.schema import GROUPS, Ruleset


@dataclass(frozen=True, slots=True)
class _Answers:
    """A house's answers, with those about awards apart, since `low` is both an award and an option."""

    options: dict[str, Any]
    awards: dict[AwardId, int | Literal[False]]


def with_house(ruleset: Ruleset, house: Mapping[str, Any]) -> tuple[Ruleset, list[Fault]]:
    """Return the ruleset that follows when a house answers these options, and every fault in the answers.

    An answer implies others unless the house gives those too: `dirty` makes Low a captured card, `jokers` switches
    their awards, `game` and `game_rule` switch each other, `count_down_from` replaces the target, and an option that
    has become meaningless goes back to its default: without a moon there is nothing that it wins or costs.
    """
    answers, faults = _read(ruleset, house)
    if faults:
        return ruleset, faults
    changed = _answered(ruleset, _with_implied(ruleset, answers))
    return changed, contradictions(changed, stated=house)


def answer_faults(ruleset: Ruleset, answers: Mapping[str, Any]) -> list[Fault]:
    """Return every answer that its option does not have, whatever it would contradict."""
    return _read(ruleset, answers)[1]


def differences(base: Ruleset, changed: Ruleset) -> dict[str, Any]:
    """Return the house options that turn one ruleset into another of the same variant."""
    stated = _unlike(base, changed)
    # An implied answer may differ from the one wanted: then that is stated as well.
    return stated | _unlike(with_house(base, stated)[0], changed)


def _unlike(base: Ruleset, changed: Ruleset) -> dict[str, Any]:
    answers = {name: changed.answer(name) for name in options() if changed.answer(name) != base.answer(name)}
    awards = {name: changed.worth(name) for name in base.awards if changed.worth(name) != base.worth(name)}
    return answers | awards


def _read(ruleset: Ruleset, house: Mapping[str, Any]) -> tuple[_Answers, list[Fault]]:
    answers = _Answers({}, {})
    faults = []
    for name, given in house.items():
        option = options().get(name)
        if not isinstance(given, str | int | float | None):
            faults.append(Fault(name, "bad_value", "An answer is a word, a number, yes or no."))
            continue
        if option is None and name not in ruleset.awards:
            faults.append(Fault(name, "unknown_option", f"There is no house option {name!r}."))
            continue
        try:
            if option is None or (name in ruleset.awards and given not in option.choices):
                answer = read_award(given)
                answers.awards[name] = ruleset.awards[name].points if answer is True else answer
            else:
                answers.options[name] = option.read(given)
        except ValueError as error:
            faults.append(Fault(name, "bad_value", f"{shortened(repr(given))} is not an answer here. Enter {error}."))
    return answers, faults


def _with_implied(ruleset: Ruleset, stated: _Answers) -> _Answers:
    """Return a house's answers with all that they imply."""
    answers = _Answers(dict(stated.options), dict(stated.awards))
    _imply_jokers(ruleset, stated, answers)
    _imply_game(ruleset, answers)
    _imply_low(ruleset, answers)
    _imply_moon(ruleset, answers)
    for caught, card in ruleset.in_place_of.items():
        if answers.awards.get(card) is False:
            answers.awards.setdefault(caught, False)
    if answers.options.get("count_down_from"):
        _reset(answers, "target")
    if answers.options.get("hands"):
        answers.options.setdefault("length", "hands")
    for name, (cause, answer) in MEANINGLESS_WITH.items():
        if cause in answers.options and answers.options[cause] == answer:
            _reset(answers, name)
    return answers


def _reset(answers: _Answers, *names: str) -> None:
    """Set options back to their defaults, unless they were answered."""
    for name in names:
        answers.options.setdefault(name, options()[name].default)


def _imply_jokers(ruleset: Ruleset, stated: _Answers, answers: _Answers) -> None:
    cards = {award_id: card_of(kind) for award_id, kind in ruleset.kinds.items()}
    awards = {award_id: card for award_id, card in cards.items() if isinstance(card, Joker)}
    if "jokers" in stated.options:
        jokers = stated.options["jokers"]
        for award_id, joker in awards.items():
            on = joker in JOKERS[jokers]
            answers.awards.setdefault(award_id, ruleset.awards[award_id].points if on else False)
        if jokers < 2:
            _reset(answers, "joker_order")
        if jokers == 0:
            _reset(answers, "game_tie")
        return
    switched_on = {joker for award_id, joker in awards.items() if answers.awards.get(award_id)}
    needed = max((number for number, jokers in JOKERS.items() if switched_on.intersection(jokers)), default=0)
    if ruleset.points.jokers < needed:
        answers.options["jokers"] = needed
        for award_id, joker in awards.items():
            if joker in JOKERS[ruleset.points.jokers]:
                answers.awards.setdefault(award_id, False)


def _imply_game(ruleset: Ruleset, answers: _Answers) -> None:
    game = ruleset.game_award
    if game and answers.awards.get(game) and ruleset.points.game_rule == "off":
        answers.options.setdefault("game_rule", "card_points")
    elif game in answers.awards and not answers.awards[game]:
        answers.options.setdefault("game_rule", "off")
    elif game and "game_rule" in answers.options:
        on = answers.options["game_rule"] != "off"
        answers.awards.setdefault(game, ruleset.awards[game].points if on else False)
    if answers.options.get("game_rule", "card_points") != "card_points":
        _reset(answers, "game_tie")


def _imply_low(ruleset: Ruleset, answers: _Answers) -> None:
    if answers.options.get("dirty"):
        answers.options.setdefault("low", "captured")
    by_low_rule = [award_id for award_id, award in ruleset.awards.items() if award.won == "by_low_rule"]
    if not any(answers.awards.get(award_id, ruleset.worth(award_id)) for award_id in by_low_rule):
        _reset(answers, "low", "dirty")


def _imply_moon(ruleset: Ruleset, answers: _Answers) -> None:
    """Reset what belonged to another kind of moon."""
    moon = answers.options.get("moon", ruleset.moon.moon)
    if moon == ruleset.moon.moon:
        return
    if moon != "stake":
        _reset(answers, "moon_made", "moon_set", "double_moon", "double_moon_made", "double_moon_set")
    if moon != "money":
        _reset(answers, "moon_cents")


def _answered(ruleset: Ruleset, answers: _Answers) -> Ruleset:
    """Return the ruleset with these answers in it."""
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
