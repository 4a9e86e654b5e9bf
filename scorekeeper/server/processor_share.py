"""What each machine may take of the processor, so that one that asks for much leaves time for the others.

Each has a bucket that its requests fill with the seconds of the processor that they took, and that leaks all the time.
"""

from dataclasses import dataclass, field
from math import ceil
from threading import Lock

from scorekeeper.eventlog.cache import Cache

BURST_S = 60.0
"""Seconds of the processor that a machine may take at once."""
RATE = 0.5
"""Seconds of the processor in a second that it may take for as long as it likes."""
MAX_WAIT_S = 60
"""Nobody waits longer, whatever one request took: on a small computer a large file to import takes minutes."""
_MAX_MACHINES = 10_000


@dataclass(slots=True)
class ProcessorShare:
    """The buckets of all machines, as far as they are not empty; moments are seconds of a clock that only grows."""

    burst_s: float = BURST_S
    rate: float = RATE
    _buckets: Cache[str, tuple[float, float]] = field(default_factory=lambda: Cache(_MAX_MACHINES))
    """What is in each, and at which moment."""
    _lock: Lock = field(default_factory=Lock)

    def seconds_to_wait(self, machine: str, now: float) -> int:
        """Return after how many seconds a machine may ask again, 0 where it may at once."""
        return max(ceil((self._level(machine, now) - self.burst_s) / self.rate), 0)

    def add(self, machine: str, seconds: float, now: float) -> None:
        """Count what a request took of the processor."""
        with self._lock:
            level = min(self._level(machine, now) + seconds, self.burst_s + MAX_WAIT_S * self.rate)
            self._buckets.put(machine, (level, now))

    def _level(self, machine: str, now: float) -> float:
        level, since = self._buckets.get(machine) or (0.0, now)
        return max(level - (now - since) * self.rate, 0.0)
