"""Short names for what is played: the same rules have the same fingerprint on every machine."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.spec import Spec, is_later

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Thirty-two characters that no handwriting confuses: no 0 and O, no 1 and I."""

# The name and the description of a ruleset decide nothing at the table.
_DESCRIPTION = frozenset({"format", "id", "name", "also", "extends", "source", "summary", "notes", "abstract"})
# Never change these: an award that is off is a part of every fingerprint since then.
_AWARDS_OF_FIRST_EDITION: frozenset[AwardId] = frozenset(
    "high low ace jack right off_jack left high_joker low_joker joker off_ace ten off_ten five off_five trey off_trey "
    "deuce off_deuce high_spade last_trick game".split()
)


def fingerprint(ruleset: Ruleset) -> str:
    """Return eight characters that identify the rules alone, whatever they are called: "7KQ2-MX4D".

    They stay when options and awards are added: what came after the first edition is left out where it changes nothing,
    an option at its default and an award that is off.
    """
    rules = _without_later(ruleset, ruleset.model_dump(mode="json", exclude=set(_DESCRIPTION)))
    rules["awards"] = {
        award_id: _without_later(award, rules["awards"][award_id])
        for award_id, award in ruleset.awards.items()
        if award.on or award_id in _AWARDS_OF_FIRST_EDITION
    }
    content = json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    bits = int.from_bytes(hashlib.sha256(content).digest()[:5], "big")
    characters = "".join(ALPHABET[bits >> shift & 31] for shift in range(35, -1, -5))
    return f"{characters[:4]}-{characters[4:]}"


def _without_later(part: Spec, dumped: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dumped part without the fields, also of the parts in it, that came later and have their defaults."""
    fields = type(part).model_fields
    kept = {}
    for name, content in dumped.items():
        value = getattr(part, name)
        if not (is_later(fields[name]) and value == fields[name].default):
            kept[name] = _without_later(value, content) if isinstance(value, Spec) else content
    return kept
