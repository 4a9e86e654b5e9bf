"""What a request carries: which phone it comes from, and of a form its key and the version that it was made from."""

import secrets

from flask import g, request, session

from scorekeeper.ledger.limits import key_faults
from scorekeeper.ledger.refusals import refuse_any
from scorekeeper.ledger.roles import Head
from scorekeeper.ledger.signatures import signature
from scorekeeper.rules.faults import Fault
from scorekeeper.services.codes import new_device
from scorekeeper.services.once import Writer

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


ANOTHER_PHONE_FIRST = Fault("", "stale", "Another phone changed the match first. Check this, then save again.")
"""Why a form is shown again that follows on something else than it was made from."""


def new_form_key() -> str:
    """Return a fresh key for a form: posted twice, it counts once."""
    return secrets.token_urlsafe(12)


def posted_key() -> str:
    """Return the key of the form that was posted, or a fresh one for a form without; raises `Refused`."""
    key = request.form.get("client_key", "")
    refuse_any(key_faults(key) if key else ())
    return key or new_form_key()


def writer(key: str = "") -> Writer:
    """Return who writes: this phone, by the posted form or one with another `key`; raises `Refused`."""
    return Writer(key or posted_key(), actor())


def posted_version() -> int:
    """Return the version of the match that the posted form was made from; 0 where it names none."""
    return request.form.get("version", 0, type=int)


def shown_version() -> int | None:
    """Return the version of the match that a polling page shows."""
    return request.args.get("v", type=int)
