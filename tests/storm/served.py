"""A real server in a storm: it is killed and started again, and connections are cut before, within and after a post."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from threading import Timer
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

from tests.storm.phones import Answer, Lost

PATIENCE = 90.0
"""Seconds until a server has to answer, on a machine that is busy."""
LATEST_KILL = 0.02
"""Seconds after a post: a little longer than it takes to be written and answered."""
KILLS, CUTS = 0.02, 0.08
"""How often the server is killed, of all acts, and a connection is cut, of all posts."""
_CUT_PATHS = ("/hands/", "/history/", "/undo", "/redo", "/stop", "/resume", "/names", "/sits-in", "/deal")


@dataclass
class Server:
    """A server in a process of its own, on a file of a database."""

    instance: Path
    rng: Random
    kills_each: float = KILLS
    """How often it is killed, of all acts."""
    port: int = 0
    kills: int = 0
    cuts: int = 0
    _process: "subprocess.Popen[bytes] | None" = None
    _timer: Timer | None = None

    def __post_init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.start()

    @property
    def database_url(self) -> str:
        """Where its data is."""
        return f"sqlite:///{self.instance / 'storm.sqlite3'}"

    @property
    def told(self) -> str:
        """What was done to it."""
        return f"{self.kills} kills, {self.cuts} connections cut."

    def start(self) -> None:
        """Start it, and wait until it answers."""
        environ = {
            **os.environ,
            "SCOREKEEPER_INSTANCE": str(self.instance),
            "SCOREKEEPER_DATABASE_URL": self.database_url,
            "SCOREKEEPER_HOST": "127.0.0.1",
        }
        command = [sys.executable, "-m", "scorekeeper", "serve", "--migrate", "--port", str(self.port)]
        self._process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = monotonic() + PATIENCE
        while monotonic() < until:
            with suppress(OSError, HTTPException):
                connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/healthz")
                connection.getresponse().read()
                connection.close()
                return
            sleep(0.05)
        raise TimeoutError("The server did not start.")

    def kill(self) -> None:
        """Kill it without warning."""
        self.wait()
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def wait(self) -> None:
        """Wait until it is up again, where it is about to be killed."""
        if self._timer:
            self._timer.join()
            self._timer = None

    def blow(self, rng: Random) -> None:
        """Let it be killed in a moment, now and then."""
        self.wait()
        if rng.random() < self.kills_each:
            self._timer = Timer(rng.uniform(0, LATEST_KILL) + 0.02, self._kill_and_start)
            self._timer.start()

    def _kill_and_start(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self.kills += 1
        self.start()

    def browser(self) -> "OverHttp":
        """Take a new phone."""
        self.wait()
        return OverHttp(self)


@dataclass
class OverHttp:
    """A browser on a network that fails."""

    server: Server
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> Answer:
        """Open a page, again and again until it comes."""
        until = monotonic() + PATIENCE
        while True:
            with suppress(Lost):
                answer = self._ask("GET", path, b"")
                if answer.status < 500:
                    return answer
            if monotonic() > until:
                raise TimeoutError(f"{path} is not answered.")
            sleep(0.05)

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        """Send a form, as a script does; the connection may be cut."""
        rng, body = self.server.rng, urlencode(fields).encode()
        if not any(it in path for it in _CUT_PATHS):
            return self._ask("POST", path, body)
        if rng.random() < CUTS:
            self.server.cuts += 1
            self._cut(path, body, rng.choice((0, rng.random(), 1)))
            raise Lost
        answer = self._ask("POST", path, body)
        if answer.status == 503:  # it is about to stop, or the database is busy
            raise Lost
        return answer

    def _cut(self, path: str, body: bytes, part: float) -> None:
        """Send a part of a request and leave."""
        head = "".join(f"{name}: {value}\r\n" for name, value in self._headers(body).items())
        request = f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port), timeout=5) as line:
            line.sendall(request[: int(len(request) * part)])

    def _headers(self, body: bytes) -> dict[str, str]:
        headers = {
            "Host": f"127.0.0.1:{self.server.port}",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if body:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
            headers["Content-Length"] = str(len(body))
        return headers

    def _ask(self, method: str, path: str, body: bytes) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:
            connection.request(method, path, body or None, self._headers(body))
            response = connection.getresponse()
            text = response.read().decode()
        except (OSError, HTTPException, UnicodeDecodeError) as fault:
            raise Lost from fault
        finally:
            connection.close()
        for cookie in response.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        location = response.headers.get("HX-Redirect") or response.headers.get("Location") or ""
        return Answer(response.status, text, location)


def scores_of(records: Sequence[Mapping[str, Any]]) -> list[dict[str, int]]:
    """Return what `scorekeeper score` makes of downloaded matches."""
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    command = [sys.executable, "-m", "scorekeeper", "score", "--lines"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line)["scores"] for line in done.stdout.splitlines()]


def faults_found(instance: str, database_url: str) -> str:
    """Return what `scorekeeper verify` finds wrong in a database."""
    environ = {**os.environ, "SCOREKEEPER_INSTANCE": instance, "SCOREKEEPER_DATABASE_URL": database_url}
    command = [sys.executable, "-m", "scorekeeper", "verify"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr
