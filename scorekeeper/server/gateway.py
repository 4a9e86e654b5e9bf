"""What stands between the server and the app: a request is read whole, within limits, before a thread answers it.

The server speaks ASGI to it, and it calls the app by WSGI. A request that comes slowly, or never, and an answer that is
fetched slowly keep no thread; only the app itself does.

What others lack, as measured with Granian 2.8.7 and four threads; here a page takes 3 ms beside each of these:
- Granian's own WSGI: twenty posts of which half has arrived stop every page, and one slow reader keeps it from ending.
- asgiref 3.13: it calls the app on one thread, which twenty slow readers stop, and takes a body of any size.
- a2wsgi 1.10: it answers each post with 500, since Granian's `receive()` is no coroutine; twenty slow readers stop it.
"""

import asyncio
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication

from scorekeeper.access.networks import Networks, forwarded_address, is_within, one_machine
from scorekeeper.config import LARGEST_BODY, LARGEST_FORM, largest_body
from scorekeeper.server.error_log import print_error
from scorekeeper.server.watch import KIND, RULE, Answered, Watch

THREADS = 4
"""More are slower: Python runs one at a time, and none waits for long."""
LONGEST_REQUEST = 60.0
"""Seconds in which the body of a request has to arrive: enough for the largest file on a slow line."""
MOST_OF_ONE, MOST_UNFINISHED = 200, 1000
"""Requests that may still be arriving, of one machine and of all."""
LONGEST_ANSWER = 120.0
"""Seconds in which an answer has to be fetched."""
LONGEST_GOODBYE = 5.0
"""Seconds for the answers that are under way when the server stops."""
PAUSE = 0.25
"""Seconds that a 503 is held back, by no thread: whoever asks again and again leaves the threads to others."""
LARGEST_DROPPED = 2 * LARGEST_BODY
"""Bytes that are read only to be dropped: whoever sends that much gets the page that says so."""
MOST_HELD = 4 * LARGEST_BODY
"""Bytes of requests that are still arriving; beyond these no file is taken."""
LATER = "The computer that keeps score can’t do that right now. Try again in a moment."
PIECE = 64 * 1024
"""Bytes of an answer that the server is handed at a time."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back."""

    status: int
    headers: list[tuple[bytes, bytes]]
    content: bytes


