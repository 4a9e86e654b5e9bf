"""Books: loaded by a link, and written in.

A book that was loaded a moment ago is not read again: facts are only ever added, and the key of one is known to one
form alone. The link is read each time, for it may be changed or ended at any time.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper.book.facts import BookEvent, BookFact, BookRenamed, Redone, Undone
from scorekeeper.book.fold import Book, fold_book
from scorekeeper.book.rights import may_write
from scorekeeper.ledger.limits import TITLE_LENGTH, cut_actor, key_faults, text_faults
from scorekeeper.ledger.refusals import NotAllowed, refusal, refuse_any
from scorekeeper.ledger.roles import BookLink
from scorekeeper.services.match_list import device_digest
from scorekeeper.services.once import tried_again
from scorekeeper.store import book_links, books

_MOST_CACHED = 16
_MOST_EVENTS = 100_000
"""In a book: a match a day for a long life, and whatever is said of its people."""
_cache: dict[tuple[Engine, int], Book] = {}
"""By database and book."""
_lock = Lock()


class UnknownBook(Exception):
    """No link in force to a book has this code."""


class BookLinkEnded(UnknownBook):
    """The link led to a book, until somebody ended it."""


@dataclass(frozen=True, slots=True)
class BookAccess:
    """A book, and the link that leads to it."""

    link: BookLink
    book: Book

    @property
    def id(self) -> int:
        """The book's number in this database."""
        return self.link.book_id

    @property
    def uid(self) -> str:
        """What the book is known by in its file."""
        return self.book.uid

    @property
    def code(self) -> str:
        """The code of the link."""
        return self.link.code


def load_book(session: Session, code: str) -> BookAccess:
    """Return the book that a link leads to; raises `UnknownBook`, and `BookLinkEnded` where it was one."""
    head = book_links.head_of(session, code)
    if head is None:
        raise UnknownBook(code)
    if head.is_ended:
        raise BookLinkEnded(code)
    return BookAccess(head.link, _book(session, head.link.book_id, head.uid, head.version, head.key))


def book_of_id(session: Session, book_id: int) -> Book:
    """Return a book, by whatever link."""
    uid, version, key = books.head_of_book(session, book_id)
    return _book(session, book_id, uid, version, key)


def _book(session: Session, book_id: int, uid: str, version: int, key: str) -> Book:
    place = session.get_bind().engine, book_id
    with _lock:
        cached = _cache.get(place)
    if cached and (cached.uid, cached.version, cached.events[-1].client_key if cached.events else "") == (
        uid,
        version,
        key,
    ):
        return cached
    book = fold_book(uid, books.events_of_book(session, book_id))
    with _lock:
        _cache.pop(place, None)
        _cache[place] = book
        if len(_cache) > _MOST_CACHED:
            del _cache[next(iter(_cache))]
    return book


def write_book(session: Session, code: str, fact: BookFact, *, client_key: str, actor: str = "") -> BookAccess:
    """Write a fact into a book and commit; return the book as it stands then.

    A `client_key` that has been seen before is answered as it was the first time. Raises `UnknownBook`, `Refused` and
    `NotAllowed`.
    """
    refuse_any(key_faults(client_key))
    if isinstance(fact, BookRenamed):
        refuse_any(text_faults("name", fact.name, TITLE_LENGTH))

    def write() -> BookAccess:
        access = load_book(session, code)
        if access.book.has_key(client_key):
            return access
        if not may_write(access.book, access.link, fact):
            raise NotAllowed
        _refuse_unfit(access.book, fact)
        event = BookEvent(access.book.version + 1, client_key, datetime.now(UTC), cut_actor(actor), fact)
        books.add_book_event(session, access.id, event)
        session.commit()
        return load_book(session, code)

    return tried_again(session, write)


def _refuse_unfit(book: Book, fact: BookFact) -> None:
    match fact:
        case Undone(target=target) if not book.undo_next or book.undo_next.seq != target:
            raise refusal("", "not_last", "Something else was changed since. Look at it again first.")
        case Redone(target=target) if book.redo_target != target:
            raise refusal("", "not_last", "Something else was changed since. Look at it again first.")
    if len(book.events) >= _MOST_EVENTS:
        raise refusal("", "too_many", f"A book has room for {_MOST_EVENTS} entries. Start a new one.")


def append(session: Session, book_id: int, fact: BookFact, *, client_key: str, actor: str = "") -> BookEvent:
    """Add a fact to a book, whoever may, and commit nothing; raises `IntegrityError` where another is faster."""
    _, version, _ = books.head_of_book(session, book_id)
    event = BookEvent(version + 1, client_key, datetime.now(UTC), cut_actor(actor), fact)
    books.add_book_event(session, book_id, event)
    return event


def books_of_device(session: Session, device: str) -> list[BookAccess]:
    """Return the books that a device may open, the one that it opened last first."""
    links = book_links.links_of_device(session, device_digest(device))
    return [BookAccess(link, book_of_id(session, link.book_id)) for link in links]


def match_ids_of(session: Session, book_id: int) -> list[int]:
    """Return the matches that are in a book now, the first one first."""
    return books.match_ids_of(session, book_id)
