"""The start of the server in this process: it listens, prints the URL that phones open, and serves the app.

Several processes are started by `club/hosting/workers.py`.
"""

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from errno import EACCES, EADDRINUSE, EADDRNOTAVAIL, EAFNOSUPPORT
from multiprocessing import active_children
from typing import NoReturn, TextIO

import segno
from flask import Flask

from scorekeeper.config import BadSetting
from scorekeeper.operating_system import STOP_SIGNALS, return_freed_memory, tune_malloc
from scorekeeper.server.http_server import HttpServer
from scorekeeper.server.limited_app import LimitedApp
from scorekeeper.server.mdns import announce_server, private_address
from scorekeeper.server.network import ALL_INTERFACES, LOOPBACK_HOSTS, NO_PUBLIC_URL_TEXT, base_url
from scorekeeper.server.watch import open_watches

_LISTEN_BACKLOG = 1024
"""The most connections that wait until the server accepts them."""


def serve(
    app: Flask, serve_in_processes: Callable[[Sequence[socket.socket], Callable[[], object]], None] | None = None
) -> None:
    """Announce the app, print its URLs, and serve it until a signal stops it. Running requests are finished first.

    If `serve_in_processes` is given, it serves instead. It gets the open sockets, and a function to call once its
    processes serve. Raises `BadSetting` if the server cannot listen.
    """
    tune_malloc()
    host, port, public_url = app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"]
    try:
        sockets = listen(host, port)
    except (OSError, UnicodeError) as error:
        setting = "SCOREKEEPER_PORT" if getattr(error, "errno", None) in (EACCES, EADDRINUSE) else "SCOREKEEPER_HOST"
        reason = getattr(error, "strerror", error)
        raise BadSetting(
            f"It cannot listen on {host}, port {port}: {reason}. Choose another with {setting}."
        ) from error
    port = sockets[0].getsockname()[1]
    with announce_name(app, port) as local_name:

        def on_start(_stop: object = None) -> None:
            print_urls(host, port, public_url, sys.stdout, local_name, in_container=app.config["IN_CONTAINER"])
            freeze_gc()

        if serve_in_processes:
            serve_in_processes(sockets, on_start)
        else:
            serve_on_sockets(app, sockets, on_start, stop_signals=STOP_SIGNALS)


def listen(host: str, port: int) -> list[socket.socket]:
    """Return a listening socket for each address of a host that this machine has.

    With port 0, the system chooses a free port. Raises `OSError` if the server cannot listen, and `UnicodeError` for a
    text that is no host name.
    """
    address_infos = socket.getaddrinfo(
        None if host in ("*", "::") else host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    listeners: list[socket.socket] = []
    last_error: OSError | None = None
    with ExitStack() as closed_on_failure:
        for family, *_, address in address_infos:
            # A port that the system chose is the same on every address.
            socket_address = (address[0], listeners[0].getsockname()[1] if listeners else port, *address[2:])
            try:
                listener = socket.create_server(socket_address, family=family, backlog=_LISTEN_BACKLOG)
            except OSError as error:
                last_error = OSError(error.errno, os.strerror(error.errno or 0))
                if error.errno not in (EADDRNOTAVAIL, EAFNOSUPPORT):
                    raise last_error from error
                continue  # a name may stand for addresses that this machine does not have
            listeners.append(closed_on_failure.enter_context(listener))
        if last_error and not listeners:
            raise last_error
        closed_on_failure.pop_all()
    return listeners


def exit_process() -> NoReturn:
    """End this process at once with status 0, with all its threads and the processes that it started."""
    for child in active_children():
        child.kill()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def serve_on_sockets(
    app: Flask,
    sockets: Sequence[socket.socket],
    on_start: Callable[[Callable[[], None]], object],
    stop_signals: Sequence[signal.Signals] = (),
    *,
    process: int = 0,
) -> None:
    """Serve the app on open sockets until a signal in `stop_signals` stops it.

    `on_start` is called first, with a function that stops the server as well. `process` is the number of this process,
    for the port of its metrics.
    """
    with open_watches(app, process) as watches:
        proxies = app.config["PROXIES"] if app.config.get("PUBLIC_URL") else ()
        server = HttpServer(LimitedApp(app, proxies, watches), sockets)
        for stop_signal in stop_signals:
            signal.signal(stop_signal, lambda *_: server.stop())
        on_start(server.stop)
        server.serve()


def freeze_gc() -> None:
    """Exclude all present objects from garbage collection, since they are never freed, and release free memory."""
    gc.collect()
    gc.freeze()
    return_freed_memory()


def announce_name(app: Flask, port: int) -> AbstractContextManager[str]:
    """Announce the server by multicast DNS for a block, and yield its name: "pitch.local".

    Nothing is announced, and "" is yielded, without a private address, with a public URL, or if the setting is off.
    """
    host = app.config["HOST"]
    is_never_private = host not in ALL_INTERFACES and private_address(host) is None
    if app.config["PUBLIC_URL"] or is_never_private or not app.config["MDNS"]:
        return nullcontext("")
    return announce_server(lambda: private_address(host), port)


def print_urls(
    host: str, port: int, public_url: str, out: TextIO, local_name: str = "", *, in_container: bool = False
) -> None:
    """Print the server's URLs, a QR code for phones, and notes on the network.

    In a container without `public_url`, print only a note on that setting. `local_name` is such as "pitch.local", or
    empty.
    """
    if in_container and not public_url:
        print(f"Scorekeeper is running. {NO_PUBLIC_URL_TEXT}", file=out, flush=True)
        return
    url = base_url(host, port, public_url)
    url_here = base_url(LOOPBACK_HOSTS[0] if host in ALL_INTERFACES else host, port)
    lines = ["", "Scorekeeper is running. On this computer:", f"  {url_here}/"]
    can_phones_reach = bool(public_url) or url not in [base_url(name, port) for name in LOOPBACK_HOSTS]
    if can_phones_reach:
        lines += ["On a phone on the same Wi-Fi:" if not public_url else "On any phone:", f"  {url}/"]
        # The QR code has the IP address, which every phone can open.
        if local_name:
            lines += [f"  {base_url(local_name, port)}/ stays the same, on phones that can open it"]
        lines += [""]
    # A container listens to its own network alone, and over plain http no proxy stands before the server.
    if public_url.startswith("https:") and host in ALL_INTERFACES and not in_container:
        lines += ["Everyone on this network can go around the proxy."]
        lines += ["Set SCOREKEEPER_HOST=127.0.0.1, or --host 127.0.0.1, unless a firewall closes the port.", ""]
    elif host in ALL_INTERFACES and not can_phones_reach:
        lines += ["This computer is not on a network, so phones cannot reach it yet."]
    print("\n".join(lines), file=out)
    if can_phones_reach:
        try:
            segno.make(f"{url}/", error="m").terminal(out, border=2, compact=True)
        except UnicodeEncodeError:
            pass  # a terminal that cannot draw the code still shows the address
    print("Stop with Ctrl+C.", file=out, flush=True)
