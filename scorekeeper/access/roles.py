"""Access links and invitations to a match, a book or a night.

The role of a link allows to watch, to score, or to change roles.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from scorekeeper.eventlog.stream import OWNER, SCORER

Kind = Literal["match", "book", "night"]
"""The kind of stream that a link or an invitation leads to."""
_SHARED_PREFIX = "watch-"
"""The prefix of the code of a shared link, which may be sent to anybody."""


def shared_code(code: str) -> str:
    """Mark a code as that of a shared link, by which any number of phones may watch."""
    return f"{_SHARED_PREFIX}{code}"


class HasRole:
    """The base of a link, and of other values that have a link's role."""

    __slots__ = ()
    role: str

    @property
    def may_score(self) -> bool:
        """Whether the role allows to append events."""
        return self.role in (OWNER, SCORER)

    @property
    def is_owner(self) -> bool:
        """Whether the role allows to change the roles of other phones."""
        return self.role == OWNER


@dataclass(frozen=True, slots=True)
class Link(HasRole):
    """An access link to a match, a book or a night.

    The role of a link to a book holds in all of the book's matches.
    """

    id: int
    code: str
    """The secret part of the link's URL."""
    role: str
    stream_id: int
    """The id of the match, the book or the night."""
    kind: Kind = "match"
    holder: str = ""
    """Who holds the phone; empty for nobody.

    That is the id of a seat or side, a name in a book, or the uid of a night's pair.
    """
    ended_at: datetime | None = None
    """When it was ended; `None` while it is in force."""

    @property
    def is_shared(self) -> bool:
        """Whether any number of phones may use this link, and only to watch."""
        return self.code.startswith(_SHARED_PREFIX)


class Linked(Protocol):
    """A match, a book or a night, with the access link by which it was opened."""

    @property
    def link(self) -> Link: ...


@dataclass(frozen=True, slots=True)
class Head:
    """What a poll needs to know of a link and its stream, without loading the stream."""

    link: Link
    version: int
    """The number of the last event; 0 without events."""
    key: str
    """The idempotency key of the last event; empty without events."""
    draft_count: int = 0
    """How often the draft of the next hand was stored; 0 for never."""


class UnknownCode(Exception):
    """No link and no house rules have this code."""


class LinkEnded(UnknownCode):
    """The access link to a match, a book or a night has been ended."""

    def __init__(self, link: Link) -> None:
        super().__init__(link.code)
        self.link = link


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation: by its QR code or PIN, phones get links of their own until it ends or expires."""

    id: int
    code: str
    pin: str | None
    """The PIN; `None` once it is free for another invitation."""
    kind: Kind
    stream_id: int
    """The id of the match, the book or the night."""
    role: str
    """The role that the new link gets."""
    expires_at: datetime
    ended_at: datetime | None

    def is_open(self, now: datetime) -> bool:
        """Return whether phones can still join by this invitation."""
        return self.ended_at is None and now < self.expires_at


_HOLDER_SEPARATOR = ":"
_DEVICE_LETTERS = 6
"""How many letters of a phone's code its signature has: enough to tell phones apart, too few to guess the code."""


def signature(device: str, holder: str | None = None) -> str:
    """Return a phone's signature in events: its seat or side, if any, and the start of its code."""
    return f"{holder}{_HOLDER_SEPARATOR}{device[:_DEVICE_LETTERS]}" if holder else device[:_DEVICE_LETTERS]


def holder_of_actor(actor: str) -> str | None:
    """Return the id of the seat or side in a phone's signature, if it has one."""
    return actor.rpartition(_HOLDER_SEPARATOR)[0] or None


def is_same_phone(signature_one: str, signature_two: str) -> bool:
    """Return whether two signatures are of the same phone, even with different holders."""
    return signature_one.rpartition(_HOLDER_SEPARATOR)[2] == signature_two.rpartition(_HOLDER_SEPARATOR)[2]
