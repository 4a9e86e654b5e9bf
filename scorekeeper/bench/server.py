"""A real server in its own process on the loopback address, and a client that keeps its connection open."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from time import perf_counter
from urllib.parse import urlencode

from scorekeeper.bench.bench import Bench, settings
from scorekeeper.bench.client import HEADERS, Answer, WrongAnswer
from scorekeeper.network import LOOPBACK

ADDRESS = re.compile(rf"http://{re.escape(LOOPBACK[0])}:(\d+)/")
PATIENCE = 20.0
SERVE = ("-m", "scorekeeper", "serve")
SERVE_BARE = ("-m", "scorekeeper.bench.bare_view")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs."""

    port: int
    pid: int

    def megabytes(self) -> float:
        """Return the memory that it holds, in MiB."""
        return _kilobytes(self.pid) / 1024

    def busy(self) -> float:
        """Return the CPU seconds that it has used so far."""
        return _busy(self.pid)


@contextmanager
def serving(bench: Bench, command: tuple[str, ...] = SERVE) -> Iterator[Server]:
    """Start a server on a free port, and stop it in the end."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("SCOREKEEPER_")}
    environ = {**others, **settings(bench.folder), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([sys.executable, *command], env=environ, stdout=subprocess.PIPE, text=True)
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


def _kilobytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1])
    listed = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(listed.stdout)


def _busy(pid: int) -> float:
    stat = Path(f"/proc/{pid}/stat")
    if stat.exists():
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    listed = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return sum(float(part) * float(60**place) for place, part in enumerate(reversed(listed.stdout.strip().split(":"))))


@dataclass(slots=True)
class Connection:
    """One phone's connection to a server."""

    server: Server
    cookies: dict[str, str] = field(default_factory=dict)
    _open: HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self._open = HTTPConnection(LOOPBACK[0], self.server.port, timeout=PATIENCE)

    def get(self, path: str, *, status: int | None = 200, headers: Mapping[str, str] | None = None) -> Answer:
        """Request a page; a `status` of `None` accepts any."""
        return self._ask("GET", path, None, status, headers or {})

    def post(
        self, path: str, form: Mapping[str, str], *, status: int = 303, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a form."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, urlencode(form), status, {**kind, **(headers or {})})

    def close(self) -> None:
        """Close the connection."""
        self._open.close()

    def _ask(self, method: str, path: str, body: str | None, status: int | None, more: Mapping[str, str]) -> Answer:
        kept = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        begin = perf_counter()
        self._open.request(method, path, body, {**HEADERS, **kept, **more})
        response = self._open.getresponse()
        content = response.read()
        seconds = perf_counter() - begin
        if status not in (None, response.status):
            raise WrongAnswer(f"{path} answered {response.status} and not {status}")
        for value in response.headers.get_all("Set-Cookie") or ():
            self.cookies.update({cookie.key: cookie.value for cookie in SimpleCookie(value).values()})
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status, headers, content, seconds)
