"""Serve the app with Granian inside this process, and print the address that phones open.

Granian reads requests and sends answers outside Python, so hundreds of slow or idle connections keep nobody waiting.
Its own threads for WSGI wait for the body of a request, so that a few slow ones stop them all: `gateway.py` does not.
Its own workers are not used: one process serves a home and stops as a whole, and
`club/hosting/workers.py` starts several of these.
"""

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from errno import EADDRNOTAVAIL, EAFNOSUPPORT
from multiprocessing import active_children
from typing import Any, NoReturn, TextIO

import segno
from flask import Flask
from granian import net
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server as Granian

from scorekeeper.config import BadSetting
from scorekeeper.server.gateway import Gateway
from scorekeeper.server.mdns import announced, private_address
from scorekeeper.server.network import EVERY_ADDRESS, LOOPBACK, WITHOUT_ADDRESS, base_url
from scorekeeper.server.watch import watching
from scorekeeper.system import (
    IS_WINDOWS,
    STOPS,
    call_at_stop,
    give_back_memory,
    keep_little_memory,
    keep_port,
    open_files,
)

MOST_CONNECTIONS = 2000
"""Open at once; the next one waits until another is closed."""
LONGEST_SILENCE = 20.0
"""Seconds in which the head of a request has to arrive, and after which a connection without a request is closed."""
LONGEST_UNREAD = 60.0
"""Seconds after which a connection is closed whose other end takes nothing of what is sent."""
LARGEST_HEAD = 32 * 1024
"""Bytes of a request without its body, or a little more."""
LONGEST_FAREWELL = 0.5
"""Seconds for the last answers to leave when the server stops."""
_BACKLOG = 1024
_OTHER_FILES = 100
"""Files and sockets beside the connections."""


def serve(app: Flask, serve_on: Callable[[Sequence[socket.socket], Callable[[], object]], None] | None = None) -> None:
    """Serve until an interrupt or a termination signal, then answer what is under way and stop.

    `serve_on` serves in place of this process: it is called with the open sockets, and calls what says where they are.
    """
    keep_little_memory()
    host, port, public_url = app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"]
    try:
        sockets = listen(host, port)
    except OSError as fault:
        raise BadSetting(
            f"It cannot listen on {host}, port {port}: {fault.strerror}. Choose another with SCOREKEEPER_PORT."
        ) from fault
    port = sockets[0].getsockname()[1]
    with name_on_network(app, port) as local_name:

        def begin(_stop: object = None) -> None:
            announce(host, port, public_url, sys.stdout, local_name, in_container=app.config["IN_CONTAINER"])
            keep_what_is_loaded()

        if serve_on:
            serve_on(sockets, begin)
        else:
            run(app, sockets, begin, stops_at=STOPS)


def listen(host: str, port: int) -> list[socket.socket]:
    """Open a socket on each address of a host; raises `OSError` where a port is taken, or is not ours to take."""
    found = socket.getaddrinfo(None if host == "*" else host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    opened: list[socket.socket] = []
    missing: OSError | None = None
    with ExitStack() as closed_on_failure:
        for family, kind, protocol, _, address in found:
            own = closed_on_failure.enter_context(socket.socket(family, kind, protocol))
            keep_port(own)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections have it from the socket that they came in by
                own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(LONGEST_UNREAD * 1000))
            if family == socket.AF_INET6:
                own.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                # A port that the system chose is the same on every address.
                own.bind((address[0], opened[0].getsockname()[1] if opened else port, *address[2:]))
            except OSError as fault:
                if fault.errno not in (EADDRNOTAVAIL, EAFNOSUPPORT):
                    raise
                own.close()
                missing = fault  # a name may stand for addresses that this machine does not have
                continue
            own.listen(_BACKLOG)
            opened.append(own)
        if missing and not opened:
            raise missing
        closed_on_failure.pop_all()
    return opened


