"""Links and invitations to a match or a book, and what a role allows: to watch, to score, or to decide who may."""

from dataclasses import dataclass
from datetime import datetime

OWNER, SCORER, WATCHER = "owner", "scorer", "watcher"
RANKS = {WATCHER: 0, SCORER: 1, OWNER: 2}
_SHARED = "watch-"
"""How the code of a link begins that was made to be sent to others."""


def shared_code(code: str) -> str:
    """Return a code for a link that many may open, and that never allows more than to watch."""
    return f"{_SHARED}{code}"


def allows(role: str, least: str) -> bool:
    """Return whether a role allows at least as much as another."""
    return RANKS.get(role, 0) >= RANKS[least]


def higher(one: str, other: str) -> str:
    """Return the role of the two that allows more."""
    return one if allows(one, other) else other


class AnyLink:
    """A phone's way to a match, a book or a night, which allows what its role does."""

    __slots__ = ()
    role: str

    @property
    def may_score(self) -> bool:
        """Whether this phone may write."""
        return self.role in (OWNER, SCORER)

    @property
    def is_owner(self) -> bool:
        """Whether this phone decides who else may do what."""
        return self.role == OWNER


class AnyWayIn:
    """A way for a phone to get a link of its own, until it is ended or expires."""

    __slots__ = ()
    expires_at: datetime
    ended_at: datetime | None

    def is_open(self, now: datetime) -> bool:
        """Return whether it lets anybody in."""
        return self.ended_at is None and now < self.expires_at


@dataclass(frozen=True, slots=True)
class Link(AnyLink):
    """A phone's way to a match, and what it may do there."""

    id: int
    code: str
    role: str
    match_id: int
    seat: str | None = None
    """Who holds the phone: a seat's id or a side's; `None` where it only watches, or is the main phone."""
    seat_since: int = 0
    """The version of the match when its holder was set: what was written until then it cannot accept for them."""

    @property
    def is_shared(self) -> bool:
        """Whether it was made to be sent to others: it is no one phone's."""
        return self.code.startswith(_SHARED)


@dataclass(frozen=True, slots=True)
class BookLink(AnyLink):
    """A phone's way to a book, and what it may do there and in the matches that are in it."""

    id: int
    code: str
    role: str
    book_id: int


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a match as one link sees it: all that a poll has to know."""

    link: Link
    version: int
    key: str
    """The last event's client key; empty where nothing has happened."""
    is_ended: bool
    """Whether the link was ended."""


@dataclass(frozen=True, slots=True)
class Invitation(AnyWayIn):
    """A way for a phone to get a link of its own, by QR code or PIN."""

    id: int
    code: str
    pin: str | None
    match_id: int
    role: str
    """What the link will allow."""
    expires_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class BookInvitation(AnyWayIn):
    """A way for a phone to get a link of its own to a book."""

    id: int
    code: str
    pin: str | None
    book_id: int
    role: str
    """What the link will allow."""
    expires_at: datetime
    ended_at: datetime | None
