"""Find conflicts between a hand that a phone enters and what other phones changed meanwhile."""

from collections.abc import Container
from dataclasses import dataclass

from scorekeeper.access.roles import is_same_phone
from scorekeeper.matches.events import Redone, StoredEvent, Undone, hand_uid_of
from scorekeeper.matches.log import LoggedHand, MatchLog


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEvents:
    """The events that a phone knew when it entered a hand: those up to `version`, and its own later ones.

    Events of the posts in `replaces` count as unknown.
    """

    version: int
    """The version of the match that the page showed."""
    actor: str
    replaces: frozenset[str] = frozenset()
    """The idempotency keys of earlier posts of this hand, which got no response before the entry was changed."""

    def includes(self, event: StoredEvent) -> bool:
        """Return whether the phone knew an event when it entered the hand."""
        is_own = is_same_phone(event.actor, self.actor) and event.idempotency_key not in self.replaces
        return event.seq <= self.version or is_own


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """An event that prevents a correction or a new hand, with the hand that the event is about.

    It is an event that the phone did not know, or one that removed the hand to correct or to insert before.
    """

    event: StoredEvent
    hand: LoggedHand
    """The hand that the event is about, in force or removed."""


def conflict_of_correction(log: MatchLog, known: KnownEvents, uid: int) -> Conflict | None:
    """Return the conflict of correcting the hand with a `uid`; `None` without one.

    It conflicts if the hand was removed, or if the phone did not know the last event about it.
    """
    event, hand = _last_event_about(log, uid), log.by_uid[uid]
    return Conflict(event=event, hand=hand) if hand.removed or not known.includes(event) else None


def conflict_of_new_hand(log: MatchLog, known: KnownEvents, before: int | None, position: int) -> Conflict | None:
    """Return a conflict if the phone did not know an event about a hand at the place of the new one; else `None`.

    With `before`, the new hand goes before that one, whose removal is always a conflict. Else it goes at the end, and
    `position`, from 1, counts the hands on the page and those that were entered on it since.
    """
    shown_hands = log.as_of(known.version).hands
    hands_in_gap = _hands_at_position(log, {hand.uid for hand in shown_hands}, before)
    # Hands may have been deleted, or inserted, among those that the page showed: only hands after them are counted.
    earlier_count = 0 if before else max(position - 1 - len(shown_hands), 0)
    # One that was added after the page was loaded, and deleted by the phone of the page, took a place as well.
    occupying_hands = [
        hand
        for hand in hands_in_gap
        if not hand.removed or (hand.uid > known.version and known.includes(_last_event_about(log, hand.uid)))
    ]
    hands_in_force = [hand for hand in occupying_hands[earlier_count:] if not hand.removed]
    for hand in (*hands_in_force, *(hand for hand in hands_in_gap if hand.removed)):
        event = _last_event_about(log, hand.uid)
        if hand.uid == before or not known.includes(event):
            return Conflict(event=event, hand=hand)
    return None


def _hands_at_position(log: MatchLog, shown_uids: Container[int], before: int | None) -> list[LoggedHand]:
    """Return the hands, in force or removed, in the gap where a new hand goes.

    The gap is between the last hand in force with one of `shown_uids` and the hand `before`, or the end. If the hand
    `before` was removed, it is included.
    """
    hands = [log.by_uid[entry] for entry in log.entries if isinstance(entry, int)]
    end = next((i for i, hand in enumerate(hands) if hand.uid == before), len(hands))
    start = max((i + 1 for i, hand in enumerate(hands[:end]) if hand.uid in shown_uids and not hand.removed), default=0)
    return [*hands[start:end], *(hand for hand in hands[end : end + 1] if hand.removed)]


def _last_event_about(log: MatchLog, uid: int) -> StoredEvent:
    """Return the last event about the hand with a `uid`; it may be an undo or a redo."""
    return next(event for event in reversed(log.events) if _affected_hand_uid(event, log) == uid)


def _affected_hand_uid(event: StoredEvent, log: MatchLog) -> int | None:
    """Return the uid of the hand that an event adds, corrects, deletes or restores; `None` for other events.

    For an undo or a redo, return the uid for the event that it undoes or redoes.
    """
    if isinstance(event.data, Undone | Redone):
        return _affected_hand_uid(log.events[event.data.target - 1], log)
    return hand_uid_of(event)
