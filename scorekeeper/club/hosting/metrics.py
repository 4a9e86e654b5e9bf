"""Figures for Prometheus, on a port of their own that only this machine reaches; read only where they are wanted."""

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from scorekeeper.access import phones
from scorekeeper.printing import print_service
from scorekeeper.server.network import LOOPBACK
from scorekeeper.server.watch import STEPS, Answered


class Metrics:
    """What one process has answered since it started, and what it does now."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        self._requests = Counter(
            "scorekeeper_requests", "Requests that were answered.", ["kind", "status"], registry=own
        )
        self._seconds = Histogram(
            "scorekeeper_request_seconds", "From a whole request to its answer.", ["kind"], buckets=STEPS, registry=own
        )
        self._hands = Counter("scorekeeper_hands", "Hands that were saved or corrected.", registry=own)
        waiting = Gauge("scorekeeper_prints_waiting", "Sheets and images being made, or waiting for it.", registry=own)
        waiting.set_function(print_service.how_many_wait)
        here = Gauge("scorekeeper_phones_here", "Phones with a page open that asks this process.", registry=own)
        here.set_function(phones.how_many_here)

    @contextmanager
    def published(self, port: int) -> Iterator[None]:
        """Answer Prometheus on a port of this machine meanwhile; raises `OSError` where it is taken."""
        server, thread = start_http_server(port, LOOPBACK[0], self._registry)
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def count(self, answered: Answered) -> None:
        """Count a request that was answered."""
        self._requests.labels(answered.kind, answered.status).inc()
        self._seconds.labels(answered.kind).observe(answered.seconds)
        if answered.kind == "hand":
            self._hands.inc()
