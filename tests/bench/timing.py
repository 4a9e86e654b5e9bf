"""Medians of things timed in turn, so that whatever else the machine does falls on all of them alike."""

import gc
from collections.abc import Callable
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter

PATIENCE = 4
"""How many times the rounds are tried where the machine has other things to do."""

Run = Callable[[], float]
"""Does something and returns the seconds that count; what it does before and after is left out."""


def medians(*runs: Run, rounds: int, warm_up: int = 20) -> tuple[float, ...]:
    """Return each function's median time in seconds, over rounds in which no other program took the processor."""
    for _ in range(warm_up):
        for run in runs:
            run()
    # As the server does before it begins: what is there by now stays, and need not be looked through again.
    gc.collect()
    gc.freeze()
    try:
        samples = [Samples(run) for run in runs]
        for _ in range(rounds * PATIENCE):
            for sample in samples:
                sample.take()
            if all(len(sample.undisturbed) >= rounds for sample in samples):
                break
    finally:
        gc.unfreeze()
    return tuple(median(sample.undisturbed or sample.taken) for sample in samples)


class Samples:
    """The times that a run took, and which of them were its own."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.taken: list[float] = []
        self.undisturbed: list[float] = []

    def take(self) -> None:
        """Time it once more. Waiting for the disk counts; being put aside for another program does not."""
        before = _times_put_aside()
        seconds = self._run()
        self.taken.append(seconds)
        if _times_put_aside() == before:
            self.undisturbed.append(seconds)


def _times_put_aside() -> int:
    return getrusage(RUSAGE_SELF).ru_nivcsw


def timed(act: Callable[[], object]) -> Run:
    """Return a run of anything that is to be timed whole."""

    def run() -> float:
        begin = perf_counter()
        act()
        return perf_counter() - begin

    return run


def percentile(seconds: list[float], share: float) -> float:
    """Return the time that this share of all does not exceed."""
    return sorted(seconds)[min(int(len(seconds) * share), len(seconds) - 1)]
