"""A family's way through Scorekeeper, by its commands and over HTTP, whatever runs them."""

import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from tests.common.reading import Form, forms_of, read
from tests.server.test_serve import PATIENCE, free_port, status_of

HANDS = 6
SEATS = ("Ann", "Béa", "Cal", "Dan")
LONGEST = 300.0
"""Seconds for one command: Wine takes ten to load Python and all that it needs."""
HAND: Mapping[str, object] = {
    "format": "pitch-record/1",
    "variant": "partnership-pitch",
    "sides": [{"name": "Us"}, {"name": "Thém"}],
    "start": {"scores": {"Us": 20, "Thém": 20}},
    "hands": [{"bidder": "Us", "bid": 2, "taken": {"high": "Us", "low": "Thém", "jack": "Us", "game": "Us"}}],
}


@dataclass
class Browser:
    """A phone that speaks to a real server."""

    url: str
    opener: OpenerDirector = field(default_factory=lambda: build_opener(HTTPCookieProcessor()))

    def open(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Open a page, or send a form; return the status, the final address and the body."""
        sent = urlencode(form).encode() if form is not None else None
        try:
            with self.opener.open(Request(self.url + path, sent, {"Origin": self.url}), timeout=PATIENCE) as answer:
                return answer.status, answer.url.removeprefix(self.url), answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, path, error.read().decode()


def form_in(text: str, ending: str) -> Form:
    return next(form for form in forms_of(read(text)) if form.action.endswith(ending))


@dataclass(frozen=True)
class Installation:
    """An installation in a folder, and what runs `scorekeeper` there."""

    command: Sequence[str]
    folder: Path
    spelled: Callable[[Path], str] = str
    """How the system that runs it spells a path."""
    port: int = field(default_factory=free_port)

    @property
    def environ(self) -> Mapping[str, str]:
        """The settings."""
        return os.environ | {
            "SCOREKEEPER_INSTANCE": self.spelled(self.folder),
            "SCOREKEEPER_HOST": "127.0.0.1",
            "SCOREKEEPER_PORT": str(self.port),
            "SCOREKEEPER_MDNS": "off",
        }

    def run(self, *words: str | Path, status: int | None = 0) -> str:
        """Run a command, check its exit status and return its output."""
        spelled = [self.spelled(word) if isinstance(word, Path) else word for word in words]
        done = subprocess.run(
            [*self.command, *spelled], env=self.environ, capture_output=True, timeout=LONGEST, check=False
        )
        output = (done.stdout + done.stderr).decode("utf-8", "replace")
        assert status is None or done.returncode == status, f"{spelled} ended with {done.returncode}: {output}"
        assert "Traceback" not in output, output
        return output

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a command, the server where none is named."""
        return subprocess.Popen(
            [*self.command, *(words or ("serve", "--migrate"))],
            env=self.environ,
            stdin=subprocess.DEVNULL,  # Wine has none that it could inherit where nobody is at a terminal
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    @contextmanager
    def serving(self) -> Iterator[tuple[Browser, subprocess.Popen[bytes]]]:
        """Serve meanwhile, and kill the server at the end if it still runs."""
        server = self.start()
        try:
            assert _answers(server, self.port)
            yield Browser(f"http://127.0.0.1:{self.port}"), server
        finally:
            with suppress(ProcessLookupError):
                server.kill()
            server.communicate(timeout=LONGEST)


def _answers(server: subprocess.Popen[bytes], port: int) -> bool:
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        with suppress(OSError):
            return status_of(port, "/healthz") == 200
        if server.poll() is not None:
            raise AssertionError(server.communicate()[0].decode("utf-8", "replace"))
    return False


def journey(
    installation: Installation, stop: Callable[[subprocess.Popen[bytes]], object], report: Callable[[str], object]
) -> None:
    """Walk through an installation from its first start to a restored backup; `stop` stops a server, as Ctrl+C does."""
    folder = installation.folder
    with installation.serving() as (phone, _server):
        match = begin(phone)
        for number in range(1, HANDS + 1):
            record(phone, match, number)
        report(f"the server made its database, and took a match of {HANDS} hands")
    with installation.serving() as (phone, server):
        assert f"Hand {HANDS}" in phone.open(f"{match}history")[2] + phone.open(match)[2]
        report("killed and started again, it has them all")
        second = installation.start()
        output = second.communicate(timeout=LONGEST)[0].decode("utf-8", "replace")
        assert second.returncode == 1, output
        assert f"cannot listen on 127.0.0.1, port {installation.port}" in output
        report("a second start says that the port is taken")
        installation.run("backup", folder / "bäckup of today.sqlite3")
        refused = installation.run("restore", folder / "bäckup of today.sqlite3", status=1)
        assert "Stop the server first" in refused, refused
        report("a backup is made beside it, and none is restored under it")
        print_sheet(phone, match)
        report("what is printed is a PDF, or a page that says how")
        stop(server)
        output = server.communicate(timeout=30)[0].decode("utf-8", "replace")
        assert server.returncode == 0, (server.returncode, output)
        assert not list(folder.glob("*-wal"))
        report("told to stop it stops, and leaves one file")
    installation.run("export", "--all", "-o", folder / "all.jsonl")
    assert (folder / "all.jsonl").read_bytes().count(b"\n") == 1
    other = Installation(installation.command, folder / "ändere Küche", installation.spelled)
    starts = [other.start("migrate") for _ in range(3)]
    made = sorted(process.communicate(timeout=LONGEST)[0].decode().strip() for process in starts)
    assert [process.returncode for process in starts] == [0, 0, 0]
    assert made == ["The database is up to date now.", *["The database was up to date."] * 2], made
    report("of three starts at once, in a folder with a space and letters beyond ASCII, one makes the database")
    other.run("import", folder / "all.jsonl")
    other.run("verify")
    assert len(re.findall("/matches/", other.run("matches"))) == 1
    report("what was exported is imported there, and scores the same")
    restored = installation.run("restore", folder / "bäckup of today.sqlite3")
    assert "is the database now: 1 match." in restored
    report("the backup is restored")
    (folder / "hand.json").write_text(json.dumps(HAND, ensure_ascii=False), encoding="utf-8")
    assert "We win" in installation.run("settle", folder / "hand.json")
    report("a hand is settled")
    examined = installation.run("doctor", status=None)
    assert "ok     Database: whole and up to date" in examined, examined
    report(f"doctor says:\n{examined.rstrip()}")


def begin(phone: Browser) -> str:
    """Start a match of four, and return its path."""
    start = form_in(phone.open("/new/partnership-pitch")[2], "partnership-pitch")
    chairs = (name for name in start.fields if name.startswith("seat-"))
    status, path, _page = phone.open(start.action, start.filled(dict(zip(chairs, SEATS, strict=True)), "Start"))
    assert status == 200
    return path.partition("?")[0]


def record(phone: Browser, match: str, number: int) -> None:
    """Record a hand."""
    entry = form_in(phone.open(f"{match}hands/new")[2], "/hands/new")
    hand = {"call": f"p{1 + number % 4}:2", "do": "save"}
    hand |= {f"took-{award}": "s1" for award in ("high", "low", "jack", "game")}
    status, _path, page = phone.open(entry.action, {**entry.fields, **hand})
    assert status == 200
    assert f"Hand {number} is saved" in page or "Play again" in page  # the verdict shows what the last hand did


def print_sheet(phone: Browser, match: str) -> None:
    """Ask for the score sheet, until the printer has it."""
    until = time.monotonic() + LONGEST
    while True:
        status, _path, page = phone.open(f"/print?match={match.split('/')[-2]}&kind=result")
        if status != 503 or time.monotonic() > until:
            break
        time.sleep(1)
    assert status == 200
    assert "Score sheet" in page
