"""The rulesets, read once for all tests, and those over which a law is repeated."""

from collections.abc import Iterable, Iterator

import pytest

from scorekeeper.paths import RULESETS
from scorekeeper.pitch.records.result import Rulebook
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.ci import IS_CI
from tests.common.each import each

LIBRARY = read_library(RULESETS)
RULEBOOK = Rulebook(LIBRARY)
MILLERS = HouseRules(
    "The Millers’ Pitch", "partnership-pitch", {"dealer_steal": "no", "target": 15}, ("Loser does the dishes.",)
)
"""House rules of a family."""
RULED = ("table", "points", "bidding", "moon", "scoring", "winning", "money", "play")
"""The parts of a ruleset that say how it is played; the deck shows in its awards."""


def answers(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Return every award of a ruleset and its answer to every question; of a number only whether there is one."""
    yield from (("award", award) for award in ruleset.in_play)
    for part in RULED:
        for name, value in getattr(ruleset, part):
            is_number = isinstance(value, int) and not isinstance(value, bool)
            yield name, "number" if is_number else str(value)


def covering(rulesets: Iterable[Ruleset]) -> list[Ruleset]:
    """Return rulesets in which every award and every answer of all of them is found, the richest first."""
    left = {ruleset.id: {*answers(ruleset)} for ruleset in rulesets}
    chosen = []
    while any(left.values()):
        richest = max(left, key=lambda ruleset_id: len(left[ruleset_id]))
        chosen.append(LIBRARY[richest])
        covered = left[richest]
        left = {ruleset_id: found - covered for ruleset_id, found in left.items()}
    return chosen


def repeated(rulesets: Iterable[Ruleset], fewest: int) -> list[Ruleset]:
    """Return the rulesets over which a law is repeated: all in CI; elsewhere so many in which most is found."""
    return list(rulesets) if IS_CI else covering(rulesets)[:fewest]


LAW_RULESETS = repeated(LIBRARY, 3)
"""Where a law takes long for each: all in CI; elsewhere three in which two of three awards and answers are found."""

each_ruleset = pytest.mark.parametrize("ruleset", LAW_RULESETS, ids=lambda ruleset: ruleset.id)
every_ruleset = each("ruleset", LIBRARY, lambda ruleset: ruleset.id)
"""Where a check is quick, or reads what a ruleset's own author has to write: one test of all."""
