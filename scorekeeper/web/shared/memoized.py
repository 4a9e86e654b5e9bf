"""What follows from a match alone, computed once for as long as nothing is written in the match."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar, cast

from scorekeeper.ledger.derive_match import Match

P = ParamSpec("P")
T = TypeVar("T")


def memoized(function: Callable[Concatenate[Match, P], T]) -> Callable[Concatenate[Match, P], T]:
    """Memoize a function with the match that it takes, which every phone's link shares; it may not use the link.

    What else it takes has to say all of itself when it is printed, and is given by its place.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    def memoizing(match: Match, /, *args: P.args, **kwargs: P.kwargs) -> T:
        memo, key = match.memo, f"{name}{args or ''}"
        if key not in memo:
            memo[key] = function(match, *args, **kwargs)
        return cast(T, memo[key])

    return memoizing
