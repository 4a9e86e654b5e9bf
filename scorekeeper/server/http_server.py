"""The HTTP server: Waitress with our limits. One thread reads requests and sends responses, and others run the app.

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
"""The number of threads that run the app. More would be slower: Python runs one at a time, and none waits for long."""
MAX_CONNECTIONS = 450 if IS_WINDOWS else 2000
"""The most open connections; further ones wait. Windows cannot wait for more than 512 sockets."""
IDLE_TIMEOUT_S = 30
"""Seconds after which a connection that sends and receives nothing is closed."""
MAX_HEAD_BYTES = 32 * 1024
"""The most bytes in the head of a request."""
MAX_READ_BODY_BYTES = 2 * MAX_BODY_BYTES
"""The most bytes of a body that are read.

It is twice what the app accepts, so that the app can respond to a larger body with its own error page.
"""
STOP_TIMEOUT_S = 5.0
"""The seconds in which a stopping server still responds to requests that arrived before."""
_LOOP_TIMEOUT_S = 1
"""The seconds after which the server looks whether it should stop: on Windows, no signal wakes it."""
_MAX_OTHER_FILES = 100
"""The number of open files and sockets that are left for all but connections."""

# The log of waitress is discarded, as it has paths, whose codes give access.
logging.getLogger("waitress").addHandler(logging.NullHandler())


class _KeepAliveTask(WSGITask):  # type: ignore[misc]
    """A Waitress task that keeps the connection open even after a response without a body."""

    def set_close_on_finish(self) -> None:
        """Close the connection if Waitress would, except after a response without a body, as to a poll."""
        if self.has_body or self.request.connection_close:
            super().set_close_on_finish()


class _OneRequestChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that takes one request at a time.

    If the client sends the next one early, the connection is closed.
    """

    task_class = _KeepAliveTask

    def received(self, data: bytes) -> bool:
        """Pass received data to Waitress, and return its result: whether there was any data."""
        has_data: bool = super().received(data)
        if len(self.requests) > 1:
            self.will_close = True
        return has_data


class HttpServer:
    """A Waitress server that listens on open sockets, with the limits of this module."""

    def __init__(self, app: WSGIApplication, sockets: Sequence[socket.socket]) -> None:
        self._stopped, self._closing_lock = Event(), RLock()
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
        """Make `serve` end. This may be called in any thread or signal handler."""
        with self._closing_lock:
            if not self._stopped.is_set():  # later the trigger's file number may belong to another file
                self._stopped.set()
                self._trigger.pull_trigger()

    def serve(self) -> None:
        """Serve until `stop` is called.

        Then respond to the requests that have arrived, for `STOP_TIMEOUT_S` at most.
        """
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
            with self._closing_lock:  # the trigger that a stop in another thread is about to pull is closed as well
                wasyncore.close_all(self._channels)

    def _loop_once(self) -> None:
        """Handle the sockets that are ready. If none is, wait for one, a second at most."""
        wasyncore.loop(_LOOP_TIMEOUT_S, use_poll=True, map=self._channels, count=1)
