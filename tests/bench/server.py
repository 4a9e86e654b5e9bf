"""A real server in its own process on the loopback address, and a client that keeps its connection open."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter

from werkzeug.datastructures import Headers

from scorekeeper.paths import CHECKOUT
from scorekeeper.serving.network import LOOPBACK
from tests.bench.bench import Bench, settings
from tests.bench.client import Answer, Client, WrongAnswer

ADDRESS = re.compile(rf"http://{re.escape(LOOPBACK[0])}:(\d+)/")
PATIENCE = 20.0
SERVE = ("-m", "scorekeeper", "serve")
SERVE_BARE = ("-m", "tests.bench.bare_view")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs."""

    port: int
    pid: int

    def megabytes(self) -> float:
        """Return the memory that it holds, in MiB."""
        status = Path(f"/proc/{self.pid}/status")
        if not status.exists():
            return int(self._from_ps("rss")) / 1024
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def busy(self) -> float:
        """Return the CPU seconds that it has used so far."""
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            parts = reversed(self._from_ps("time").split(":"))
            return sum(float(part) * float(60**place) for place, part in enumerate(parts))
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _from_ps(self, column: str) -> str:
        command = ["ps", "-o", f"{column}=", "-p", str(self.pid)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


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
        self._open = HTTPConnection(LOOPBACK[0], server.port, timeout=PATIENCE)

    def close(self) -> None:
        """Close the connection."""
        self._open.close()

    def _send(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        begin = perf_counter()
        self._open.request(method, path, body, dict(headers))
        response = self._open.getresponse()
        content = response.read()
        seconds = perf_counter() - begin
        return Answer(response.status, Headers(response.getheaders()), content, seconds)
