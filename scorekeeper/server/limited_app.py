"""The app as the server calls it: each response is complete and noted, and each machine has its share of the processor.

A machine has a leaky bucket, which its requests fill with the seconds that they take.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import ip_network
from math import ceil
from threading import Lock
from time import monotonic, perf_counter, thread_time
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from scorekeeper.access.networks import Networks, forwarded_address, is_within, one_machine
from scorekeeper.eventlog.cache import Cache
from scorekeeper.server.watch import KIND, RULE, Answered, Watch, print_error

BURST_S = 60.0
"""Seconds of processor time that a machine may use at once."""
RATE = 0.5
"""Seconds of processor time per second that it may use for any length of time."""
MAX_WAIT_S = 60
"""The longest wait in seconds, whatever one request took: on a small computer a large import takes minutes."""
_MAX_MACHINES = 10_000


@dataclass(slots=True)
class ProcessorShare:
    """The buckets of all machines that are not empty; times are seconds of a monotonic clock."""

    burst_s: float = BURST_S
    rate: float = RATE
    _buckets: Cache[str, tuple[float, float]] = field(default_factory=lambda: Cache(_MAX_MACHINES))
    """The level of each, and the time at which it was so."""
    _lock: Lock = field(default_factory=Lock)

    def seconds_to_wait(self, machine: str, now: float) -> int:
        """Return after how many seconds a machine may send a request, 0 where it may at once."""
        return max(ceil((self._level(machine, now) - self.burst_s) / self.rate), 0)

    def add(self, machine: str, seconds: float, now: float) -> None:
        """Count the processor time of a request."""
        with self._lock:
            level = min(self._level(machine, now) + seconds, self.burst_s + MAX_WAIT_S * self.rate)
            self._buckets.put(machine, (level, now))

    def _level(self, machine: str, now: float) -> float:
        level, since = self._buckets.get(machine) or (0.0, now)
        return max(level - (now - since) * self.rate, 0.0)


_THIS_COMPUTER = (ip_network("127.0.0.0/8"), ip_network("::1"))
TOO_MUCH = "This phone, or its network, asked for too much at once. Wait a moment, then send it again."

Answer = tuple[str, list[tuple[str, str]], bytes]
"""A response's status, headers and content."""


class LimitedApp:
    """A WSGI application whose responses are complete: one that is fetched slowly keeps no thread.

    The headers of its proxies name the client, and its watches are called with each answered request.
    """

    def __init__(
        self,
        app: WSGIApplication,
        proxies: Networks = (),
        watches: Sequence[Watch] = (),
        share: ProcessorShare | None = None,
    ) -> None:
        self._app, self._proxies, self._watches = app, proxies, watches
        self._share = share or ProcessorShare()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        """Answer a request."""
        peer, began = self._peer(environ), perf_counter()
        if is_within(peer, _THIS_COMPUTER):
            answer = self._answer(environ)
        else:
            answer = self._answer_within_share(environ, one_machine(peer))
        status, headers, content = answer
        for watch in self._watches:
            kind, rule = environ.get(KIND, "refused"), environ.get(RULE, "")
            seconds = perf_counter() - began
            watch(Answered(environ["REQUEST_METHOD"], rule, kind, int(status[:3]), seconds, len(content)))
        start_response(status, headers)
        return [content]

    def _peer(self, environ: WSGIEnvironment) -> str:
        """Return the client's address: behind a proxy the last one in its header, which sent it the request."""
        peer = str(environ["REMOTE_ADDR"])
        if not is_within(peer, self._proxies):
            return peer
        return forwarded_address(environ.get("HTTP_X_FORWARDED_FOR", ""), peer)

    def _answer_within_share(self, environ: WSGIEnvironment, machine: str) -> Answer:
        if wait := self._share.seconds_to_wait(machine, monotonic()):
            return _in_a_word(HTTPStatus.TOO_MANY_REQUESTS, TOO_MUCH, ("Retry-After", str(wait)))
        began = thread_time()
        try:
            return self._answer(environ)
        finally:
            self._share.add(machine, thread_time() - began, monotonic())

    def _answer(self, environ: WSGIEnvironment) -> Answer:
        begun: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], _fault: object = None
        ) -> Callable[[bytes], object]:
            begun[:] = [(status, headers)]
            return lambda _data: None

        try:
            parts = self._app(environ, start_response)
            try:
                content = b"".join(parts)
            finally:
                if close := getattr(parts, "close", None):
                    close()
            [(status, headers)] = begun
        except Exception as error:  # the app has a page for its own errors, so this one is outside of it
            print_error(error, "a request")
            return _in_a_word(HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.INTERNAL_SERVER_ERROR.phrase)
        return status, headers, content


def _in_a_word(status: HTTPStatus, text: str, *headers: tuple[str, str]) -> Answer:
    """Return a response of plain text, which needs no page of the app."""
    kind = ("Content-Type", "text/plain; charset=utf-8")
    return f"{status.value} {status.phrase}", [kind, *headers], f"{text}\n".encode()
