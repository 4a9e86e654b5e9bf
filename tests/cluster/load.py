"""How many tables two processes bear at their real pace: more and more of them, until answers take too long."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from tests.bench.figure import percentile
from tests.club.hosting.test_workers import children_of
from tests.cluster.cluster import check, deployed, make_tables, play
from tests.cluster.phones import REAL, Pace, Table, Times

PHONES = 4
"""At each table: one saves, the others watch."""
LONGEST = {"hand": 0.3, "poll": 1.0}
"""Seconds at p95: of a saved hand, and of the question of an open page."""
SHARES = (0.5, 0.95, 0.99)
MOST = 3200
"""Tables, after which it ends even where all is well."""
QUIET = 5.0
"""Seconds before each step, after the new matches were made."""
_TICK = os.sysconf("SC_CLK_TCK")
HEADS = (
    *("tables", "phones", "hands", "hand p50", "p95", "p99", "questions", "poll p50", "p95", "p99", "errors"),
    *("servers", "PostgreSQL", "nginx", "load"),
)


@dataclass(frozen=True, slots=True)
class Load:
    """How many tables at first, how long each step is, and how many processes serve."""

    tables: int = 50
    seconds: float = 300.0
    workers: int = 2
    pace: Pace = REAL


@dataclass(frozen=True, slots=True)
class Step:
    """The measurements with so many tables."""

    tables: int
    seconds: float
    times: dict[str, list[float]]
    errors: int
    """How many requests had to be sent again."""
    cores: dict[str, float]
    """Seconds of a core that each part took."""

    @property
    def is_bearable(self) -> bool:
        """Whether hands and questions are answered soon enough."""
        return all(not self.times[kind] or percentile(self.times[kind], 0.95) <= most for kind, most in LONGEST.items())

    @property
    def row(self) -> tuple[str, ...]:
        """Return what is printed of it, under `HEADS`: milliseconds, and the share of a core that each part took."""
        cells = []
        for kind in LONGEST:
            taken = self.times[kind]
            cells += [
                f"{len(taken):,}",
                *(f"{percentile(taken, share) * 1000:.1f}" if taken else "-" for share in SHARES),
            ]
        cores = (f"{seconds:.1f} s {seconds / self.seconds:.0%}" for seconds in self.cores.values())
        return f"{self.tables}", f"{self.tables * PHONES}", *cells, f"{self.errors}", *cores


def run(load: Load) -> Iterator[Step]:
    """Yield each step, the last one the first that is not borne; raises `SeenWrong` where a hand was lost or doubled.

    Every step begins with the matches of those before, which are not played any more, and with new ones.
    """
    with deployed(load.workers) as deployment:
        parts = {
            "servers": deployment.server.pid,
            "PostgreSQL": deployment.postgres.get_pid(),
            "nginx": deployment.nginx,
        }
        tables = load.tables
        while tables <= MOST:
            made = make_tables(deployment.app, tables, tables * PHONES)
            sleep(min(QUIET, load.seconds))
            step = _step(deployment.port, made, load, parts)
            check(deployment.app, list(made))
            yield step
            if not step.is_bearable:
                break
            tables *= 2


def _step(port: int, tables: dict[Table, list[str]], load: Load, parts: dict[str, int]) -> Step:
    before, times = _cores(parts), Times()
    begin = perf_counter()
    asyncio.run(play(port, tables, times, begin + load.seconds, load.pace))
    seconds = perf_counter() - begin
    cores = {part: after - before[part] for part, after in _cores(parts).items()}
    taken = {kind: [took for _, took in times.taken.get(kind, [])] for kind in LONGEST}
    return Step(len(tables), seconds, taken, times.failed, cores)


def _cores(parts: dict[str, int]) -> dict[str, float]:
    """Return how many seconds of a core each part has taken so far, and this process, which is the load."""
    own = os.times()
    return {**{part: core_seconds(pid) for part, pid in parts.items()}, "load": own.user + own.system}


def core_seconds(pid: int) -> float:
    """Return how many seconds of a core a process has taken, with all that came from it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except FileNotFoundError:  # it has ended, and its parent has its time
        return 0.0
    # Its own, and that of its children that have ended.
    return sum(map(int, stat[11:15])) / _TICK + sum(map(core_seconds, children_of(pid)))


def print_steps(steps: Iterator[Step]) -> None:
    """Print each step as soon as it is over."""
    widths = [max(len(head), 7) for head in HEADS]

    def line(cells: tuple[str, ...]) -> str:
        return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))

    widths[-4:] = [max(len(head), 13) for head in HEADS[-4:]]
    print("Times in milliseconds; of each part the seconds of a core, and how much of one that is.")
    print(line(HEADS))
    step = None
    for step in steps:
        print(line(step.row))
    if step:
        limits = " or ".join(f"p95 of a {kind} over {most * 1000:.0f} ms" for kind, most in LONGEST.items())
        print(f"{step.tables} tables: {'borne' if step.is_bearable else f'too many, {limits}'}.")
