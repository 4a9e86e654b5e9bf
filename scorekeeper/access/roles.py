"""Links and invitations to a match, a book or a night; a role allows to watch, to score, or to decide who may."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar

from scorekeeper.eventlog.roles import OWNER, SCORER

Kind = Literal["match", "book", "night"]
"""What a link or an invitation leads to."""
_SHARED = "watch-"
"""How the code of a link begins that was made to be sent to others."""


def shared_code(code: str) -> str:
    """Return a code for a link that many may open, and that never allows more than to watch."""
    return f"{_SHARED}{code}"


class HasRole:
    """What has a role, and may do what that allows."""

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


@dataclass(frozen=True, slots=True)
class AnyLink(HasRole):
    """A phone's way to a match, a book or a night, which allows what its role does."""

    kind: ClassVar[Kind]
    id: int
    code: str
    role: str
    place_id: int
    """The number of the match, the book or the night."""

    @property
    def is_shared(self) -> bool:
        """Whether it was made to be sent to others: it is no one phone's."""
        return self.code.startswith(_SHARED)


@dataclass(frozen=True, slots=True)
class Link(AnyLink):
    """A phone's way to a match, and what it may do there."""

    kind: ClassVar[Kind] = "match"
    seat: str | None = None
    """Who holds the phone: a seat's id or a side's; `None` where it only watches, or is the main phone."""


@dataclass(frozen=True, slots=True)
class BookLink(AnyLink):
    """A phone's way to a book, and what it may do there and in the matches that are in it."""

    kind: ClassVar[Kind] = "book"
    holder: str = ""
    """Whose phone it is; empty where nobody said."""


L_co = TypeVar("L_co", bound=AnyLink, covariant=True)


class Linked(Protocol[L_co]):
    """A match, a book or a night, with the link that leads to it."""

    @property
    def link(self) -> L_co:
        """The link."""


@dataclass(frozen=True, slots=True)
class AnyHead(Generic[L_co]):
    """The end of a match, a book or a night as one link sees it: all that a poll has to know."""

    link: L_co
    version: int
    key: str
    """The last event's client key; empty where nothing has happened."""
    is_ended: bool
    """Whether the link was ended."""
    draft: int = 0
    """How often the next hand was written down on some phone before it was saved; 0 for never."""


Head: TypeAlias = AnyHead[Link]


class UnknownCode(Exception):
    """No link and no house rules have this code."""


class LinkEnded(UnknownCode):
    """The link led to a match, a book or a night, until somebody ended it."""

    def __init__(self, link: AnyLink) -> None:
        super().__init__(link.code)
        self.link = link


@dataclass(frozen=True, slots=True)
class Invitation:
    """A way for a phone to get a link of its own, by QR code or PIN, until it is ended or expires."""

    id: int
    code: str
    pin: str | None
    kind: Kind
    place_id: int
    """The number of the match, the book or the night."""
    role: str
    """What the link will allow."""
    expires_at: datetime
    ended_at: datetime | None

    def is_open(self, now: datetime) -> bool:
        """Return whether it lets anybody in."""
        return self.ended_at is None and now < self.expires_at
