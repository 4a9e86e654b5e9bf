"""Who may say for another side that a hand was so."""

from sqlalchemy.orm import Session

from scorekeeper.rules.faults import Fault
from scorekeeper.services.actors import is_same_phone
from scorekeeper.services.log import LoggedHand
from scorekeeper.store.matches import Link, StoredMatch
from scorekeeper.store.phones import seats_in


def side_of(match: StoredMatch, who: str) -> str:
    """Give the side that a seat belongs to; where everybody scores alone, or sides change, that is the seat itself."""
    return next((side.id for side in match.sides if who == side.id or who in side.seats), who)


def others_of(match: StoredMatch, hand: LoggedHand) -> tuple[str, ...]:
    """Give the sides that may accept a hand as it is now: every one but its writer's, all where nobody knows whose."""
    writer = side_of(match, hand.latest.by) if hand.latest.by else None
    return tuple(side.id for side in match.sides if side.id != writer)


def may_accept(match: StoredMatch, link: Link, actor: str, hand: LoggedHand) -> bool:
    """Say whether a hand waits for this phone."""
    return hand.waits and why_not(match, link, actor, hand) is None


def why_not(match: StoredMatch, link: Link, actor: str, hand: LoggedHand) -> Fault | None:
    """Say why this phone cannot accept a hand; `actor` tells phones apart that are nobody's."""
    if link.seat is None:
        return Fault("", "no_seat", "This phone is nobody’s. Come in under a name, and it can accept hands.")
    is_own = bool(actor) and is_same_phone(actor, hand.latest.actor)
    if is_own or side_of(match, link.seat) not in others_of(match, hand):
        return Fault("", "own_hand", "Somebody of another side has to accept this, on a phone of their own.")
    return None


def sides_with_phones(session: Session, match: StoredMatch) -> frozenset[str]:
    """Give the sides that have come in on a phone of their own."""
    return frozenset(side_of(match, seat) for seat in seats_in(session, match.id))
