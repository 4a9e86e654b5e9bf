"""Marks on forms, and which phone it is."""

import secrets

from flask import Request, g, session

from scorekeeper.services.actors import signature
from scorekeeper.services.devices import new_device

LONGEST_KEY = 36
_DEVICE, _WAY = "device", "way"


def new_key() -> str:
    """Make a mark for a form: posted twice, it counts once."""
    return secrets.token_urlsafe(12)


def key_of(request: Request) -> str:
    """Give the mark of the form that was posted; a form without one gets a mark of its own."""
    return request.form.get("client_key", "")[:LONGEST_KEY] or new_key()


def device() -> str:
    """Give the code that this phone is known by, making it on its first visit."""
    if not isinstance(session.get(_DEVICE), str):
        session[_DEVICE] = new_device()
    return str(session[_DEVICE])


def actor() -> str:
    """Sign for this phone in the history, by whoever holds it in the match at hand."""
    link = g.get("link")
    return signature(device(), link.seat if link else None)


def remember_way(way: str) -> None:
    """Note how a hand was entered on this phone."""
    session[_WAY] = way


def remembered_way() -> str:
    """Say how the last hand was entered on this phone; empty where none was."""
    return str(session.get(_WAY, ""))


def seen_version(request: Request) -> int | None:
    """Give the version that a watching page shows."""
    said = request.args.get("v", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 9 else None


def version_of(request: Request) -> int:
    """Give the version that a form was made from; 0 where it says none."""
    said = request.form.get("version", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 9 else 0
