"""Orders of posts that were sent at once, of which one has to explain what is there afterwards."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import TypeVar

S = TypeVar("S")
P = TypeVar("P")


def explained(
    states: Iterable[S], sure: Sequence[P], unsure: Sequence[P], after: Callable[[S, P], Iterator[S]]
) -> Iterator[S]:
    """Yield what any of some states may be after some order of posts, those that may not have come in or not.

    `after` yields what a state may be after one post: nothing where its answer does not agree.
    """
    states = list(states)
    for bits in range(1 << len(unsure)):
        chosen = [post for bit, post in enumerate(unsure) if bits >> bit & 1]
        for order in permutations([*sure, *chosen]):
            ends = states
            for post in order:
                ends = [end for state in ends for end in after(state, post)]
            yield from ends
