"""The match that a link leads to, for every page that is about one: loaded, and written in."""

from flask import g

from scorekeeper.extensions import db
from scorekeeper.ledger.changes import Change
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import MatchClosed
from scorekeeper.ledger.roles import Head
from scorekeeper.services import load
from scorekeeper.services.writing import write
from scorekeeper.web.shared.device import actor
from scorekeeper.web.shared.form_keys import posted_key


def load_head(code: str) -> Head:
    """Return a link, and the version of its match, read once a request; raises `UnknownMatch`."""
    head: Head | None = g.get("head")
    if head is None or head.link.code != code:
        head = load.head_of(db.session, code)
        g.head = head
    return head


def load_match(code: str) -> Match:
    """Return the match that a link leads to; raises `UnknownMatch`, for which there is an error page."""
    return load.load_match(db.session, code, load_head(code))


def load_unfinished_match(code: str, *, may_be_stopped: bool = False) -> Match:
    """Return a match in which another hand can be recorded, perhaps once it is resumed; raises `MatchClosed`."""
    match = load_match(code)
    closed = match.closed()
    if closed and not (may_be_stopped and closed == "stopped"):
        raise MatchClosed(closed)
    return match


def write_change(code: str, change: Change, *, version: int | None = None, client_key: str = "") -> Match:
    """Write a change, signed by this phone and once for a form, and return the match as it stands then.

    With the `version` of the match that the form was made from, nothing may have been written since; `client_key` is
    that of the form where none is given. Raises `Refused`, `HandRefused`, `MatchClosed` and `StaleMatch`.
    """
    seq = None if version is None else version + 1
    head = load_head(code)
    return write(db.session, code, change, seq=seq, client_key=client_key or posted_key(), actor=actor(), head=head)
