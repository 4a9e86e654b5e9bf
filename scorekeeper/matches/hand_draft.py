"""The hand in progress: the next hand of a match as far as some phone has entered it, which is no event."""

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.access.roles import Link


@dataclass(frozen=True, slots=True)
class HandDraft:
    """What a phone has entered of the next hand."""

    link: Link
    """That phone's."""
    version: int
    """The last event of the match when it did."""
    at: datetime
    fields: tuple[tuple[str, str], ...]
    """What its form had, by name; empty where the draft was let go."""
