"""The WSGI app that the server calls.

It limits the processor time of each client, and reports each response to the watches. The seconds that the requests of
a machine take fill the machine's leaky bucket.
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
"""The seconds of processor time that a machine may use at once."""
SUSTAINED_SHARE = 0.5
"""The share of each second that a machine may use the processor for as long as it likes."""
MAX_WAIT_S = 60
"""The longest wait in seconds, even after a large import, which takes minutes on a small computer."""
_MAX_MACHINES = 10_000
"""The most machines whose buckets are kept in memory."""


@dataclass(slots=True)
class ProcessorLimit:
    """The limit of the processor time of each client machine, by leaky buckets.

    All times are of one monotonic clock.
    """

    burst_s: float = MAX_BURST_S
    """The seconds of processor time in a bucket beyond which its machine has to wait."""
    rate: float = SUSTAINED_SHARE
    """The seconds of processor time that leak from a bucket each second."""
    _buckets: Cache[str, tuple[float, float]] = field(default_factory=lambda: Cache(_MAX_MACHINES))
    """The level of each machine's bucket in seconds of processor time, and when it had that level; keyed by machine."""
    _lock: Lock = field(default_factory=Lock)

    def seconds_to_wait(self, machine: str, now: float) -> int:
        """Return the seconds until a machine may send its next request; 0 if it may now."""
        return max(ceil((self._bucket_level(machine, now) - self.burst_s) / self.rate), 0)

    def add(self, machine: str, seconds: float, now: float) -> None:
        """Add the processor time of a request, in seconds, to its machine's bucket.

        A bucket never fills so far that its machine has to wait longer than `MAX_WAIT_S`.
        """
        with self._lock:
            level = min(self._bucket_level(machine, now) + seconds, self.burst_s + MAX_WAIT_S * self.rate)
            self._buckets.put(machine, (level, now))

    def _bucket_level(self, machine: str, now: float) -> float:
        """Return the level of a machine's bucket at the time `now`, in seconds of processor time."""
        level, since = self._buckets.get(machine) or (0.0, now)
        return max(level - (now - since) * self.rate, 0.0)


_LOOPBACK_NETWORKS = (ip_network("127.0.0.0/8"), ip_network("::1"))
TOO_MANY_REQUESTS_TEXT = "This phone, or its network, asked for too much at once. Wait a moment, then send it again."

CompleteResponse = tuple[str, list[tuple[str, str]], bytes]
"""The status line, headers and body of a response: ("200 OK", [("Content-Type", "text/html")], b"…")."""


class LimitedApp:
    """A WSGI app around another one. It limits each client's processor time, and completes responses before sending.

    The `limit` holds for clients on other computers. Requests from `proxies` have the client's address in a header.
    Each of the `watches` is called with each answered request.
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
        """Respond to a request, unless its client has to wait.

        Report the response to the watches, and return its body.
        """
        client_address, began_at = self._client_address(environ), perf_counter()
        if is_within(client_address, _LOOPBACK_NETWORKS):
            response = self._call_app(environ)
        else:
            response = self._call_app_within_limit(environ, machine_key(client_address))
        status, headers, body = response
        for watch in self._watches:
            kind, route = environ.get(KIND_KEY, "refused"), environ.get(ROUTE_KEY, "")
            seconds = perf_counter() - began_at
            watch(AnsweredRequest(environ["REQUEST_METHOD"], route, kind, int(status[:3]), seconds, len(body)))
        # Complete, so that no thread waits for a slow client.
        start_response(status, headers)
        return [body]

    def _client_address(self, environ: WSGIEnvironment) -> str:
        """Return the client's IP address. Behind a proxy, it is the last one in the header, which that proxy added.

        If the header has no valid address, return that of the proxy.
        """
        peer = str(environ["REMOTE_ADDR"])
        if not is_within(peer, self._proxies):
            return peer
        return forwarded_address(environ.get("HTTP_X_FORWARDED_FOR", ""), peer)

    def _call_app_within_limit(self, environ: WSGIEnvironment, machine: str) -> CompleteResponse:
        """Return the app's response, and count its processor time.

        For a machine that has to wait, return status 429.
        """
        if wait_s := self._limit.seconds_to_wait(machine, monotonic()):
            return _plain_text_response(
                HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY_REQUESTS_TEXT, ("Retry-After", str(wait_s))
            )
        began_at = thread_time()
        try:
            return self._call_app(environ)
        finally:
            self._limit.add(machine, thread_time() - began_at, monotonic())

    def _call_app(self, environ: WSGIEnvironment) -> CompleteResponse:
        """Return the app's complete response, or one with status 500 for an error that the app did not catch."""
        started_responses: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], _fault: object = None
        ) -> Callable[[bytes], object]:
            started_responses[:] = [(status, headers)]
            return lambda _data: None

        try:
            body_parts = self._app(environ, start_response)
            try:
                body = b"".join(body_parts)
            finally:
                if close := getattr(body_parts, "close", None):
                    close()
            [(status, headers)] = started_responses
        except Exception as error:  # errors within the app have a page, so this error is outside of the app
            print_error(error, "a request")
            return _plain_text_response(HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.INTERNAL_SERVER_ERROR.phrase)
        return status, headers, body


def _plain_text_response(status: HTTPStatus, text: str, *headers: tuple[str, str]) -> CompleteResponse:
    """Return a response with one line of text, for a request to which the app did not respond."""
    content_type = ("Content-Type", "text/plain; charset=utf-8")
    return f"{status.value} {status.phrase}", [content_type, *headers], f"{text}\n".encode()
