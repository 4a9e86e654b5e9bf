"""The address that phones on the same network use, and the names of this machine."""

import socket
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic

from scorekeeper.access.networks import parsed_address

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::", "*")


def lan_address() -> str:
    """Return this machine's own address on its network, or the loopback address where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A datagram socket that is connected sends nothing; it only learns its route.
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


HOME_ENDINGS = (".local", ".lan", ".home.arpa", ".internal")
"""Endings of names that no stranger can register."""
CHECK_INTERVAL_S, LOOK_UP_TIMEOUT_S = 60.0, 0.5
"""Seconds between two look-ups of this machine's name on its network, and for which a request waits for one."""


def is_home_name(host: str) -> bool:
    """Return whether a host is an address, or a name that no stranger can point here."""
    return "." not in host or host.endswith(HOME_ENDINGS) or parsed_address(host) is not None


class OwnNames:
    """The names of this machine, which may change while it serves."""

    def __init__(self) -> None:
        self._on_network = ""
        self._looks_again = 0.0
        self._is_looking = Lock()

    def __contains__(self, name: str) -> bool:
        """Return whether this machine has a name; its name on the network may be known only a moment later."""
        if name == socket.gethostname().lower():
            return True
        if monotonic() >= self._looks_again and self._is_looking.acquire(blocking=False):
            # A name server that does not answer keeps nobody waiting.
            look = Thread(target=self._look, name="own names", daemon=True)
            look.start()
            look.join(LOOK_UP_TIMEOUT_S)
        return name == self._on_network

    def _look(self) -> None:
        with suppress(OSError, UnicodeError):
            self._on_network = socket.getfqdn().rstrip(".").lower()
        self._looks_again = monotonic() + CHECK_INTERVAL_S
        self._is_looking.release()


own_names = OwnNames()
