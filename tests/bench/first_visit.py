"""What a phone fetches on its first visit: a page and everything that it loads, byte by byte."""

import gzip
import re
import socket
from html.parser import HTMLParser
from http.client import parse_headers
from io import BytesIO
from urllib.parse import urljoin

from scorekeeper.serving.network import LOOPBACK
from tests.bench.bench import Bench
from tests.bench.client import HEADERS, WrongAnswer
from tests.bench.figure import Figure
from tests.bench.server import PATIENCE, Server, serving

MOST_AT_HOME, MOST_AT_ENTRY = 40.0, 60.0
HOST = "192.168.1.20"
"""An address at home, as phones use it: what lets a browser install the app is on no page there."""
LOADED_LINKS = {"stylesheet", "preload", "modulepreload", "icon", "apple-touch-icon", "manifest"}
SOURCES = {"script", "img", "source", "iframe"}
IN_STYLES = re.compile(r"""url\(\s*['"]?([^'")]+)""")


def first_visit_figure(bench: Bench) -> Figure:
    """Count what the empty home page takes."""
    return _visit_figure(bench, "first_visit", "home page", "/", MOST_AT_HOME)


def entry_visit_figure(bench: Bench) -> Figure:
    """Count what the entry of a hand takes on a phone that has seen nothing else."""
    return _visit_figure(bench, "entry_visit", "entry of a hand", f"/matches/{bench.codes[0]}/hands/new", MOST_AT_ENTRY)


def _visit_figure(bench: Bench, name: str, page: str, address: str, most: float) -> Figure:
    """Count every byte that the server sends, headers included, for a page and all it names."""
    sent, least = 0, 0
    with serving(bench) as server:
        waiting, seen = [address], set[str]()
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            answer = _fetch(server, path)
            kind, body = _unpacked(answer)
            sent += len(answer)
            least += min(len(gzip.compress(body, 9, mtime=0)), len(body))
            waiting += loaded_by(path, kind, body)
    return Figure(
        name=name,
        value=sent / 1000,
        unit="kB",
        floor=least / 1000,
        limit=most,
        label=f"bytes of a first visit to the {page}, {len(seen)} files",
        floor_label="the same files as small as gzip makes them, without headers",
    )


def loaded_by(path: str, kind: str, body: bytes) -> list[str]:
    """Return what a page or a stylesheet makes a browser fetch."""
    if kind == "text/html":
        reader = _Loads()
        reader.feed(body.decode())
        named = reader.named
    elif kind == "text/css":
        named = IN_STYLES.findall(body.decode())
    else:
        named = []
    return [urljoin(path, name) for name in named if not name.startswith(("data:", "#"))]


class _Loads(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.named: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and LOADED_LINKS & set(given.get("rel", "").split()):
            self.named.append(given["href"])
        elif tag in SOURCES and given.get("src"):
            self.named.append(given["src"])


def _fetch(server: Server, path: str) -> bytes:
    """Return every byte of the response to a request for a file."""
    asked = [f"GET {path} HTTP/1.1", f"Host: {HOST}:{server.port}", "Connection: close"]
    asked += [f"{name}: {value}" for name, value in HEADERS.items()]
    with socket.create_connection((LOOPBACK[0], server.port), timeout=PATIENCE) as line:
        line.sendall("\r\n".join([*asked, "", ""]).encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise WrongAnswer(f"{path} answered {answer[:40]!r}")
    return answer


def _unpacked(answer: bytes) -> tuple[str, bytes]:
    """Return the content type of a response, and its body decompressed."""
    lines = BytesIO(answer.partition(b"\r\n")[2])
    headers, body = parse_headers(lines), lines.read()
    if len(body) != int(headers["content-length"]):
        raise WrongAnswer("an answer came in part")
    is_packed = headers["content-encoding"] == "gzip"
    return headers.get_content_type(), gzip.decompress(body) if is_packed else body
