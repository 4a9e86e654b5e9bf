"""What an operator can watch of the requests: a line in the log for each, and Prometheus metrics.

Links, codes, names and addresses of clients are left out. A page appears as its kind or its route, and an error without
its message.
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
"""The keys in a request's WSGI environment under which the app stores the kind and the route of the request."""
KNOWN_METHODS = ("GET", "HEAD", "POST")
"""The methods that the log names. It calls all others "other"."""
RESPONSE_TIME_BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5, 10.0)
"""The upper bounds, in seconds, of the histogram of response times."""
MAX_WAITING_LINES = 1000
"""The most lines of the log that wait to be written. Further ones are left out, and counted."""
LOG_FLUSH_TIMEOUT_S = 0.5
"""The seconds for which a stopping server waits until the last lines of the log are written."""


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """What the log and the metrics know of a request and its response."""

    method: str
    route: str
    """The route of the URL: "/matches/<code>/". Empty for an unknown URL."""
    kind: str
    """The kind: "poll", "page", "hand", "form", "print" or "file"; "refused" if the app was not called."""
    status: int
    seconds: float
    """The seconds until the response was complete. Sending it is not counted."""
    size: int
    """The number of bytes in the response's body, as sent."""


RequestWatch = Callable[[AnsweredRequest], object]
"""A function that is called with each answered request."""


@contextmanager
def open_watches(app: Flask, process: int = 0) -> Iterator[list[RequestWatch]]:
    """Yield the functions to call with each answered request: that of the log, and those of optional parts.

    At the end of the block they are stopped. The log is left out if its setting is off. `process` is the number of this
    server process, for the port of its metrics.
    """
    watches: list[RequestWatch] = []
    with ExitStack() as stack:
        if app.config.get("LOG"):
            watches.append(stack.enter_context(RequestLog().run()))
        for open_watch in hooks.request_watches:
            if watch := stack.enter_context(open_watch(app, process)):
                watches.append(watch)
        yield watches


class RequestLog:
    """A log on standard output with a line for each request.

    A thread writes the lines, since writing may block, as while a terminal is paused.
    """

    def __init__(self) -> None:
        self._lines: Queue[str | None] = Queue(MAX_WAITING_LINES)
        self._left_out_count = 0
        self._thread = Thread(target=self._write_lines, name="log", daemon=True)

    @contextmanager
    def run(self) -> Iterator[RequestWatch]:
        """Start the thread, and yield a function that adds the line of a request.

        The end of the block waits up to `LOG_FLUSH_TIMEOUT_S` for the last lines to be written.
        """
        self._thread.start()
        yield self._add_line
        with suppress(Empty, Full):
            if self._lines.full():  # nobody reads the log: drop a line for the end mark, which stops the thread
                self._lines.get_nowait()
            self._lines.put_nowait(None)
            self._thread.join(LOG_FLUSH_TIMEOUT_S)

    def _add_line(self, answered: AnsweredRequest) -> None:
        """Queue the line of a request. While the queue is full, count the request as left out instead."""
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
        """Write queued lines to standard output, until the queue has `None`."""
        while line := self._lines.get():
            with suppress(OSError, ValueError):  # nobody reads the log any more
                # Not through the buffer of stdout: while it waits there, the server could not end.
                os.write(sys.stdout.fileno(), line.encode())


def print_error(error: BaseException, task: str) -> None:
    """Print an error's type, traceback and cause to standard error, without messages.

    `task` names what failed: "daily backups".
    """
    texts = [f"{type(error).__name__} in {task}:\n", *traceback.format_tb(error.__traceback__)]
    cause = error.__cause__ or error.__context__
    if cause:
        texts += [f"  because of {type(cause).__name__}:\n", *traceback.format_tb(cause.__traceback__)]
    print("".join(texts).rstrip(), file=sys.stderr, flush=True)
