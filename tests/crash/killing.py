"""A server that is killed while phones write, and phones that send again until they are answered."""

import random
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from threading import Lock, Thread, Timer
from time import monotonic, sleep
from typing import TypeVar

from flask import Flask

from scorekeeper.config import DATABASE_FILE
from scorekeeper.database.migrating import migrate
from tests.bench.bench import TOKEN, Connection, Server
from tests.common.apps import close, make_app
from tests.server.test_serve import free_port, start, status_of

T = TypeVar("T")

TIMEOUT = 60.0
LATEST_KILL = 0.012
"""Seconds after a hand was sent: a little longer than it takes to be written and answered."""


@dataclass
class KillableServer:
    """A server that is killed without warning, and started again."""

    instance: Path
    environ: dict[str, str]
    port: int = field(default_factory=free_port)
    kills: int = 0
    _lock: Lock = field(default_factory=Lock)
    _process: "subprocess.Popen[str] | None" = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = start(self.instance, self.port, **self.environ)
        status_of(self.port, "/nowhere")

    def kill(self) -> None:
        """Kill it in the middle of whatever it does, and start it again."""
        with self._lock:
            self.stop()
            self.kills += 1
            self.start()

    def stop(self) -> None:
        """Kill it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()


@contextmanager
def running_server(instance: Path) -> Iterator[KillableServer]:
    """Run a server in a process of its own."""
    server = KillableServer(instance, {})
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def app_beside(server: KillableServer) -> Iterator[Flask]:
    """Open a server's database in this process."""
    app = make_app(server.instance, f"sqlite:///{server.instance / DATABASE_FILE}")
    migrate(app)
    try:
        yield app
    finally:
        close(app)


@dataclass
class Kills:
    """When the server is killed: during certain posts, a random moment after each was sent."""

    server: KillableServer
    rng: random.Random
    during: set[int]
    sent: int = 0
    _lock: Lock = field(default_factory=Lock)
    _timers: list[Timer] = field(default_factory=list)

    def count_post(self) -> None:
        """Count a post that is about to be sent."""
        with self._lock:
            self.sent += 1
            if self.sent in self.during:
                kill = Timer(self.rng.uniform(0, LATEST_KILL), self.server.kill)
                self._timers.append(kill)
                kill.start()

    def join(self) -> None:
        """Wait for the last one."""
        for kill in self._timers:
            kill.join()


Hand = dict[str, str]


@dataclass
class Scorer:
    """A phone that writes one match after the other, hand by hand."""

    name: str
    paths: list[str]
    next_hand: Callable[[], Hand]
    kills: Kills
    hands_each: int
    acknowledged: dict[str, list[tuple[str, Hand]]] = field(default_factory=dict)
    """What the server has acknowledged, by match: the key of the form, and the hand."""
    sent_again: dict[str, datetime] = field(default_factory=dict)
    """When a hand whose answer never came was sent for the last time."""
    error: BaseException | None = None

    def run(self) -> None:
        """Write everything."""
        try:
            for path in self.paths:
                self._write(path)
        except BaseException as error:  # raised by whoever waits for this thread
            self.error = error

    def _write(self, path: str) -> None:
        server = Server(self.kills.server.port, 0)
        line = Connection(server)
        page = _until_answered(lambda: line.get(f"{path}hands/new"), line)
        found = TOKEN.search(page.text)
        assert found
        version = 0
        for number in range(self.hands_each):
            key, hand = f"{self.name}-{len(self.acknowledged)}-{number}", self.next_hand()
            form = {"csrf_token": found[1], "client_key": key, "version": str(version), "do": "save", **hand}
            self.kills.count_post()

            def send(form: dict[str, str] = form) -> str:
                return line.post(f"{path}hands/new", form).headers["location"]

            def again(key: str = key) -> None:
                self.sent_again[key] = datetime.now(UTC)

            location = _until_answered(send, line, again)
            version = int(location.rpartition("said=")[2])
            self.acknowledged.setdefault(path, []).append((key, hand))
        line.close()


def _until_answered(ask: Callable[[], T], line: Connection, before_retry: Callable[[], None] = lambda: None) -> T:
    until = monotonic() + TIMEOUT
    while True:
        try:
            return ask()
        except (OSError, HTTPException):
            if monotonic() > until:
                raise
            before_retry()
            with suppress(OSError):
                line.close()
            sleep(0.03)


def run_all(scorers: list[Scorer], kills: Kills) -> None:
    """Run every phone at the same time, and wait for all of them."""
    threads = [Thread(target=scorer.run) for scorer in scorers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kills.join()
    for scorer in scorers:
        if scorer.error:
            raise scorer.error
