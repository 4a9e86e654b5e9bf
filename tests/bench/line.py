"""A connection that many can be had of: a client that parses its answers would take as long as the server."""

import socket
from collections.abc import Mapping

from scorekeeper.serving.network import LOOPBACK
from tests.bench.client import HEADERS, WrongAnswer
from tests.bench.server import Connection, Server

PATIENCE = 20.0
_END_OF_HEAD = b"\r\n\r\n"


class Line:
    """A connection that is asked by whole requests and answered by a status, several of them at once."""

    def __init__(self, server: Server, cookie: str = "") -> None:
        self.socket = socket.create_connection((LOOPBACK[0], server.port), timeout=PATIENCE)
        self._host = f"{LOOPBACK[0]}:{server.port}"
        self._cookie = cookie
        self._received = b""

    def request(self, path: str, headers: Mapping[str, str] | None = None) -> bytes:
        """Return a request for a page, which may be sent again and again."""
        named = {"Host": self._host, **HEADERS, **(headers or {})}
        if self._cookie:
            named["Cookie"] = self._cookie
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        return f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()

    def ask(self, request: bytes) -> None:
        """Send a request."""
        self.socket.sendall(request)

    def read(self) -> int | None:
        """Read what has come; return the status of an answer that is whole, `None` before."""
        received = self.socket.recv(65536)
        if not received:
            raise WrongAnswer("the server has closed a connection")
        self._received += received
        head, found, body = self._received.partition(_END_OF_HEAD)
        if not found or len(body) < _length(head):
            return None
        self._received = b""
        return int(head[9:12])

    def close(self) -> None:
        """Close the connection."""
        self.socket.close()


def _length(head: bytes) -> int:
    named = (line.partition(b":") for line in head.lower().split(b"\r\n"))
    return next((int(value) for name, _, value in named if name == b"content-length"), 0)


def cookie_of(server: Server, path: str) -> str:
    """Open a page on a new phone, and return the cookie that it keeps."""
    phone = Connection(server)
    cookie = phone.get(path).headers.get("Set-Cookie", "").partition(";")[0]
    phone.close()
    return cookie
