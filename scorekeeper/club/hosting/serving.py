"""The tasks of a public server beside answering requests: publish metrics, and remove what nobody uses.

Optional modules, such as the package for Prometheus, are imported only where needed.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask

from scorekeeper.access import phones
from scorekeeper.printing import print_service
from scorekeeper.server.hourly import run_repeatedly
from scorekeeper.server.network import LOOPBACK_HOSTS
from scorekeeper.server.watch import RESPONSE_TIME_BOUNDS_S, AnsweredRequest, RequestWatch


class Metrics:
    """The metrics of one process for Prometheus: its requests, saved hands, unfinished prints and open phones."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self.registry = registry = CollectorRegistry()
        self._requests = Counter(
            "scorekeeper_requests", "Requests that were answered.", ["kind", "status"], registry=registry
        )
        self._seconds = Histogram(
            "scorekeeper_request_seconds",
            "From a whole request to its answer.",
            ["kind"],
            buckets=RESPONSE_TIME_BOUNDS_S,
            registry=registry,
        )
        self._hands = Counter("scorekeeper_hands", "Hands that were saved or corrected.", registry=registry)
        prints_waiting = Gauge(
            "scorekeeper_prints_waiting", "Sheets and images being made, or waiting for it.", registry=registry
        )
        prints_waiting.set_function(print_service.queue_length)
        phones_here = Gauge(
            "scorekeeper_phones_here", "Phones with a page open that asks this process.", registry=registry
        )
        phones_here.set_function(phones.count_phones_here)

    def count_request(self, request: AnsweredRequest) -> None:
        """Count an answered request and its duration; if the request saved or corrected a hand, count the hand."""
        self._requests.labels(request.kind, request.status).inc()
        self._seconds.labels(request.kind).observe(request.seconds)
        if request.kind == "hand":
            self._hands.inc()


@contextmanager
def publish_metrics(app: Flask, process: int) -> Iterator[RequestWatch | None]:
    """Serve metrics on a local port while the block runs, and yield the function that counts a request.

    The port is the setting `METRICS_PORT` plus `process`, the number of this process. Yields `None` without that
    setting, and if the port cannot be used.
    """
    if not (port := app.config.get("METRICS_PORT")):
        yield None
        return
    from prometheus_client import start_http_server

    port, metrics = port + process, Metrics()
    try:
        server, thread = start_http_server(port, LOOPBACK_HOSTS[0], metrics.registry)
    except (OSError, OverflowError) as error:  # the score is kept all the same
        reason = error.strerror if isinstance(error, OSError) else "there is no such port"
        print(f"No metrics: it cannot listen on port {port}: {reason}.", file=sys.stderr)
        yield None
        return
    try:
        yield metrics.count_request
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def folder_of_removed_files(app: Flask) -> Path:
    """Return the folder with the files of matches, books and nights that were removed as unused; it may not exist."""
    return Path(app.instance_path) / "removed"


@contextmanager
def remove_unused_hourly(app: Flask) -> Iterator[None]:
    """While the block runs, remove unused matches, books and nights about once an hour.

    If the setting `KEEP_UNUSED` is 0, only old files of removed ones are deleted.
    """
    if not app.config["KEEP_UNUSED"] and not folder_of_removed_files(app).exists():
        yield
        return
    from scorekeeper.club.hosting.unused import check_and_remove_unused

    with run_repeatedly(lambda: check_and_remove_unused(app), "removing what nobody uses"):
        yield
