"""Short names for what is played: the same rules have the same fingerprint on every machine."""

import hashlib
import json

from scorekeeper.rules.schema import Ruleset

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Thirty-two characters that no handwriting confuses: no 0 and O, no 1 and I."""

# The name and the description of a ruleset decide nothing at the table.
_DESCRIPTION = frozenset({"format", "id", "name", "also", "extends", "source", "summary", "notes", "abstract"})


def fingerprint(ruleset: Ruleset) -> str:
    """Return eight characters that identify the rules alone, whatever they are called: "7KQ2-MX4D"."""
    rules = ruleset.model_dump(mode="json", exclude=set(_DESCRIPTION))
    content = json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    bits = int.from_bytes(hashlib.sha256(content).digest()[:5], "big")
    characters = "".join(ALPHABET[bits >> shift & 31] for shift in range(35, -1, -5))
    return f"{characters[:4]}-{characters[4:]}"
