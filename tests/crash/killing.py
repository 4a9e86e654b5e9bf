"""A server that is killed while phones write, and phones that send again until they are answered."""

import random
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from threading import Lock, Thread, Timer
from time import monotonic, sleep
from typing import TypeVar

from scorekeeper.bench.phone import TOKEN
from scorekeeper.bench.served import Line, Server
from tests.test_serve import free_port, start, status_of

T = TypeVar("T")

PATIENCE = 60.0
LATEST_BLOW = 0.012
"""Seconds after a hand was sent: a little longer than it takes to be written and answered."""


@dataclass
class Killed:
    """A server that is killed without a word, and started again."""

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


@dataclass
class Blows:
    """When the server is killed: while certain posts are on their way, a random moment after each was sent."""

    killed: Killed
    rng: random.Random
    at: set[int]
    sent: int = 0
    _lock: Lock = field(default_factory=Lock)
    _under_way: list[Timer] = field(default_factory=list)

    def count(self) -> None:
        """Count a post that is about to be sent."""
        with self._lock:
            self.sent += 1
            if self.sent in self.at:
                blow = Timer(self.rng.uniform(0, LATEST_BLOW), self.killed.kill)
                self._under_way.append(blow)
                blow.start()

    def over(self) -> None:
        """Wait for the last one."""
        for blow in self._under_way:
            blow.join()


Hand = dict[str, str]


@dataclass
class Scorer:
    """A phone that writes one match after the other, hand by hand."""

    name: str
    paths: list[str]
    hands: Callable[[], Hand]
    blows: Blows
    each: int
    acknowledged: dict[str, list[tuple[str, Hand]]] = field(default_factory=dict)
    """What the server said it had, by match: the mark of the form, and the hand."""
    sent_again: dict[str, datetime] = field(default_factory=dict)
    """When a hand whose answer never came was sent for the last time."""
    fault: BaseException | None = None

    def run(self) -> None:
        """Write everything."""
        try:
            for path in self.paths:
                self._write(path)
        except BaseException as fault:  # told by whoever waits for this phone
            self.fault = fault

    def _write(self, path: str) -> None:
        server = Server(self.blows.killed.port, 0)
        line = Line(server)
        page = _until_answered(lambda: line.get(f"{path}hands/new"), line)
        found = TOKEN.search(page.text)
        assert found
        version = 0
        for number in range(self.each):
            key, hand = f"{self.name}-{len(self.acknowledged)}-{number}", self.hands()
            form = {"csrf_token": found[1], "client_key": key, "version": str(version), "do": "save", **hand}
            self.blows.count()

            def send(form: dict[str, str] = form) -> str:
                return line.post(f"{path}hands/new", form).headers["location"]

            def again(key: str = key) -> None:
                self.sent_again[key] = datetime.now(UTC)

            location = _until_answered(send, line, again)
            version = int(location.rpartition("said=")[2])
            self.acknowledged.setdefault(path, []).append((key, hand))
        line.close()


def _until_answered(ask: Callable[[], T], line: Line, again: Callable[[], None] = lambda: None) -> T:
    until = monotonic() + PATIENCE
    while True:
        try:
            return ask()
        except (OSError, HTTPException):
            if monotonic() > until:
                raise
            again()
            with suppress(OSError):
                line.close()
            sleep(0.03)


def all_written(scorers: list[Scorer], blows: Blows) -> None:
    """Let every phone write at the same time, and wait for all of them."""
    threads = [Thread(target=scorer.run) for scorer in scorers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    blows.over()
    for scorer in scorers:
        if scorer.fault:
            raise scorer.fault
