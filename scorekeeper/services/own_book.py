"""The book of a phone: its first match begins one, and every next match goes into the one that it opened last."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from scorekeeper.book.facts import MatchAdded
from scorekeeper.ledger.refusals import refusal
from scorekeeper.ledger.roles import OWNER, BookLink
from scorekeeper.services.books import append
from scorekeeper.services.codes import device_digest, new_code
from scorekeeper.store import book_index, books, links
from scorekeeper.store.links import BOOK_LINKS

NO_BOOK = "none"
"""In place of the code of a book's link: the match is kept out of every book."""


def put_started_match(
    session: Session, device: str, match: tuple[int, str], book: str, *, client_key: str, actor: str = ""
) -> None:
    """Put a match, by its number and uid, into the book that its phone chose or opened last; a first match begins one.

    `book` is the code of the phone's link to a book, `NO_BOOK`, or empty for the one opened last. Raises `Refused`,
    and commits nothing.
    """
    match_id, uid = match
    if book == NO_BOOK:
        books.put_match(session, match_id, None)
        return
    digest, now = device_digest(device), datetime.now(UTC)
    usable = [link for link in links.book_links_of_device(session, digest) if link.may_score]
    link = next((link for link in usable if not book or link.code == book), None)
    if link is None and book:
        raise refusal("book", "unknown_book", "This phone can’t save matches there any more. Choose again.")
    if link is None:
        link = begin_book(session, digest, client_key, now)
    elif link is not usable[0]:
        BOOK_LINKS.note_visit(session, digest, link, now)
    # The file of a book has the keys of its facts; the one that leads to the match's link is not among them.
    append(session, link.book_id, MatchAdded(match=uid), client_key=f"in-{uid}", actor=actor)
    books.put_match(session, match_id, link.book_id)


def begin_book(session: Session, digest: str, client_key: str, now: datetime) -> BookLink:
    """Begin a book that a device owns, and return its link; commits nothing."""
    book_id = books.add_book(session, new_code(), client_key, now)
    link = BOOK_LINKS.add(session, book_id, new_code(), OWNER, now, device=digest)
    BOOK_LINKS.note_visit(session, digest, link, now)
    return link


def book_to_look_at(session: Session, device: str) -> str:
    """Return the code of the link to the book that a device opened last; empty where none of its matches is over."""
    link = next(iter(links.book_links_of_device(session, device_digest(device))), None)
    return link.code if link and book_index.has_finished_match(session, link.book_id) else ""
