"""What is measured: a real app with unfinished matches of forty hands, its server, and clients that time answers."""

import gzip
import json
import os
import re
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from urllib.parse import urlencode
from wsgiref.types import WSGIApplication

import psutil
from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from scorekeeper.app import create_app
from scorekeeper.config import DATABASE_FILE
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import migrate
from scorekeeper.matches.files.import_export import import_file
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match
from scorekeeper.paths import CHECKOUT, instance_folder
from scorekeeper.server.network import LOOPBACK_HOSTS
from scorekeeper.web.library import library
from scorekeeper.web.respond import HTMX_HEADERS

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
HEADERS = {"Accept-Encoding": "gzip, deflate"}
"""What a browser accepts over plain http."""
_BETWEEN = "between-the-parts-of-a-form"
HTMX = {HTMX_HEADERS[0]: "true"}


class WrongAnswer(Exception):
    """The app gave a wrong answer, so nothing that was measured counts."""


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """A response, and how many seconds it took."""

    status: int
    headers: Headers
    body: bytes
    seconds: float

    @property
    def text(self) -> str:
        """The page, decompressed."""
        is_packed = self.headers.get("Content-Encoding") == "gzip"
        return (gzip.decompress(self.body) if is_packed else self.body).decode()


class Client(ABC):
    """A phone's browser: it keeps its cookies."""

    def __init__(self, accepts: Mapping[str, str] = HEADERS) -> None:
        self._accepts = accepts
        self._cookies: dict[str, str] = {}

    def get(self, path: str, *, status: int | None = 200, headers: Mapping[str, str] | None = None) -> TimedAnswer:
        """Request a page; a `status` of `None` accepts any."""
        return self._ask("GET", path, None, status, headers or {})

    def post(
        self, path: str, form: Mapping[str, str], *, status: int = 303, headers: Mapping[str, str] | None = None
    ) -> TimedAnswer:
        """Send a form."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, urlencode(form), status, {**kind, **(headers or {})})

    def upload(self, path: str, form: Mapping[str, str], field: str, text: str) -> TimedAnswer:
        """Send a form with a file of text in this field, which leads to another page."""
        parts = [f'"{name}"\r\n\r\n{value}' for name, value in form.items()]
        parts.append(f'"{field}"; filename="{field}.txt"\r\n\r\n{text}')
        body = "".join(f"--{_BETWEEN}\r\nContent-Disposition: form-data; name={part}\r\n" for part in parts)
        kind = {"Content-Type": f"multipart/form-data; boundary={_BETWEEN}"}
        return self._ask("POST", path, f"{body}--{_BETWEEN}--\r\n", 303, kind)

    def token(self, path: str) -> str:
        """Return the CSRF token of a page's forms."""
        found = TOKEN.search(self.get(path).text)
        if not found:
            raise WrongAnswer(f"{path} has no form with a token")
        return found[1]

    def _ask(
        self, method: str, path: str, body: str | None, status: int | None, more: Mapping[str, str]
    ) -> TimedAnswer:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        kept = {"Cookie": cookies} if cookies else {}
        answer = self._send(method, path, body, {**self._accepts, **kept, **more})
        if status not in (None, answer.status):
            raise WrongAnswer(f"{path} answered {answer.status} and not {status}")
        for cookie in answer.headers.getlist("Set-Cookie"):
            self._cookies.update({name: morsel.value for name, morsel in SimpleCookie(cookie).items()})
        return answer

    @abstractmethod
    def _send(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> TimedAnswer:
        """Send a request, and time its answer."""


class InProcessPhone(Client):
    """A client of an app in this process."""

    def __init__(self, app: WSGIApplication, *, packed: bool = True) -> None:
        """Call this app; `packed` is whether compressed responses are accepted, as by browsers."""
        super().__init__(HEADERS if packed else {})
        self._app = app

    def _send(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> TimedAnswer:
        environ = EnvironBuilder(path=path, method=method, data=body, headers=Headers(headers)).get_environ()
        began: list[Any] = []

        def start_response(line: str, found: list[tuple[str, str]], _fault: Any = None) -> Any:
            began[:] = line, found
            return lambda _data: None

        begin = perf_counter()
        parts = self._app(environ, start_response)
        content = b"".join(parts)
        if close := getattr(parts, "close", None):
            close()
        seconds = perf_counter() - begin
        line, found = began
        return TimedAnswer(int(line.split()[0]), Headers(found), content, seconds)


HANDS = 40
MATCHES = 72
"""More than are kept in memory at once."""
_MATCH = Path(__file__).parent / "match.json"


@dataclass(frozen=True, slots=True)
class Bench:
    """An app and the codes of the matches in it."""

    app: Flask
    folder: Path
    codes: tuple[str, ...]

    def load(self, code: str) -> Match:
        """Load one of the matches."""
        with self.app.app_context():
            return load_match(db.session, code)


@contextmanager
def open_bench(database_url: str = "") -> Iterator[Bench]:
    """Set up an app on the disk that matches are stored on, or in an empty database, and remove it afterwards."""
    disk = instance_folder()
    disk.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="bench-", dir=disk) as name:
        folder = Path(name)
        own = {"SCOREKEEPER_DATABASE_URL": database_url} if database_url else {}
        app = create_app({**settings(folder), **own})
        migrate(app)
        with app.app_context():
            codes = import_file(db.session, library(), json.dumps([match_record()] * MATCHES).encode())
        try:
            yield Bench(app, folder, tuple(codes))
        finally:
            with app.app_context():
                db.engine.dispose()


def settings(folder: Path) -> dict[str, str]:
    """Return every setting, so that none comes from the environment."""
    return {
        "SCOREKEEPER_INSTANCE": str(folder),
        "SCOREKEEPER_DATABASE_URL": f"sqlite:///{folder / DATABASE_FILE}",
        "SCOREKEEPER_HOST": LOOPBACK_HOSTS[0],
        "SCOREKEEPER_PORT": "0",
        "SCOREKEEPER_PUBLIC_URL": "",
        "SCOREKEEPER_SECRET_KEY": "",
    }


def match_record() -> dict[str, Any]:
    """Return a record of forty hands after which both sides may win on the next."""
    record = _cycle()
    return {**record, "hands": [hand_after(number) for number in range(HANDS)]}


def hand_after(number: int) -> dict[str, Any]:
    """Return the hand after this many."""
    hands = _cycle()["hands"]
    hand: dict[str, Any] = hands[number % len(hands)]
    return hand


@cache
def _cycle() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(_MATCH.read_text(encoding="utf-8"))
    return record


ADDRESS = re.compile(rf"http://{re.escape(LOOPBACK_HOSTS[0])}:(\d+)/")
PATIENCE = 120.0
"""Seconds until a server counts as gone: a large file on a busy machine takes half a minute."""
_AT_HOME = "import sys; sys.modules['pygments'] = None; from scorekeeper.cli import main; sys.exit(main())"
"""Mako reads Pygments in wherever it is, which only tests install."""
SERVE = ("-c", _AT_HOME, "serve")
SERVE_BARE = ("-m", "tests.bench.bare_view")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs."""

    port: int
    pid: int

    def megabytes(self) -> float:
        """Return the memory that it holds, in MiB."""
        return float(psutil.Process(self.pid).memory_info().rss) / 2**20

    def busy(self) -> float:
        """Return the CPU seconds that it has used so far."""
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)


@contextmanager
def serving(bench: Bench, command: tuple[str, ...] = SERVE) -> Iterator[Server]:
    """Start a server on a free port, and stop it in the end."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("SCOREKEEPER_")}
    environ = {**others, **settings(bench.folder), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([sys.executable, *command], cwd=CHECKOUT, env=environ, stdout=subprocess.PIPE, text=True)
    try:
        yield Server(_port(process), process.pid)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _port(process: "subprocess.Popen[str]") -> int:
    for line in process.stdout or ():
        if found := ADDRESS.search(line):
            return int(found[1])
    raise WrongAnswer("the server did not start")


class Connection(Client):
    """One phone's connection to a server."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self._open = HTTPConnection(LOOPBACK_HOSTS[0], server.port, timeout=PATIENCE)

    def close(self) -> None:
        """Close the connection."""
        self._open.close()

    def _send(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> TimedAnswer:
        begin = perf_counter()
        self._open.request(method, path, body, dict(headers))
        response = self._open.getresponse()
        content = response.read()
        seconds = perf_counter() - begin
        return TimedAnswer(response.status, Headers(response.getheaders()), content, seconds)
