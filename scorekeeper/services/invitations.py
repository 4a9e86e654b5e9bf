"""Invitations: a QR code and a PIN, by which a phone gets a link of its own as long as they are open."""

from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused, refusal
from scorekeeper.ledger.roles import SCORER, WATCHER, Invitation
from scorekeeper.services.codes import new_code
from scorekeeper.services.pins import letters_of_next, new_pin, read_pin
from scorekeeper.store import invitations

OPEN_FOR = timedelta(hours=12)
OFFERED = (WATCHER, SCORER)
_MOST_TRIES = 50


class NoInvitation(Exception):
    """Nobody is let in by this: there is no such code, or it has expired."""


def invite(session: Session, match: Match, role: str) -> Invitation:
    """Open an invitation to watch, or to score as well, and commit; one that is open already is renewed.

    Raises `Refused` where no PIN is left.
    """
    for _ in range(_MOST_TRIES):
        try:
            _invite(session, match, role)
            session.commit()
        except IntegrityError:  # another match has this PIN
            session.rollback()
            continue
        if invitation := open_invitation(session, match.id, role):
            return invitation
    raise _no_pin_left()


def _invite(session: Session, match: Match, role: str) -> None:
    now = datetime.now(UTC)
    until = now + OPEN_FOR
    if invitation := open_invitation(session, match.id, role):
        invitations.renew(session, invitation.id, until)
        return
    invitations.free_pins(session, now)
    letters = letters_of_next(invitations.open_pins(session))
    if letters is None:
        session.rollback()
        raise _no_pin_left()
    invitations.end(session, match.id, now, role)
    values = {"match_id": match.id, "role": role, "created_at": now, "expires_at": until}
    invitations.add(session, code=new_code(), pin=new_pin(letters), **values)


def _no_pin_left() -> Refused:
    return refusal("", "no_pin_left", "No PIN is free right now. Try again later, or close a code that nobody needs.")


def open_invitation(session: Session, match_id: int, role: str) -> Invitation | None:
    """Return the invitation that lets phones in to a match in this role."""
    return _open_by_role(session, match_id).get(role)


def open_invitations(session: Session, match: Match) -> dict[str, Invitation]:
    """Return the invitations that let phones in to a match, by role."""
    found = _open_by_role(session, match.id)
    return {role: found[role] for role in OFFERED if role in found}


def _open_by_role(session: Session, match_id: int) -> dict[str, Invitation]:
    now, found = datetime.now(UTC), invitations.open_of(session, match_id)
    return {it.role: it for it in reversed(found) if it.is_open(now) and it.pin}


def close(session: Session, match: Match, role: str) -> None:
    """End the invitation to this role, and commit."""
    invitations.end(session, match.id, datetime.now(UTC), role)
    session.commit()


def invitation_of_code(session: Session, code: str) -> Invitation:
    """Return the open invitation that has a code; raises `NoInvitation`."""
    return _checked(invitations.by_code(session, code))


def invitation_of_pin(session: Session, typed: str) -> Invitation:
    """Return the open invitation that has a PIN, however it was typed; raises `NoInvitation`."""
    return _checked(invitations.by_pin(session, read_pin(typed)))


def _checked(found: Invitation | None) -> Invitation:
    if found is None or not found.is_open(datetime.now(UTC)):
        raise NoInvitation
    return found
