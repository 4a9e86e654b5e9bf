"""A match as it began: the value that stands for its row."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

MARKS = 12
"""Six shapes with their colours and patterns, and the same six once more, outlined."""
NAMES_JOINED = " & "
"""Between the players' names where a side has none of its own."""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A player's place: `p1`, `p2`, … clockwise."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class StoredSide:
    """Whoever shares a score: `s1`, `s2`, …, or a seat's own id where each scores alone."""

    id: str
    name: str | None
    """`None`: called after its players."""
    seats: tuple[str, ...] = ()
    mark: int | None = None
    """The marker that it began with; `None`: the one of its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMatch:
    """How a match began. Names are the first ones: the log knows what they are now."""

    id: int
    created_at: datetime
    variant: str
    house: Mapping[str, Any]
    digest: str
    seats: tuple[StoredSeat, ...]
    sides: tuple[StoredSide, ...]
    start: Mapping[str, Any]
    first_dealer: str | None
    title: str
    played_on: str | None
    place: str | None
    note: str | None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of seats and sides, each once."""
        return tuple(dict.fromkeys((*(seat.id for seat in self.seats), *(side.id for side in self.sides))))

    def names(self, renamed: Mapping[str, str]) -> dict[str, str]:
        """Give everybody's name by id, after these renamings."""
        names = {seat.id: renamed.get(seat.id) or seat.name for seat in self.seats}
        for side in self.sides:
            if side.id not in names:
                players = NAMES_JOINED.join(names[seat] for seat in side.seats)
                names[side.id] = self.own_name(side, renamed) or players or side.name or side.id
        return names

    def marks(self, changed: Mapping[str, int]) -> dict[str, int]:
        """Give every side's marker by its id, after these changes: 1 to `MARKS`, no two alike."""
        return {
            side.id: changed.get(side.id) or side.mark or place % MARKS + 1 for place, side in enumerate(self.sides)
        }

    def has_named_sides(self, renamed: Mapping[str, str]) -> bool:
        """Say whether the players alone do not tell who scores with whom, and under which name."""
        return not self.seats or any(self.own_name(side, renamed) for side in self.sides)

    def own_name(self, side: StoredSide, renamed: Mapping[str, str]) -> str | None:
        """Give a side's own name, or nothing where it is called after its players."""
        is_seat = any(side.id == seat.id for seat in self.seats)
        return side.name if is_seat or side.id not in renamed else renamed[side.id]


OWNER, SCORER, WATCHER = "owner", "scorer", "watcher"


@dataclass(frozen=True, slots=True)
class Link:
    """A way to a match, and what it allows."""

    id: int
    code: str
    role: str
    match_id: int
    seat: str | None = None
    """Who holds the phone: a seat's id or a side's; `None` where it only looks on, or lies in the middle."""

    @property
    def may_score(self) -> bool:
        """Say whether this phone has the pencil."""
        return self.role in (OWNER, SCORER)

    @property
    def is_owner(self) -> bool:
        """Say whether this phone decides who else may do what."""
        return self.role == OWNER


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a match as one link sees it: all that a poll has to know."""

    link: Link
    version: int
    key: str
    """The last event's mark; empty where nothing has happened."""
    is_ended: bool
    """Whether the link leads there no longer."""
