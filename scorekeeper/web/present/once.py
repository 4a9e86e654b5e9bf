"""What follows from a match alone is worked out once, for as long as the match stands as it does."""

from collections.abc import Callable
from typing import TypeVar, cast

from scorekeeper.services.load import LoadedMatch

T = TypeVar("T")


def once(work: Callable[[LoadedMatch], T]) -> Callable[[LoadedMatch], T]:
    """Keep with a match what was worked out from it; after the next hand it is another match."""
    name = f"{work.__module__}.{work.__qualname__}"

    def known(match: LoadedMatch) -> T:
        kept = vars(match)  # where its own cached properties are kept as well
        if name not in kept:
            kept[name] = work(match)
        return cast(T, kept[name])

    return known
