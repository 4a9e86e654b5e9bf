"""The rulesets that the server knows, read when a page first asks."""

from functools import cache

from scorekeeper.paths import RULESETS
from scorekeeper.rules.library import Library, read_library


@cache
def library() -> Library:
    """Return every ruleset that comes with the program."""
    return read_library(RULESETS)
