"""Several processes of one server: they share its address, each is replaced when it ends, and all stop at once."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from urllib.request import urlopen

import pytest

from tests.common.apps import postgres_database
from tests.server.test_serve import PATIENCE, figures_at, free_port, start, status_of

WORKERS = 2
Serving = tuple[subprocess.Popen[str], int]


@pytest.fixture
def database(postgres_url: str) -> Iterator[str]:
    """Return the address of a PostgreSQL database without tables."""
    with postgres_database(postgres_url, "template0") as url:
        yield url


@pytest.fixture
def serving(interruptible: None, database: str, tmp_path: Path) -> Iterator[Serving]:
    """Start a server with several processes."""
    port = free_port()
    server = start(tmp_path, port, "--workers", str(WORKERS), SCOREKEEPER_DATABASE_URL=database)
    status_of(port, "/healthz")
    yield server, port
    if server.poll() is None:
        server.kill()
    server.communicate()


def children_of(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in found.read_text().split()] if found.exists() else []


def workers_of(server: subprocess.Popen[str]) -> list[int]:
    """Return the processes that answer: they come from one that has read the program."""
    return [worker for child in children_of(server.pid) for worker in children_of(child)]


def wait_for(number: int, server: subprocess.Popen[str], others: set[int] | None = None) -> list[int]:
    until = monotonic() + PATIENCE
    while monotonic() < until:
        if len(found := workers_of(server)) == number and not set(found) & (others or set()):
            return found
        sleep(0.05)
    raise AssertionError(f"{workers_of(server)} serve")


def has_ended(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_all_of_them_answer_and_stop_when_told(serving: Serving, sign: signal.Signals) -> None:
    server, port = serving
    workers = wait_for(WORKERS, server)

    server.send_signal(sign)
    out, err = server.communicate(timeout=PATIENCE)

    assert (server.returncode, err) == (0, "")
    assert out.count(f"http://127.0.0.1:{port}/") == 1
    assert all(map(has_ended, workers))


def test_one_that_ends_is_replaced(serving: Serving) -> None:
    server, port = serving
    before = wait_for(WORKERS, server)

    for worker in before:
        os.kill(worker, signal.SIGKILL)
    after = wait_for(WORKERS, server, set(before))

    assert status_of(port, "/healthz") == 200
    server.terminate()
    _, err = server.communicate(timeout=PATIENCE)
    assert err.splitlines() == ["A server process ended (-9) and is replaced."] * WORKERS
    assert all(map(has_ended, after))


def test_they_end_with_whoever_started_them(serving: Serving) -> None:
    server, port = serving
    workers = wait_for(WORKERS, server)

    server.kill()
    server.communicate()

    until = monotonic() + PATIENCE
    while monotonic() < until and not all(map(has_ended, workers)):
        sleep(0.05)
    assert all(map(has_ended, workers))
    with pytest.raises(OSError, match="refused"):
        urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5)


@pytest.mark.parametrize(
    ("workers", "message"), [("2", "Several processes need PostgreSQL"), ("0", "1 to 32"), ("99", "1 to 32")]
)
def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, workers: str, message: str) -> None:
    server = start(tmp_path, 0, "--workers", workers)
    _, err = server.communicate(timeout=PATIENCE)

    assert server.returncode == 1
    assert re.fullmatch(rf"scorekeeper serve: .*{message}.*\n", err)


def test_each_has_a_port_for_its_metrics(interruptible: None, database: str, tmp_path: Path) -> None:
    port, metrics = free_port(), free_port(WORKERS)
    more = {"SCOREKEEPER_DATABASE_URL": database, "SCOREKEEPER_METRICS_PORT": str(metrics)}
    server = start(tmp_path, port, "--workers", str(WORKERS), **more)
    try:
        status_of(port, "/healthz")
        for process in range(WORKERS):  # one of them may answer while the other still begins
            assert status_of(metrics + process, "/metrics") == 200
        figures = [figures_at(metrics + process) for process in range(WORKERS)]
    finally:
        server.terminate()
        server.communicate()

    assert all("scorekeeper_hands_total 0.0" in lines for lines in figures)
    assert any(
        line.startswith('scorekeeper_requests_total{kind="page",status="200"}') for lines in figures for line in lines
    )
