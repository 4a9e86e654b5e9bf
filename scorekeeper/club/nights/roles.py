"""Links to a night, whose roles are those of a match, and how it began."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from scorekeeper.access.roles import AnyLink, Kind


@dataclass(frozen=True, slots=True)
class NightLink(AnyLink):
    """A phone's way to a night, and what it may do there."""

    kind: ClassVar[Kind] = "night"
    pair: int | None = None
    """Which pair holds the phone; `None` where it is nobody's."""


@dataclass(frozen=True, slots=True)
class NightSetup:
    """How a night began; the log knows what it is called now."""

    id: int
    uid: str
    """What it is known by in its book's file."""
    created_at: datetime
    title: str
    rounds: int
    size: int
    """How many play together: two, or as the game has it."""
    variant: str
    """The game that is played; empty where nobody said."""
    house: Mapping[str, Any]
    """What was agreed of that game, at every table."""
    book_id: int | None = None
    """The book that it is in."""
