"""Caches in the memory of a process. Each is limited to a number of values and, where wanted, to their total weight."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_all_caches: "WeakSet[Cache[Any, Any]]" = WeakSet()
"""Every cache of this process."""


def clear_all_caches() -> None:
    """Clear every cache of this process."""
    for cache in [*_all_caches]:
        cache.clear()


class Cache(Generic[K, V]):
    """A thread-safe cache; beyond its limits it drops the values that were used least recently.

    With `max_weight`, the sum of what `weigh` returns for the values is limited as well. The newest value always stays.
    """

    def __init__(
        self, max_values: int = 1000, *, max_weight: int | None = None, weigh: Callable[[V], int] = lambda _: 0
    ) -> None:
        self._max_values, self._max_weight, self._weigh = max_values, max_weight, weigh
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()
        _all_caches.add(self)

    def get(self, key: K) -> V | None:
        """Return the value of a key, which counts as a use of it; `None` if the key has no value."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        """Store a value, drop the least recently used values beyond the limits, and return the stored value."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._max_values or self._is_too_heavy():
                self._values.popitem(last=False)
        return value

    def _is_too_heavy(self) -> bool:
        """Return whether all values together weigh more than the maximum; false for a single value."""
        if self._max_weight is None or len(self._values) < 2:
            return False
        return sum(map(self._weigh, self._values.values())) > self._max_weight

    def clear(self) -> None:
        """Drop every value."""
        with self._lock:
            self._values.clear()

    def values(self) -> list[V]:
        """Return every value, the least recently used first."""
        with self._lock:
            return [*self._values.values()]
