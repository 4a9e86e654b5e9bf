"""What a large file says, kept as bytes and unpacked one record at a time.

As objects it takes several times the room, in small pieces all over the memory of the process. One small thing among
them that stays, such as a statement that the database compiles, keeps a whole block from going back to the system.
"""

import pickle
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Packed(Generic[T]):
    """Things that are packed; each time through, they are new ones."""

    def __init__(self, things: Iterable[T]) -> None:
        self._packed = [pickle.dumps(thing, pickle.HIGHEST_PROTOCOL) for thing in things]

    def __iter__(self) -> Iterator[T]:
        """Yield each as it was."""
        for packed in self._packed:
            yield pickle.loads(packed)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._packed)
