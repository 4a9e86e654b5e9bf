"""Short names for what is played: the same rules have the same fingerprint on every machine."""

import hashlib
import json

from scorekeeper.rules.schema import Ruleset

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Thirty-two signs that no handwriting confuses: no 0 and O, no 1 and I."""

# How a ruleset is called and described decides nothing at the table.
_DESCRIPTION = frozenset({"format", "id", "name", "also", "extends", "source", "summary", "notes", "abstract"})


def digest(ruleset: Ruleset) -> str:
    """Give a digest of everything in a ruleset, its name included, as 64 hexadecimal digits."""
    return hashlib.sha256(_canonical(ruleset.model_dump(mode="json"))).hexdigest()


def fingerprint(ruleset: Ruleset) -> str:
    """Give eight signs that stand for the rules alone: "7KQ2-MX4D"."""
    rules = ruleset.model_dump(mode="json", exclude=set(_DESCRIPTION))
    bits = int.from_bytes(hashlib.sha256(_canonical(rules)).digest()[:5], "big")
    signs = "".join(ALPHABET[bits >> shift & 31] for shift in range(35, -1, -5))
    return f"{signs[:4]}-{signs[4:]}"


def _canonical(values: object) -> bytes:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
