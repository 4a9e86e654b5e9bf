"""Monitoring of requests for the operator: a log line for each, and Prometheus metrics.

Neither has links, codes, names or client addresses. A page appears as its kind or its route, and an error without its
message.
"""

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from queue import Empty, Full, Queue
from threading import Thread

from flask import Flask

from scorekeeper import hooks

KIND_KEY, ROUTE_KEY = "scorekeeper.kind", "scorekeeper.rule"
"""The keys in a request's environment for its kind and its route, stored by the app."""
KNOWN_METHODS = ("GET", "HEAD", "POST")
"""The methods that the log names; all others are “other”."""
RESPONSE_TIME_BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5, 10.0)
"""The upper bounds of the histogram of response times, in seconds."""
MAX_WAITING_LINES = 1000
"""The most log lines that wait to be written; further ones are left out."""
LOG_FLUSH_TIMEOUT_S = 0.5
"""Seconds for writing the last lines of the log when the server stops."""


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """What the log and the metrics get about a request and its response."""

    method: str
    route: str
    """The route, such as `/matches/<code>/`; empty for an unknown URL."""
    kind: str
    """The kind: poll, page, hand, form, print or file; "refused" if the app did not respond."""
    status: int
    seconds: float
    """The seconds until the response was complete, without sending it."""
    size: int
    """The bytes of the response's body, as sent."""


RequestWatch = Callable[[AnsweredRequest], object]
"""A function that is called with each answered request."""


@contextmanager
def open_watches(app: Flask, process: int = 0) -> Iterator[list[RequestWatch]]:
    """Yield the functions to call with each answered request, for the log and for optional parts such as metrics.

    They stop at the end of the block. `process` is the number of the server process, for the metrics' port.
    """
    watches: list[RequestWatch] = []
    with ExitStack() as stack:
        if app.config.get("LOG"):
            watches.append(stack.enter_context(RequestLog().run()))
        for registered in hooks.request_watches:
            if watch := stack.enter_context(registered(app, process)):
                watches.append(watch)
        yield watches


class RequestLog:
    """A log on standard output, with a line per request.

    A thread writes it, as a paused terminal blocks writing.
    """

    def __init__(self) -> None:
        self._lines: Queue[str | None] = Queue(MAX_WAITING_LINES)
        self._left_out_count = 0
        self._thread = Thread(target=self._write_lines, name="log", daemon=True)

    @contextmanager
    def run(self) -> Iterator[RequestWatch]:
        """Start the thread, and yield a watch that adds lines.

        When the block ends, it waits up to `LOG_FLUSH_TIMEOUT_S` for the lines to be written.
        """
        self._thread.start()
        yield self._add_line
        with suppress(Empty, Full):
            if self._lines.full():  # nobody reads the log: drop a line for the end mark, which stops the thread
                self._lines.get_nowait()
            self._lines.put_nowait(None)
            self._thread.join(LOG_FLUSH_TIMEOUT_S)

    def _add_line(self, answered: AnsweredRequest) -> None:
        """Queue the line of a request, or count it as left out while the queue is full."""
        now = f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S%z}"
        method = answered.method if answered.method in KNOWN_METHODS else "other"
        try:
            if self._left_out_count:
                self._lines.put_nowait(f"{now} {self._left_out_count} requests left out: nobody read the log\n")
                self._left_out_count = 0
            self._lines.put_nowait(
                f"{now} {answered.kind} {method} {answered.route or '-'} "
                f"{answered.status} {answered.seconds * 1000:.0f} ms {answered.size} bytes\n"
            )
        except Full:
            self._left_out_count += 1

    def _write_lines(self) -> None:
        """Write the queued lines to standard output, until the queue yields its end marker."""
        while line := self._lines.get():
            with suppress(OSError, ValueError):  # nobody reads the log any more
                # Not through the buffer of stdout: while it waits there, the server could not end.
                os.write(sys.stdout.fileno(), line.encode())


def print_error(error: BaseException, task: str) -> None:
    """Print an error's type, traceback and cause without messages to standard error; `task` names what failed."""
    lines = [f"{type(error).__name__} in {task}:\n", *traceback.format_tb(error.__traceback__)]
    cause = error.__cause__ or error.__context__
    if cause:
        lines += [f"  because of {type(cause).__name__}:\n", *traceback.format_tb(cause.__traceback__)]
    print("".join(lines).rstrip(), file=sys.stderr, flush=True)
