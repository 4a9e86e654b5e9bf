"""A figure: what was measured, its floor and its limit; and medians of things timed in turn."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One thing that was measured. `value`, `floor` and `limit` are in the same unit, so `ok` is `value <= limit`."""

    name: str
    value: float
    unit: str = "ms"
    floor: float
    """What the same machine needs for the part that cannot be avoided."""
    limit: float
    label: str
    """What was measured, in a few words."""
    floor_label: str
    is_held_to: bool = True
    """Whether a missed limit fails the run, or is only printed."""

    @property
    def ratio(self) -> float:
        """How many times its floor it is."""
        return self.value / self.floor

    @property
    def is_ok(self) -> bool:
        """Whether it keeps to its limit."""
        return self.value <= self.limit

    def as_json(self) -> dict[str, Any]:
        """Return the figure as JSON values."""
        return {
            "value": _rounded(self.value),
            "unit": self.unit,
            "floor": _rounded(self.floor),
            "ratio": _rounded(self.ratio),
            "limit": _rounded(self.limit),
            "ok": self.is_ok,
        }


def _rounded(number: float) -> float:
    return float(f"{number:.4g}")


HEADS = ("measured", "", "floor", "times", "limit", "")


def table(figures: Sequence[Figure]) -> str:
    """Return a table of figures, with what each floor is."""
    rows = [HEADS, *(_row(figure) for figure in figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADS))]
    lines = ["  ".join(_aligned(cell, widths[i], is_left=i in (0, 5)) for i, cell in enumerate(row)) for row in rows]
    floors = [f"  {figure.label}: {figure.floor_label}" for figure in figures]
    return "\n".join([*(line.rstrip() for line in lines), "", "The floors:", *floors])


def _row(figure: Figure) -> tuple[str, ...]:
    verdict = "ok" if figure.is_ok else "MISSED" if figure.is_held_to else "missed; not held to it yet"
    unit = figure.unit
    return (
        figure.label,
        f"{_shown(figure.value)} {unit}",
        f"{_shown(figure.floor)} {unit}",
        f"{figure.ratio:.1f}",
        f"{_shown(figure.limit)} {unit}",
        verdict,
    )


def _aligned(cell: str, width: int, *, is_left: bool) -> str:
    return cell.ljust(width) if is_left else cell.rjust(width)


def _shown(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


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
    taken, undisturbed = ([list[float]() for _ in runs] for _ in range(2))
    for _ in range(rounds * PATIENCE):
        for run, every, own in zip(runs, taken, undisturbed, strict=True):
            before = _times_put_aside()
            every.append(run())
            # Waiting for the disk counts; being put aside for another program does not.
            own.extend(every[-1:] if _times_put_aside() == before else ())
        if all(len(own) >= rounds for own in undisturbed):
            break
    return tuple(median(own or every) for every, own in zip(taken, undisturbed, strict=True))


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
