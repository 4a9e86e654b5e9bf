"""The match that a link leads to, for every page that is about one."""

from flask import g

from scorekeeper.extensions import db
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import Head
from scorekeeper.services import load


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
