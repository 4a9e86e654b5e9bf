"""Invitations: a code in a picture and a PIN, by which a phone gets a link of its own for as long as they hold."""

from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.services.beginnings import new_code
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.pins import PIN_LETTERS, new_pin, read_pin
from scorekeeper.services.roles import SCORER, WATCHER
from scorekeeper.store import invitations
from scorekeeper.store.invitations import Invitation

__all__ = ["PIN_LETTERS", "Invitation"]

HOLDS_FOR = timedelta(hours=12)
OFFERED = (WATCHER, SCORER)
_MOST_TRIES = 50


class NoInvitation(Exception):
    """Nobody is let in by this: there is no such code, or it has run out."""


def invite(session: Session, match: LoadedMatch, role: str) -> Invitation:
    """Let phones in to look on, or to score as well, and commit; an invitation that holds is renewed."""
    for _ in range(_MOST_TRIES):
        try:
            _invite(session, match, role)
            session.commit()
        except IntegrityError:  # another match has this PIN
            session.rollback()
            continue
        if held := open_invitation(session, match.match.id, role):
            return held
    raise NoInvitation


def _invite(session: Session, match: LoadedMatch, role: str) -> None:
    now = datetime.now(UTC)
    until = now + HOLDS_FOR
    if held := open_invitation(session, match.match.id, role):
        invitations.renew(session, held.id, until)
        return
    invitations.free_pins(session, now)
    invitations.end(session, match.match.id, now, role)
    values = {"match_id": match.match.id, "role": role, "created_at": now, "expires_at": until}
    invitations.add(session, code=new_code(), pin=new_pin(), **values)


def open_invitation(session: Session, match_id: int, role: str) -> Invitation | None:
    """Give the invitation that lets phones in to a match in this role."""
    now = datetime.now(UTC)
    return next(
        (it for it in invitations.open_of(session, match_id) if it.role == role and it.holds(now) and it.pin),
        None,
    )


def open_invitations(session: Session, match: LoadedMatch) -> dict[str, Invitation]:
    """Give the invitations that let phones in to a match, by role."""
    found = {role: open_invitation(session, match.match.id, role) for role in OFFERED}
    return {role: it for role, it in found.items() if it}


def close(session: Session, match: LoadedMatch, role: str) -> None:
    """Let nobody else in in this role, and commit."""
    invitations.end(session, match.match.id, datetime.now(UTC), role)
    session.commit()


def invitation_of_code(session: Session, code: str) -> Invitation:
    """Give the invitation of a code that holds; raises `NoInvitation`."""
    return _holding(invitations.by_code(session, code))


def invitation_of_pin(session: Session, typed: str) -> Invitation:
    """Give the invitation of a PIN that holds, however it was typed; raises `NoInvitation`."""
    return _holding(invitations.by_pin(session, read_pin(typed)))


def _holding(found: Invitation | None) -> Invitation:
    if found is None or not found.holds(datetime.now(UTC)):
        raise NoInvitation
    return found
