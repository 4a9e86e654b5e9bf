"""Which house options decide nothing beside the other answers: they are not shown in forms, not printed and not stored.

Answers that contradict each other are in `options`: those can never stand together. A moot answer can, as it changes
no auction, no score, no winner and no payment: matches that were started with one go on as they are.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from scorekeeper.pitch.rules.groups import bidding, money, play, scoring, winning
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset

MEANINGLESS_WITH: Mapping[str, tuple[str, Any]] = {
    name: option.declared.unless for name, option in options().items() if option.declared.unless
}
"""Options that mean nothing beside one answer to another option, and go back to their defaults with it."""


def moot_options(ruleset: Ruleset, sides: int | None = None) -> Mapping[str, str]:
    """Return the options that decide nothing beside the other answers, with the reason where they stay answered.

    `sides` is how many keep a score; unless that is known, an option may matter at the largest table.
    """
    return dict(_moot(ruleset, sides))


def is_offered(ruleset: Ruleset, name: str, answer: object) -> bool:
    """Return whether an answer is offered: of several that decide the same, only one is, preferably that in force.

    It may contradict other answers all the same.
    """
    same, now = options()[name].declared.same(ruleset), ruleset.answer(name)
    return answer == now or (answer not in same and answer != same.get(now, now))


def _moot(ruleset: Ruleset, sides: int | None) -> Iterator[tuple[str, str]]:
    meaningless = (name for name, (cause, answer) in MEANINGLESS_WITH.items() if ruleset.answer(cause) == answer)
    yield from ((name, "") for name in meaningless)
    for group in (play, bidding, scoring):
        yield from group.moot(ruleset)
    yield from winning.moot(ruleset, sides)
    yield from money.moot(ruleset)
