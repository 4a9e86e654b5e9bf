"""Which PINs are open, whatever they lead to: no two are the same."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.orm import Session

from scorekeeper.store import invitations, nights


def free_expired_pins(session: Session, now: datetime) -> None:
    """Free the PINs of invitations that have expired; does not commit."""
    invitations.free_pins(session, now)
    nights.free_pins(session, now)


def open_pins(session: Session) -> Mapping[int, int]:
    """Return how many PINs of each length are taken."""
    return Counter(invitations.open_pins(session)) + Counter(nights.open_pins(session))


def is_taken(session: Session, pin: str) -> bool:
    """Return whether an invitation has this PIN."""
    return bool(invitations.by_pin(session, pin) or nights.invitation_by_pin(session, pin))
