"""Who may accept a hand for another side."""

from scorekeeper.ledger.log import LoggedHand
from scorekeeper.ledger.roles import Link
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.ledger.signatures import is_same_phone
from scorekeeper.rules.faults import Fault

JOINED_LATER = "joined_later"


def accepting_sides(setup: MatchSetup, hand: LoggedHand) -> tuple[str, ...]:
    """Return the sides that may accept a hand as it is now: all but its writer's, or all where that is not known."""
    writer = setup.side_of(hand.latest.by) if hand.latest.by else None
    return tuple(side.id for side in setup.sides if side.id != writer)


def may_accept(setup: MatchSetup, link: Link, actor: str, hand: LoggedHand) -> bool:
    """Return whether a hand waits for this phone."""
    return hand.waits and acceptance_fault(setup, link, actor, hand) is None


def acceptance_fault(setup: MatchSetup, link: Link, actor: str, hand: LoggedHand) -> Fault | None:
    """Return why this phone cannot accept a hand; `actor` tells phones apart that nobody holds."""
    if link.seat is None:
        return Fault("", "no_seat", "This phone has no player. Choose whose it is, then accept hands.")
    is_own = bool(actor) and is_same_phone(actor, hand.latest.actor)
    if is_own or setup.side_of(link.seat) not in accepting_sides(setup, hand):
        return Fault("", "own_hand", "Someone on another side has to accept this on their own phone.")
    # Whoever wrote it may have come in once more, under another name.
    if hand.latest.seq <= link.seat_since:
        return Fault(
            "",
            JOINED_LATER,
            "This was saved before this phone joined under its name. An owner can let it accept earlier hands, "
            "under “Other phones”.",
        )
    return None
