"""Replace names of players that a match's book has deleted with numbered names, such as "Player 3".

The match keeps the typed names, since the book may restore them. Code that shows typed names, or moves a match out of
its book, has to replace them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scorekeeper.matches.events import Event, PlayerSubstituted, Renamed, StoredEvent
from scorekeeper.matches.log import MatchLog, fold
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR

_NUMBER_PREFIX = "Player "


def numbered_player_name(index: int) -> str:
    """Return the name to show in place of a deleted one: "Player 3" for the player with the index 2."""
    return f"{_NUMBER_PREFIX}{index + 1}"


def is_deleted_name(name: str, typed: str) -> bool:
    """Return whether `name` is a numbered name, such as "Player 3", that differs from `typed`, the typed name."""
    return name != typed and name.startswith(_NUMBER_PREFIX) and name.removeprefix(_NUMBER_PREFIX).isdecimal()


def deleted_name_replacements(setup: MatchSetup, events: Sequence[StoredEvent]) -> dict[str, str]:
    """Return numbered names for the names that the match's book deleted, keyed by spelling: `{"Ann": "Player 3"}`.

    A spelling that is still the name of a player is left out.
    """
    if not any(is_renaming_by_book(event.data) for event in events):
        return {}
    log = fold(events)
    replacements = dict(_find_deleted_names(setup, log))
    present_names = {
        setup.record_names(log.renamed_at(count))[seat.id]
        for seat in setup.seats
        for count in range(len(log.substitutions) + 1)
    }
    return {
        deleted_name: replacement
        for deleted_name, replacement in replacements.items()
        if deleted_name not in present_names
    }


def _find_deleted_names(setup: MatchSetup, log: MatchLog) -> Iterator[tuple[str, str]]:
    """Yield each spelling of each deleted name with its replacement: `("Ann", "Player 3")`."""
    for seat in setup.seats:
        spellings_by_tenure: list[list[str]] = [[seat.name]]
        for event in log.events:
            match event.data:
                case PlayerSubstituted(names=names) if seat.id in names and event.seq not in log.undone_by:
                    spellings_by_tenure.append([names[seat.id]])
                case Renamed(names=names) if seat.id in names:
                    spellings_by_tenure[-1].append(names[seat.id])
        for (_, count), spellings in zip(log.tenures([seat.id]), spellings_by_tenure, strict=True):
            name = setup.record_names(log.renamed_at(count))[seat.id]
            if is_deleted_name(name, log.typed_at(count).get(seat.id) or seat.name):
                yield from ((spelling, name) for spelling in spellings if spelling)


def is_renaming_by_book(event: Event) -> bool:
    """Return whether an event was written because the match's book renamed a player."""
    return isinstance(event, Renamed) and bool(event.by_book)


def replace_deleted_names(
    setup: MatchSetup, events: Sequence[StoredEvent], replacements: Mapping[str, str]
) -> tuple[MatchSetup, tuple[StoredEvent, ...]]:
    """Return a match's setup and events with names replaced; `replacements` has the new names, keyed by the old."""
    if not replacements:
        return setup, tuple(events)

    def replace_name(name: str) -> str:
        """Return a name, or names of partners joined, with each deleted name replaced."""
        return NAME_SEPARATOR.join(replacements.get(part, part) for part in name.split(NAME_SEPARATOR))

    def replace_names(data: Event) -> Event:
        """Return an event with each deleted name in it replaced."""
        match data:
            case Renamed(names=names, left=left_names):
                left_names = left_names and {who: replace_name(name) for who, name in left_names.items()}
                return replace(data, names={who: replace_name(name) for who, name in names.items()}, left=left_names)
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
