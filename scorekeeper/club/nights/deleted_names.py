"""A night without the names that its book has deleted since they were typed: a player who had one is “Player 3”.

The typed name stays in the events, for the book may restore it; a file leaves it out.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from itertools import count

from scorekeeper.club.nights.events import PairArrived, PairRenamed
from scorekeeper.eventlog.stream import StoredEvent
from scorekeeper.matches.deleted_names import numbered_player

NO_NAME = ""
"""Stands for a deleted name in the events."""
_Player = tuple[int, int]
"""A pair by its uid, and which of its players."""


def without_names(
    events: Iterable[StoredEvent], is_deleted: Callable[[str, datetime], bool]
) -> tuple[StoredEvent, ...]:
    """Return the events of a night with `NO_NAME` for each name that was deleted after it had been typed.

    A player whose latest name was deleted has none in any spelling.
    """
    nameless: dict[_Player, bool] = {}

    def look(player: _Player, name: str, at: datetime) -> str:
        nameless[player] = is_deleted(name, at)
        return name

    def left(player: _Player, name: str, at: datetime) -> str:
        return NO_NAME if nameless[player] or is_deleted(name, at) else name

    return _with_names(_with_names(events, look), left)


def with_numbers(events: Iterable[StoredEvent]) -> tuple[StoredEvent, ...]:
    """Return the events of a night with a number for every player without a name, which nobody else has."""
    taken, numbers = set[str](), dict[_Player, str]()

    def look(player: _Player, name: str, at: datetime) -> str:
        taken.add(name)
        return name

    def called(player: _Player, name: str, at: datetime) -> str:
        if player not in numbers:
            numbers[player] = next(free)
        return name or numbers[player]

    events, free = (
        _with_names(events, look),
        (number for number in map(numbered_player, count()) if number not in taken),
    )
    return _with_names(events, called) if NO_NAME in taken else events


def _with_names(
    events: Iterable[StoredEvent], named: Callable[[_Player, str, datetime], str]
) -> tuple[StoredEvent, ...]:
    """Return events with what `named` returns for each name, given the player, the name and when it was typed."""

    def renamed(event: StoredEvent) -> StoredEvent:
        match event.data:
            case PairArrived(players=players):
                pair = event.seq
            case PairRenamed(pair=pair, players=players):
                pass
            case _:
                return event
        names = tuple(named((pair, index), name, event.at) for index, name in enumerate(players))
        return event if names == players else replace(event, data=replace(event.data, players=names))

    return tuple(map(renamed, events))
