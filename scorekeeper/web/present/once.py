"""What follows from a match alone is worked out once, for as long as the match stands as it does."""

from collections.abc import Callable
from typing import TypeVar, cast

from scorekeeper.services.load import LoadedMatch

T = TypeVar("T")


def once(work: Callable[[LoadedMatch], T]) -> Callable[[LoadedMatch], T]:
    """Keep with a match what was worked out from it, by no phone's link; after the next hand it is another match."""
    name = f"{work.__module__}.{work.__qualname__}"

    def known(match: LoadedMatch) -> T:
        kept = match.worked_out
        if name not in kept:
            kept[name] = work(match)
        return cast(T, kept[name])

    return known
