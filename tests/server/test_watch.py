"""The request log of a running server."""

import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep

import pytest
from flask import Flask

from scorekeeper.server.watch import AnsweredRequest, open_watches

PATIENCE = 20.0
PAGE = AnsweredRequest("GET", "/matches/<code>/", "page", 200, 0.004, 5310)


@pytest.fixture
def app() -> Flask:
    made = Flask(__name__)
    made.config["LOG"] = True
    return made


@contextmanager
def unread() -> Iterator[int]:
    """Redirect standard output into a pipe that nobody reads yet; yield the end to read from."""
    reads, writes = os.pipe()
    before = sys.stdout
    with closing(os.fdopen(writes, "w")) as sys.stdout:
        try:
            yield reads
        finally:
            os.close(reads)  # what still waits is dropped here, and gets into no other test
            logs = [thread for thread in threading.enumerate() if thread.name == "log"]
            for log in logs:
                log.join(PATIENCE)
            sys.stdout = before
    assert not [log for log in logs if log.is_alive()]


def finishes(work: Callable[[], object]) -> bool:
    """Do some work that could block for as long as nobody reads the log; return whether it finished in time."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return not thread.is_alive()


def test_a_log_that_nobody_reads_stops_nobody_and_says_what_it_left_out(app: Flask) -> None:
    sent, read = 5000, bytearray()

    def read_on(pipe: int) -> None:
        while not read.endswith(b"the end\n"):
            read.extend(os.read(pipe, 65536))

    with unread() as pipe:
        with open_watches(app) as [note]:
            is_finished = finishes(lambda: [note(PAGE) for _ in range(sent)])
            reader = threading.Thread(target=read_on, args=(pipe,), daemon=True)
            reader.start()
            seen = -1
            while seen != len(read):  # until all that waited has come
                seen = len(read)
                sleep(0.5)
            note(PAGE)
        print("the end", flush=True)
        reader.join(PATIENCE)

    lines = read.decode().splitlines()
    assert is_finished
    left_out = [
        int(number) for number in re.findall(r"(?m)(\d+) requests left out: nobody read the log$", read.decode())
    ]
    written = [line for line in lines if line.endswith("page GET /matches/<code>/ 200 4 ms 5310 bytes")]
    assert left_out
    assert len(written) + sum(left_out) == sent + 1


def test_a_log_that_is_never_read_keeps_no_server_from_stopping(app: Flask) -> None:
    def write_notes() -> None:
        with open_watches(app) as [note]:
            for _ in range(1500):
                note(PAGE)

    with unread():
        assert finishes(write_notes)
        sys.stdout.flush()


def test_where_stdout_is_closed_the_score_is_kept(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = (tmp_path / "closed").open("w")
    closed.close()

    with open_watches(app) as [note]:
        monkeypatch.setattr(sys, "stdout", closed)
        note(PAGE)
        sleep(0.1)
        monkeypatch.undo()
        note(PAGE)
