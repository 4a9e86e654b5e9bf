"""Every book with its owner's link, a page at a time, for the host."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from scorekeeper.book.fold import fold_book
from scorekeeper.store import books
from scorekeeper.store.links import BOOK_LINKS

_HIGHEST_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class ListedBook:
    """A book in the host's list."""

    uid: str
    name: str
    code: str
    """Of the owner's first link."""
    matches: int
    phones: int
    last_seen: datetime | None
    """When a phone opened it last."""


def latest_books(session: Session, at_most: int, before: int = _HIGHEST_ID) -> tuple[list[ListedBook], int | None]:
    """Return the books that began last, or last before another; with a number there are more before it."""
    more = books.latest_books(session, before, at_most + 1)
    found = more[:at_most]
    ids = [book_id for book_id, _ in found]
    said, counts = books.said_of_books(session, ids), books.match_counts(session, ids)
    held = BOOK_LINKS.held_of_all(session, ids)
    links = {book_id: [it for it in held[book_id] if it.revoked_at is None] for book_id in ids}
    listed = [
        ListedBook(
            uid=uid,
            name=fold_book(uid, said[book_id]).name,
            code=next(held.link.code for held in links[book_id] if held.link.is_owner),
            matches=counts.get(book_id, 0),
            phones=len(links[book_id]),
            last_seen=max((held.last_seen for held in links[book_id] if held.last_seen), default=None),
        )
        for book_id, uid in found
    ]
    return listed, found[-1][0] if len(more) > at_most else None


def owner_code(session: Session, book_id: int) -> str:
    """Return the code of the owner's first link to a book."""
    return next(it.link.code for it in BOOK_LINKS.held(session, book_id) if it.link.is_owner and not it.revoked_at)
