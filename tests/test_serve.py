"""The server: it says where it is, answers, and stops when told."""

import io
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.serving.server import announce, listen

PATIENCE = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(instance: Path, port: int, *words: str, **more: str) -> subprocess.Popen[str]:
    environ = os.environ | {"SCOREKEEPER_INSTANCE": str(instance), "SCOREKEEPER_HOST": "127.0.0.1", **more}
    command = [sys.executable, "-m", "scorekeeper", "serve", "--migrate", "--port", str(port), *words]
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


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


@pytest.fixture
def serving(interruptible: None, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a server of its own."""
    port = free_port()
    server = start(tmp_path, port)
    yield server, port
    if server.poll() is None:
        server.kill()
    server.communicate()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_and_stops_when_told(serving: tuple[subprocess.Popen[str], int], sign: signal.Signals) -> None:
    server, port = serving
    answered = status_of(port, "/nowhere")

    server.send_signal(sign)
    out, err = server.communicate(timeout=PATIENCE)

    assert answered == 404
    assert (server.returncode, err) == (0, "")
    assert f"http://127.0.0.1:{port}/" in out


def test_a_port_in_use_by_another_one_of_us_is_told_as_well(serving: tuple[subprocess.Popen[str], int]) -> None:
    _server, port = serving
    status_of(port, "/healthz")

    with pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", port)


def test_a_name_may_stand_for_several_addresses() -> None:
    sockets = listen("localhost", 0)

    names = {own.getsockname()[:2] for own in sockets}
    for own in sockets:
        own.close()

    assert names <= {("127.0.0.1", sorted(names)[0][1]), ("::1", sorted(names)[0][1])}
    assert names


def test_a_port_in_use_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        _out, err = start(tmp_path, port).communicate(timeout=PATIENCE)

    assert f"cannot listen on 127.0.0.1, port {port}" in err
    assert "Traceback" not in err


def test_a_bad_setting_is_told_in_a_sentence(tmp_path: Path) -> None:
    _out, err = start(tmp_path, 0, SCOREKEEPER_PUBLIC_URL="pitch").communicate(timeout=PATIENCE)

    assert "SCOREKEEPER_PUBLIC_URL" in err
    assert "Traceback" not in err


def said(host: str, public_url: str = "") -> str:
    out = io.StringIO()
    announce(host, 8000, public_url, out)
    return out.getvalue()


def test_phones_get_an_address_and_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.serving.network.lan_address", lambda: "192.168.1.5")

    assert "http://192.168.1.5:8000/" in said("0.0.0.0")
    assert "█" in said("0.0.0.0")


@pytest.mark.parametrize(
    ("host", "public_url", "is_warned"),
    [
        ("0.0.0.0", "https://pitch.example", True),
        ("::", "https://pitch.example", True),
        ("127.0.0.1", "https://pitch.example", False),
        ("0.0.0.0", "", False),
    ],
)
def test_a_port_beside_the_proxy_is_warned_of(host: str, public_url: str, is_warned: bool) -> None:
    assert ("SCOREKEEPER_HOST=127.0.0.1" in said(host, public_url)) is is_warned


def test_behind_a_proxy_phones_get_the_public_address() -> None:
    assert "https://pitch.example/" in said("127.0.0.1", "https://pitch.example")
    assert "█" in said("127.0.0.1", "https://pitch.example")


def test_what_only_this_machine_reaches_has_no_code_for_phones() -> None:
    assert "█" not in said("127.0.0.1")


def test_a_machine_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.serving.network.lan_address", lambda: "127.0.0.1")

    assert "not on a network" in said("0.0.0.0")


def test_a_terminal_that_cannot_draw_still_shows_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.serving.network.lan_address", lambda: "192.168.1.5")
    drawn = io.BytesIO()
    terminal = io.TextIOWrapper(drawn, encoding="ascii")

    announce("0.0.0.0", 8000, "", terminal)
    terminal.flush()

    assert b"http://192.168.1.5:8000/" in drawn.getvalue()
