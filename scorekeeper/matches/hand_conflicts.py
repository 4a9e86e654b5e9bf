"""Conflicts: while a phone entered a hand, another phone wrote about the same hand, or one in the same place."""

from collections.abc import Container
from dataclasses import dataclass

from scorekeeper.access.roles import is_same_phone
from scorekeeper.matches.events import Redone, StoredEvent, Undone, hand_uid_of
from scorekeeper.matches.log import LoggedHand, MatchLog


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEvents:
    """What a phone knew when it entered a hand: the events up to the version of its page, and its own later ones."""

    version: int
    """The version of the page."""
    actor: str
    replaces: frozenset[str] = frozenset()
    """The idempotency keys of earlier posts of this entry, which was changed after no response had arrived."""

    def includes(self, event: StoredEvent) -> bool:
        """Return whether the phone knew an event when it entered the hand."""
        is_own = is_same_phone(event.actor, self.actor) and event.idempotency_key not in self.replaces
        return event.seq <= self.version or is_own


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """An event of another phone about the hand to be corrected, or about a hand in the place of the new one."""

    event: StoredEvent
    hand: LoggedHand
    """The hand of that event, in force or removed."""


def conflict_of_correction(log: MatchLog, known: KnownEvents, uid: int) -> Conflict | None:
    """Return a conflict where the last event about a hand to correct removed it, or was not known to the phone."""
    event, hand = _last_event_about(log, uid), log.by_uid[uid]
    return Conflict(event=event, hand=hand) if hand.removed or not known.includes(event) else None


def conflict_of_new_hand(log: MatchLog, known: KnownEvents, before: int | None, index: int) -> Conflict | None:
    """Return the event by which another phone added, or else removed, a hand where the new one would be, as a conflict.

    The place is `before` another hand, or the end. At the end, a phone may enter several hands on one page: `index` is
    the number of this hand, from 1, among the hands that the page showed and those entered on it.
    """
    shown_hands = log.as_of(known.version).hands
    hands_in_gap = _hands_in_gap(log, {hand.uid for hand in shown_hands}, before)
    # Hands may have been deleted, or inserted, among those that the page showed: only hands after them are counted.
    earlier_count = 0 if before else max(index - 1 - len(shown_hands), 0)
    # One that was added after the page was loaded, and deleted by the phone of the page, took a place as well.
    occupying_hands = [
        hand
        for hand in hands_in_gap
        if not hand.removed or (hand.uid > known.version and known.includes(_last_event_about(log, hand.uid)))
    ]
    in_force = [hand for hand in occupying_hands[earlier_count:] if not hand.removed]
    for hand in (*in_force, *(hand for hand in hands_in_gap if hand.removed)):
        event = _last_event_about(log, hand.uid)
        if hand.uid == before or not known.includes(event):
            return Conflict(event=event, hand=hand)
    return None


def _hands_in_gap(log: MatchLog, shown: Container[int], before: int | None) -> list[LoggedHand]:
    """Return the hands, in force or removed, between those that a page showed before and after a new hand.

    The hand `before` which the new one is inserted is included if it is removed.
    """
    hands = [log.by_uid[entry] for entry in log.entries if isinstance(entry, int)]
    end = next((i for i, hand in enumerate(hands) if hand.uid == before), len(hands))
    start = max((i + 1 for i, hand in enumerate(hands[:end]) if hand.uid in shown and not hand.removed), default=0)
    return [*hands[start:end], *(hand for hand in hands[end : end + 1] if hand.removed)]


def _last_event_about(log: MatchLog, uid: int) -> StoredEvent:
    """Return the last event about the hand with a uid, which may be an undo or a redo."""
    return next(event for event in reversed(log.events) if _affected_hand_uid(event, log) == uid)


def _affected_hand_uid(event: StoredEvent, log: MatchLog) -> int | None:
    """Return the uid of the hand that an event changes, also by an undo or a redo; `None` for other events."""
    if isinstance(event.data, Undone | Redone):
        return _affected_hand_uid(log.events[event.data.target - 1], log)
    return hand_uid_of(event)
