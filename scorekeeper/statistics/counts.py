"""How often something came off, of how often it was tried."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

Key = TypeVar("Key")


class Count(NamedTuple):
    """A count: 16 of 26."""

    some: int = 0
    of: int = 0

    @property
    def rest(self) -> int:
        """How often it did not come off."""
        return self.of - self.some


def plus(one: Count, other: Count) -> Count:
    """Return two counts together."""
    return Count(one.some + other.some, one.of + other.of)


def total(counts: Iterable[Count]) -> Count:
    """Return counts together."""
    some = of = 0
    for count in counts:
        some += count[0]
        of += count[1]
    return Count(some, of)


def add(counts: dict[Key, Count], key: Key, some: int, of: int) -> None:
    """Add to one of several counts."""
    count = counts.get(key)
    counts[key] = Count(count[0] + some, count[1] + of) if count else Count(some, of)


def merged(one: Mapping[Key, Count], other: Mapping[Key, Count]) -> dict[Key, Count]:
    """Return two tables of counts as one."""
    counts = dict(one)
    for key, (some, of) in other.items():
        add(counts, key, some, of)
    return counts
