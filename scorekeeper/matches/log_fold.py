"""The fold from a match's events to what they come to: hands in their order, names, what can be undone.

Undoing a fact gives what the others come to without it. An undo can be undone until something new is written; from
then on a hand that was undone can still be restored.
"""

from collections.abc import Iterable
from dataclasses import replace

from scorekeeper.eventlog.stream import Event, Redone, UndoHistory, Undone
from scorekeeper.matches.events import HandAdded
from scorekeeper.matches.log import MatchLog


def fold(events: Iterable[Event]) -> MatchLog:
    """Return what a match's events, in order, come to."""
    events = tuple(events)
    history = UndoHistory(events)
    undo_next, redo_target, undone_by = history.undo_next, history.redo_target, history.undone_by
    log = MatchLog(events=events, undo_next=undo_next, redo_target=redo_target, undone_by=undone_by)
    for event in events:
        # Of what was undone only hands leave a trace, for they can be restored.
        if event.seq not in undone_by or isinstance(event.fact, HandAdded):
            event.fact.apply(log, event)
    log.put_in_order()
    return log


def fold_on(log: MatchLog, event: Event) -> MatchLog:
    """Return what a match's events come to with one more: the same as `fold` of them all, in less time."""
    events, fact = (*log.events, event), event.fact
    if isinstance(fact, Undone | Redone):
        return fold(events)
    after = replace(log, events=events, by_uid=dict(log.by_uid), entries=list(log.entries))
    if fact.is_undoable:
        after.undo_next, after.redo_target = event, None
    fact.apply(after, event)
    after.put_in_order()
    return after
