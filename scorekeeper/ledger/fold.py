"""The fold from a match's events to what they come to: hands in their order, names, what can be undone.

Undoing a fact gives what the others come to without it. An undo can be undone until something new is written; from
then on a hand that was undone can still be restored.
"""

from collections.abc import Iterable
from dataclasses import replace

from scorekeeper.ledger.building import LogBuilder
from scorekeeper.ledger.fact_log import Event, UndoHistory
from scorekeeper.ledger.facts import HandAdded
from scorekeeper.ledger.log import LoggedHand, MatchLog


def fold(events: Iterable[Event]) -> MatchLog:
    """Return what a match's events, in order, come to."""
    events = tuple(events)
    history = UndoHistory(events)
    builder = LogBuilder(history.undone_by)
    for event in events:
        if event.seq not in history.undone_by or isinstance(event.fact, HandAdded):
            event.fact.apply(builder, event)
    hands, pending = builder.hands_in_order()
    return MatchLog(
        events=events,
        hands=hands,
        counted=builder.counted(),
        needs_agreement=builder.needs_agreement,
        gone=tuple(hand.value() for hand in builder.hands if hand.logged.gone),
        renamed=builder.renamed,
        typed=builder.typed,
        marks=builder.marks,
        title=builder.title,
        is_stopped=builder.is_stopped,
        is_deleted=builder.is_deleted,
        next_dealer=pending.dealer,
        next_house=pending.house,
        next_house_on=pending.house_on,
        next_sits_in=pending.sits_in,
        sittings=tuple(builder.sittings),
        undo_next=history.undo_next,
        redo_target=history.redo_target,
        taken_back=frozenset(history.undone_by),
    )


def fold_on(log: MatchLog, event: Event) -> MatchLog:
    """Return what a match's events come to with one more: the same as `fold` of them all, in less time for a hand."""
    fact = event.fact
    if not isinstance(fact, HandAdded) or fact.before is not None or log.needs_agreement:
        return fold((*log.events, event))
    added = event.stamp
    hand = LoggedHand(
        uid=event.seq,
        hand=fact.hand,
        added=added,
        latest=added,
        dealer=log.next_dealer,
        house=log.next_house,
        house_on=log.next_house_on,
        sits_in=log.next_sits_in,
        sittings=len(log.sittings),
    )
    return replace(
        log,
        events=(*log.events, event),
        hands=(*log.hands, hand),
        counted=log.counted + 1,  # nothing waits where nobody has to agree
        next_dealer=None,
        next_house=None,
        next_house_on=None,
        next_sits_in=None,
        undo_next=event,
        redo_target=None,
    )
