"""The server announces its address, answers, and stops on a signal."""

import io
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.server.server import listen, print_urls

PATIENCE = 60.0
Served = tuple[subprocess.Popen[str], int]
"""A server, and the port that it has."""


def free_port(in_a_row: int = 1) -> int:
    """Return a port that nobody listens on, nor on as many in a row as are wanted."""
    while True:
        with suppress(OSError, OverflowError), ExitStack() as closed:
            probes = [closed.enter_context(socket.socket()) for _ in range(in_a_row)]
            probes[0].bind(("127.0.0.1", 0))
            first = int(probes[0].getsockname()[1])
            for offset, probe in enumerate(probes[1:], 1):
                probe.bind(("127.0.0.1", first + offset))
            return first


def start(instance: Path, port: int, *words: str, **more: str) -> subprocess.Popen[str]:
    environ = os.environ | {"SCOREKEEPER_INSTANCE": str(instance), "SCOREKEEPER_HOST": "127.0.0.1", **more}
    command = [sys.executable, "-m", "scorekeeper", "serve", "--migrate", "--port", str(port), *words]
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stop(server: subprocess.Popen[str], sign: signal.Signals = signal.SIGTERM) -> tuple[str, str]:
    """Stop a server, and return what it printed, and what of errors."""
    server.send_signal(sign)
    return server.communicate(timeout=PATIENCE)


def status_of(port: int, path: str) -> int:
    """Ask until the server answers."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as answer:
            answer.close()
            return answer.code
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


@contextmanager
def running(instance: Path, **more: str) -> Iterator[Served]:
    """Run a server of its own, with these settings; yield its port as well."""
    port = free_port()
    server = start(instance, port, **more)
    yield server, port
    if server.poll() is None:
        server.kill()
    server.communicate()


@pytest.fixture
def serving(interruptible: None, tmp_path: Path) -> Iterator[Served]:
    """Start a server of its own."""
    with running(tmp_path) as found:
        yield found


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_and_stops_when_told(serving: Served, sign: signal.Signals) -> None:
    server, port = serving
    answered = status_of(port, "/nowhere")

    out, err = stop(server, sign)

    assert answered == 404
    assert (server.returncode, err) == (0, "")
    assert f"http://127.0.0.1:{port}/" in out


@pytest.mark.parametrize("host", ["127.0.0.1", "::"])
def test_a_port_in_use_by_another_one_of_us_is_told_as_well(serving: Served, host: str) -> None:
    _server, port = serving
    status_of(port, "/healthz")

    with pytest.raises(OSError, match="in use"):
        listen(host, port)


@pytest.mark.parametrize("host", ["203.0.113.5", "unknown.invalid", "192..168"])
def test_a_host_that_is_not_this_machine_is_refused_by_its_option(
    tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))

    assert main(["serve", "--host", host]) == 1

    assert "Choose another with --host." in capsys.readouterr().err


def announced(host: str, public_url: str = "", *, in_container: bool = False) -> str:
    out = io.StringIO()
    print_urls(host, 8000, public_url, out, in_container=in_container)
    return out.getvalue()


@pytest.mark.parametrize(
    ("host", "public_url", "address"),
    [("0.0.0.0", "", "http://192.168.1.5:8000"), ("127.0.0.1", "https://pitch.example", "https://pitch.example")],
    ids=["at home", "behind a proxy"],
)
def test_phones_get_an_address_and_a_code(
    host: str, public_url: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.server.network.lan_address", lambda: "192.168.1.5")

    assert f"{address}/" in announced(host, public_url)
    assert "█" in announced(host, public_url)


@pytest.mark.parametrize(
    ("host", "public_url", "is_warned"),
    [
        ("0.0.0.0", "https://pitch.example", True),
        ("::", "https://pitch.example", True),
        ("127.0.0.1", "https://pitch.example", False),
        ("0.0.0.0", "http://192.168.1.20:8000", False),
        ("0.0.0.0", "", False),
    ],
)
def test_a_port_beside_the_proxy_is_warned_of(host: str, public_url: str, is_warned: bool) -> None:
    assert ("SCOREKEEPER_HOST=127.0.0.1" in announced(host, public_url)) is is_warned


def test_in_a_container_no_address_is_guessed() -> None:
    assert "Set SCOREKEEPER_PUBLIC_URL" in announced("0.0.0.0", in_container=True)
    assert "█" not in announced("0.0.0.0", in_container=True)
    assert "http://192.168.1.20:8000/" in announced("0.0.0.0", "http://192.168.1.20:8000", in_container=True)
    assert "SCOREKEEPER_HOST" not in announced("0.0.0.0", "https://pitch.example", in_container=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "192.168.1.20"])
def test_a_server_at_one_address_prints_no_other_and_a_code_where_phones_reach_it(host: str) -> None:
    printed = announced(host.strip("[]"))

    assert {*re.findall("http:.*", printed)} == {f"http://{host}:8000/"}
    assert ("█" in printed) == host.startswith("192")


def test_a_machine_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.server.network.lan_address", lambda: "127.0.0.1")

    assert "not on a network" in announced("0.0.0.0")


def test_a_terminal_that_cannot_draw_still_shows_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.server.network.lan_address", lambda: "192.168.1.5")
    drawn = io.BytesIO()
    terminal = io.TextIOWrapper(drawn, encoding="ascii")

    print_urls("0.0.0.0", 8000, "", terminal)
    terminal.flush()

    assert b"http://192.168.1.5:8000/" in drawn.getvalue()


def figures_at(port: int) -> list[str]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return str(answer.read().decode()).splitlines()


@pytest.mark.club
@pytest.mark.usefixtures("interruptible")
def test_who_asks_for_it_gets_a_line_for_each_request_and_figures(tmp_path: Path) -> None:
    metrics = free_port()
    settings = {"SCOREKEEPER_LOG": "on", "SCOREKEEPER_METRICS_PORT": str(metrics)}
    with running(tmp_path, **settings) as (server, port):
        status_of(port, "/matches/Sosecretalink/?name=Ann")

        figures = figures_at(metrics)
        out, err = stop(server)

    assert 'scorekeeper_requests_total{kind="page",status="404"} 1.0' in figures
    assert 'scorekeeper_request_seconds_count{kind="page"} 1.0' in figures
    assert {"scorekeeper_hands_total 0.0", "scorekeeper_prints_waiting 0.0", "scorekeeper_phones_here 0.0"} <= {
        *figures
    }
    [line] = [line for line in out.splitlines() if "GET" in line]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d [\d:]{8}[+-]\d{4} page GET /matches/<code>/ 404 \d+ ms \d+ bytes", line)
    assert not re.search("secretalink|Ann", out + err + "".join(figures))


@pytest.mark.club
def test_without_its_port_there_are_no_metrics_and_the_score_is_kept(interruptible: None, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        metrics = str(taken.getsockname()[1])
        with running(tmp_path, SCOREKEEPER_METRICS_PORT=metrics) as (server, port):
            answered = status_of(port, "/healthz")
            _out, err = stop(server)

    assert answered == 200
    assert re.fullmatch(r"No metrics: it cannot listen on port \d+: Address already in use\.\n", err)
