"""The matches of a book: opening one by the link to the book, and moving one to another book or keeping it out."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from scorekeeper.book.facts import MatchAdded, MatchRemoved
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.limits import key_faults
from scorekeeper.ledger.refusals import Refused, refusal, refuse_any
from scorekeeper.ledger.roles import BookLink, allows
from scorekeeper.ledger.signatures import is_same_phone
from scorekeeper.services.books import BookAccess, append, book_of_id, books_of_device
from scorekeeper.services.codes import device_digest, new_code
from scorekeeper.services.once import Writer, tried_again
from scorekeeper.services.own_book import NO_BOOK
from scorekeeper.store import books, links, matches
from scorekeeper.store.links import MATCH_LINKS


class NotInBook(Exception):
    """No match of this book has this uid."""


def open_match(session: Session, access: BookAccess, device: str, uid: str) -> str:
    """Return the code of a phone's link to a match of a book, and commit if it is a new one; raises `NotInBook`.

    A phone that may do as much there already keeps its own link. A phone that
    was removed from the match stays removed, unless it owns the book.
    """
    found = matches.by_uid(session, uid)
    if found is None or found[1] != access.id:
        raise NotInBook(uid)
    match_id = found[0].id
    role, digest = access.link.role, device_digest(device)
    own = MATCH_LINKS.opened_by(session, digest, match_id)
    if own and allows(own.role, role):
        return own.code
    given = MATCH_LINKS.given(session, digest, match_id)
    if given and not given[1] and not access.link.is_owner:
        return given[0].code

    def link_by_book() -> str:
        if found := links.link_from_book(session, access.link.id, match_id):
            return found.code
        code, now = new_code(), datetime.now(UTC)
        link = MATCH_LINKS.add(session, match_id, code, role, now, book_link_id=access.link.id)
        MATCH_LINKS.note_visit(session, digest, link, now)
        session.commit()
        return code

    return tried_again(session, link_by_book)


@dataclass(frozen=True, slots=True)
class Moved:
    """A match was moved to another book, or out of all of them."""

    from_uid: str
    """Of the book it was in before; empty where it was in none."""
    client_key: str
    """Of the form that moved it, by which it can be moved back."""


def book_of(session: Session, match: Match) -> int | None:
    """Return the number of the book that a match is in."""
    return books.book_of_match(session, match.id)


def move_match(session: Session, match: Match, device: str, book: str, writer: Writer) -> Moved | None:
    """Move a match to the book of a phone's link, or out of every book with `NO_BOOK`, and commit.

    Returns `None` where it is there already. Raises `Refused`.
    """
    refuse_any(key_faults(writer.client_key))
    target = _target(session, device, book)

    def move() -> Moved | None:
        before = books.book_of_match(session, match.id)
        if before == (target.place_id if target else None):
            return None
        _put(session, match, before, target.place_id if target else None, writer)
        uid = books.began(session, before)[0] if before is not None else ""
        session.commit()
        return Moved(uid, writer.client_key)

    return tried_again(session, move)


def move_back(session: Session, match: Match, device: str, moved: Moved, writer: Writer) -> None:
    """Move a match back to where a form of this phone took it from; raises `Refused`.

    It need not be able to open that book, but it must not have been removed from it since.
    """
    refuse_any(key_faults(writer.client_key))
    target = books.id_of_uid(session, moved.from_uid) if moved.from_uid else None
    if moved.from_uid and (
        target is None
        or not _was_taken_from(session, match, target, moved.client_key, writer.actor)
        or links.was_removed_from_book(session, device_digest(device), target)
    ):
        raise _gone()

    def move() -> None:
        before = books.book_of_match(session, match.id)
        if before != target:
            _put(session, match, before, target, writer)
            session.commit()

    tried_again(session, move)


def _was_taken_from(session: Session, match: Match, book_id: int, client_key: str, actor: str) -> bool:
    event = books.event_by_key(session, book_id, client_key)
    if event is None or event.fact != MatchRemoved(match=match.setup.uid):
        return False
    return is_same_phone(event.actor, actor)  # the key alone says nothing of that: it is in the book's file


def _target(session: Session, device: str, book: str) -> BookLink | None:
    if book == NO_BOOK:
        return None
    mine = links.book_links_of_device(session, device_digest(device))
    link = next((link for link in mine if link.code == book and link.may_score), None)
    if link is None:
        raise _gone()
    return link


def _gone() -> Refused:
    return refusal("book", "unknown_book", "This phone can’t save matches there any more. Choose again.")


def _put(session: Session, match: Match, before: int | None, after: int | None, writer: Writer) -> None:
    uid = match.setup.uid
    if before is not None:
        append(session, before, MatchRemoved(match=uid), writer)
    if after is not None:
        append(session, after, MatchAdded(match=uid), writer)
    books.put_match(session, match.id, after)


def book_on_phone(session: Session, device: str, match: Match) -> BookAccess | None:
    """Return the book that a match is in, if a device may open that book."""
    book_id = books.book_of_match(session, match.id)
    mine = links.book_links_of_device(session, device_digest(device)) if book_id is not None else []
    link = next((link for link in mine if link.place_id == book_id), None)
    return BookAccess(link, book_of_id(session, link.place_id)) if link else None


def usable_books(session: Session, device: str) -> list[BookAccess]:
    """Return the books that a device may put matches into, the one that it opened last first."""
    return [access for access in books_of_device(session, device) if access.link.may_score]
