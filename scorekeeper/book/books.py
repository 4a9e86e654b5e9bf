"""Books: loaded by a link, and their events appended.

A book that was loaded a moment ago is not read again: events are only ever appended, and an idempotency key is known to
one form alone. The link is read each time, for it may be changed or ended at any time.
"""

from dataclasses import dataclass, replace

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper.access import links
from scorekeeper.access.links import BOOK_LINKS
from scorekeeper.access.roles import BookLink
from scorekeeper.book import store as books
from scorekeeper.book.fold import Book, fold_book
from scorekeeper.book.store import BOOK_EVENTS
from scorekeeper.codes import device_digest
from scorekeeper.eventlog.append import Writer, append_event
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.stream import Event, NotAllowed, StoredEvent

_cache = Cache[tuple[Engine, int], Book](16)
"""By database and book."""


@dataclass(frozen=True, slots=True)
class BookAccess:
    """A book, and the link that leads to it."""

    link: BookLink
    book: Book
    is_own: bool = True
    """Whether the phone has chosen this book, not only opened it."""

    @property
    def id(self) -> int:
        """The book's number in this database."""
        return self.link.stream_id

    @property
    def uid(self) -> str:
        """The id of the book in its file."""
        return self.book.uid

    @property
    def code(self) -> str:
        """The code of the link."""
        return self.link.code

    @property
    def log(self) -> Book:
        """The book, which is a log of events."""
        return self.book

    def accepts(self, event: Event) -> bool:
        """Return whether an event changes anything; raises `Refused` and `NotAllowed` where it cannot be written."""
        if not event.changes_anything(self.book):
            return False
        if not self.book.may_write(self.link.role, event):
            raise NotAllowed
        return True

    def after(self, event: StoredEvent) -> "BookAccess":
        """Return the book with one more event."""
        return replace(self, book=fold_book(self.uid, (*self.book.events, event)))

    def store(self, session: Session, _before: "BookAccess") -> None:
        """Insert the last event; commits nothing, and raises `IntegrityError`."""
        BOOK_EVENTS.add(session, self.id, self.book.events[-1:])

    def as_of(self, version: int) -> "BookAccess":
        """Return the book as it stood after one of its events."""
        return replace(self, book=fold_book(self.uid, self.book.events[:version]))


def load_book(session: Session, code: str) -> BookAccess:
    """Return the book that a link leads to; raises `UnknownCode`, and `LinkEnded` where it was one."""
    head = BOOK_LINKS.head_in_force(session, code)
    return BookAccess(head.link, _book(session, head.link.stream_id, (head.version, head.key)))


def book_of_id(session: Session, book_id: int) -> Book:
    """Return a book, by its id."""
    return _book(session, book_id, BOOK_EVENTS.end(session, book_id))


def _book(session: Session, book_id: int, end: tuple[int, str]) -> Book:
    place = session.get_bind().engine, book_id
    cached = _cache.get(place)
    if cached and cached.end == end:
        return cached
    uid, _ = books.began(session, book_id)
    book = fold_book(uid, BOOK_EVENTS.of(session, book_id))
    # Where an empty one is rolled back, the next book that is begun may get its number.
    return _cache.put(place, book) if book.events else book


def write_book(session: Session, code: str, event: Event, writer: Writer) -> BookAccess:
    """Append an event to a book and commit; return the book as it stands then. See `append_event`."""
    access = append_event(session, lambda: load_book(session, code), lambda _: event, writer)
    _cache.put((session.get_bind().engine, access.id), access.book)
    return access


def append(session: Session, book_id: int, data: Event, writer: Writer) -> StoredEvent:
    """Append an event to a book without checking a role; commits nothing.

    Raises `IntegrityError` where another is faster.
    """
    version, _ = BOOK_EVENTS.end(session, book_id)
    event = writer.event(version + 1, data)
    BOOK_EVENTS.add(session, book_id, [event])
    return event


def books_of_device(session: Session, device: str) -> list[BookAccess]:
    """Return the books that a device may open, the one that it chose last first, and last those that it only opened."""
    digest = device_digest(device)
    own = links.book_links_of_device(session, digest, is_chosen=True)
    found = links.book_links_of_device(session, digest)
    return [BookAccess(link, book_of_id(session, link.stream_id), is_own=link in own) for link in found]
