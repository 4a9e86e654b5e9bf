"""The server's name on a home network, announced by multicast DNS: `http://pitch.local:8000`.

The name stays if the router assigns another address. Only the main process announces it, at a private address and
without a public URL.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address
from threading import Event, Thread
from typing import TYPE_CHECKING

from scorekeeper.server.network import ALL_INTERFACES, lan_address

if TYPE_CHECKING:
    from zeroconf import Zeroconf

BASE_NAME = "pitch"
"""The first name to try, without .local."""
MAX_NAMES = 20
"""The number of names to try: pitch, pitch-2, pitch-3, …"""
CHECK_INTERVAL_S = 30.0
"""Seconds between two checks of this machine's address."""
LISTEN_TIMEOUT_S = 0.75
"""Seconds within which another machine with the name must respond; RFC 6762, 8.1."""
NAME_TIMEOUT_S = 4.0
"""Seconds for which the server waits for its name before it starts without one."""
WITHDRAWAL_TIMEOUT_S = 1.0
"""Seconds for which a stopping server waits to withdraw the name."""

log = logging.getLogger(__name__)


def private_address(host: str) -> str | None:
    """Return the private IPv4 address at which others reach a server; `None` without one, or if `host` is a name."""
    address = lan_address() if host in ALL_INTERFACES else host
    try:
        parsed = IPv4Address(address)
    except ValueError:
        return None
    return address if parsed.is_private and not parsed.is_loopback else None


@contextmanager
def announce_server(find_address: Callable[[], str | None], port: int) -> Iterator[str]:
    """Announce the server during a block; yield its name with .local, or "".

    `find_address` returns the current address, or `None` to announce nothing. Waits up to `NAME_TIMEOUT_S` for a name.
    """
    announcer = _Announcer(find_address, port)
    announcer.thread.start()
    announcer.has_tried.wait(NAME_TIMEOUT_S)
    try:
        yield announcer.host
    finally:
        announcer.stopping.set()
        announcer.thread.join(WITHDRAWAL_TIMEOUT_S)


class _Announcer:
    """The announcer of the server at its current address, working in `thread` until `stopping` is set.

    `host` is the announced name with .local, or empty. `has_tried` is set after the first try.
    """

    def __init__(self, find_address: Callable[[], str | None], port: int) -> None:
        self.find_address = find_address
        self.port = port
        self.host = ""
        self.has_tried = Event()
        self.stopping = Event()
        # A daemon: nobody waits for a network that does not answer.
        self.thread = Thread(target=self._run, name="mdns", daemon=True)

    def _run(self) -> None:
        """Keep the server announced at its current address until `stopping` is set, then withdraw it."""
        announced_address: str | None = None
        responder: Zeroconf | None = None
        while not self.stopping.is_set():
            try:
                address = self.find_address()
                if address != announced_address:
                    announced_address = None
                    if responder:
                        responder.close()
                    responder = self._announce(address) if address else None
                    announced_address = address
            except Exception as error:  # whatever it is, the next check may succeed
                log.debug("Cannot announce: %s", error)
            self.has_tried.set()
            self.stopping.wait(CHECK_INTERVAL_S)
        if responder:
            responder.close()

    def _announce(self, address: str) -> "Zeroconf":
        """Announce the server at an address, set `host`, and return the running responder.

        Raises whatever keeps it from running, and `OSError` if no name is free.
        """
        # Imported only now: a server that announces nothing does without its 15 MiB.
        from zeroconf import IPVersion, ServiceInfo, Zeroconf

        self.host = ""
        responder = Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
        try:
            name = self._free_name(responder, address)
            self.host = f"{name}.local"
            self.has_tried.set()
            service_type = "_http._tcp.local."
            title = f"Scorekeeper ({name}).{service_type}"
            addresses = [IPv4Address(address).packed]
            service = ServiceInfo(service_type, title, addresses=addresses, port=self.port, server=f"{name}.local.")
            responder.register_service(service, allow_name_change=True)
        except Exception:
            self.host = ""
            responder.close()
            raise
        return responder

    def _free_name(self, responder: "Zeroconf", address: str) -> str:
        """Return the first of the names pitch, pitch-2, … that no machine but the one at `address` has.

        Raises `OSError` if other machines have all `MAX_NAMES` names.
        """
        # Zeroconf itself only checks the names of services.
        from zeroconf import AddressResolver  # type: ignore[attr-defined]  # left out of its list

        for number in range(1, MAX_NAMES + 1):
            name = BASE_NAME if number == 1 else f"{BASE_NAME}-{number}"
            resolver = AddressResolver(f"{name}.local.")
            if not resolver.request(responder, LISTEN_TIMEOUT_S * 1000) or address in resolver.parsed_addresses():
                return name
        raise OSError("all names are taken")