def leave() -> NoReturn:
    """End the process after the server has stopped, with whatever its threads still wait for.

    At Python's own end a thread of Granian that comes back from waiting aborts the whole process.
    """
    for child in active_children():
        child.kill()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def run(
    app: Flask,
    sockets: Sequence[socket.socket],
    begin: Callable[[Callable[[], None]], object],
    stops_at: Sequence[signal.Signals] = (),
    *,
    process: int = 0,
) -> None:
    """Serve on open sockets until stopped by one of these signals, or by the function that `begin` is called with.

    `process` is which one this is, of several that serve on the same sockets.
    """

    async def served() -> None:
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()
        for sign in stops_at:
            call_at_stop(loop, sign, stopped.set)

        def stop() -> None:
            loop.call_soon_threadsafe(stopped.set)

        begin(stop)
        gateway = Gateway(app, app.config["PROXIES"] if app.config.get("PUBLIC_URL") else (), watches)
        servers = [_Server(gateway, own) for own in sockets]
        serving = [asyncio.create_task(server.serve()) for server in servers]
        await asyncio.wait([*serving, asyncio.create_task(stopped.wait())], return_when=asyncio.FIRST_COMPLETED)
        for server in servers:
            server.stop()  # type: ignore[no-untyped-call]
        await gateway.finish()
        # Who is still sending a request, or never began one, is not waited for.
        ended, left = await asyncio.wait(serving, timeout=LONGEST_FAREWELL)
        for task in ended:
            task.result()
        if left:  # Granian ends theirs a moment later, and complains that nobody waits for it
            asyncio.get_running_loop().set_exception_handler(lambda *_: None)

    with watching(app, process) as watches:
        asyncio.run(served())


class _Server(Granian):
    """Granian on a socket that is open: one that it opens itself, it shares with whoever else asks for the port."""

    def __init__(self, gateway: Gateway, own: socket.socket) -> None:
        super().__init__(
            gateway,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=int(LONGEST_SILENCE * 1000), max_buffer_size=LARGEST_HEAD),
            websockets=False,
            backlog=_BACKLOG,
            backpressure=_most_connections(),
            log_enabled=False,
        )
        self._own = own

    def _init_shared_socket(self) -> None:
        # From here on it is Granian's to close.
        backlog = (_BACKLOG,) if sys.platform.startswith(("linux", "freebsd")) else ()
        kind = () if IS_WINDOWS else (False, *backlog)
        holder: Any = net.SocketHolder  # type: ignore[attr-defined]
        self._shd = holder(self._own.detach(), *kind)


def keep_what_is_loaded() -> None:
    """Leave out of every later search for garbage what was made while starting: it lives as long as the server."""
    gc.collect()
    gc.freeze()
    give_back_memory()


def _most_connections() -> int:
    """Return how many connections may be open, after asking for as many files as they take."""
    return max(open_files(MOST_CONNECTIONS + _OTHER_FILES) - _OTHER_FILES, _OTHER_FILES)


def name_on_network(app: Flask, port: int) -> AbstractContextManager[str]:
    """Announce the server by name meanwhile, at home and where that is not switched off; gives the name or nothing."""
    host = app.config["HOST"]
    is_fixed = host not in EVERY_ADDRESS and private_address(host) is None
    if app.config["PUBLIC_URL"] or is_fixed or not app.config["MDNS"]:
        return nullcontext("")
    return announced(lambda: private_address(host), port)


def announce(
    host: str, port: int, public_url: str, out: TextIO, local_name: str = "", *, in_container: bool = False
) -> None:
    """Print the address that phones open, and its QR code; the name as well, where the server has one."""
    if in_container and not public_url:
        print(f"Scorekeeper is running. {WITHOUT_ADDRESS}", file=out, flush=True)
        return
    address = base_url(host, port, public_url)
    lines = ["", "Scorekeeper is running. On this computer:", f"  {base_url(LOOPBACK[0], port)}/"]
    is_for_phones = bool(public_url) or not any(address.startswith(f"http://{name}") for name in LOOPBACK)
    if is_for_phones:
        lines += ["On a phone on the same Wi-Fi:" if not public_url else "On any phone:", f"  {address}/"]
        # The code keeps the number, which every phone can open.
        if local_name:
            lines += [f"  {base_url(local_name, port)}/ stays the same, on phones that can open it"]
        lines += [""]
    # A container listens to its own network alone, and over plain http no proxy stands before the server.
    if public_url.startswith("https:") and host in EVERY_ADDRESS and not in_container:
        lines += ["Everyone on this network can go around the proxy."]
        lines += ["Set SCOREKEEPER_HOST=127.0.0.1, unless a firewall closes the port.", ""]
    elif host in EVERY_ADDRESS and not is_for_phones:
        lines += ["This computer is not on a network, so phones cannot reach it yet."]
    print("\n".join(lines), file=out)
    if is_for_phones:
        try:
            segno.make(f"{address}/", error="m").terminal(out, border=2, compact=True)
        except UnicodeEncodeError:
            pass  # a terminal that cannot draw the code still shows the address
    print("Stop with Ctrl+C.", file=out, flush=True)
