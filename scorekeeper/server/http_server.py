"""Waitress with our limits: one thread reads requests and sends responses, others run the app.

So hundreds of slow or idle connections delay no request.
"""

import logging
import socket
from collections.abc import Sequence
from threading import Event, RLock
from time import monotonic
from wsgiref.types import WSGIApplication

from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel
from waitress.task import WSGITask
from waitress.trigger import trigger

from scorekeeper.config import MAX_BODY_BYTES, MAX_FORM_BYTES
from scorekeeper.operating_system import IS_WINDOWS, raise_open_files_limit

APP_THREADS = 4
"""Threads that run the app. More are slower, as Python runs one at a time and none waits for long."""
MAX_CONNECTIONS = 450 if IS_WINDOWS else 2000
"""The most open connections; further ones wait. Windows can wait on no more than 512 sockets."""
IDLE_TIMEOUT_S = 30
"""Seconds after which a connection that sends and receives nothing is closed."""
MAX_HEAD_BYTES = 32 * 1024
"""The most bytes of a request's head."""
MAX_READ_BODY_BYTES = 2 * MAX_BODY_BYTES
"""The most bytes read of a body: twice what the app accepts, so that the app can respond with its error page."""
STOP_TIMEOUT_S = 5.0
"""Seconds for which a stopping server still responds to requests that it received before."""
_LOOP_TIMEOUT_S = 1
"""Seconds until the server notices a stop on Windows, where a signal does not wake it."""
_MAX_OTHER_FILES = 100
"""The number of open files and sockets to leave for other uses than connections."""

# The log of waitress is discarded, as it has paths, whose codes give access.
logging.getLogger("waitress").addHandler(logging.NullHandler())


class _KeepAliveTask(WSGITask):  # type: ignore[misc]
    """A Waitress task that keeps the connection open even after a response without a body."""

    def set_close_on_finish(self) -> None:
        """Have the connection closed if Waitress would, but not after a response without a body, as to a poll."""
        if self.has_body or self.request.connection_close:
            super().set_close_on_finish()


class _OneRequestChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that accepts one request at a time, and is closed if the client sends the next one early."""

    task_class = _KeepAliveTask

    def received(self, data: bytes) -> bool:
        """Pass data on to Waitress, and return its answer."""
        is_taken: bool = super().received(data)
        if len(self.requests) > 1:
            self.will_close = True
        return is_taken


class HttpServer:
    """A Waitress server on open sockets, with the limits of this module."""

    def __init__(self, app: WSGIApplication, sockets: Sequence[socket.socket]) -> None:
        self._stopped, self._closing = Event(), RLock()
        self._channels: dict[int, wasyncore.dispatcher] = {}
        self._trigger = trigger(self._channels)
        self._server = create_server(
            app,
            self._channels,
            sockets=list(sockets),
            threads=APP_THREADS,
            # A connection may need two of the files that may be open.
            connection_limit=min(
                MAX_CONNECTIONS,
                (raise_open_files_limit(2 * MAX_CONNECTIONS + _MAX_OTHER_FILES) - _MAX_OTHER_FILES) // 2,
            ),
            asyncore_use_poll=True,
            channel_timeout=IDLE_TIMEOUT_S,
            cleanup_interval=IDLE_TIMEOUT_S // 6,
            max_request_header_size=MAX_HEAD_BYTES,
            max_request_body_size=MAX_READ_BODY_BYTES + 1,
            inbuf_overflow=MAX_FORM_BYTES,
            clear_untrusted_proxy_headers=False,  # the app handles proxy headers, as it knows its proxies
            log_socket_errors=False,
            ident=None,
        )
        self._listeners = [connection for connection in self._channels.values() if connection.accepting]
        for listener in self._listeners:
            listener.channel_class = _OneRequestChannel

    def stop(self) -> None:
        """Request a stop, from any thread or signal handler."""
        with self._closing:
            if not self._stopped.is_set():  # later the trigger's file number may belong to another file
                self._stopped.set()
                self._trigger.pull_trigger()

    def serve(self) -> None:
        """Serve until `stop`, then respond to the requests received by then, for `STOP_TIMEOUT_S` at most."""
        while not self._stopped.is_set():
            self._loop_once()
        deadline = monotonic() + STOP_TIMEOUT_S
        for listener in self._listeners:
            listener.accepting = False
        while monotonic() < deadline and (
            open_channels := [
                connection for connection in self._channels.values() if isinstance(connection, _OneRequestChannel)
            ]
        ):
            for channel in open_channels:
                if not channel.requests:
                    channel.close_when_flushed = True
            self._loop_once()
        self._server.task_dispatcher.shutdown(timeout=max(deadline - monotonic(), 0))
        if not self._server.task_dispatcher.threads:  # otherwise a thread could still write to a closed connection
            with self._closing:  # the trigger that a stop in another thread is about to pull is closed as well
                wasyncore.close_all(self._channels)

    def _loop_once(self) -> None:
        """Handle the sockets that are ready; wait a second at most for one."""
        wasyncore.loop(_LOOP_TIMEOUT_S, use_poll=True, map=self._channels, count=1)
