"""The share of the processor that each machine may use, so that one with many requests leaves time for the others.

Each has a leaky bucket, which its requests fill with the seconds of processor time that they took.
"""

from dataclasses import dataclass, field
from math import ceil
from threading import Lock

from scorekeeper.eventlog.cache import Cache

BURST_S = 60.0
"""Seconds of processor time that a machine may use at once."""
RATE = 0.5
"""Seconds of processor time per second that it may use for any length of time."""
MAX_WAIT_S = 60
"""The longest wait in seconds, whatever one request took: on a small computer a large import takes minutes."""
_MAX_MACHINES = 10_000


@dataclass(slots=True)
class ProcessorShare:
    """The buckets of all machines that are not empty; times are seconds of a monotonic clock."""

    burst_s: float = BURST_S
    rate: float = RATE
    _buckets: Cache[str, tuple[float, float]] = field(default_factory=lambda: Cache(_MAX_MACHINES))
    """The level of each, and the time at which it was so."""
    _lock: Lock = field(default_factory=Lock)

    def seconds_to_wait(self, machine: str, now: float) -> int:
        """Return after how many seconds a machine may send a request, 0 where it may at once."""
        return max(ceil((self._level(machine, now) - self.burst_s) / self.rate), 0)

    def add(self, machine: str, seconds: float, now: float) -> None:
        """Count the processor time of a request."""
        with self._lock:
            level = min(self._level(machine, now) + seconds, self.burst_s + MAX_WAIT_S * self.rate)
            self._buckets.put(machine, (level, now))

    def _level(self, machine: str, now: float) -> float:
        level, since = self._buckets.get(machine) or (0.0, now)
        return max(level - (now - since) * self.rate, 0.0)
