"""The title, day, venue and note of a match, as they were corrected last."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from scorekeeper.matches.log import MatchLog
from scorekeeper.matches.setup import MatchSetup


@dataclass(frozen=True, slots=True)
class Occasion:
    """The title, day, venue and note of a match."""

    title: str
    """Empty where none was entered, as are the venue and the note."""
    played_on: str | None
    """The day in ISO 8601, where one was given."""
    day: str
    """The same; where none was given, the day on which the match began."""
    venue: str
    note: str


def occasion_of(setup: MatchSetup, log: MatchLog) -> Occasion:
    """Return the occasion of a match as it was corrected last."""
    played_on = log.played_on or setup.played_on
    return Occasion(
        title=setup.title if log.title is None else log.title,
        played_on=played_on,
        day=match_day(played_on, setup.created_at, setup.zone),
        venue=(setup.place if log.place is None else log.place) or "",
        note=(setup.note if log.note is None else log.note) or "",
    )


def match_day(played_on: str | None, created_at: datetime, zone: str | None) -> str:
    """Return the day of a match: the one that was given, or that on which it began, by the clock of its time zone."""
    return played_on or in_zone(created_at, zone).date().isoformat()


def in_zone(at: datetime, zone: str | None) -> datetime:
    """Return a moment by the clock of a time zone; by this machine's where none is known."""
    return at.astimezone(ZoneInfo(zone) if zone and is_zone(zone) else None)


def is_zone(name: str) -> bool:
    """Return whether a name is that of a time zone: "America/Los_Angeles"."""
    return name in _zones()


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
