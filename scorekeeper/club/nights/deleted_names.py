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
_PlayerKey = tuple[int, int]
"""The uid of a pair, and the index of a player in it."""


def blank_deleted_names(
    events: Iterable[StoredEvent], is_deleted: Callable[[str, datetime], bool]
) -> tuple[StoredEvent, ...]:
    """Return the events of a night with `NO_NAME` for each name that was deleted after it had been typed.

    A player whose latest name was deleted has none in any spelling.
    """
    nameless: dict[_PlayerKey, bool] = {}

    def note_deleted(player: _PlayerKey, name: str, at: datetime) -> str:
        nameless[player] = is_deleted(name, at)
        return name

    def blank_deleted(player: _PlayerKey, name: str, at: datetime) -> str:
        return NO_NAME if nameless[player] or is_deleted(name, at) else name

    return _replace_names(_replace_names(events, note_deleted), blank_deleted)


def number_nameless_players(events: Iterable[StoredEvent]) -> tuple[StoredEvent, ...]:
    """Return the events of a night with an unused "Player 3" for every player without a name."""
    taken, numbers = set[str](), dict[_PlayerKey, str]()

    def note_taken(player: _PlayerKey, name: str, at: datetime) -> str:
        taken.add(name)
        return name

    def with_number(player: _PlayerKey, name: str, at: datetime) -> str:
        if player not in numbers:
            numbers[player] = next(free)
        return name or numbers[player]

    events, free = (
        _replace_names(events, note_taken),
        (number for number in map(numbered_player, count()) if number not in taken),
    )
    return _replace_names(events, with_number) if NO_NAME in taken else events


def _replace_names(
    events: Iterable[StoredEvent], name_for: Callable[[_PlayerKey, str, datetime], str]
) -> tuple[StoredEvent, ...]:
    """Return events with what `name_for` returns for each name, given the player, the name and when it was typed."""

    def replace_in(event: StoredEvent) -> StoredEvent:
        match event.data:
            case PairArrived(players=players):
                pair = event.seq
            case PairRenamed(pair=pair, players=players):
                pass
            case _:
                return event
        names = tuple(name_for((pair, index), name, event.at) for index, name in enumerate(players))
        return event if names == players else replace(event, data=replace(event.data, players=names))

    return tuple(map(replace_in, events))
