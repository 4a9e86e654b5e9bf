"""Books as access links open them: loading a book, appending its events, and letting phones join it.

A book is cached until it has a new event. A link is read each time, as it may have ended since.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper.access import links
from scorekeeper.access.invitations import end_invitations
from scorekeeper.access.links import BOOK_LINKS, device_digest, link_tables_of
from scorekeeper.access.phones import add_phone, has_own_link
from scorekeeper.access.roles import Head, Invitation, Link
from scorekeeper.book import store as books
from scorekeeper.book.events import UNREADABLE
from scorekeeper.book.fold import Book, fold_book
from scorekeeper.book.store import BOOK_EVENTS
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.store import Writer, append_event
from scorekeeper.eventlog.stream import Event, NotAllowed, StoredEvent, refusal, refuse_any
from scorekeeper.pitch.rules.entered_text import name_faults

# Enough is known of a book by its last event: events are only ever appended, and no two forms share an idempotency key.
_book_cache = Cache[tuple[Engine, int], Book](16)
"""The folded books, keyed by the database and the id of the book."""


@dataclass(frozen=True, slots=True)
class BookAccess:
    """A book that was opened by an access link, with this link."""

    link: Link
    book: Book
    is_chosen: bool = True
    """Whether the phone chose this book for its matches. It is true where there is no phone, as in commands."""

    @property
    def id(self) -> int:
        """The id of the book in this database."""
        return self.link.stream_id

    @property
    def uid(self) -> str:
        """The uid of the book."""
        return self.book.uid

    @property
    def code(self) -> str:
        """The code of the link."""
        return self.link.code

    @property
    def log(self) -> Book:
        """The folded events of the book, which the book itself is."""
        return self.book

    def is_changed_by(self, event: Event) -> bool:
        """Return whether an event changes anything.

        Raises `Refused`, and `NotAllowed` if the role of the link may not write the event.
        """
        if not event.changes_anything(self.book):
            return False
        if not self.book.may_write(self.link.role, event):
            raise NotAllowed
        return True

    def with_event(self, event: StoredEvent) -> "BookAccess":
        """Return a copy of the book with one more event, which is not stored."""
        return replace(self, book=fold_book(self.uid, (*self.book.events, event)))

    def store(self, session: Session, _before: "BookAccess") -> None:
        """Insert the last event; does not commit. Raises `IntegrityError` if another phone appended an event first."""
        BOOK_EVENTS.add(session, self.id, self.book.events[-1:])

    def as_of(self, version: int) -> "BookAccess":
        """Return a copy of the book as it was at an earlier version."""
        return replace(self, book=fold_book(self.uid, self.book.events[:version]))


def load_book(session: Session, code: str, head: Head | None = None) -> BookAccess:
    """Return the book that the link with this code opens. Raises `UnknownCode`, and `LinkEnded` for an ended link.

    If the `head` of the link was read before, it is not read again.
    """
    head = head or BOOK_LINKS.head_in_force(session, code)
    return BookAccess(head.link, _load_cached_book(session, head.link.stream_id, (head.version, head.last_key)))


def book_of_id(session: Session, book_id: int) -> Book:
    """Return the book with this id. It is taken from the cache unless it has a new event."""
    return _load_cached_book(session, book_id, BOOK_EVENTS.end(session, book_id))


def _load_cached_book(session: Session, book_id: int, last_seq_and_key: tuple[int, str]) -> Book:
    """Return the book from the cache or, if it has a new event, from the database.

    `last_seq_and_key` is what the database has as the `seq` and the idempotency key of its last event.
    """
    cache_key = session.get_bind().engine, book_id
    cached_book = _book_cache.get(cache_key)
    if cached_book and cached_book.end == last_seq_and_key:
        return cached_book
    uid, _ = books.uid_and_start(session, book_id)
    book = fold_book(uid, BOOK_EVENTS.load(session, book_id, replacement=UNREADABLE))
    # Where an empty one is rolled back, the next book that is begun may get its number.
    return _book_cache.put(cache_key, book) if book.events else book


def write_book(session: Session, code: str, event: Event, writer: Writer) -> BookAccess:
    """Append an event to the book that a link opens, as `append_event` does, commit, and return the changed book."""
    return append_event(session, lambda: load_book(session, code), event, writer)


def append_to_book(session: Session, book_id: int, event: Event, writer: Writer) -> None:
    """Append an event to a book without checking any role; does not commit.

    Raises `IntegrityError` if another phone appended an event first.
    """
    version, _ = BOOK_EVENTS.end(session, book_id)
    BOOK_EVENTS.add(session, book_id, [writer.event(version + 1, event)])


def books_of_device(session: Session, device: str) -> list[BookAccess]:
    """Return the books that a device may open.

    Books that it chose are first, the last chosen at the top; books that it only opened follow.
    """
    book_links = links.book_links_of_device(session, device_digest(device))
    return [
        BookAccess(link, book_of_id(session, link.stream_id), is_chosen=is_chosen)
        for link, is_chosen in book_links.items()
    ]


def holder_name(session: Session, device: str, book_id: int) -> str:
    """Return the name that was entered for the holder of a device when it joined a book; empty for none."""
    own_link = BOOK_LINKS.own_link(session, device_digest(device), book_id)
    return own_link.holder if own_link else ""


def join_book(session: Session, invitation: Invitation, device: str, holder: str) -> Link:
    """Let a phone join a book, commit, and return its link.

    A phone that joins again keeps its link, and a role that is higher. An empty `holder` keeps the name of its holder.
    Raises `Refused` for an invalid name, and `NoInvitation`.
    """
    if holder:
        refuse_any(name_faults("holder", holder))
    return add_phone(session, BOOK_LINKS, invitation, device, **{"holder": holder} if holder else {})


def renew_link(session: Session, access: BookAccess, link_id: int, device: str) -> str:
    """Give a phone's own link to a book a new code, commit, and return the code.

    The links that come from it get new codes as well, and all invitations to the same streams end, so that nobody else
    can get in. Raises `Refused` for a link that is not the phone's own.
    """
    # Otherwise somebody who has only the URL could take the book from its owner.
    if link_id != access.link.id or not has_own_link(session, access, device):
        raise refusal("", "Only the phone that has this link can renew it. Remove the link from a co-owner’s phone.")
    digest, now = device_digest(device), datetime.now(UTC)
    end_invitations(session, access.link, now)
    for table in link_tables_of(access.link):
        table.take_from_other_devices(session, access.link, digest, now)
    session.commit()
    return BOOK_LINKS.by_id(session, link_id).code
