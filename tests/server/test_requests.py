"""Requests over the network: slow, cut off, too large or malformed; and the environ that the app gets."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import HTTPConnection
from ipaddress import ip_network
from queue import SimpleQueue
from threading import Event, Thread

import pytest
from flask import Flask, Response, request
from werkzeug.test import Client

from scorekeeper.config import MAX_BODY_BYTES, MAX_FORM_BYTES
from scorekeeper.server import http_server, server
from scorekeeper.server.limited_app import LimitedApp, ProcessorLimit
from tests.common.apps import serving

PATIENCE = 20.0
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
FILE = "Content-Type: multipart/form-data; boundary=x\r\n"
LARGE = 3_000_000


@pytest.fixture(scope="module")
def seen() -> list[str]:
    """Return the paths that have been requested of the app."""
    return []


@pytest.fixture(scope="module")
def port(seen: list[str]) -> Iterator[int]:
    """Serve an app that answers with the request that it got."""
    app = Flask("echo")

    def echo() -> str:
        seen.append(request.path)
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = request.get_data()
        return f"{request.method} {request.path} {request.remote_addr} {len(body)} {headers}"

    def fail() -> str:
        raise SystemError(request.args["link"])

    @app.before_request
    def limit() -> None:
        request.max_content_length = MAX_BODY_BYTES if "multipart" in request.mimetype else MAX_FORM_BYTES

    app.add_url_rule("/<path:path>", view_func=lambda path: echo(), methods=["GET", "POST"], endpoint="echo")
    app.add_url_rule("/large", view_func=lambda: Response(b"x" * LARGE), endpoint="large")
    app.add_url_rule("/nothing", view_func=lambda: Response(status=204), endpoint="nothing")
    app.add_url_rule("/fail", view_func=fail, endpoint="fail")
    app.config["PROPAGATE_EXCEPTIONS"] = True
    with serving(app) as url:
        yield int(url.rpartition(":")[2])


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def send_request(port: int, head: str, body: bytes = b"") -> str:
    """Send a request, and return everything received until the connection is closed."""
    with closing(connect(port)) as line:
        line.sendall(f"{head}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode("latin-1") + body)
        return read_all(line)


def read_all(line: socket.socket) -> str:
    """Return everything received until the other end closes the connection, and close it."""
    received = bytearray()
    with closing(line), suppress(ConnectionResetError):  # what is not read of a request that is refused resets it
        while part := line.recv(65536):
            received += part
    return received.decode("latin-1")


def status(answer: str) -> int:
    return int(answer.split(" ", 2)[1])


def test_the_app_gets_the_address_and_the_request(port: int) -> None:
    answer = send_request(port, "POST /b%C3%A9/a?v=3 HTTP/1.1\r\nContent-Length: 3", b"abc")

    assert status(answer) == 200
    assert "POST /bé/a 127.0.0.1 3 " in answer.encode("latin-1").decode()


def test_no_header_passes_for_another_one(port: int) -> None:
    assert "forwarded" not in send_request(port, "GET /a HTTP/1.1\r\nX_Forwarded_For: 203.0.113.9")


def test_a_connection_is_used_again(port: int) -> None:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
        line.connect()
        opened = line.sock
        for path, answered in (("/first", 200), ("/nothing", 204), ("/second", 200)):
            line.request("GET", path)
            with line.getresponse() as answer:
                answer.read()
            assert (answer.status, line.sock) == (answered, opened)


def test_a_head_request_gets_no_body(port: int) -> None:
    answer = send_request(port, "HEAD /large HTTP/1.1")

    assert f"Content-Length: {LARGE}\r\n" in answer
    assert answer.endswith("\r\n\r\n")


@pytest.mark.parametrize(
    ("head", "answered"),
    [
        ("nonsense", 400),
        ("GET /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2", 400),
        ("GET /a HTTP/1.1\r\nContent-Length: many", 400),
        (f"POST /a HTTP/1.1\r\nContent-Length: {http_server.MAX_READ_BODY_BYTES + 1}", 413),
        ("GET /a HTTP/1.1\r\nX: " + "x" * http_server.MAX_HEAD_BYTES, 431),
    ],
)
def test_what_is_malformed_does_not_reach_the_app(port: int, seen: list[str], head: str, answered: int) -> None:
    seen.clear()

    assert status(send_request(port, head)) == answered
    assert not seen


@pytest.mark.parametrize(("kind", "length"), [(FILE, MAX_BODY_BYTES + 1), (FORM, MAX_FORM_BYTES + 1)])
def test_the_app_turns_away_what_is_too_large(port: int, kind: str, length: int) -> None:
    answer = send_request(port, f"POST /a HTTP/1.1\r\n{kind}Content-Length: {length}", b"x" * length)

    assert status(answer) == 413
    assert "<title>413" in answer


def test_a_request_that_breaks_off_does_not_reach_the_app(port: int, seen: list[str]) -> None:
    seen.clear()
    with closing(connect(port)) as line:
        line.sendall(b"POST /half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nab")
        line.shutdown(socket.SHUT_WR)
        line.recv(65536)
    send_request(port, "GET /after HTTP/1.1")

    assert seen == ["/after"]


SILENT = {
    "nothing": b"",
    "half a request": b"GET / HTTP/1.1\r\nHost:",
    "half a form": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nab",
    "what it does not fetch": b"GET /huge HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("sent", SILENT.values(), ids=SILENT)
def test_a_connection_on_which_nothing_moves_is_closed(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "IDLE_TIMEOUT_S", 1)
    app = Flask("huge")
    app.add_url_rule("/huge", view_func=lambda: Response(b"x" * 10 * LARGE))
    with serving(app) as url, closing(socket.socket()) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        line.sendall(sent)
        time.sleep(3)
        line.settimeout(PATIENCE)
        received = sum(map(len, iter(lambda: line.recv(65536), b"")))

    assert received < 10 * LARGE


def test_a_client_that_sends_on_without_reading_answers_is_cut_off(port: int) -> None:
    line = connect(port)
    line.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)

    assert len(read_all(line)) < 10 * LARGE


def test_an_error_beyond_the_apps_own_pages_is_told_without_what_it_was_about(
    port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = send_request(port, "GET /fail?link=abcdef HTTP/1.1")

    assert status(answer) == 500
    written = capfd.readouterr().err
    assert "SystemError" in written
    assert "abcdef" not in written


@pytest.fixture
def stoppable() -> Iterator[tuple[int, Event, Callable[[], None]]]:
    """Serve an app that answers once it may; return its port, when it has begun, and what stops the server."""
    app, begun = Flask("slow"), Event()

    def wait() -> str:
        begun.set()
        time.sleep(1)
        return "late"

    app.add_url_rule("/slow", view_func=wait)
    app.add_url_rule("/large", view_func=lambda: Response(b"x" * 10 * LARGE), endpoint="large")
    [own], stop = server.listen("127.0.0.1", 0), SimpleQueue[Callable[[], None]]()
    port = int(own.getsockname()[1])
    thread = Thread(target=server.serve_on_sockets, args=(app, [own], stop.put), daemon=True)
    thread.start()
    yield port, begun, stop.get(timeout=PATIENCE)
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_request_begun_before_the_server_stops_is_answered(
    stoppable: tuple[int, Event, Callable[[], None]],
) -> None:
    port, begun, stop = stoppable
    lines = [connect(port) for _ in range(2 * http_server.APP_THREADS)]
    for line in lines:
        line.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert begun.wait(PATIENCE)
    time.sleep(0.2)  # those that no thread has begun have come as well

    stop()

    assert [read_all(line).rpartition("\n")[2] for line in lines] == ["late"] * len(lines)


def test_an_answer_that_is_being_fetched_when_the_server_stops_arrives_whole(
    stoppable: tuple[int, Event, Callable[[], None]],
) -> None:
    port, _begun, stop = stoppable
    with closing(connect(port)) as line:
        line.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = len(line.recv(10))

        stop()

        received += sum(map(len, iter(lambda: line.recv(65536), b"")))
    assert received > 10 * LARGE


@pytest.fixture
def hungry() -> Client:
    """Return a client of an app behind a proxy; one request takes more processor time than a machine may."""

    def work(_environ: object, start_response: Callable[..., object]) -> list[bytes]:
        until = time.thread_time() + 0.1
        while time.thread_time() < until:
            pass
        start_response("200 OK", [])
        return [b"done"]

    return Client(LimitedApp(work, (ip_network("127.0.0.0/8"),), limit=ProcessorLimit(burst_s=0.05, rate=0.001)))


def statuses_for(client: Client, *addresses: str) -> list[int]:
    """Send a request through the proxy for each of these machines in turn; return the statuses."""
    named = ({"X-Forwarded-For": f"203.0.113.1, {address}"} if address else {} for address in addresses)
    return [
        client.get("/", headers=headers, environ_base={"REMOTE_ADDR": "127.0.0.1"}).status_code for headers in named
    ]


@pytest.mark.parametrize(
    ("addresses", "answered"),
    [
        (("198.51.100.1", "198.51.100.2", "198.51.100.1"), [200, 200, 429]),
        (("2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:1:2:ff::"), [200, 200, 429]),
        (("198.51.100.1", "::ffff:198.51.100.1", "198.51.100.1:50001"), [200, 429, 429]),
        (("127.0.0.1", "127.0.0.1", ""), [200, 200, 200]),
    ],
)
def test_a_machine_that_took_its_share_of_the_processor_waits_and_the_others_do_not(
    hungry: Client, addresses: tuple[str, ...], answered: list[int]
) -> None:
    assert statuses_for(hungry, *addresses) == answered


def test_who_is_no_proxy_speaks_for_itself_alone(hungry: Client) -> None:
    answers = [
        hungry.get("/", headers={"X-Forwarded-For": f"198.51.100.{number}"}, environ_base={"REMOTE_ADDR": "192.0.2.1"})
        for number in (1, 2)
    ]

    assert [answer.status_code for answer in answers] == [HTTPStatus.OK, HTTPStatus.TOO_MANY_REQUESTS]
    assert int(answers[1].headers["Retry-After"]) > 0
    assert "Wait a moment, then send it again." in answers[1].text


def test_a_server_that_ends_while_another_thread_stops_it_raises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    [listener] = server.listen("127.0.0.1", 0)
    address = listener.getsockname()

    class SlowEvent(Event):
        def set(self) -> None:
            super().set()
            socket.create_connection(address).close()  # the loop wakes and ends
            time.sleep(1)

    monkeypatch.setattr(http_server, "Event", SlowEvent)
    stopped = http_server.HttpServer(Flask("stopped"), [listener])
    thread = Thread(target=stopped.serve, daemon=True)
    thread.start()

    stopped.stop()

    thread.join(timeout=PATIENCE)
    assert not thread.is_alive()
