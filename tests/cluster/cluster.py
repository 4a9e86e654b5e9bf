"""PostgreSQL, the server's processes and the proxy, and the run in which one after the other is killed."""

import asyncio
import os
import random
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

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
from tests.common.apps import close, make_app, running_postgres
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
    """The result of a run."""

    hands: int
    sent_again: int
    kills: int
    answers: int
    restart_seconds: float
    times: dict[str, list[float]]
    """Seconds outside the restart of PostgreSQL: `page`, `poll`, `hand`, and `floor`."""


class Deployed(NamedTuple):
    """What runs, and an app on the same database."""

    app: Flask
    port: int
    """Of the proxy."""
    server: "subprocess.Popen[str]"
    postgres: Any
    nginx: int


@contextmanager
def deployed(workers: int) -> Iterator[Deployed]:
    """Run PostgreSQL, so many processes of the server on it, and the proxy before them."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-cluster-") as name, running_postgres("cluster") as postgres:
        folder, url = Path(name), postgres.get_uri("cluster")
        app = make_app(folder, url)
        port, behind = free_port(), free_port()
        settings = {"SCOREKEEPER_DATABASE_URL": url, "SCOREKEEPER_PUBLIC_URL": f"http://127.0.0.1:{port}"}
        try:
            migrate(app)
            server = start(folder, behind, "--workers", str(workers), **settings)
            try:
                status_of(behind, "/healthz")
                with running_proxy(folder, port, behind) as nginx:
                    yield Deployed(app, port, server, postgres, nginx)
            except SeenWrong as wrong:
                server.terminate()
                raise SeenWrong(f"{wrong}\n{server.communicate(timeout=60)[1]}") from None
            finally:
                server.terminate()
                server.communicate(timeout=60)
        finally:
            close(app)


def run(plan: Plan) -> Outcome:
    """Run it all; raises `SeenWrong` where a hand was lost or doubled, or an older score was seen."""
    with deployed(plan.workers) as deployment:
        tables = make_tables(deployment.app, plan.matches, plan.phones)
        times, until = Times(), perf_counter() + plan.seconds
        kills, (down, up) = asyncio.run(
            play(
                deployment.port,
                tables,
                times,
                until,
                plan.pace,
                _kill(deployment, plan, until),
                _restart(deployment, plan),
            )
        )
        check(deployment.app, list(tables))
    return Outcome(
        hands=sum(len(table.acknowledged) for table in tables),
        sent_again=sum(table.sent_again for table in tables),
        kills=kills,
        answers=sum(map(len, times.taken.values())),
        restart_seconds=up - down,
        times={kind: times.outside(kind, down, up + AFTER_RESTART) for kind in times.taken},
    )


def make_tables(app: Flask, many: int, phones: int) -> dict[Table, list[str]]:
    """Make so many matches of forty hands, and a link for every phone that watches one: all but one of each."""
    with app.app_context():
        matches = import_records(db.session, library(), [match_record()] * many)
        watchers: dict[Table, list[str]] = {Table(match, newest=match.version): [] for match in matches}
        tables = list(watchers)
        for number in range(phones - many):
            table = tables[number % many]
            code = f"watches-{table.match.id}-{number}"
            MATCH_LINKS.add(db.session, table.match.id, code, WATCHER, datetime.now(UTC))
            watchers[table].append(f"/matches/{code}/")
        db.session.commit()
    return watchers


async def play(
    port: int, tables: dict[Table, list[str]], times: Times, until: float, pace: Pace, *beside: Coroutine[Any, Any, Any]
) -> list[Any]:
    """Let tables play and their phones follow; return the results of the coroutines that run beside them."""
    try:
        async with asyncio.TaskGroup() as group:
            for table, paths in tables.items():
                group.create_task(write(port, table, times, until, pace))
                for path in paths:
                    group.create_task(follow(port, path, table, times, until, pace))
            others = [group.create_task(other) for other in beside]
    except* SeenWrong as wrong:
        raise wrong.exceptions[0] from None
    return [other.result() for other in others]


async def _kill(deployment: Deployed, plan: Plan, until: float) -> int:
    """Kill one process after the other, each when the last one is replaced; return how many."""
    kills = 0
    while perf_counter() + plan.kill_every < until:
        await asyncio.sleep(plan.kill_every)
        if found := workers_of(deployment.server):
            with suppress(ProcessLookupError):
                os.kill(random.choice(found), signal.SIGKILL)
                kills += 1
    return kills


async def _restart(deployment: Deployed, plan: Plan) -> tuple[float, float]:
    """Let PostgreSQL stop in the middle of whatever it does, and start again; return when."""
    await asyncio.sleep(plan.seconds / 2)
    down, pid = perf_counter(), deployment.postgres.get_pid()
    os.kill(pid, signal.SIGQUIT)
    while Path(f"/proc/{pid}").exists() and perf_counter() < down + 30:
        await asyncio.sleep(0.05)
    await asyncio.to_thread(deployment.postgres.ensure_postgres_running)
    return down, perf_counter()


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