class NotTaken(Exception):
    """A request that does not get as far as the app."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class CutOff(Exception):
    """Whoever sent a request has left in the middle of it."""


class Unfinished:
    """The requests that are still arriving, by the machine that sends them, the first one first."""

    def __init__(self) -> None:
        self._by_machine: defaultdict[str, list[asyncio.Timeout]] = defaultdict(list)

    @contextmanager
    def counted(self, machine: str, limit: asyncio.Timeout) -> Iterator[None]:
        """Count a request while it arrives; one too many ends the first one of whoever has most, by its time limit."""
        own = self._by_machine[machine]
        own.append(limit)
        if len(own) > MOST_OF_ONE or sum(map(len, self._by_machine.values())) > MOST_UNFINISHED:
            _end(max(self._by_machine.values(), key=len).pop(0))
        try:
            yield
        finally:
            if limit in own:
                own.remove(limit)
            if not self._by_machine[machine]:
                del self._by_machine[machine]

    def end(self) -> None:
        """End all of them by their time limits."""
        for own in self._by_machine.values():
            for limit in own:
                _end(limit)


def _end(limit: asyncio.Timeout) -> None:
    with suppress(RuntimeError):  # its time was over just now
        limit.reschedule(0)


class Gateway:
    """A WSGI application as an ASGI application.

    Its proxies say for whom they ask, and its watches are told what was answered.
    """

    def __init__(self, app: WSGIApplication, proxies: Networks = (), watches: Sequence[Watch] = ()) -> None:
        self._app = app
        self._proxies = proxies
        self._watches = watches
        self._unfinished = Unfinished()
        self._waiting: SimpleQueue[tuple[dict[str, Any], asyncio.Future[Answer]] | None] = SimpleQueue()
        self._answering: set[asyncio.Future[Answer]] = set()
        self._held = 0
        self._is_stopping = False
        for _ in range(THREADS):
            Thread(target=self._work, daemon=True).start()  # none of them keeps the process when it is told to end

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            body = await self._body(dict(scope["headers"]), scope["client"][0], receive)
        except CutOff:
            return
        except NotTaken as refusal:
            refused = _in_a_word(refusal.status)
            self._tell({"REQUEST_METHOD": scope["method"]}, refused, 0.0)
            await send_answer(refused, send)
            return
        if self._is_stopping:  # nobody is there any more to answer it
            await send_answer(_in_a_word(HTTPStatus.SERVICE_UNAVAILABLE), send)
            return
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answering.add(answer)
        environ, began = environ_of(scope, body), perf_counter()
        try:
            self._waiting.put((environ, answer))
            made = await answer
            self._tell(environ, made, perf_counter() - began)
            if made.status == HTTPStatus.SERVICE_UNAVAILABLE and not self._is_stopping:
                await asyncio.sleep(PAUSE)
            await send_answer(made, send)
        finally:
            self._answering.discard(answer)

    async def finish(self) -> None:
        """Wait for the answers that are under way, and end the threads; what comes from now on is put off."""
        self._is_stopping = True
        self._unfinished.end()
        if self._answering:
            _, late = await asyncio.wait(self._answering, timeout=LONGEST_GOODBYE)
            for answer in late:
                answer.set_result(_in_a_word(HTTPStatus.SERVICE_UNAVAILABLE))
        for _ in range(THREADS):
            self._waiting.put(None)

    async def _body(self, headers: Mapping[bytes, bytes], peer: str, receive: Receive) -> bytes:
        if b"transfer-encoding" in headers:
            # Browsers and proxies say how much they send; of anything else nobody knows whether it is there whole.
            raise NotTaken(HTTPStatus.LENGTH_REQUIRED)
        length = int(headers.get(b"content-length", 0))
        if not length:
            return b""
        if length > LARGEST_DROPPED:
            raise NotTaken(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        mimetype = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
        is_kept = length <= largest_body(mimetype)  # the app turns anything else away by its length, with a page
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(LONGEST_REQUEST) as limit:
                with self._unfinished.counted(self._machine(headers, peer), limit):
                    async for part in _parts(receive):
                        if is_kept:
                            parts.append(part)
                            self._held += len(part)
                        if is_kept and length > LARGEST_FORM and self._held > MOST_HELD:
                            raise NotTaken(HTTPStatus.SERVICE_UNAVAILABLE)
        except TimeoutError:
            is_ours = self._is_stopping
            raise NotTaken(HTTPStatus.SERVICE_UNAVAILABLE if is_ours else HTTPStatus.REQUEST_TIMEOUT) from None
        finally:
            self._held -= sum(map(len, parts))
        return b"".join(parts)

    def _machine(self, headers: Mapping[bytes, bytes], peer: str) -> str:
        """Return which machine sends a request; the last one that a proxy names has asked it."""
        if self._proxies and is_within(peer, self._proxies):
            peer = forwarded_address(headers.get(b"x-forwarded-for", b"").decode("latin-1"), peer)
        return one_machine(peer)

    def _tell(self, environ: Mapping[str, Any], made: Answer, seconds: float) -> None:
        """Call whoever watches with what was answered: what the app wrote into the environment is all they learn."""
        for watch in self._watches:
            kind, rule = environ.get(KIND, "refused"), environ.get(RULE, "")
            watch(Answered(environ["REQUEST_METHOD"], rule, kind, made.status, seconds, len(made.content)))

    def _work(self) -> None:
        """Answer one request after the other."""
        while item := self._waiting.get():
            environ, answer = item
            made = self._call(environ)
            with suppress(RuntimeError):  # the server has stopped without waiting any longer
                answer.get_loop().call_soon_threadsafe(_deliver, answer, made)

    def _call(self, environ: dict[str, Any]) -> Answer:
        began: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], _fault: Any = None
        ) -> Callable[[bytes], object]:
            began[:] = [(status, headers)]
            return lambda _data: None

        try:
            parts = self._app(environ, start_response)
            try:
                content = b"".join(parts)
            finally:
                if close := getattr(parts, "close", None):
                    close()
            [(status, headers)] = began
            encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        except Exception as error:  # the app has a page for its errors, so this one lies beyond it
            print_error(error, "a request")
            return _in_a_word(HTTPStatus.INTERNAL_SERVER_ERROR)
        return Answer(int(status[:3]), encoded, content)


def environ_of(scope: Message, body: bytes) -> dict[str, Any]:
    """Return a request as WSGI describes it."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:
            continue  # it would pass for the header with dashes, which may be a proxy's alone to set
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        text = value.decode("latin-1")
        joint = "; " if name == b"cookie" else ","
        environ[key] = f"{environ[key]}{joint}{text}" if key in environ else text
    return environ


async def _parts(receive: Receive) -> AsyncIterator[bytes]:
    is_more = True
    while is_more:
        message = await receive()
        if message["type"] != "http.request":
            raise CutOff
        is_more = message.get("more_body", False)
        yield message.get("body", b"")


async def send_answer(answer: Answer, send: Send) -> None:
    """Hand an answer to the server, in pieces as it is fetched."""
    length = len(answer.content)
    with suppress(TimeoutError):  # the server closes the connection of an answer that is not whole
        async with asyncio.timeout(LONGEST_ANSWER):
            await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
            for start in range(0, max(length, 1), PIECE):
                piece, is_more = answer.content[start : start + PIECE], start + PIECE < length
                await send({"type": "http.response.body", "body": piece, "more_body": is_more})


def _deliver(future: asyncio.Future[Answer], answer: Answer) -> None:
    if not future.done():
        future.set_result(answer)


def _in_a_word(status: HTTPStatus) -> Answer:
    """Return an answer to what no page of ours sends."""
    text = f"{LATER if status == HTTPStatus.SERVICE_UNAVAILABLE else status.phrase}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append((b"retry-after", b"10"))
    return Answer(status, headers, text)
