"""The server's IP address on its network, and its URL there."""

import socket

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
"""The hosts that mean this computer itself, so that no other one can reach them."""
ALL_INTERFACES = ("0.0.0.0", "::", "*")
"""The values of SCOREKEEPER_HOST with which the server listens on all network interfaces."""


def lan_address() -> str:
    """Return the IPv4 address of this machine on its network; "127.0.0.1" without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route_socket:
        try:
            # A datagram socket that is connected sends nothing; it only learns its route.
            route_socket.connect(("192.0.2.1", 9))
        except OSError:
            return LOOPBACK_HOSTS[0]
        return str(route_socket.getsockname()[0])


def base_url(host: str, port: int, public_url: str = "") -> str:
    """Return `public_url` or, if that is empty, the URL of the host and port, without a slash at the end.

    For a `host` that means all network interfaces, the URL has the address of this machine: "http://192.168.1.20:8000".
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
    """Return whether a program on this computer accepts connections to `port` at 127.0.0.1."""
    try:
        socket.create_connection((LOOPBACK_HOSTS[0], port), timeout=5).close()
    except OSError:
        return False
    return True
