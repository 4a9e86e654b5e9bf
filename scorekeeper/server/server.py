"""Serve the app in this process, and print the URL that phones open.

`club/hosting/workers.py` starts several of these processes.
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
"""The most connections that wait to be accepted."""


def serve(
    app: Flask, serve_in_processes: Callable[[Sequence[socket.socket], Callable[[], object]], None] | None = None
) -> None:
    """Announce the app, print its URLs, and serve it until a signal; then finish running requests.

    Raises `BadSetting` if it cannot listen. `serve_in_processes` serves in its place: it gets the open sockets, and a
    function to call once the processes serve.
    """
    tune_malloc()
    host, port, public_url = app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"]
    try:
        sockets = listen(host, port)
    except (OSError, UnicodeError) as fault:
        setting = "SCOREKEEPER_PORT" if getattr(fault, "errno", None) in (EACCES, EADDRINUSE) else "SCOREKEEPER_HOST"
        why = getattr(fault, "strerror", fault)
        raise BadSetting(f"It cannot listen on {host}, port {port}: {why}. Choose another with {setting}.") from fault
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

    Port 0 is any free port. Raises `OSError` if it cannot listen, and `UnicodeError` for a text that is no host name.
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
            except OSError as fault:
                last_error = OSError(fault.errno, os.strerror(fault.errno or 0))
                if fault.errno not in (EADDRNOTAVAIL, EAFNOSUPPORT):
                    raise last_error from fault
                continue  # a name may stand for addresses that this machine does not have
            listeners.append(closed_on_failure.enter_context(listener))
        if last_error and not listeners:
            raise last_error
        closed_on_failure.pop_all()
    return listeners


def exit_process() -> NoReturn:
    """End the process at once with status 0, and with it all threads and children of `multiprocessing`."""
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
    """Serve the app on open sockets until it is stopped.

    `on_start` is called with a function that stops it, as `stop_signals` do. `process` is the number of this process,
    for its metrics' port.
    """
    with open_watches(app, process) as watches:
        proxies = app.config["PROXIES"] if app.config.get("PUBLIC_URL") else ()
        server = HttpServer(LimitedApp(app, proxies, watches), sockets)
        for stop_signal in stop_signals:
            signal.signal(stop_signal, lambda *_: server.stop())
        on_start(server.stop)
        server.serve()


def freeze_gc() -> None:
    """Exclude all objects made so far from garbage collection, as they are never freed, and release free memory."""
    gc.collect()
    gc.freeze()
    return_freed_memory()


def announce_name(app: Flask, port: int) -> AbstractContextManager[str]:
    """Announce the server by multicast DNS for a block; yield its name with .local, or "".

    Nothing is announced without a private address, with a public URL, or if disabled.
    """
    host = app.config["HOST"]
    is_never_private = host not in ALL_INTERFACES and private_address(host) is None
    if app.config["PUBLIC_URL"] or is_never_private or not app.config["MDNS"]:
        return nullcontext("")
    return announce_server(lambda: private_address(host), port)


def print_urls(
    host: str, port: int, public_url: str, out: TextIO, local_name: str = "", *, in_container: bool = False
) -> None:
    """Print the server's URLs, with a QR code for phones and notes on the network.

    In a container without `public_url`, print only a note on this setting. `local_name` ends in .local, or is empty.
    """
    if in_container and not public_url:
        print(f"Scorekeeper is running. {NO_PUBLIC_URL_TEXT}", file=out, flush=True)
        return
    url = base_url(host, port, public_url)
    own_url = base_url(LOOPBACK_HOSTS[0] if host in ALL_INTERFACES else host, port)
    lines = ["", "Scorekeeper is running. On this computer:", f"  {own_url}/"]
    is_for_phones = bool(public_url) or url not in [base_url(name, port) for name in LOOPBACK_HOSTS]
    if is_for_phones:
        lines += ["On a phone on the same Wi-Fi:" if not public_url else "On any phone:", f"  {url}/"]
        # The QR code has the IP address, which every phone can open.
        if local_name:
            lines += [f"  {base_url(local_name, port)}/ stays the same, on phones that can open it"]
        lines += [""]
    # A container listens to its own network alone, and over plain http no proxy stands before the server.
    if public_url.startswith("https:") and host in ALL_INTERFACES and not in_container:
        lines += ["Everyone on this network can go around the proxy."]
        lines += ["Set SCOREKEEPER_HOST=127.0.0.1, or --host 127.0.0.1, unless a firewall closes the port.", ""]
    elif host in ALL_INTERFACES and not is_for_phones:
        lines += ["This computer is not on a network, so phones cannot reach it yet."]
    print("\n".join(lines), file=out)
    if is_for_phones:
        try:
            segno.make(f"{url}/", error="m").terminal(out, border=2, compact=True)
        except UnicodeEncodeError:
            pass  # a terminal that cannot draw the code still shows the address
    print("Stop with Ctrl+C.", file=out, flush=True)
