"""Codes that nobody guesses: of links and invitations, the uids of matches and books, and those of devices.

A device is identified by a code in its cookie, of which only a digest is stored.
"""

import hashlib
import secrets


def new_code() -> str:
    """Return a new code for a link, or a new uid: 128 bits, without a leading dash, which looks like an option."""
    while (code := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return code


def new_device() -> str:
    """Return a new code for a device's cookie."""
    return secrets.token_urlsafe(16)


def device_digest(device: str) -> str:
    """Return the digest under which the database stores a device, from which its code cannot be found."""
    return hashlib.sha256(device.encode()).hexdigest()
