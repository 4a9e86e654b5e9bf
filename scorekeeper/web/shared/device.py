"""Which phone a request comes from: a code in its signed cookie, and its holder in the match at hand."""

from flask import g, session

from scorekeeper.ledger.roles import Head
from scorekeeper.ledger.signatures import signature
from scorekeeper.services.match_list import new_device

# Phones keep these names in their cookies.
_DEVICE, _ENTRY_MODE = "device", "way"


def device() -> str:
    """Return the code that this phone is known by, made on its first visit."""
    if not isinstance(session.get(_DEVICE), str):
        session[_DEVICE] = new_device()
    return str(session[_DEVICE])


def known_device() -> str:
    """Return the same without making one: empty where this phone has no page of ours."""
    return str(session.get(_DEVICE, ""))


def actor() -> str:
    """Return the signature of this phone for the change log: the phone, and its holder in the match at hand."""
    head: Head | None = g.get("head")
    return signature(device(), head.link.seat if head else None)


def remember_entry_mode(mode: str) -> None:
    """Remember on this phone how a hand was entered."""
    if session.get(_ENTRY_MODE) != mode:  # a cookie that is as it was is not signed and sent again
        session[_ENTRY_MODE] = mode


def remembered_entry_mode() -> str:
    """Return how the last hand was entered on this phone; empty where none was."""
    return str(session.get(_ENTRY_MODE, ""))
