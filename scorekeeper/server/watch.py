"""What whoever runs a server may know of its requests: a line of the log for each, and figures for Prometheus.

Neither has a link, a code or a name in it, nor who asks. A page is known by its kind, in the log by its route as well.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from queue import Empty, Full, Queue
from threading import Thread

from flask import Flask

from scorekeeper import hooks

KIND, RULE = "scorekeeper.kind", "scorekeeper.rule"
"""Under which keys of its environment the app says of what kind a request was, and by which route it was answered."""
METHODS = ("GET", "HEAD", "POST")
STEPS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5, 10.0)
"""Seconds up to which answers are counted together."""
MAX_LINES = 1000
"""Of the log, that wait to be written."""
END_TIMEOUT_S = 0.5
"""Seconds for the last of them when the server stops."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A request that was answered."""

    method: str
    rule: str
    """As the program writes it, `/matches/<code>/`; empty where no page has the address."""
    kind: str
    """poll, page, hand, form, print or file; refused where it did not get as far as the app."""
    status: int
    seconds: float
    size: int


Watch = Callable[[Answered], object]


@contextmanager
def watching(app: Flask, process: int = 0) -> Iterator[list[Watch]]:
    """Yield what the settings want to be told of requests; each process has a port for its metrics, in their order."""
    watches: list[Watch] = []
    with ExitStack() as ended:
        if app.config.get("LOG"):
            watches.append(ended.enter_context(Log().written()))
        for registered in hooks.request_watches:
            if watch := ended.enter_context(registered(app, process)):
                watches.append(watch)
        yield watches


class Log:
    """Writes a line for each request, by a thread: a terminal that was paused stops that one alone."""

    def __init__(self) -> None:
        self._lines: Queue[str | None] = Queue(MAX_LINES)
        self._left_out = 0
        self._thread = Thread(target=self._write, name="log", daemon=True)

    @contextmanager
    def written(self) -> Iterator[Watch]:
        """Write meanwhile what the watch is told, and at the end what still waits, unless nobody takes it."""
        self._thread.start()
        yield self._note
        with suppress(Empty, Full):
            if self._lines.full():  # nobody takes it: a line gives way to the end, without which the thread goes on
                self._lines.get_nowait()
            self._lines.put_nowait(None)
            self._thread.join(END_TIMEOUT_S)

    def _note(self, answered: Answered) -> None:
        now = f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S%z}"
        method = answered.method if answered.method in METHODS else "other"
        try:
            if self._left_out:
                self._lines.put_nowait(f"{now} {self._left_out} requests left out: nobody read the log\n")
                self._left_out = 0
            self._lines.put_nowait(
                f"{now} {answered.kind} {method} {answered.rule or '-'} "
                f"{answered.status} {answered.seconds * 1000:.0f} ms {answered.size} bytes\n"
            )
        except Full:
            self._left_out += 1

    def _write(self) -> None:
        while line := self._lines.get():
            with suppress(OSError, ValueError):  # nobody reads it any more
                # Not through the buffer of stdout: while it waits there, the server could not end.
                os.write(sys.stdout.fileno(), line.encode())
