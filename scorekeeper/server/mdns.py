"""The server's name on a home network, which multicast DNS announces: `http://pitch.local:8000`.

The name stays if the router gives the machine another address. Only the main process announces it, if the address is
private and there is no public URL.
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
"""The name to try first; ".local" is appended to it."""
MAX_NAMES = 20
"""The number of names to try: pitch, pitch-2, pitch-3, …"""
CHECK_INTERVAL_S = 30.0
"""The seconds between two checks of this machine's address."""
LISTEN_TIMEOUT_S = 0.75
"""The seconds within which a machine that has a name must respond to a query for it; RFC 6762, 8.1."""
NAME_TIMEOUT_S = 4.0
"""The seconds for which a starting server waits for its name before it goes on without one."""
WITHDRAWAL_TIMEOUT_S = 1.0
"""The seconds for which a stopping server waits until the name is withdrawn."""

log = logging.getLogger(__name__)


def private_address(host: str) -> str | None:
    """Return the private IPv4 address at which other machines reach the server; `None` if there is none.

    `host` is the setting. If it is a host name, there is none either.
    """
    address = lan_address() if host in ALL_INTERFACES else host
    try:
        parsed_address = IPv4Address(address)
    except ValueError:
        return None
    return address if parsed_address.is_private and not parsed_address.is_loopback else None


@contextmanager
def announce_server(find_address: Callable[[], str | None], port: int) -> Iterator[str]:
    """Announce the server for a block, and yield its name: "pitch.local". Yield "" if it has no name by then.

    `find_address` returns the present address, or `None` to announce nothing. The wait for a name takes up to
    `NAME_TIMEOUT_S`.
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
    """Announces the server at its present address, in `thread`, until `stopping` is set.

    `host` is the announced name, "pitch.local", or empty. `has_tried` is set after the first try.
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
        """Announce the server anew whenever its address changes, until `stopping` is set. Then withdraw the name."""
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

        Raises `OSError` if no name is free, and any exception of the responder.
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
            service_name = f"Scorekeeper ({name}).{service_type}"
            addresses = [IPv4Address(address).packed]
            service = ServiceInfo(
                service_type, service_name, addresses=addresses, port=self.port, server=f"{name}.local."
            )
            responder.register_service(service, allow_name_change=True)
        except Exception:
            self.host = ""
            responder.close()
            raise
        return responder

    def _free_name(self, responder: "Zeroconf", own_address: str) -> str:
        """Return the first of the names pitch, pitch-2, … that no other machine has.

        The machine at `own_address` is this one. Raises `OSError` if other machines have all `MAX_NAMES` names.
        """
        # Zeroconf itself only checks the names of services.
        from zeroconf import AddressResolver  # type: ignore[attr-defined]  # left out of its list

        for number in range(1, MAX_NAMES + 1):
            name = BASE_NAME if number == 1 else f"{BASE_NAME}-{number}"
            resolver = AddressResolver(f"{name}.local.")
            if not resolver.request(responder, LISTEN_TIMEOUT_S * 1000) or own_address in resolver.parsed_addresses():
                return name
        raise OSError("all names are taken")
