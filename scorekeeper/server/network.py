"""The server's IP address and URL on its network."""

import socket

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
"""The hosts by which a computer reaches only itself."""
ALL_INTERFACES = ("0.0.0.0", "::", "*")
"""The values of SCOREKEEPER_HOST that listen on every network interface."""


def lan_address() -> str:
    """Return this machine's IPv4 address on its network, or 127.0.0.1 without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A datagram socket that is connected sends nothing; it only learns its route.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return LOOPBACK_HOSTS[0]
        return str(probe.getsockname()[0])


def base_url(host: str, port: int, public_url: str = "") -> str:
    """Return the server's URL without a slash at the end: `public_url`, or else that of the host and port.

    A `host` for all network interfaces becomes this machine's address on its network.
    """
    if public_url:
        return public_url
    url_host = lan_address() if host in ALL_INTERFACES else host
    if ":" in url_host:
        url_host = f"[{url_host}]"
    return f"http://{url_host}" if port == 80 else f"http://{url_host}:{port}"


NO_PUBLIC_URL_TEXT = (
    "Scorekeeper runs in a container, which cannot know by which address phones open it. Set SCOREKEEPER_PUBLIC_URL to "
    "it, such as http://192.168.1.20:8000."
)


def is_listening(port: int) -> bool:
    """Return whether a program accepts connections to a port at 127.0.0.1."""
    try:
        socket.create_connection((LOOPBACK_HOSTS[0], port), timeout=5).close()
    except OSError:
        return False
    return True
