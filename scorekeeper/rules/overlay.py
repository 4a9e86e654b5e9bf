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
    `jokers` brings their awards, `game` and `game_rule` switch each other on, `count_down_from` replaces the target,
    and what loses its meaning goes: without a moon there is nothing that it wins or costs.
    """
    answers, faults = _read(ruleset, house)
    if faults:
        return ruleset, faults
    changed = _answered(ruleset, _drawn_along(ruleset, answers))
    return changed, contradictions(changed, stated=house)


def differences(base: Ruleset, changed: Ruleset) -> dict[str, Any]:
    """Give the house options that turn one ruleset into another of the same variant."""
    said = _unlike(base, changed)
    # What is drawn along may have been answered otherwise: then it has to be said as well.
    return said | _unlike(with_house(base, said)[0], changed)


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
            faults.append(Fault(name, "bad_value", f"{_shown(given)} is no answer here: it is {error}."))
    return answers, faults


def _shown(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _drawn_along(ruleset: Ruleset, stated: _Answers) -> _Answers:
    """Add the answers that follow from those given."""
    drawn = _Answers(dict(stated.options), dict(stated.awards))
    _draw_jokers(ruleset, stated, drawn)
    _draw_game(ruleset, drawn)
    _draw_low(ruleset, drawn)
    _draw_moon(ruleset, drawn)
    for name, answer, loose in _LOOSENED:
        if name in stated.options and stated.options[name] == answer:
            _loosen(drawn, *loose)
    if drawn.options.get("count_down_from"):
        _loosen(drawn, "target")
    if drawn.options.get("hands"):
        drawn.options.setdefault("length", "hands")
    if drawn.options.get("length") == "hands":
        _loosen(drawn, "win_by")
    return drawn


_LOOSENED: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
    ("double_moon", False, ("double_moon_made", "double_moon_set")),
    ("pitching", False, ("double_loss_on_overtake",)),
    ("kitty", "none", ("share_the_wealth",)),
    ("count_down_from", None, ("defenders_stop_at_one",)),
    ("length", "target", ("hands",)),
)
"""Answers that leave others without a meaning: those go back to nothing, unless the house says otherwise."""


def _loosen(drawn: _Answers, *names: str) -> None:
    """Let options go back to what they are where a variant never had them."""
    for name in names:
        drawn.options.setdefault(name, options()[name].default)


def _draw_jokers(ruleset: Ruleset, stated: _Answers, drawn: _Answers) -> None:
    if "jokers" in stated.options:
        for number, joker_awards in JOKER_AWARDS.items():
            for award in joker_awards:
                on = number == stated.options["jokers"]
                drawn.awards.setdefault(award, ruleset.awards[award].points if on else False)
        if stated.options["jokers"] < 2:
            _loosen(drawn, "joker_order")
        if stated.options["jokers"] == 0:
            _loosen(drawn, "game_tie")
        return
    turned_on = [n for n, joker_awards in JOKER_AWARDS.items() if any(drawn.awards.get(a) for a in joker_awards)]
    if turned_on and ruleset.points.jokers < max(turned_on):
        drawn.options["jokers"] = max(turned_on)
        for award in JOKER_AWARDS[ruleset.points.jokers]:
            drawn.awards.setdefault(award, False)


def _draw_game(ruleset: Ruleset, drawn: _Answers) -> None:
    if drawn.awards.get("game") and ruleset.points.game_rule == "off":
        drawn.options.setdefault("game_rule", "card_points")
    elif "game" in drawn.awards and not drawn.awards["game"]:
        drawn.options.setdefault("game_rule", "off")
    elif "game_rule" in drawn.options:
        on = drawn.options["game_rule"] != "off"
        drawn.awards.setdefault("game", ruleset.awards["game"].points if on else False)
    if drawn.options.get("game_rule", "card_points") != "card_points":
        _loosen(drawn, "game_tie")


def _draw_low(ruleset: Ruleset, drawn: _Answers) -> None:
    if drawn.options.get("dirty"):
        drawn.options.setdefault("low", "captured")
    by_low_rule = [award_id for award_id, award in ruleset.awards.items() if award.won == "by_low_rule"]
    if not any(drawn.awards.get(award_id, ruleset.worth(award_id)) for award_id in by_low_rule):
        _loosen(drawn, "low", "dirty")


def _draw_moon(ruleset: Ruleset, drawn: _Answers) -> None:
    """Leave behind what belonged to the moon that was shot before."""
    moon = drawn.options.get("moon", ruleset.moon.moon)
    if moon == ruleset.moon.moon:
        return
    if moon == "off":
        _loosen(drawn, "moon_after", "moon_needs", "moon_counts_burned")
    if moon != "stake":
        _loosen(drawn, "moon_made", "moon_set", "double_moon", "double_moon_made", "double_moon_set")
    if moon != "money":
        _loosen(drawn, "moon_cents")


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
