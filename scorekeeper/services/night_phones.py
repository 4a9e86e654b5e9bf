"""The phones of a night: invitations by QR code and PIN, the link that each gets, and which pair holds it."""

from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.ladder.roles import NightInvitation, NightLink
from scorekeeper.ledger.refusals import refusal
from scorekeeper.ledger.roles import OWNER, SCORER, WATCHER, higher
from scorekeeper.services.codes import new_code
from scorekeeper.services.invitations import OPEN_FOR, NoInvitation, no_pin_left
from scorekeeper.services.match_list import device_digest
from scorekeeper.services.nights import NightAtHand
from scorekeeper.services.once import tried_again
from scorekeeper.services.pins import letters_of_next, new_pin, read_pin
from scorekeeper.services.pins_in_use import free_expired_pins, is_taken, open_pins
from scorekeeper.store import nights

OFFERED = (WATCHER, SCORER)
_MOST_TRIES = 50


def invite(session: Session, found: NightAtHand, role: str) -> NightInvitation:
    """Open an invitation to a night, and commit; one that is open already is renewed. Raises `Refused`."""
    for _ in range(_MOST_TRIES):
        now = datetime.now(UTC)
        if known := open_invitation(session, found.setup.id, role):
            nights.renew_invitation(session, known.id, now + OPEN_FOR)
            session.commit()
            return replace(known, expires_at=now + OPEN_FOR)
        free_expired_pins(session, now)
        letters = letters_of_next(open_pins(session))
        if letters is None:
            session.rollback()
            break
        pin = new_pin(letters)
        if is_taken(session, pin):
            continue
        nights.end_invitations(session, found.setup.id, role, now)
        values = {"night_id": found.setup.id, "role": role, "created_at": now, "expires_at": now + OPEN_FOR}
        try:
            nights.add_invitation(session, code=new_code(), pin=pin, **values)
            session.commit()
        except IntegrityError:  # another night has this PIN
            session.rollback()
        if made := open_invitation(session, found.setup.id, role):
            return made
    raise no_pin_left()


def open_invitation(session: Session, night_id: int, role: str) -> NightInvitation | None:
    """Return the invitation that lets phones in to a night in this role."""
    now = datetime.now(UTC)
    found = nights.invitations_of(session, night_id)
    return next((it for it in found if it.role == role and it.is_open(now) and it.pin), None)


def close(session: Session, found: NightAtHand, role: str) -> None:
    """End the invitation to this role, and commit."""
    nights.end_invitations(session, found.setup.id, role, datetime.now(UTC))
    session.commit()


def night_invitation_of_code(session: Session, code: str) -> NightInvitation:
    """Return the open invitation to a night that has a code; raises `NoInvitation`."""
    return _checked(nights.invitation_by_code(session, code))


def night_invitation_of_pin(session: Session, typed: str) -> NightInvitation:
    """Return the open invitation to a night that has a PIN, however it was typed; raises `NoInvitation`."""
    return _checked(nights.invitation_by_pin(session, read_pin(typed)))


def _checked(found: NightInvitation | None) -> NightInvitation:
    if found is None or not found.is_open(datetime.now(UTC)):
        raise NoInvitation
    return found


def join_night(session: Session, invitation: NightInvitation, device: str, pair: int | None) -> NightLink:
    """Add a phone to a night and return its own link, the only one that it gets: it allows no less than before."""
    digest = device_digest(device)

    def join() -> NightLink:
        if known := nights.link_of_device(session, digest, invitation.night_id):
            link, is_in_force = known
            role = higher(link.role, invitation.role) if is_in_force else invitation.role
            link = replace(link, role=role, pair=pair)
            nights.change_link(session, link.id, role=role, pair=pair, revoked_at=None)
        else:
            now, role = datetime.now(UTC), invitation.role
            link = nights.add_link(session, invitation.night_id, new_code(), role, now, device=digest, pair=pair)
        session.commit()
        return link

    return tried_again(session, join)


def hold(session: Session, found: NightAtHand, pair: int | None) -> None:
    """Remember which pair holds a phone, and commit; `None` is nobody."""
    if pair is not None and pair not in found.night.pairs:
        raise refusal("pair", "no_pair", "There is no such pair tonight.")
    nights.change_link(session, found.link.id, pair=pair)
    session.commit()


def phones_of(session: Session, found: NightAtHand) -> list[tuple[NightLink, bool]]:
    """Return every phone that joined a night, the first one first, and whether its link is in force."""
    return nights.links_of(session, found.setup.id)


def change_phone(session: Session, found: NightAtHand, link_id: int, role: str | None) -> None:
    """Change what a phone may do, or end its link where there is no role, and commit; raises `Refused`."""
    phones = {link.id: (link, is_in_force) for link, is_in_force in phones_of(session, found)}
    if link_id not in phones:
        raise refusal("", "no_phone", "There is no such phone. Check the list again.")
    owners = [link.id for link, is_in_force in phones.values() if is_in_force and link.role == OWNER]
    if role != OWNER and owners == [link_id]:
        raise refusal("", "last_owner", "This is the only owner’s phone. Make another one a co-owner first.")
    if role is None:
        # What it joined by would let it in again.
        close(session, found, phones[link_id][0].role)
        nights.change_link(session, link_id, revoked_at=datetime.now(UTC))
    else:
        nights.change_link(session, link_id, role=role, revoked_at=None)
    session.commit()
