"""Whether what others wrote while somebody entered a hand is about that hand.

The hand is one with a `uid` that is corrected, or a new one, which goes `before` another or after all.
"""

from collections.abc import Sequence

from scorekeeper.ledger.facts import Event, HandAdded, HandCorrected, HandRemoved, HandReturned, Redone, Undone
from scorekeeper.ledger.log import MatchLog


def is_about_hand(event: Event, log: MatchLog, uid: int | None, before: int | None) -> bool:
    """Return whether an event changes the hand, or stands in its place."""
    match event.fact:
        case HandAdded(before=place):
            return uid is None and place == before
        case HandCorrected(uid=changed):
            return changed == uid
        case HandRemoved(uid=changed):
            return changed in (uid, before)
        case HandReturned(uid=changed):
            return uid is None or changed == uid
        case Undone(target=target) | Redone(target=target):
            meant = next(other for other in log.events if other.seq == target)
            return meant.seq in (uid, before) or is_about_hand(meant, log, uid, before)
        case _:
            return False


def hand_written_first(since: Sequence[Event], log: MatchLog, uid: int | None, before: int | None) -> int | None:
    """Return the hand that somebody else wrote in the place of this one, if it is still there."""
    for event in reversed(since):
        if isinstance(event.fact, HandAdded | HandCorrected) and is_about_hand(event, log, uid, before):
            written = event.seq if isinstance(event.fact, HandAdded) else event.fact.uid
            return written if log.hand(written) else None
    return None
