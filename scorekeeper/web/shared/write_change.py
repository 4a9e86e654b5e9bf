"""Writing into a match what a form that was posted asks for."""

from scorekeeper.extensions import db
from scorekeeper.ledger.changes import Change
from scorekeeper.ledger.derive_match import Match
from scorekeeper.services.writing import write
from scorekeeper.web.shared.device import actor
from scorekeeper.web.shared.form_keys import posted_key


def write_change(code: str, change: Change, *, version: int | None = None) -> Match:
    """Write a change, signed by this phone and once for a form, and return the match as it stands then.

    With the `version` of the match that the form was made from, nothing may have been written since. Raises `Refused`,
    `HandRefused` and `StaleMatch`.
    """
    seq = None if version is None else version + 1
    return write(db.session, code, change, seq=seq, client_key=posted_key(), actor=actor())
