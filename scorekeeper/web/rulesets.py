"""The rulesets as the server knows them: read once, when a page first asks."""

from functools import cache

from scorekeeper.paths import RULESETS
from scorekeeper.rules.library import Library, read_library


@cache
def library() -> Library:
    """Give every ruleset that comes with the program."""
    return read_library(RULESETS)
