"""The hand in progress: the next hand of a match as far as a phone has entered it, which is no event."""

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.access.roles import Link


@dataclass(frozen=True, slots=True)
class HandDraft:
    """What a phone has entered of the next hand."""

    link: Link
    """That phone's."""
    version: int
    """The version of the match when the phone entered it."""
    at: datetime
    fields: tuple[tuple[str, str], ...]
    """The fields of its form, by name; empty where the draft was dropped."""
