"""What the page shows on which rules are chosen: those that this phone used last, and every game."""

from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.endings import goal_words
from scorekeeper.rules.codes import fingerprint
from scorekeeper.web.settle.of_match import rules_in_match
from scorekeeper.web.shared.widgets import HiddenFields

MOST_USED = 12
"""Matches that are looked at for their rules."""
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedRules:
    """Rules that this phone's matches were played by."""

    name: str
    goal: str
    fields: HiddenFields


def used_rules(matches: Iterable[Match]) -> tuple[UsedRules, ...]:
    """Return the rules of matches, the last ones first, each once."""
    found: dict[str, UsedRules] = {}
    for match in matches:
        ruleset = match.state.ruleset
        rules, key = rules_in_match(ruleset), f"{ruleset.name} {fingerprint(ruleset)}"
        if rules and key not in found and len(found) < _SHOWN:
            found[key] = UsedRules(name=ruleset.name, goal=goal_words(ruleset), fields=tuple(rules.fields()))
    return tuple(found.values())
