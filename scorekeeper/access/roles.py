"""Access links and invitations to matches, books and nights.

The role of a link says whether a phone may only watch, may score, or may change the roles of other phones as well.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from scorekeeper.eventlog.stream import OWNER, SCORER

Kind = Literal["match", "book", "night"]
"""The kind of stream that a link or an invitation leads to."""
_SHARED_PREFIX = "watch-"
"""The start of the code of a shared link, which may be sent to anybody."""


def shared_code(code: str) -> str:
    """Return a code with the mark of a shared link, by which any number of phones may watch: "watch-x3Vt0kCw"."""
    return f"{_SHARED_PREFIX}{code}"


class HasRole:
    """The base of a link, and of other values that have the role of a link."""

    __slots__ = ()
    role: str

    @property
    def may_score(self) -> bool:
        """Whether a phone with the role may append events."""
        return self.role in (OWNER, SCORER)

    @property
    def is_owner(self) -> bool:
        """Whether a phone with the role may change the roles of other phones."""
        return self.role == OWNER


@dataclass(frozen=True, slots=True)
class Link(HasRole):
    """An access link to a match, a book or a night.

    The role of a link to a book holds for all matches in the book.
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

    In a match it is the id of a seat or a side, in a book a name, and in a night the uid of a pair.
    """
    ended_at: datetime | None = None
    """When the link was ended; `None` while it is in force."""

    @property
    def is_shared(self) -> bool:
        """Whether any number of phones may use this link. They may only watch."""
        return self.code.startswith(_SHARED_PREFIX)


class Linked(Protocol):
    """A match, a book or a night that was opened by an access link, with this link."""

    @property
    def link(self) -> Link: ...


@dataclass(frozen=True, slots=True)
class Head:
    """A link and the end of its stream: all that a poll needs, without the events."""

    link: Link
    version: int
    """The number of the last event; 0 without events."""
    last_key: str
    """The idempotency key of the last event; empty without events."""
    draft_count: int = 0
    """How often the draft of the next hand was stored; 0 for never."""


class UnknownCode(Exception):
    """There is no link and there are no house rules with this code."""


class LinkEnded(UnknownCode):
    """The access link to a match, a book or a night was ended. `link` is this link."""

    def __init__(self, link: Link) -> None:
        super().__init__(link.code)
        self.link = link


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation: until it ends or expires, phones get links of their own by its QR code or its PIN."""

    id: int
    code: str
    pin: str | None
    """The PIN; `None` once another invitation may get it."""
    kind: Kind
    stream_id: int
    """The id of the match, the book or the night."""
    role: str
    """The role of the links that phones get."""
    expires_at: datetime
    ended_at: datetime | None

    def is_open(self, now: datetime) -> bool:
        """Return whether phones can join by this invitation at the time `now`."""
        return self.ended_at is None and now < self.expires_at


_HOLDER_SEPARATOR = ":"
_SIGNATURE_LETTERS = 6
"""How many letters of a device's code its signature has: enough to tell phones apart, too few to guess the code."""


def signature(code: str, holder: str | None = None) -> str:
    """Return the signature of a phone in events: "p1:x3Vt0k", or "x3Vt0k" without a holder.

    It has the id of the seat or side that holds the phone, and the start of the code of the device.
    """
    return f"{holder}{_HOLDER_SEPARATOR}{code[:_SIGNATURE_LETTERS]}" if holder else code[:_SIGNATURE_LETTERS]


def holder_of_actor(actor_signature: str) -> str | None:
    """Return the id of the seat or side in a signature; `None` if there is none."""
    return actor_signature.rpartition(_HOLDER_SEPARATOR)[0] or None


def is_same_phone(signature_one: str, signature_two: str) -> bool:
    """Return whether two signatures are of the same phone, even if two people have held it."""
    return signature_one.rpartition(_HOLDER_SEPARATOR)[2] == signature_two.rpartition(_HOLDER_SEPARATOR)[2]
