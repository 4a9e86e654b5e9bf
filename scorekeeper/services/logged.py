"""A hand as a match's events leave it, with what was done to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorekeeper.store.facts import Hand


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who wrote something, and when."""

    seq: int
    at: datetime
    actor: str
    by: str | None = None
    """The seat or the side whose phone it was, where that is known."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a hand was before somebody put it right, and after."""

    stamp: Stamp
    before: Hand
    after: Hand


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Another side said that a hand was so; `version` is the event that had made it what it was then."""

    stamp: Stamp
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHand:
    """A hand as it stands now, with its history."""

    uid: int
    hand: Hand
    added: Stamp
    corrections: tuple[Correction, ...] = ()
    gone: Stamp | None = None
    """Who took it out, or took it back."""
    was_undone: bool = False
    """Whether it went by an undo and not by being taken out."""
    latest: Stamp
    """Who made it what it is now: wrote it, put it right, took it out or put it back."""
    waits: bool = False
    """Whether that is still to be accepted by another side."""
    acceptances: tuple[Acceptance, ...] = ()
    dealer: str | None = None
    """Who dealt, where the deal had been moved before it."""
    house: Mapping[str, Any] | None = None
    """The house options that were changed before it."""
    house_on: str | None = None
