"""Links and invitations to a night; the roles are those of a match."""

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.ledger.roles import OWNER, SCORER


@dataclass(frozen=True, slots=True)
class NightLink:
    """A phone's way to a night, and what it may do there."""

    id: int
    code: str
    role: str
    night_id: int
    pair: int | None = None
    """Which pair holds the phone; `None` where it is nobody's."""

    @property
    def may_score(self) -> bool:
        """Whether this phone may write."""
        return self.role in (OWNER, SCORER)

    @property
    def is_owner(self) -> bool:
        """Whether this phone decides who else may do what."""
        return self.role == OWNER


@dataclass(frozen=True, slots=True)
class NightHead:
    """The end of a night as one link sees it: all that a poll has to know."""

    link: NightLink
    version: int
    is_ended: bool
    """Whether the link was ended."""


@dataclass(frozen=True, slots=True)
class NightInvitation:
    """A way for a phone to get a link of its own to a night, by QR code or PIN."""

    id: int
    code: str
    pin: str | None
    night_id: int
    role: str
    expires_at: datetime
    ended_at: datetime | None

    def is_open(self, now: datetime) -> bool:
        """Return whether it lets anybody in."""
        return self.ended_at is None and now < self.expires_at


@dataclass(frozen=True, slots=True)
class NightSetup:
    """How a night began; the log knows what it is called now."""

    id: int
    created_at: datetime
    title: str
    rounds: int
    size: int
    """How many play together: two, or as the game has it."""
    variant: str
    """The game that is played; empty where nobody said."""
