"""Invitations: a QR code and a PIN, by which a phone gets a link of its own to a match or a book."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar, overload

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused, refusal
from scorekeeper.ledger.roles import SCORER, WATCHER, BookInvitation, Invitation
from scorekeeper.services.books import BookAccess
from scorekeeper.services.codes import new_code
from scorekeeper.services.pins import letters_of_next, new_pin, read_pin
from scorekeeper.services.pins_in_use import free_expired_pins, is_taken, open_pins
from scorekeeper.store import invitations

AnyInvitation = Invitation | BookInvitation
_Invitation = TypeVar("_Invitation", Invitation, BookInvitation)

OPEN_FOR = timedelta(hours=12)
OFFERED = (WATCHER, SCORER)
_MOST_TRIES = 50


class NoInvitation(Exception):
    """Nobody is let in by this: there is no such code, or it has expired."""


@overload
def invite(session: Session, place: Match, role: str) -> Invitation: ...
@overload
def invite(session: Session, place: BookAccess, role: str) -> BookInvitation: ...
def invite(session: Session, place: Match | BookAccess, role: str) -> AnyInvitation:
    """Open an invitation to watch, or to score as well, and commit; one that is open already is renewed.

    Raises `Refused` where no PIN is left.
    """
    for _ in range(_MOST_TRIES):
        try:
            _invite(session, place, role)
            session.commit()
        except IntegrityError:  # another one has this PIN
            session.rollback()
            continue
        if invitation := open_invitations(session, place).get(role):
            return invitation
    raise no_pin_left()


def _invite(session: Session, place: Match | BookAccess, role: str) -> None:
    now = datetime.now(UTC)
    until = now + OPEN_FOR
    if invitation := open_invitations(session, place).get(role):
        invitations.renew(session, invitation.id, until)
        return
    free_expired_pins(session, now)
    letters = letters_of_next(open_pins(session))
    if letters is None:
        session.rollback()
        raise no_pin_left()
    pin = new_pin(letters)
    if is_taken(session, pin):
        return
    _end(session, place, now, role)
    to = {"match_id": place.id} if isinstance(place, Match) else {"book_id": place.id}
    values = {**to, "role": role, "created_at": now, "expires_at": until}
    invitations.add(session, code=new_code(), pin=pin, **values)


def no_pin_left() -> Refused:
    """Return why nobody can be invited just now."""
    return refusal("", "no_pin_left", "No PIN is free right now. Try again later, or close a code that nobody needs.")


def open_invitation(session: Session, match_id: int, role: str) -> Invitation | None:
    """Return the invitation that lets phones in to a match in this role."""
    return _by_role(invitations.open_of_match(session, match_id)).get(role)


@overload
def open_invitations(session: Session, place: Match) -> Mapping[str, Invitation]: ...
@overload
def open_invitations(session: Session, place: BookAccess) -> Mapping[str, BookInvitation]: ...
def open_invitations(session: Session, place: Match | BookAccess) -> Mapping[str, AnyInvitation]:
    """Return the invitations that let phones in to a match or a book, by role."""
    if isinstance(place, Match):
        return _by_role(invitations.open_of_match(session, place.id))
    return _by_role(invitations.open_of_book(session, place.id))


def _by_role(found: Sequence[_Invitation]) -> dict[str, _Invitation]:
    now = datetime.now(UTC)
    by_role = {it.role: it for it in reversed(found) if it.is_open(now) and it.pin}
    return {role: by_role[role] for role in OFFERED if role in by_role}


def close(session: Session, place: Match | BookAccess, role: str) -> None:
    """End the invitation to this role, and commit."""
    _end(session, place, datetime.now(UTC), role)
    session.commit()


def _end(session: Session, place: Match | BookAccess, now: datetime, role: str) -> None:
    end = invitations.end_of_match if isinstance(place, Match) else invitations.end_of_book
    end(session, place.id, now, role)


def invitation_of_code(session: Session, code: str) -> AnyInvitation:
    """Return the open invitation that has a code; raises `NoInvitation`."""
    return _checked(invitations.by_code(session, code))


def invitation_of_pin(session: Session, typed: str) -> AnyInvitation:
    """Return the open invitation that has a PIN, however it was typed; raises `NoInvitation`."""
    return _checked(invitations.by_pin(session, read_pin(typed)))


def _checked(found: AnyInvitation | None) -> AnyInvitation:
    if found is None or not found.is_open(datetime.now(UTC)):
        raise NoInvitation
    return found
