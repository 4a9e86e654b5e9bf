"""A real server in a storm: it is killed, frozen, stopped and restored, and connections are cut around a post."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from threading import Timer
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

from tests.storm import weather
from tests.storm.phones import Answer, Fields, Lost
from tests.storm.restored import Moment
from tests.storm.storm import Broken, Storm

PATIENCE = 90.0
"""Seconds until a server has to answer, on a machine that is busy."""
LOG_LENGTH = 6000
"""How much is shown of what a server wrote before it failed, in letters."""
LATEST = 0.02
"""Seconds after a post until something happens: a little longer than it takes to be written and answered."""
MAX_FREEZE_S = 2.0
"""Seconds."""
ANSWER_TIMEOUTS = (8.0,) * 9 + (0.3,)
"""Seconds that a phone waits for the answer to a post: mostly as `static/js/outbox.js` does."""
CUTS = 0.08
"""How often a connection is cut, of all posts."""
KEPT = sorted(Path(__file__).parents[1].glob("kept/*.sql"))
"""Databases that earlier versions wrote."""
UNSAVED = ("can’t save anything right now", "can’t do that right now")
"""Texts of a page of a server that saves nothing."""
_INSISTED = ("/new/", "/join", "/room/", "/nights/new", "/pairs", "/start", "/phones/")
_CUT_PATHS = (
    *("/hands/", "/history/", "/undo", "/redo", "/stop", "/resume", "/names", "/sits-in", "/deal"),
    *("/rounds", "/players", "/take-back", "/paid"),
)

Chances = Mapping[str, float]
"""How often something happens to a server, of all acts, by its name."""
COMMON: Chances = {"kill": 0.015, "freeze": 0.01, "stop": 0.006, "restore": 0.02}


@dataclass
class Server:
    """A server in a process of its own, on a file of a database that an earlier version began."""

    instance: Path
    rng: Random
    chances: Chances = field(default_factory=lambda: COMMON)
    environ: Mapping[str, str] = field(default_factory=dict)
    """More settings."""
    launcher: Sequence[str] = ()
    """The command that starts the server's."""
    words: Sequence[str] = ()
    """Options of the server."""
    url: str = ""
    """Where its data is, if not in a file."""
    port: int = 0
    """Where phones find it."""
    own_port: int = 0
    """Where it listens."""
    happened: Counter[str] = field(default_factory=Counter)
    """What was done to it, and how often."""
    fault: Exception | None = None
    """What failed while something was done to it."""
    _process: "subprocess.Popen[bytes] | None" = None
    _timer: Timer | None = None
    _moment: Moment | None = None
    _kept: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.own_port = self.own_port or free_port()
        self.port = self.port or self.own_port
        if not self.url:
            with closing(sqlite3.connect(self.file)) as connection:
                connection.executescript(self.rng.choice(KEPT).read_text(encoding="utf-8"))
                owners = connection.execute("SELECT code FROM link WHERE role = 'owner' ORDER BY id").fetchall()
                self._kept = {code: "" for (code,) in owners}
        self.start()
        self._kept = self._records()

    @property
    def file(self) -> Path:
        """Where its database is, where that is a file."""
        return self.instance / "storm.sqlite3"

    @property
    def log(self) -> Path:
        """Where it writes what failed."""
        return self.instance / "log.txt"

    @property
    def last_words(self) -> str:
        """The end of its log."""
        return self.log.read_text(errors="replace")[-LOG_LENGTH:]

    @property
    def database_url(self) -> str:
        """Where its data is."""
        return self.url or f"sqlite:///{self.file}"

    @property
    def pid(self) -> int:
        """The process that has just read its database."""
        assert self._process
        return self._process.pid

    def victim(self) -> int:
        """Return the process that something happens to."""
        return self.pid

    @property
    def happened_to_it(self) -> str:
        """What was done to it."""
        return ", ".join(f"{what} {count}" for what, count in sorted(self.happened.items()))

    # ---------- its life ----------

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._begin()
        self._wait_for_answer()

    def _wait_for_answer(self) -> None:
        until = monotonic() + PATIENCE
        while monotonic() < until:
            with suppress(OSError, HTTPException):
                connection = HTTPConnection("127.0.0.1", self.own_port, timeout=5)
                connection.request("GET", "/healthz")
                connection.getresponse().read()
                connection.close()
                return
            sleep(0.05)
        raise TimeoutError("The server did not start.")

    def _begin(self) -> None:
        """Start it, and wait until it reports that it runs: nobody has opened its database yet."""
        command = ["serve", "--migrate", "--port", str(self.own_port), *self.words]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [*self.launcher, sys.executable, "-m", "scorekeeper", *command],
                env=self._environ(),
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        assert self._process.stdout
        if not any(b"Stop with" in line for line in self._process.stdout):
            raise Broken(f"It did not start: {self._ended()}")

    def _environ(self) -> dict[str, str]:
        own = {"SCOREKEEPER_INSTANCE": str(self.instance), "SCOREKEEPER_HOST": "127.0.0.1"}
        return {**os.environ, **own, "SCOREKEEPER_DATABASE_URL": self.database_url, **self.environ}

    def end(self) -> None:
        """Kill it for good."""
        with suppress(Exception):
            self.wait()
        self._kill_all()

    def _kill_all(self) -> None:
        """Kill it and whatever it started, without warning."""
        if self._process:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._ended()

    def _ended(self) -> int:
        """Wait until it has ended, and return its exit status."""
        assert self._process
        with self._process as process:
            return process.wait(timeout=PATIENCE)

    def wait(self) -> None:
        """Wait until it is up again, where something is about to happen."""
        if self._timer:
            self._timer.join()
            self._timer = None
        if self.fault:
            raise self.fault

    def _command(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [*self.launcher, sys.executable, "-m", "scorekeeper", *words]
        return subprocess.run(command, env=self._environ(), capture_output=True, text=True, check=False)

    # ---------- what happens to it ----------

    def blow(self, storm: Storm, rng: Random) -> None:
        """Let something happen to it now and then, while phones save; it goes back to a backup before any post."""
        what = self._drawn(rng)
        if what == "restore":
            self._back_up_or_restore(storm)
        elif what:
            phones = weather.save_at_once(storm, rng.randrange)
            self._begin_to(what, rng)
            storm.flush(phones, [False] * len(phones), [False] * len(phones))

    def blow_at_night(self, rng: Random) -> None:
        """Let something happen to it now and then, but for a restore, while a night goes on."""
        what = self._drawn(rng)
        if what and what != "restore":
            self._begin_to(what, rng)

    def _drawn(self, rng: Random) -> str:
        if self._timer and self._timer.is_alive():
            return ""
        self.wait()
        return next((what for what, chance in self.chances.items() if rng.random() < chance), "")

    def _begin_to(self, what: str, rng: Random) -> None:
        act: Callable[[Random], None] = getattr(self, f"_{what}")
        self._timer = Timer(rng.uniform(0, LATEST), self._try, (what, act, Random(rng.random())))
        self._timer.start()

    def _try(self, what: str, act: Callable[[Random], None], rng: Random) -> None:
        self.happened[what] += 1
        try:
            act(rng)
        except Exception as fault:  # raised again by the caller that waits for this thread
            self.fault = fault

    def _kill(self, _rng: Random) -> None:
        self._kill_all()
        self.start()

    def _freeze(self, rng: Random) -> None:
        """Let a process do nothing for a while, and then go on, or be killed."""
        pid = self.victim()
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            sleep(rng.uniform(0, MAX_FREEZE_S))
            if rng.random() < 0.7:
                os.kill(pid, signal.SIGCONT)
                return
        self.happened["killed while frozen"] += 1
        self._kill(rng)

    def _stop(self, _rng: Random) -> None:
        """Stop it as somebody does who means to."""
        assert self._process
        self._process.send_signal(signal.SIGTERM)
        if status := self._ended():
            raise Broken(f"It stopped with the exit status {status}.")
        self.start()

    def _back_up_or_restore(self, storm: Storm) -> None:
        """Back up the database, or go back to the backup of this match."""
        copy = self.instance / "copies" / "copy.sqlite3"
        if self._moment is None or not self._moment.is_of(storm):
            copy.parent.mkdir(exist_ok=True)
            self._moment = Moment.of(storm)
            done = self._command("backup", str(copy))
        else:
            self.happened["restore"] += 1
            self._kill_all()
            done = self._command("restore", str(copy))
            self.start()
            self._moment.go_back(self.rng)
            self._moment = None
        if done.returncode:
            raise Broken(f"{done.args}: {done.stderr}")

    # ---------- what is there ----------

    def _records(self) -> dict[str, str]:
        browser = OverHttp(self)
        return {code: browser.get(f"/matches/{code}/record.json").text for code in self._kept}

    def faults(self) -> str:
        """Stop it, and return what is not as it has to be."""
        self.wait()
        changed = [code for code, record in self._records().items() if record != self._kept[code]]
        self.end()
        problems = [f"Matches that were there before are not the same: {changed}"] if changed else []
        if not self.url:
            with closing(sqlite3.connect(self.file)) as connection:
                checked = connection.execute("PRAGMA integrity_check").fetchall()
            problems += [f"The file is damaged: {checked}"] if checked != [("ok",)] else []
        return "\n".join([*problems, *filter(None, [faults_found(str(self.instance), self.database_url)])])

    def browser(self) -> "OverHttp":
        """Take a new phone."""
        self.wait()
        return OverHttp(self)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class OverHttp:
    """A browser on a network that fails."""

    server: Server
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> Answer:
        """Open a page, again and again until it comes."""
        return self._insist("GET", path, b"")

    def post(self, path: str, fields: Fields) -> Answer:
        """Send a form, as a script does; the connection may be cut."""
        rng, body = self.server.rng, urlencode(fields, doseq=True).encode()
        if any(part in path for part in _INSISTED):  # they stay what they are if they are sent again
            return self._insist("POST", path, body)
        if any(part in path for part in _CUT_PATHS) and rng.random() < CUTS:
            self.server.happened["cut"] += 1
            self._cut(path, body, rng.choice((0, rng.random(), 1)))
            raise Lost
        answer = self._ask("POST", path, body, rng.choice(ANSWER_TIMEOUTS))
        if answer.status >= 500:
            if answer.status == 503 and not any(text in answer.text for text in UNSAVED):
                raise Broken(f"503 for {path}, which says {answer.page.text[:300]}")
            if answer.status == 500:
                raise Broken(f"500 for {path}, after {self.server.last_words}")
            if answer.status in (502, 503, 504):
                self.server.happened["said that nothing is saved"] += 1
                raise Lost
        return answer

    def _insist(self, method: str, path: str, body: bytes) -> Answer:
        until, last = monotonic() + PATIENCE, "nothing"
        while True:
            with suppress(Lost):
                answer = self._ask(method, path, body, 5)
                if answer.status < 500:
                    return answer
                last = f"{answer.status} {answer.page.text[:300]}"
            if self.server.fault:  # nobody starts it again
                raise self.server.fault
            if monotonic() > until:
                raise TimeoutError(f"{path} is not answered, at last with {last}, after {self.server.last_words}")
            sleep(0.05)

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

    def _ask(self, method: str, path: str, body: bytes, timeout: float) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=timeout)
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
