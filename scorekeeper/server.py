"""Serve the app with waitress, and print the address that phones open."""

import gc
import signal
import sys
from types import FrameType
from typing import NoReturn, TextIO

import segno
import waitress
from flask import Flask

from scorekeeper.config import LARGEST_BODY, BadSetting
from scorekeeper.network import EVERY_ADDRESS, LOOPBACK, base_url

THREADS = 4
"""More are slower: Python runs one at a time, and none waits for long."""


def serve(app: Flask) -> None:
    """Serve until an interrupt or a termination signal, then answer what is under way and stop."""
    host, port = app.config["HOST"], app.config["PORT"]
    is_behind_proxy = bool(app.config["PUBLIC_URL"])
    try:
        server = waitress.create_server(
            app,
            host=host,
            port=port,
            threads=THREADS,
            ident=None,
            # The app itself turns away what is too large, with a page; this keeps much larger things off the disk.
            max_request_body_size=4 * LARGEST_BODY,
            # What a proxy says of the phone behind it is for the app to judge; without a proxy nobody may say it.
            clear_untrusted_proxy_headers=not is_behind_proxy,
        )
    except OSError as fault:
        raise BadSetting(
            f"cannot listen on {host}, port {port} ({fault.strerror}); choose another with SCOREKEEPER_PORT."
        ) from fault
    signal.signal(signal.SIGTERM, _stop)
    announce(host, getattr(server, "effective_port", port), app.config["PUBLIC_URL"], sys.stdout)
    # What was made while starting lives as long as the server: left alone, no request waits while it is looked through.
    gc.collect()
    gc.freeze()
    try:
        server.run()
    finally:
        server.close()


def announce(host: str, port: int, public_url: str, out: TextIO) -> None:
    """Print the address that phones open, and its QR code."""
    address = base_url(host, port, public_url)
    lines = ["", "Scorekeeper is running. On this computer:", f"  {base_url(LOOPBACK[0], port)}/"]
    is_for_phones = bool(public_url) or not any(address.startswith(f"http://{name}") for name in LOOPBACK)
    if is_for_phones:
        lines += ["On a phone on the same Wi-Fi:" if not public_url else "On any phone:", f"  {address}/", ""]
    elif host in EVERY_ADDRESS:
        lines += ["This computer is not on a network, so phones cannot reach it yet."]
    print("\n".join(lines), file=out)
    if is_for_phones:
        try:
            segno.make(f"{address}/", error="m").terminal(out, border=2, compact=True)
        except UnicodeEncodeError:
            pass  # a terminal that cannot draw the code still shows the address
    print("Stop with Ctrl+C.", file=out, flush=True)


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
