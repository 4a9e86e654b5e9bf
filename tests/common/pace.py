"""How much work something is, the same on every machine: no test requires a number of seconds."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

_TEXT = json.dumps([{"number": number, "name": f"name {number}"} for number in range(1000)])


@dataclass
class Count:
    """How many functions were called so far, Python's own and those of its library."""

    calls: int = 0


@contextmanager
def counted_calls() -> Iterator[Count]:
    """Count the calls of functions in this thread."""
    count = Count()

    def profile(_frame: FrameType, event: str, _arg: object) -> None:
        count.calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield count
    finally:
        sys.setprofile(before)


def loops_of(work: Callable[[], object]) -> float:
    """Return how many times as long as a loop on this machine something takes, in time of the processor.

    The loop takes about 25 ms where the whole suite takes a quarter of an hour.
    """
    begun = time.process_time()
    work()
    took = time.process_time() - begun
    return took / min(_loop() for _ in range(5))


def _loop() -> float:
    begun = time.process_time()
    for _ in range(40):
        sorted(json.loads(_TEXT), key=lambda row: str(row["name"]))
    return time.process_time() - begun
