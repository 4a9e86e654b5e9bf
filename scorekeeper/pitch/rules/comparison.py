"""Games side by side: what differs among them, in a few words each, read off their rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.pitch.rules.finder import Fit
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.questions import word_of
from scorekeeper.pitch.rules.schema import Ruleset

COMPARED = {
    name: compared
    for name in ("min_bid", "score_on_made", "win_rule", "moon", "low")
    if (compared := options()[name].declared.compared)
}
"""The options by which games are compared at a glance, in order."""


@dataclass(frozen=True, slots=True)
class Column:
    """One question that games answer differently."""

    option: str
    title: str
    values: tuple[str, ...]
    """What each game answers, in their order."""

    def is_alone(self, place: int) -> bool:
        """Return whether one game alone answers so."""
        return self.values.count(self.values[place]) == 1


def compare(fits: Sequence[Fit]) -> tuple[Column, ...]:
    """Return what differs among games as they would be started; what they share is left out."""
    rulesets = [with_house(fit.game.ruleset, fit.house)[0] for fit in fits]
    columns = (
        Column(option, title, tuple(_value(ruleset, option) for ruleset in rulesets))
        for option, (title, _) in COMPARED.items()
    )
    return tuple(column for column in columns if len(set(column.values)) > 1)


def _value(ruleset: Ruleset, option: str) -> str:
    _, words = COMPARED[option]
    answer = ruleset.answer(option)
    if answer is None and option in ruleset.open_options:
        return "you pick"
    if not ruleset.has_bidding and option in ("min_bid", "score_on_made", "win_rule"):
        return "no bids"
    if answer == "stake" and option == "moon":
        made, cost = ruleset.moon.moon_made, ruleset.moon.moon_set
        return f"±{made}" if made == cost else f"+{made}, −{cost}"
    return words.get(word_of(answer), word_of(answer))
