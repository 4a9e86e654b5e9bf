"""Replaces names in a night that its book has deleted, by “Player 3” or the like.

The stored events keep the name, since the book may restore it; a book's file leaves it out.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from itertools import count

from scorekeeper.club.nights.events import EntrantArrived, EntrantRenamed
from scorekeeper.eventlog.stream import StoredEvent
from scorekeeper.matches.deleted_names import numbered_player_name

NO_NAME = ""
"""The empty name that replaces a deleted one in copies of a night's events."""
_PlayerKey = tuple[int, int]
"""The uid of an entrant, and the index of one of its players."""


def blank_deleted_names(
    events: Iterable[StoredEvent], is_deleted: Callable[[str, datetime], bool]
) -> tuple[StoredEvent, ...]:
    """Return the events of a night with `NO_NAME` in place of each deleted name.

    `is_deleted` is called with a name and the time when it was typed. A player whose latest name is deleted becomes
    nameless in all events.
    """
    events = tuple(events)
    is_nameless = {
        player: is_deleted(name, event.at) for event in events for player, name in _typed_names(event).items()
    }

    def blank(player: _PlayerKey, name: str, at: datetime) -> str:
        return NO_NAME if is_nameless[player] or is_deleted(name, at) else name

    return _replace_names(events, blank)


def number_nameless_players(events: Iterable[StoredEvent]) -> tuple[StoredEvent, ...]:
    """Return the events of a night with a name like "Player 3" in place of each `NO_NAME`.

    Each nameless player gets an unused name.
    """
    events = tuple(events)
    players_and_names = [item for event in events for item in _typed_names(event).items()]
    taken_names = {name for _, name in players_and_names}
    unused_names = (name for name in map(numbered_player_name, count()) if name not in taken_names)
    numbered_names = {player: next(unused_names) for player in dict(players_and_names)}
    return _replace_names(events, lambda player, name, _at: name or numbered_names[player])


def _typed_names(event: StoredEvent) -> dict[_PlayerKey, str]:
    """Return the names in an event, by player; empty for an event that gives nobody a name."""
    match event.data:
        case EntrantArrived(players=players):
            uid = event.seq
        case EntrantRenamed(pair=uid, players=players):
            pass
        case _:
            return {}
    return {(uid, index): name for index, name in enumerate(players)}


def _replace_names(
    events: Iterable[StoredEvent], name_for: Callable[[_PlayerKey, str, datetime], str]
) -> tuple[StoredEvent, ...]:
    """Return events in which `name_for`, called with player, name and time, has replaced each name."""

    def replace_in(event: StoredEvent) -> StoredEvent:
        players = tuple(name_for(player, name, event.at) for player, name in _typed_names(event).items())
        return replace(event, data=replace(event.data, players=players)) if players else event

    return tuple(map(replace_in, events))
