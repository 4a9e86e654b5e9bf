"""A link to watch a match by, for whoever is sent it: never the link of the phone that shares."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import WATCHER, Link, shared_code
from scorekeeper.services.codes import new_code
from scorekeeper.store import links, matches


def shared_link(session: Session, match: Match) -> Link | None:
    """Return the shared link of a match that is in force; `None` where there is none."""
    held = (it for it in links.links_of(session, match.id) if it.link.is_shared and it.revoked_at is None)
    return next((it.link for it in held), None)


def share_match(session: Session, match: Match) -> Link:
    """Return the shared link of a match, a new one where there is none or it was removed, and commit."""
    found = shared_link(session, match)
    if found:
        return found
    code = shared_code(new_code())
    link_id = matches.add_link(session, match.id, code, WATCHER, datetime.now(UTC))
    session.commit()
    return Link(link_id, code, WATCHER, match.id)
