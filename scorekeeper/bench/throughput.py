"""How many match pages one server answers to several phones that ask without a pause."""

import socket
from selectors import EVENT_READ, DefaultSelector
from time import perf_counter

from scorekeeper.bench.bench import Bench
from scorekeeper.bench.client import HEADERS, WrongAnswer
from scorekeeper.bench.figure import Figure
from scorekeeper.bench.server import SERVE_BARE, Connection, Server, serving
from scorekeeper.network import LOOPBACK

CLIENTS = 8
SECONDS = 5.0
SLOWEST = 2.5
"""Milliseconds a page: 400 of them in a second."""
_END_OF_HEAD = b"\r\n\r\n"


def throughput_figure(bench: Bench) -> Figure:
    """Ask for one match's page on several connections at once, each phone with a cookie of its own."""
    path = f"/matches/{bench.codes[0]}/"
    with serving(bench) as server:
        pages = _ask_for(server, path, [_cookie(server, path) for _ in range(CLIENTS)])
    with serving(bench, SERVE_BARE) as server:
        bare = _ask_for(server, "/", [""] * CLIENTS)
    return Figure(
        name="match_page_served",
        value=1000 / pages,
        floor=1000 / bare,
        limit=SLOWEST,
        label=f"a match page from one server to {CLIENTS} phones at once",
        floor_label="a bare Flask view that answers with one word, under the same server",
    )


def _cookie(server: Server, path: str) -> str:
    phone = Connection(server)
    cookie = phone.get(path).headers.get("Set-Cookie", "").partition(";")[0]
    phone.close()
    return cookie


def _ask_for(server: Server, path: str, cookies: list[str]) -> float:
    """Return how many answers came in a second. A client that parses them would take as long as the server."""
    selector, answered = DefaultSelector(), 0
    lines = [_Line(server, path, cookie) for cookie in cookies]
    for line in lines:
        selector.register(line.socket, EVENT_READ, line)
        line.ask()
    begin = perf_counter()
    while (passed := perf_counter() - begin) < SECONDS:
        for key, _ in selector.select(timeout=1):
            answered += key.data.read()
    for line in lines:
        line.socket.close()
    selector.close()
    return answered / passed


class _Line:
    """A connection that asks again as soon as it is answered."""

    def __init__(self, server: Server, path: str, cookie: str) -> None:
        self.socket = socket.create_connection((LOOPBACK[0], server.port), timeout=20)
        named = {"Host": f"{LOOPBACK[0]}:{server.port}", **HEADERS, **({"Cookie": cookie} if cookie else {})}
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        self._request = f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()
        self._received = b""

    def ask(self) -> None:
        self.socket.sendall(self._request)

    def read(self) -> int:
        """Read what has come; return 1 where that ends an answer, and ask again."""
        self._received += self.socket.recv(65536)
        head, found, body = self._received.partition(_END_OF_HEAD)
        if not found:
            return 0
        if not head.startswith(b"HTTP/1.1 200 "):
            raise WrongAnswer(head.partition(b"\r\n")[0].decode("ascii", "replace"))
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        if len(body) < int(length.partition(b":")[2]):
            return 0
        self._received = b""
        self.ask()
        return 1
