"""Medians of things timed in turn, so that whatever else the machine does falls on all of them alike."""

import gc
from collections.abc import Callable
from statistics import median
from time import perf_counter

Run = Callable[[], float]
"""Does a thing once and gives the seconds that count; what it does before and after is left out."""


def medians(*runs: Run, rounds: int, warm_up: int = 20) -> tuple[float, ...]:
    """Give each one's median, in seconds."""
    for _ in range(warm_up):
        for run in runs:
            run()
    # As the server does before it begins: what is there by now stays, and need not be looked through again.
    gc.collect()
    gc.freeze()
    try:
        taken = [[run() for run in runs] for _ in range(rounds)]
    finally:
        gc.unfreeze()
    return tuple(median(seconds) for seconds in zip(*taken, strict=True))


def timed(act: Callable[[], object]) -> Run:
    """Make a run of anything that is to be timed whole."""

    def run() -> float:
        begin = perf_counter()
        act()
        return perf_counter() - begin

    return run


def percentile(seconds: list[float], share: float) -> float:
    """Give the time that a share of all does not exceed."""
    return sorted(seconds)[min(int(len(seconds) * share), len(seconds) - 1)]
