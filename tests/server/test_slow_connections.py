"""Hundreds of idle or slow connections from one machine do not delay other phones."""

import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from statistics import median
from time import perf_counter, sleep
from urllib.request import urlopen

import pytest

from scorekeeper.server.http_server import MAX_CONNECTIONS, STOP_TIMEOUT_S
from tests.server.test_serve import Served, running, status_of

MANY = 400
ASKED = 40
TIMES = 10
"""How many times as long as on a quiet server a page may take; a server that waits for slow ones takes minutes."""
KINDS = {
    "idle": b"",
    "slow to say what they want": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "slow to send a form": b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\npin=",
    "slow to fetch what they asked for": b"GET /static/css/base.css HTTP/1.1\r\nHost: localhost\r\n\r\n",
}
pytestmark = pytest.mark.xdist_group("slow connections")


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Start a server of its own."""
    with running(tmp_path_factory.mktemp("slow")) as (server, port):
        status_of(port, "/healthz")
        yield server, port


@pytest.fixture
def opened(serving: Served) -> Iterator[Callable[[bytes, int], list[socket.socket]]]:
    """Open connections that have sent this much, and close them in the end."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, MAX_CONNECTIONS + 500), hard))
    with ExitStack() as lines:

        def open_lines(sent: bytes, number: int) -> list[socket.socket]:
            made = []
            for _ in range(number):
                made.append(lines.enter_context(socket.socket()))
                made[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                made[-1].settimeout(20)
                made[-1].connect(("127.0.0.1", serving[1]))
                made[-1].sendall(sent)
            return made

        yield open_lines
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def seconds_to_answer(port: int) -> float:
    """Ask for the home page on a connection of its own."""
    begin = perf_counter()
    with urlopen(f"http://127.0.0.1:{port}/", timeout=20) as answer:
        assert answer.read()
    return perf_counter() - begin


def test_other_phones_are_answered_at_once(
    serving: Served, opened: Callable[[bytes, int], list[socket.socket]]
) -> None:
    quiet = median(seconds_to_answer(serving[1]) for _ in range(ASKED))
    slow = [line for kind, sent in KINDS.items() for line in opened(sent, MANY) if kind != "idle"]

    taken = []
    for _ in range(ASKED):
        for line in slow:
            line.sendall(b"x")  # each of them goes on, letter by letter
        taken.append(seconds_to_answer(serving[1]))

    assert median(taken) < TIMES * quiet


def test_it_stops_at_once_all_the_same(serving: Served, opened: Callable[[bytes, int], list[socket.socket]]) -> None:
    server, _port = serving
    for sent in KINDS.values():
        opened(sent, 50)
    sleep(0.2)

    server.send_signal(signal.SIGTERM)
    _out, err = server.communicate(timeout=2 * STOP_TIMEOUT_S)

    assert (server.returncode, err) == (0, "")
