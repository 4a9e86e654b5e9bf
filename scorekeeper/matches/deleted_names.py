"""Replace the names in a match that its book has deleted.

Where a book deletes a name, the match calls the player by number, and keeps the name that was typed: the book may
restore it. So code that shows typed names, or moves the match out of that book, uses the number for every spelling of
that name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scorekeeper.matches.events import Event, PlayerSubstituted, Renamed, StoredEvent
from scorekeeper.matches.log import MatchLog, fold
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR

_NUMBER_PREFIX = "Player "


def numbered_player(index: int) -> str:
    """Return the name that stands for a deleted one, by the player's index: "Player 3"."""
    return f"{_NUMBER_PREFIX}{index + 1}"


def is_deleted_name(name: str, typed: str) -> bool:
    """Return whether a player's present name is a number in place of another, typed name."""
    return name != typed and is_numbered_player(name)


def is_numbered_player(name: str) -> bool:
    """Return whether a name is one that `numbered_player` returns: "Player 3"."""
    return name.startswith(_NUMBER_PREFIX) and name.removeprefix(_NUMBER_PREFIX).isdecimal()


def numbers_of_deleted(setup: MatchSetup, events: Sequence[StoredEvent]) -> dict[str, str]:
    """Return "Player 3" or the like for each spelling of each name that the match's book has deleted."""
    if not any(is_by_book(event.data) for event in events):
        return {}
    log = fold(events)
    names = dict(_find_deleted_names(setup, log))
    shown = {
        setup.names(log.renamed_at(count))[seat.id]
        for seat in setup.seats
        for count in range(len(log.substitutions) + 1)
    }
    return {name: number for name, number in names.items() if name not in shown}


def _find_deleted_names(setup: MatchSetup, log: MatchLog) -> Iterator[tuple[str, str]]:
    """Yield each spelling of each deleted name of a player, and what the player is called instead."""
    for seat in setup.seats:
        spelled: list[list[str]] = [[seat.name]]
        for event in log.events:
            match event.data:
                case PlayerSubstituted(names=names) if seat.id in names and event.seq not in log.undone_by:
                    spelled.append([names[seat.id]])
                case Renamed(names=names) if seat.id in names:
                    spelled[-1].append(names[seat.id])
        for (_, count), spellings in zip(log.tenures([seat.id]), spelled, strict=True):
            name = setup.names(log.renamed_at(count))[seat.id]
            if is_deleted_name(name, log.typed_at(count).get(seat.id) or seat.name):
                yield from ((spelling, name) for spelling in spellings if spelling)


def is_by_book(event: Event) -> bool:
    """Return whether an event is a renaming by the match's book, and not at the table."""
    return isinstance(event, Renamed) and bool(event.by_book)


def replace_deleted_names(
    setup: MatchSetup, events: Sequence[StoredEvent], numbers: Mapping[str, str]
) -> tuple[MatchSetup, tuple[StoredEvent, ...]]:
    """Return a match's setup and events with the values of `numbers` in place of the names that are its keys."""
    if not numbers:
        return setup, tuple(events)

    def replace_name(name: str) -> str:
        return NAME_SEPARATOR.join(numbers.get(part, part) for part in name.split(NAME_SEPARATOR))

    def replace_names(data: Event) -> Event:
        match data:
            case Renamed(names=names, left=left):
                left = left and {who: replace_name(name) for who, name in left.items()}
                return replace(data, names={who: replace_name(name) for who, name in names.items()}, left=left)
            case PlayerSubstituted(names=names):
                return replace(data, names={who: replace_name(name) for who, name in names.items()})
            case _:
                return data

    return (
        replace(
            setup,
            seats=tuple(replace(seat, name=replace_name(seat.name)) for seat in setup.seats),
            sides=tuple(replace(side, name=side.name and replace_name(side.name)) for side in setup.sides),
        ),
        tuple(replace(event, data=replace_names(event.data)) for event in events),
    )
