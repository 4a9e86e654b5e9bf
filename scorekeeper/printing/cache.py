"""What was made lately, by its key, as far as there is room."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Shelf(Generic[T]):
    """Keeps the latest of what was made, up to a number of bytes."""

    def __init__(self, room: int, size: Callable[[T], int]) -> None:
        self._room = room
        self._size = size
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()

    def find(self, key: str) -> T | None:
        """Give what lies there under a key."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, made: T) -> T:
        """Keep something, and let go what was not asked for longest."""
        with self._lock:
            self._kept[key] = made
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and sum(map(self._size, self._kept.values())) > self._room:
                self._kept.popitem(last=False)
        return made

    def clear(self) -> None:
        """Let everything go."""
        with self._lock:
            self._kept.clear()
