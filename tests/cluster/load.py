"""How many tables two processes bear at their real pace: more and more of them, until answers take too long."""

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from scorekeeper.database.migrating import migrate
from tests.bench.figure import percentile
from tests.club.hosting.test_workers import children_of
from tests.cluster.cluster import check, make_tables, running_postgres
from tests.cluster.phones import REAL, Pace, SeenWrong, Table, Times, follow, write
from tests.cluster.proxy import running_proxy
from tests.common.apps import close, make_app
from tests.server.test_serve import free_port, start, status_of

PHONES = 4
"""At each table: one saves, the others watch."""
LONGEST = {"hand": 0.3, "poll": 1.0}
"""Seconds at p95: of a saved hand, and of the question of an open page."""
SHARES = (0.5, 0.95, 0.99)
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
    most: int = 3200
    """Tables, after which it ends even where all is well."""
    pace: Pace = REAL


@dataclass(frozen=True, slots=True)
class Step:
    """What came of so many tables."""

    tables: int
    seconds: float
    times: dict[str, list[float]]
    errors: int
    """How often something had to be asked for again."""
    cores: dict[str, float]
    """Seconds of a core that each part took."""

    @property
    def is_bearable(self) -> bool:
        """Whether hands and questions are answered soon enough."""
        return all(not self.times[kind] or percentile(self.times[kind], 0.95) <= most for kind, most in LONGEST.items())

    @property
    def row(self) -> tuple[str, ...]:
        """Return what is printed of it, under `HEADS`: milliseconds, and the share of a core that each part took."""
        told = []
        for kind in LONGEST:
            taken = self.times[kind]
            told += [f"{len(taken):,}", *(f"{percentile(taken, it) * 1000:.1f}" if taken else "-" for it in SHARES)]
        cores = (f"{seconds:.1f} s {seconds / self.seconds:.0%}" for seconds in self.cores.values())
        return f"{self.tables}", f"{self.tables * PHONES}", *told, f"{self.errors}", *cores


def run(load: Load) -> Iterator[Step]:
    """Yield each step, the last one the first that is not borne; raises `SeenWrong` where a hand was lost or doubled.

    Every step begins with the matches of those before, which are not played any more, and with new ones.
    """
    with tempfile.TemporaryDirectory(prefix="scorekeeper-cluster-") as name, running_postgres() as postgres:
        folder, url = Path(name), postgres.get_uri("cluster")
        app = make_app(folder, url)
        port, behind = free_port(), free_port()
        settings = {"SCOREKEEPER_DATABASE_URL": url, "SCOREKEEPER_PUBLIC_URL": f"http://127.0.0.1:{port}"}
        try:
            migrate(app)
            server = start(folder, behind, "--workers", str(load.workers), **settings)
            try:
                status_of(behind, "/healthz")
                with running_proxy(folder, port, behind) as nginx:
                    parts = {"servers": server.pid, "PostgreSQL": postgres.get_pid(), "nginx": nginx}
                    tables = load.tables
                    while tables <= load.most:
                        made = make_tables(app, tables, tables * PHONES)
                        sleep(min(QUIET, load.seconds))
                        step = _step(port, made, load, parts)
                        check(app, list(made))
                        yield step
                        if not step.is_bearable:
                            break
                        tables *= 2
            finally:
                server.terminate()
                server.communicate(timeout=60)
        finally:
            close(app)


def _step(port: int, tables: dict[Table, list[str]], load: Load, parts: dict[str, int]) -> Step:
    before, times = _cores(parts), Times()
    begin = perf_counter()
    asyncio.run(_played(port, tables, times, begin + load.seconds, load.pace))
    seconds = perf_counter() - begin
    cores = {part: after - before[part] for part, after in _cores(parts).items()}
    taken = {kind: [took for _, took in times.taken.get(kind, [])] for kind in LONGEST}
    return Step(len(tables), seconds, taken, times.failed, cores)


async def _played(port: int, tables: dict[Table, list[str]], times: Times, until: float, pace: Pace) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            for table, paths in tables.items():
                group.create_task(write(port, table, times, until, pace))
                for path in paths:
                    group.create_task(follow(port, path, table, times, until, pace))
    except* SeenWrong as wrong:
        raise wrong.exceptions[0] from None


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


def printed(steps: Iterator[Step], write_line: Callable[[str], object] = print) -> None:
    """Print each step as soon as it is over."""
    widths = [max(len(head), 7) for head in HEADS]

    def line(cells: tuple[str, ...]) -> str:
        return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))

    widths[-4:] = [max(len(head), 13) for head in HEADS[-4:]]
    write_line("Times in milliseconds; of each part the seconds of a core, and how much of one that is.")
    write_line(line(HEADS))
    step = None
    for step in steps:
        write_line(line(step.row))
    if step:
        limits = " or ".join(f"p95 of a {kind} over {most * 1000:.0f} ms" for kind, most in LONGEST.items())
        write_line(f"{step.tables} tables: {'borne' if step.is_bearable else f'too many, {limits}'}.")
