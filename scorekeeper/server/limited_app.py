"""The WSGI app that the server calls: it completes and reports each response, and limits each client's processor time.

Each client machine has a leaky bucket, filled by the seconds that its requests take.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import ip_network
from math import ceil
from threading import Lock
from time import monotonic, perf_counter, thread_time
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from scorekeeper.access.networks import Networks, forwarded_address, is_within, machine_key
from scorekeeper.eventlog.cache import Cache
from scorekeeper.server.watch import KIND_KEY, ROUTE_KEY, AnsweredRequest, RequestWatch, print_error

MAX_BURST_S = 60.0
"""The seconds of processor time that a machine may use in a burst."""
SUSTAINED_SHARE = 0.5
"""The seconds of processor time that a machine may use each second without limit."""
MAX_WAIT_S = 60
"""The longest wait in seconds, even after a large import, which takes minutes on a small computer."""
_MAX_MACHINES = 10_000
"""The most machines whose buckets are in memory."""


@dataclass(slots=True)
class ProcessorLimit:
    """The limit of each client machine's processor time, by leaky buckets; times are of a monotonic clock."""

    burst_s: float = MAX_BURST_S
    """The seconds of processor time that a bucket holds before its machine has to wait."""
    rate: float = SUSTAINED_SHARE
    """The seconds of processor time that leak from a bucket each second."""
    _buckets: Cache[str, tuple[float, float]] = field(default_factory=lambda: Cache(_MAX_MACHINES))
    """The level of each bucket, and the time of this level."""
    _lock: Lock = field(default_factory=Lock)

    def seconds_to_wait(self, machine: str, now: float) -> int:
        """Return the seconds until a machine may send its next request; 0 if it may now."""
        return max(ceil((self._bucket_level(machine, now) - self.burst_s) / self.rate), 0)

    def add(self, machine: str, seconds: float, now: float) -> None:
        """Add the processor time of a request to its machine's bucket.

        The bucket never fills beyond a wait of `MAX_WAIT_S`.
        """
        with self._lock:
            level = min(self._bucket_level(machine, now) + seconds, self.burst_s + MAX_WAIT_S * self.rate)
            self._buckets.put(machine, (level, now))

    def _bucket_level(self, machine: str, now: float) -> float:
        """Return the level of a machine's bucket at a time, in seconds of processor time."""
        level, since = self._buckets.get(machine) or (0.0, now)
        return max(level - (now - since) * self.rate, 0.0)


_LOOPBACK_NETWORKS = (ip_network("127.0.0.0/8"), ip_network("::1"))
TOO_MANY_REQUESTS_TEXT = "This phone, or its network, asked for too much at once. Wait a moment, then send it again."

CompleteResponse = tuple[str, list[tuple[str, str]], bytes]
"""A response's status line, headers and body."""


class LimitedApp:
    """A WSGI app that limits each client's processor time, and completes each response before it is sent.

    The `limit` is for clients on other computers. Requests from `proxies` have the client's address in a header, and
    `watches` are called with each answered request.
    """

    def __init__(
        self,
        app: WSGIApplication,
        proxies: Networks = (),
        watches: Sequence[RequestWatch] = (),
        limit: ProcessorLimit | None = None,
    ) -> None:
        self._app, self._proxies, self._watches = app, proxies, watches
        self._limit = limit or ProcessorLimit()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        """Respond to a request within its client's limit, report the response to the watches, and return its body."""
        client, began = self._client_address(environ), perf_counter()
        if is_within(client, _LOOPBACK_NETWORKS):
            response = self._call_app(environ)
        else:
            response = self._call_app_within_limit(environ, machine_key(client))
        status, headers, content = response
        for watch in self._watches:
            kind, rule = environ.get(KIND_KEY, "refused"), environ.get(ROUTE_KEY, "")
            seconds = perf_counter() - began
            watch(AnsweredRequest(environ["REQUEST_METHOD"], rule, kind, int(status[:3]), seconds, len(content)))
        # Complete, so that no thread waits for a slow client.
        start_response(status, headers)
        return [content]

    def _client_address(self, environ: WSGIEnvironment) -> str:
        """Return the client's IP address: behind a proxy, the last one in the header, which the proxy added itself.

        If that is not valid, return the proxy's own address.
        """
        peer = str(environ["REMOTE_ADDR"])
        if not is_within(peer, self._proxies):
            return peer
        return forwarded_address(environ.get("HTTP_X_FORWARDED_FOR", ""), peer)

    def _call_app_within_limit(self, environ: WSGIEnvironment, machine: str) -> CompleteResponse:
        """Return the app's response, whose processor time is counted, or 429 for a machine that has to wait."""
        if wait := self._limit.seconds_to_wait(machine, monotonic()):
            return _plain_text_response(
                HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY_REQUESTS_TEXT, ("Retry-After", str(wait))
            )
        began = thread_time()
        try:
            return self._call_app(environ)
        finally:
            self._limit.add(machine, thread_time() - began, monotonic())

    def _call_app(self, environ: WSGIEnvironment) -> CompleteResponse:
        """Return the app's complete response, or a plain 500 for an error that the app did not catch."""
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], _fault: object = None
        ) -> Callable[[bytes], object]:
            started[:] = [(status, headers)]
            return lambda _data: None

        try:
            body_parts = self._app(environ, start_response)
            try:
                content = b"".join(body_parts)
            finally:
                if close := getattr(body_parts, "close", None):
                    close()
            [(status, headers)] = started
        except Exception as error:  # errors within the app have a page, so this error is outside of the app
            print_error(error, "a request")
            return _plain_text_response(HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.INTERNAL_SERVER_ERROR.phrase)
        return status, headers, content


def _plain_text_response(status: HTTPStatus, text: str, *headers: tuple[str, str]) -> CompleteResponse:
    """Return a response of one line of text, for a request to which the app did not respond."""
    content_type = ("Content-Type", "text/plain; charset=utf-8")
    return f"{status.value} {status.phrase}", [content_type, *headers], f"{text}\n".encode()
