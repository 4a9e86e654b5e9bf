"""The rulesets that the server knows, read when a page first asks."""

from functools import cache

from flask import abort

from scorekeeper.paths import RULESETS
from scorekeeper.rules.library import Library, read_library
from scorekeeper.rules.schema import Ruleset


@cache
def library() -> Library:
    """Return every ruleset that comes with the program."""
    return read_library(RULESETS)


def variant_or_404(ruleset_id: str) -> Ruleset:
    """Return the ruleset that an address names."""
    return library()[ruleset_id] if ruleset_id in library() else abort(404)
