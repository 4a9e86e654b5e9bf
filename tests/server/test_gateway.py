"""Requests as they come over the network: slow, cut off, too large or malformed; and what the app is told of them."""

import asyncio
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from ipaddress import ip_network
from queue import SimpleQueue
from threading import Event, Thread

import pytest
from flask import Flask, Response, request

from scorekeeper.config import LARGEST_BODY, LARGEST_FORM, largest_body
from scorekeeper.server import gateway, server
from scorekeeper.server.gateway import Message
from tests.common.apps import serving
from tests.common.threads import in_thread

PATIENCE = 20.0
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
FILE = "Content-Type: multipart/form-data; boundary=x\r\n"
LARGE = 3_000_000


@pytest.fixture(scope="module")
def seen() -> list[str]:
    """Return what the app has been asked for."""
    return []


@pytest.fixture(scope="module")
def port(seen: list[str]) -> Iterator[int]:
    """Serve an app that tells what it was sent."""
    app = Flask("tells")

    def tell() -> str:
        seen.append(request.path)
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = request.get_data()
        return f"{request.method} {request.path} {request.remote_addr} {len(body)} {headers}"

    def fail() -> str:
        raise SystemError(request.args["link"])

    def refuse() -> Response:
        seen.append(request.path)
        return Response("Not now", status=503)

    @app.before_request
    def limit() -> None:
        request.max_content_length = largest_body(request.mimetype)

    app.add_url_rule("/<path:path>", view_func=lambda path: tell(), methods=["GET", "POST"], endpoint="tell")
    app.add_url_rule("/large", view_func=lambda: Response(b"x" * LARGE), endpoint="large")
    app.add_url_rule("/busy", view_func=refuse, endpoint="busy")
    app.add_url_rule("/fail", view_func=fail, endpoint="fail")
    app.config["PROPAGATE_EXCEPTIONS"] = True
    with serving(app) as url:
        yield int(url.rpartition(":")[2])


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def ask(port: int, head: str, body: bytes = b"") -> str:
    """Send a request, and return all that is answered until the connection is closed."""
    with closing(connect(port)) as line:
        line.sendall(f"{head}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode("latin-1") + body)
        return b"".join(iter(lambda: line.recv(65536), b"")).decode("latin-1")


def write_for(seconds: float, line: socket.socket) -> None:
    """Write to a connection: before it is used again, nobody is told that the other end is closed."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        line.send(b" ")
        time.sleep(0.05)


def status(answer: str) -> int:
    return int(answer.split(" ", 2)[1])


def test_the_app_is_told_who_asks_for_what(port: int) -> None:
    answer = ask(port, "POST /b%C3%A9/a?v=3 HTTP/1.1\r\nContent-Length: 3", b"abc")

    assert status(answer) == 200
    assert "POST /bé/a 127.0.0.1 3 " in answer.encode("latin-1").decode()


def test_headers_of_one_name_are_joined(port: int) -> None:
    answer = ask(port, "GET /a HTTP/1.1\r\nAccept: a\r\nAccept: b\r\nCookie: a=1\r\nCookie: b=2")

    assert "'accept': 'a,b'" in answer
    assert "'cookie': 'a=1; b=2'" in answer


def test_no_header_passes_for_another_one(port: int) -> None:
    assert "forwarded" not in ask(port, "GET /a HTTP/1.1\r\nX_Forwarded_For: 203.0.113.9")


def test_a_connection_is_used_again(port: int) -> None:
    with closing(connect(port)) as line:
        for path in ("/first", "/second"):
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            answer = line.recv(65536).decode()
            assert f"GET {path} " in answer


def test_a_head_request_gets_no_body(port: int) -> None:
    answer = ask(port, "HEAD /large HTTP/1.1")

    assert f"content-length: {LARGE}\r\n" in answer
    assert answer.endswith("\r\n\r\n")


def test_a_large_answer_arrives_whole(port: int) -> None:
    assert ask(port, "GET /large HTTP/1.1").partition("\r\n\r\n")[2] == "x" * LARGE


@pytest.mark.parametrize(
    ("head", "answered"),
    [
        ("nonsense", 400),
        ("GET /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2", 400),
        ("GET /a HTTP/1.1\r\nContent-Length: many", 400),
        ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
        ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3", 411),
        (f"POST /a HTTP/1.1\r\nContent-Length: {gateway.LARGEST_DROPPED + 1}", 413),
        ("GET /a HTTP/1.1\r\nX: " + "x" * 1_000_000, 431),
    ],
)
def test_what_is_malformed_does_not_reach_the_app(port: int, seen: list[str], head: str, answered: int) -> None:
    seen.clear()

    assert status(ask(port, head)) == answered
    assert not seen


@pytest.mark.parametrize(("kind", "length"), [(FILE, LARGEST_BODY + 1), (FORM, LARGEST_FORM + 1)])
def test_the_app_turns_away_what_is_too_large(port: int, kind: str, length: int) -> None:
    answer = ask(port, f"POST /a HTTP/1.1\r\n{kind}Content-Length: {length}", b"x" * length)

    assert status(answer) == 413
    assert "<title>413" in answer


def test_a_request_that_breaks_off_does_not_reach_the_app(port: int, seen: list[str]) -> None:
    seen.clear()
    with closing(connect(port)) as line:
        line.sendall(b"POST /half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nab")
        line.shutdown(socket.SHUT_WR)
        line.recv(65536)
    ask(port, "GET /after HTTP/1.1")

    assert seen == ["/after"]


def test_a_request_that_does_not_come_to_an_end_is_not_waited_for(
    port: int, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "LONGEST_REQUEST", 0.2)
    seen.clear()

    answer = ask(port, "POST /half HTTP/1.1\r\nContent-Length: 100", b"ab")

    assert (status(answer), seen) == (408, [])


HALF = b"POST /half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"


def begin(port: int, *addresses: str) -> list[socket.socket]:
    """Send the first half of a request for each of these machines, by the proxy."""
    lines = []
    for address in addresses:
        lines.append(connect(port))
        lines[-1].sendall(HALF + f"X-Forwarded-For: 203.0.113.1, {address}\r\n\r\nab".encode())
        time.sleep(0.02)  # they are begun in this order
    return lines


def ended(lines: list[socket.socket]) -> list[int]:
    """Return which of these requests were ended, as too slow and with their connection."""
    found = []
    for place, line in enumerate(lines):
        if select.select([line], [], [], 0.2)[0]:
            answer = b"".join(iter(partial(line.recv, 65536), b"")).decode()
            assert status(answer) == 408
            found.append(place)
        line.close()
    return found


def test_of_too_many_unfinished_requests_of_one_machine_the_oldest_ends(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "MOST_OF_ONE", 3)

    # Whoever is no trusted proxy speaks for itself alone.
    assert ended(begin(port, *(f"198.51.100.{number}" for number in range(5)))) == [0, 1]


def test_only_requests_that_are_unfinished_count(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "MOST_OF_ONE", 2)
    with ExitStack() as lines:
        for number in range(10):
            line = lines.enter_context(closing(connect(port)))
            if number % 2:  # every second one is idle from the start, the others once they were answered
                line.sendall(b"POST /whole HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab")
                assert status(line.recv(65536).decode()) == 200

        assert ended(begin(port, "", "")) == []


@pytest.fixture
def proxied(seen: list[str]) -> Iterator[int]:
    """Serve behind a proxy on this machine."""
    app = Flask("proxied")
    app.config.update(PUBLIC_URL="https://pitch.example", PROXIES=(ip_network("127.0.0.0/8"),))
    with serving(app) as url:
        yield int(url.rpartition(":")[2])


@pytest.mark.parametrize(
    ("addresses", "over"),
    [
        (["198.51.100.1", "198.51.100.2", "198.51.100.1", "198.51.100.1"], [0]),
        (["198.51.100.1", "198.51.100.2", "198.51.100.3", "198.51.100.4"], []),
        (["2001:db8:1:2::1", "2001:db8:1:2:3::4", "2001:db8:1:3::1", "2001:db8:1:2:ff::"], [0]),
        (["198.51.100.1", "::ffff:198.51.100.1", "::ffff:c633:6401"], [0]),
        (["198.51.100.1:50001", "198.51.100.1:50002", "[::ffff:198.51.100.1]:50003"], [0]),
        (["unknown", "hidden-2", "hidden-3"], [0]),
    ],
)
def test_a_proxys_requests_count_for_whom_it_asks(
    proxied: int, monkeypatch: pytest.MonkeyPatch, addresses: list[str], over: list[int]
) -> None:
    monkeypatch.setattr(gateway, "MOST_OF_ONE", 2)

    assert ended(begin(proxied, *addresses)) == over


def test_of_too_many_in_all_the_oldest_of_whoever_has_most_ends(proxied: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "MOST_UNFINISHED", 4)

    few, many = "198.51.100.1", "198.51.100.2"
    assert ended(begin(proxied, few, many, many, many, many, few)) == [1, 2]


def test_slow_requests_keep_no_thread(port: int) -> None:
    lines = [connect(port) for _ in range(3 * gateway.THREADS)]
    for line in lines:
        line.sendall(b"POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nab")

    answer = ask(port, "GET /other HTTP/1.1")

    assert "GET /other " in answer
    for line in lines:
        line.close()


def test_answers_that_nobody_fetches_keep_no_thread(port: int) -> None:
    lines = [connect(port) for _ in range(3 * gateway.THREADS)]
    for line in lines:
        line.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")

    answer = ask(port, "GET /other HTTP/1.1")

    assert "GET /other " in answer
    for line in lines:
        line.close()


def test_an_answer_that_nobody_fetches_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "LONGEST_ANSWER", 0.1)

    async def never(_message: Message) -> None:
        await asyncio.Event().wait()

    answer = gateway.Answer(200, [], b"x")
    in_thread(lambda: asyncio.run(asyncio.wait_for(gateway.send_answer(answer, never), PATIENCE)))


def test_a_connection_that_takes_no_more_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LONGEST_UNREAD", 1.0)
    app = Flask("huge")
    app.add_url_rule("/", view_func=lambda: Response(b"x" * 10 * LARGE))
    with serving(app) as url, closing(socket.socket()) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with pytest.raises(ConnectionError):
            write_for(PATIENCE, line)


def test_files_are_not_taken_beyond_what_memory_is_for_them(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "MOST_HELD", LARGEST_FORM)
    length = 4 * LARGEST_FORM

    refused = ask(port, f"POST /a HTTP/1.1\r\n{FILE}Content-Length: {length}", b"x" * length)
    form = ask(port, f"POST /a HTTP/1.1\r\n{FORM}Content-Length: 3", b"a=b")

    assert (status(refused), status(form)) == (503, 200)
    assert "retry-after: 10" in refused


def test_an_error_beyond_the_apps_own_pages_is_told_without_what_it_was_about(
    port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = ask(port, "GET /fail?link=abcdef HTTP/1.1")

    assert status(answer) == 500
    written = capfd.readouterr().err
    assert "SystemError" in written
    assert "abcdef" not in written


def test_whoever_is_told_to_ask_again_waits_and_leaves_the_threads_to_others(
    port: int, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "PAUSE", PATIENCE / 4)
    seen.clear()
    many = 2 * gateway.THREADS
    with ExitStack() as lines:
        waiting = [lines.enter_context(closing(connect(port))) for _ in range(many)]
        for line in waiting:
            line.sendall(b"GET /busy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while seen.count("/busy") < many:
            time.sleep(0.01)

        page = ask(port, "GET /page HTTP/1.1")

        assert status(page) == 200
        assert select.select(waiting, [], [], 0)[0] == []


def test_whoever_is_told_to_ask_again_is_answered_after_a_pause(port: int) -> None:
    begin = time.monotonic()

    assert status(ask(port, "GET /busy HTTP/1.1")) == 503

    assert time.monotonic() - begin >= gateway.PAUSE


LATER = "503 The computer that keeps score can’t do that right now. Try again in a moment.\n"


def answered(line: socket.socket) -> str:
    """Return the status and the words of the next answer."""
    head, _, body = b"".join(iter(lambda: line.recv(65536), b"")).decode().partition("\r\n\r\n")
    assert "retry-after: " in head
    return f"{status(head)} {body}"


def test_what_is_under_way_when_the_server_stops_is_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "LONGEST_GOODBYE", 1.0)
    app, begun, ended = Flask("slow"), Event(), Event()

    def wait() -> str:
        begun.set()
        ended.wait(PATIENCE)
        return "late"

    app.add_url_rule("/slow", view_func=wait)
    [own], stop = server.listen("127.0.0.1", 0), SimpleQueue[Callable[[], None]]()
    port = int(own.getsockname()[1])
    thread = Thread(target=server.run, args=(app, [own], stop.put), daemon=True)
    thread.start()
    tell_to_stop = stop.get(timeout=PATIENCE)
    with closing(connect(port)) as slow, closing(connect(port)) as arriving:
        arriving.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: 9\r\n\r\nabc".encode())
        slow.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert begun.wait(PATIENCE)

        tell_to_stop()

        assert answered(arriving) == LATER
        assert answered(slow) == LATER
    ended.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_what_comes_after_the_server_has_stopped_is_put_off() -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    async def stop_and_ask() -> None:
        stopping = gateway.Gateway(Flask("stops"))
        await stopping.finish()
        scope = {"method": "POST", "headers": [], "client": ("127.0.0.1", 1)}
        await asyncio.wait_for(stopping(scope, receive, send), PATIENCE)

    in_thread(lambda: asyncio.run(stop_and_ask()))

    head, body = sent
    assert f"{head['status']} {body['body'].decode()}" == LATER
    assert (b"retry-after", b"10") in head["headers"]
