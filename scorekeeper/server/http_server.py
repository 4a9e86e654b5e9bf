"""Waitress with our limits: one thread of it reads requests and sends answers, and others make these.

So hundreds of slow or idle connections keep nobody waiting.
"""

import logging
import socket
from collections.abc import Sequence
from threading import Event
from time import monotonic
from typing import Any
from wsgiref.types import WSGIApplication

from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel
from waitress.task import WSGITask
from waitress.trigger import trigger

from scorekeeper.config import LARGEST_BODY, LARGEST_FORM
from scorekeeper.system import IS_WINDOWS, open_files

THREADS = 4
"""More are slower: Python runs one at a time, and none waits for long."""
MAX_CONNECTIONS = 450 if IS_WINDOWS else 2000
"""Open at once; the next one waits until another is closed. Windows waits for no more than 512 sockets."""
SILENCE_TIMEOUT_S = 30
"""After which a connection is closed on which nothing comes, or nothing is taken of what is sent."""
MAX_HEAD_SIZE = 32 * 1024
"""Bytes of a request without its body."""
MAX_BODY_SIZE = 2 * LARGEST_BODY
"""Bytes that are read, though the app takes half as many: whoever sends more than these gets the page that says so."""
STOP_TIMEOUT_S = 5.0
"""For the answers that are under way when the server stops."""
_LOOP_TIMEOUT_S = 1
"""After which Windows, where a signal wakes nobody, finds out that it is to stop."""
_OTHER_FILES = 100
"""Files and sockets beside the connections."""

# What waitress logs is written nowhere: it names the path of a page, which is a key.
logging.getLogger("waitress").addHandler(logging.NullHandler())


class _Task(WSGITask):  # type: ignore[misc]
    """A request that is answered."""

    def set_close_on_finish(self) -> None:
        """Close the connection, but for an answer without a body: a phone that polls would open another each time."""
        if self.has_body or self.request.connection_close:
            super().set_close_on_finish()


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A connection."""

    task_class = _Task

    def received(self, data: bytes) -> bool:
        """Take what has come; who asks for more before the answer is there is cut off, else memory would fill up."""
        is_taken: bool = super().received(data)
        if len(self.requests) > 1:
            self.will_close = True
        return is_taken


class HttpServer:
    """A server on sockets that are open."""

    def __init__(self, app: WSGIApplication, sockets: Sequence[socket.socket]) -> None:
        self._stopped = Event()
        self._channels: dict[int, Any] = {}
        self._trigger = trigger(self._channels)
        self._server = create_server(
            app,
            self._channels,
            sockets=list(sockets),
            threads=THREADS,
            connection_limit=_connection_limit(),
            asyncore_use_poll=True,
            channel_timeout=SILENCE_TIMEOUT_S,
            cleanup_interval=SILENCE_TIMEOUT_S // 6,
            max_request_header_size=MAX_HEAD_SIZE,
            max_request_body_size=MAX_BODY_SIZE + 1,
            inbuf_overflow=LARGEST_FORM,
            clear_untrusted_proxy_headers=False,  # the app does, which knows its proxies
            log_socket_errors=False,
            ident=None,
        )
        self._listeners = [connection for connection in self._channels.values() if connection.accepting]
        for listener in self._listeners:
            listener.channel_class = _Channel

    def stop(self) -> None:
        """Stop soon; any thread may call it, and a signal."""
        if not self._stopped.is_set():  # later the number of the trigger's file may be that of another one
            self._stopped.set()
            self._trigger.pull_trigger()

    def serve(self) -> None:
        """Serve until stopped, then answer what was asked by then."""
        while not self._stopped.is_set():
            self._loop_once()
        until = monotonic() + STOP_TIMEOUT_S
        for listener in self._listeners:
            listener.accepting = False
        while monotonic() < until and (
            left := [connection for connection in self._channels.values() if isinstance(connection, _Channel)]
        ):
            for channel in left:
                if not channel.requests:
                    channel.close_when_flushed = True
            self._loop_once()
        self._server.task_dispatcher.shutdown(timeout=max(until - monotonic(), 0))
        if not self._server.task_dispatcher.threads:  # else one would yet write into what is closed here
            wasyncore.close_all(self._channels)

    def _loop_once(self) -> None:
        wasyncore.loop(_LOOP_TIMEOUT_S, use_poll=True, map=self._channels, count=1)


def _connection_limit() -> int:
    """Return how many connections may be open, after asking for a file for each beside its socket."""
    return min(MAX_CONNECTIONS, (open_files(2 * MAX_CONNECTIONS + _OTHER_FILES) - _OTHER_FILES) // 2)
