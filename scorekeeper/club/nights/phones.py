"""Phones at a ladder night: how one joins, and which pair holds it."""

from sqlalchemy.orm import Session

from scorekeeper.access.phones import add_phone
from scorekeeper.access.roles import Invitation
from scorekeeper.club.nights.links import NIGHT_LINKS
from scorekeeper.club.nights.roles import NightLink
from scorekeeper.club.nights.service import NightAtHand


def join_night(session: Session, invitation: Invitation, device: str, pair: int | None) -> NightLink:
    """Add a phone to a night, and return its own link, the only one that it gets: it allows no less than before."""
    return add_phone(session, NIGHT_LINKS, invitation, device, lambda _own: {"pair": pair})


def hold_for_pair(session: Session, found: NightAtHand, pair: int | None) -> None:
    """Remember which pair holds a phone, and commit; `None` is nobody."""
    if pair is not None:
        found.night.refuse_unknown(pair)
    NIGHT_LINKS.change(session, found.link.id, pair=pair)
    session.commit()
