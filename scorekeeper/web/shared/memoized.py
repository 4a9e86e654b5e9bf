"""What follows from a match alone, computed once for as long as nothing is written in the match."""

from collections.abc import Callable
from typing import TypeVar, cast

from scorekeeper.ledger.derive_match import Match

T = TypeVar("T")


def memoized(function: Callable[[Match], T]) -> Callable[[Match], T]:
    """Memoize a function with the match that it takes, which every phone's link shares; it may not use the link."""
    name = f"{function.__module__}.{function.__qualname__}"

    def memoizing(match: Match) -> T:
        memo = match.memo
        if name not in memo:
            memo[name] = function(match)
        return cast(T, memo[name])

    return memoizing
