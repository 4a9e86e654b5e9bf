"""The address that phones on the same network use, and who it is that asks."""

import re
import socket
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Lock, Thread
from time import monotonic

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::", "*")


def lan_address() -> str:
    """Find this machine's own address on its network, or the loopback address where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A datagram socket that is connected sends nothing; it only learns which way it would go.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return LOOPBACK[0]
        return str(probe.getsockname()[0])


def base_url(host: str, port: int, public_url: str = "") -> str:
    """Return the address at which a phone reaches this server, without a slash at the end."""
    if public_url:
        return public_url
    name = lan_address() if host in EVERY_ADDRESS else host
    if ":" in name:
        name = f"[{name}]"
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"


WITHOUT_ADDRESS = (
    "Scorekeeper runs in a container, which cannot know by which address phones open it. Set SCOREKEEPER_PUBLIC_URL to "
    "it, such as http://192.168.1.20:8000."
)


def is_listening(port: int) -> bool:
    """Return whether anything listens on a port of this computer."""
    try:
        socket.create_connection((LOOPBACK[0], port), timeout=5).close()
    except OSError:
        return False
    return True


Networks = tuple[IPv4Network | IPv6Network, ...]


def parsed_address(peer: str) -> IPv4Address | IPv6Address | None:
    """Return the address of whoever asks, as IPv4 where it is only written as IPv6; `None` for what is none."""
    try:
        address = ip_address(peer.partition("%")[0].strip("[]"))
    except ValueError:
        return None
    return (address.ipv4_mapped if address.version == 6 else None) or address


_WITH_PORT = re.compile(r"\[([^]]+)](?::\d+)?|([\d.]+):\d+")
"""An IPv6 address in brackets, or an IPv4 address with a port."""


def forwarded_address(forwarded: str, proxy: str) -> str:
    """Return the last address of an `X-Forwarded-For`, without its port; that of the proxy where it names none."""
    last = forwarded.rpartition(",")[2].strip()
    bare = _WITH_PORT.fullmatch(last)
    address = parsed_address((bare[1] or bare[2]) if bare else last)
    return proxy if address is None else str(address)


@lru_cache(1000)
def is_within(peer: str, networks: Networks) -> bool:
    """Return whether an address is in one of these networks."""
    address = parsed_address(peer)
    return address is not None and any(address in network for network in networks)


def one_machine(peer: str) -> str:
    """Return what counts as one machine: an IPv4 address, or the /64 of an IPv6 address, all of which it may use."""
    address = parsed_address(peer)
    return str(ip_network((address, 64), strict=False) if isinstance(address, IPv6Address) else address or peer)


HOME_ENDINGS = (".local", ".lan", ".home.arpa", ".internal")
"""Of names that no stranger can register."""
LOOK_AGAIN, LONGEST_LOOK = 60.0, 0.5
"""Seconds between two looks at what this machine is called on its network, and for which a request waits for one."""


def is_home_name(host: str) -> bool:
    """Return whether this is an address, or a name that nobody elsewhere can let lead here."""
    return "." not in host or host.endswith(HOME_ENDINGS) or parsed_address(host) is not None


class OwnNames:
    """What this machine is called, which may change while it serves."""

    def __init__(self) -> None:
        self._on_network = ""
        self._looks_again = 0.0
        self._is_looking = Lock()

    def __contains__(self, name: str) -> bool:
        """Return whether this machine has a name; what its network calls it may be known only a moment later."""
        if name == socket.gethostname().lower():
            return True
        if monotonic() >= self._looks_again and self._is_looking.acquire(blocking=False):
            # A name server that does not answer keeps nobody waiting.
            look = Thread(target=self._look, name="own names", daemon=True)
            look.start()
            look.join(LONGEST_LOOK)
        return name == self._on_network

    def _look(self) -> None:
        with suppress(OSError, UnicodeError):
            self._on_network = socket.getfqdn().rstrip(".").lower()
        self._looks_again = monotonic() + LOOK_AGAIN
        self._is_looking.release()


own_names = OwnNames()
