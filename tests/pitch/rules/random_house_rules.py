"""Random house rules, for tests of properties."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS
from scorekeeper.pitch.rules.house_rules import HouseRules, with_house
from scorekeeper.pitch.rules.options import OWN_AWARD_CARDS, Option, options
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY

RULESETS = list(LIBRARY)

letters = st.characters(codec="utf-8", categories=("L", "N", "P", "S"))
names_of_points = st.characters(codec="ascii", categories=("L", "N"))
names = st.text(letters, min_size=1, max_size=60)
notes = st.lists(st.text(letters, min_size=1, max_size=60), max_size=10).map(tuple)


def answers_of(option: Option) -> st.SearchStrategy[Any]:
    """Return the answers that an option may have, sensible or not."""
    if option.is_flag:
        return st.booleans()
    if option.choices:
        return st.sampled_from(option.choices)
    numbers = st.integers(option.lowest or 0, min(option.highest or 60, 60))
    return st.none() | numbers if option.allows_none else numbers


@st.composite
def option_sets(draw: st.DrawFn, ruleset: Ruleset) -> dict[str, Any]:
    """Draw answers to a few options and awards of a variant, whether they contradict each other or not."""
    chosen = draw(st.lists(st.sampled_from([*options(), *ruleset.awards]), max_size=6, unique=True))
    worth = st.booleans() | st.integers(1, 20)
    answers = {name: draw(answers_of(options()[name]) if name in options() else worth) for name in chosen}
    return answers | {name: draw(own_points()) for name in draw(st.lists(st.sampled_from(OWN_AWARD_IDS), max_size=2))}


@st.composite
def own_points(draw: st.DrawFn) -> str:
    """Draw a point of a house's own, which the other awards may contradict."""
    won, card = draw(st.sampled_from(("captured", "held", "kept"))), draw(st.sampled_from(OWN_AWARD_CARDS))
    return f"{draw(st.integers(1, 20))} {won} {card}: {draw(st.text(names_of_points, min_size=1, max_size=20))}"


@st.composite
def houses(draw: st.DrawFn) -> HouseRules:
    """Draw house rules whose parts are each valid."""
    ruleset = draw(st.sampled_from(RULESETS))
    return HouseRules(draw(names), ruleset.id, draw(option_sets(ruleset)), draw(notes))


@st.composite
def sound_houses(draw: st.DrawFn) -> HouseRules:
    """Draw house rules that can be played: of the answers that contradict each other, the later ones are left out."""
    house = draw(houses())
    kept: dict[str, Any] = {}
    for name, answer in house.options.items():
        if not with_house(LIBRARY[house.variant], {**kept, name: answer})[1]:
            kept[name] = answer
    return replace(house, name="Ours", options=kept, notes=())


agreed_rules = sound_houses().map(lambda house: with_house(LIBRARY[house.variant], house.options)[0])
"""Random rules of a table: a variant unchanged, or with house rules that do not contradict each other."""
