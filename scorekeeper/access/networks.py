"""The IP address of the machine that sends a request, and the networks that it is in."""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Networks = tuple[IPv4Network | IPv6Network, ...]


def parse_address(address_text: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text; `None` if there is none.

    An IPv4 address in the notation of IPv6 is returned as IPv4.
    """
    try:
        address = ip_address(address_text.partition("%")[0].strip("[]"))
    except ValueError:
        return None
    return (address.ipv4_mapped if address.version == 6 else None) or address


_ADDRESS_WITH_PORT = re.compile(r"\[([^]]+)](?::\d+)?|([\d.]+):\d+")
"""Matches an IPv6 address in brackets, with or without a port, or an IPv4 address with a port: "[2001:db8::7]:443"."""


def forwarded_address(header: str, proxy_address: str) -> str:
    """Return the last address in an `X-Forwarded-For` header, without a port.

    That is the one that the nearest proxy added. Without a valid address, `proxy_address` is returned.
    """
    last_entry = header.rpartition(",")[2].strip()
    entry_match = _ADDRESS_WITH_PORT.fullmatch(last_entry)
    address = parse_address((entry_match[1] or entry_match[2]) if entry_match else last_entry)
    return proxy_address if address is None else str(address)


@lru_cache(1000)
def is_within(address_text: str, networks: Networks) -> bool:
    """Return whether an address is in one of these networks; false for a text that is no address."""
    address = parse_address(address_text)
    return address is not None and any(address in network for network in networks)


def machine_key(address_text: str) -> str:
    """Return what identifies the machine at an address: the IPv4 address, or the /64 network of an IPv6 address.

    A text that is no address is returned as it is.
    """
    address = parse_address(address_text)
    return str(ip_network((address, 64), strict=False) if isinstance(address, IPv6Address) else address or address_text)
