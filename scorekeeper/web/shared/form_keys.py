"""What a form carries so that it counts once, and so that it is known what it followed on: a key and a version."""

import secrets

from flask import request

from scorekeeper.ledger.limits import key_faults
from scorekeeper.ledger.refusals import refuse_any
from scorekeeper.rules.faults import Fault

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


def posted_version() -> int:
    """Return the version of the match that the posted form was made from; 0 where it names none."""
    return request.form.get("version", 0, type=int)


def shown_version() -> int | None:
    """Return the version of the match that a polling page shows."""
    return request.args.get("v", type=int)
