"""The address of the machine that sends a request, and the networks that it is in."""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Networks = tuple[IPv4Network | IPv6Network, ...]


def parse_address(peer: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address; `None` for a text that is none.

    An IPv4 address in IPv6 notation is returned as IPv4.
    """
    try:
        address = ip_address(peer.partition("%")[0].strip("[]"))
    except ValueError:
        return None
    return (address.ipv4_mapped if address.version == 6 else None) or address


_ADDRESS_WITH_PORT = re.compile(r"\[([^]]+)](?::\d+)?|([\d.]+):\d+")
"""An IPv6 address in brackets, or an IPv4 address with a port."""


def forwarded_address(forwarded: str, proxy: str) -> str:
    """Return the address at the end of an `X-Forwarded-For` header, without a port; `proxy` if there is none."""
    last = forwarded.rpartition(",")[2].strip()
    bare = _ADDRESS_WITH_PORT.fullmatch(last)
    address = parse_address((bare[1] or bare[2]) if bare else last)
    return proxy if address is None else str(address)


@lru_cache(1000)
def is_within(peer: str, networks: Networks) -> bool:
    """Return whether an address is in one of these networks; never for a text that is no address."""
    address = parse_address(peer)
    return address is not None and any(address in network for network in networks)


def machine_key(peer: str) -> str:
    """Return a key of the machine at an address: the IPv4 address, the /64 network of an IPv6 one, or else `peer`."""
    address = parse_address(peer)
    return str(ip_network((address, 64), strict=False) if isinstance(address, IPv6Address) else address or peer)
