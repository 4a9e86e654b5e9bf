"""Replace each name in a night that its book has deleted: by an empty name, then by a name like "Player 3".

The stored events keep the name, since the book may restore it. The file of a book has the empty name.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from itertools import count

from scorekeeper.club.nights.events import EntrantArrived, EntrantRenamed
from scorekeeper.eventlog.stream import StoredEvent
from scorekeeper.matches.deleted_names import numbered_player_name

NO_NAME = ""
"""The empty name that replaces a deleted name in copies of a night's events."""
_PlayerKey = tuple[int, int]
"""The uid of an entrant, and the index of one of its players."""


def blank_deleted_names(
    events: Iterable[StoredEvent], is_deleted: Callable[[str, datetime], bool]
) -> tuple[StoredEvent, ...]:
    """Return the events of a night with `NO_NAME` in place of each deleted name.

    `is_deleted` is called with a name and the time when the name was typed. A player whose latest name is deleted
    becomes nameless in all events.
    """
    events = tuple(events)
    is_nameless_by_player = {
        player: is_deleted(name, event.at) for event in events for player, name in _names_by_player(event).items()
    }

    def blank_name(player: _PlayerKey, name: str, typed_at: datetime) -> str:
        return NO_NAME if is_nameless_by_player[player] or is_deleted(name, typed_at) else name

    return _replace_names(events, blank_name)


def number_nameless_players(events: Iterable[StoredEvent]) -> tuple[StoredEvent, ...]:
    """Return the events of a night with a name like "Player 3" in place of each `NO_NAME`.

    Each nameless player gets a name that nobody else has.
    """
    events = tuple(events)
    players_and_names = [item for event in events for item in _names_by_player(event).items()]
    used_names = {name for _, name in players_and_names}
    unused_names = (name for name in map(numbered_player_name, count()) if name not in used_names)
    numbered_names_by_player = {player: next(unused_names) for player in dict(players_and_names)}
    return _replace_names(events, lambda player, name, _typed_at: name or numbered_names_by_player[player])


def _names_by_player(event: StoredEvent) -> dict[_PlayerKey, str]:
    """Return the names that an event gives to the players of an entrant; empty for an event without names."""
    match event.data:
        case EntrantArrived(players=players):
            uid = event.seq
        case EntrantRenamed(pair=uid, players=players):
            pass
        case _:
            return {}
    return {(uid, index): name for index, name in enumerate(players)}


def _replace_names(
    events: Iterable[StoredEvent], new_name: Callable[[_PlayerKey, str, datetime], str]
) -> tuple[StoredEvent, ...]:
    """Return events with what `new_name` returns in place of each name.

    `new_name` is called with the player, the name, and the time when the name was typed.
    """

    def replace_names_in_event(event: StoredEvent) -> StoredEvent:
        names = tuple(new_name(player, name, event.at) for player, name in _names_by_player(event).items())
        return replace(event, data=replace(event.data, players=names)) if names else event

    return tuple(map(replace_names_in_event, events))
