"""Serve the app in this process, and print the address that phones open.

`club/hosting/workers.py` starts several of these processes.
"""

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from errno import EADDRNOTAVAIL, EAFNOSUPPORT
from multiprocessing import active_children
from typing import NoReturn, TextIO

import segno
from flask import Flask

from scorekeeper.config import BadSetting
from scorekeeper.operating_system import STOP_SIGNALS, return_freed_memory, tune_malloc
from scorekeeper.server.http_server import HttpServer
from scorekeeper.server.limited_app import LimitedApp
from scorekeeper.server.mdns import announced, private_address
from scorekeeper.server.network import EVERY_ADDRESS, LOOPBACK, WITHOUT_ADDRESS, base_url
from scorekeeper.server.watch import watching

_BACKLOG = 1024


def serve(app: Flask, serve_on: Callable[[Sequence[socket.socket], Callable[[], object]], None] | None = None) -> None:
    """Serve until a stop signal, then answer the open requests and stop.

    `serve_on` serves in place of this process, in several others: it gets the open sockets and a function to call once
    they serve, which prints the address.
    """
    tune_malloc()
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
            freeze_gc()

        if serve_on:
            serve_on(sockets, begin)
        else:
            run(app, sockets, begin, stops_at=STOP_SIGNALS)


def listen(host: str, port: int) -> list[socket.socket]:
    """Open a socket on each address of a host; raises `OSError` if the port is taken or not permitted."""
    found = socket.getaddrinfo(None if host == "*" else host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    opened: list[socket.socket] = []
    missing: OSError | None = None
    with ExitStack() as closed_on_failure:
        for family, *_, address in found:
            # A port that the system chose is the same on every address.
            place = (address[0], opened[0].getsockname()[1] if opened else port, *address[2:])
            try:
                own = socket.create_server(place, family=family, backlog=_BACKLOG)
            except OSError as fault:
                missing = OSError(fault.errno, os.strerror(fault.errno or 0))
                if fault.errno not in (EADDRNOTAVAIL, EAFNOSUPPORT):
                    raise missing from fault
                continue  # a name may stand for addresses that this machine does not have
            opened.append(closed_on_failure.enter_context(own))
        if missing and not opened:
            raise missing
        closed_on_failure.pop_all()
    return opened


def exit_process() -> NoReturn:
    """End the process after the server has stopped, even if other threads still run."""
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
    """Serve on open sockets until a signal in `stops_at`; `begin` is called first, with a function that stops.

    `process` is the number of this process if several serve on the same sockets.
    """
    with watching(app, process) as watches:
        proxies = app.config["PROXIES"] if app.config.get("PUBLIC_URL") else ()
        server = HttpServer(LimitedApp(app, proxies, watches), sockets)
        for sign in stops_at:
            signal.signal(sign, lambda *_: server.stop())
        begin(server.stop)
        server.serve()


def freeze_gc() -> None:
    """Exclude objects made at the start from garbage collection, as they live as long as the server."""
    gc.collect()
    gc.freeze()
    return_freed_memory()


def name_on_network(app: Flask, port: int) -> AbstractContextManager[str]:
    """Announce the server by multicast DNS during a block, if enabled and at home; yields the name, or empty."""
    host = app.config["HOST"]
    is_fixed = host not in EVERY_ADDRESS and private_address(host) is None
    if app.config["PUBLIC_URL"] or is_fixed or not app.config["MDNS"]:
        return nullcontext("")
    return announced(lambda: private_address(host), port)


def announce(
    host: str, port: int, public_url: str, out: TextIO, local_name: str = "", *, in_container: bool = False
) -> None:
    """Print the address for phones and its QR code, and the name if the server has one."""
    if in_container and not public_url:
        print(f"Scorekeeper is running. {WITHOUT_ADDRESS}", file=out, flush=True)
        return
    address = base_url(host, port, public_url)
    lines = ["", "Scorekeeper is running. On this computer:", f"  {base_url(LOOPBACK[0], port)}/"]
    is_for_phones = bool(public_url) or not any(address.startswith(f"http://{name}") for name in LOOPBACK)
    if is_for_phones:
        lines += ["On a phone on the same Wi-Fi:" if not public_url else "On any phone:", f"  {address}/"]
        # The QR code has the IP address, which every phone can open.
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
