"""Links to a night, whose roles are those of a match, and how it began."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from scorekeeper.access.roles import AnyLink, Kind


@dataclass(frozen=True, slots=True)
class NightLink(AnyLink):
    """A phone's link to a night, and what it may do there."""

    kind: ClassVar[Kind] = "night"
    pair: int | None = None
    """Which pair holds the phone; `None` where it is nobody's."""


@dataclass(frozen=True, slots=True)
class NightSetup:
    """How a night began; its present name is in the log."""

    id: int
    uid: str
    """Its id in its book's file."""
    created_at: datetime
    title: str
    rounds: int
    size: int
    """How many play together: two, or as the game has it."""
    variant: str
    """The game that is played; empty where none was entered."""
    house: Mapping[str, Any]
    """The answers that were agreed for that game, at every table."""
    book_id: int | None = None
    """The book that it is in."""
