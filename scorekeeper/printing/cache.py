"""A cache that is limited by the size of what is in it."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class SizedCache(Generic[T]):
    """Keeps what was used last, up to a number of bytes."""

    def __init__(self, most_bytes: int, size_of: Callable[[T], int]) -> None:
        self._most_bytes = most_bytes
        self._size_of = size_of
        self._items: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> T | None:
        """Return the item of a key, if it is cached."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
            return self._items.get(key)

    def put(self, key: str, item: T) -> T:
        """Cache an item, and drop those that were not used for longest."""
        with self._lock:
            self._items[key] = item
            self._items.move_to_end(key)
            while len(self._items) > 1 and sum(map(self._size_of, self._items.values())) > self._most_bytes:
                self._items.popitem(last=False)
        return item

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._items.clear()
