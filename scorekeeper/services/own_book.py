"""The book of a phone: its first match begins one, and every next match goes into the one that it opened last.

Matches from before books, and those that no phone began, come into a book of the device that holds the oldest link of
an owner; where none does, into one of the host's.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.book.facts import MatchAdded
from scorekeeper.ledger.fact_log import Event
from scorekeeper.ledger.refusals import refusal
from scorekeeper.ledger.roles import OWNER, BookLink
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.services.books import append
from scorekeeper.services.codes import device_digest, new_code
from scorekeeper.services.once import MOST_TRIES, Writer
from scorekeeper.store import book_index, books, links
from scorekeeper.store.book_index import UnplacedMatch
from scorekeeper.store.links import BOOK_LINKS

NO_BOOK = "none"
"""In place of the code of a book's link: the match is kept out of every book."""


def put_started_match(session: Session, device: str, match: tuple[int, str], book: str, writer: Writer) -> None:
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
        link = begin_book(session, digest, writer.client_key, now)
    elif link is not usable[0]:
        BOOK_LINKS.note_visit(session, digest, link, now)
    # The file of a book has the keys of its facts; the one that leads to the match's link is not among them.
    append(session, link.place_id, MatchAdded(match=uid), replace(writer, client_key=f"in-{uid}"))
    books.put_match(session, match_id, link.place_id)


def begin_book(session: Session, digest: str, client_key: str, now: datetime) -> BookLink:
    """Begin a book that a device owns, and return its link; commits nothing."""
    book_id = books.add_book(session, new_code(), client_key, now)
    link = BOOK_LINKS.add(session, book_id, new_code(), OWNER, now, device=digest)
    BOOK_LINKS.note_visit(session, digest, link, now)
    return link


def book_to_look_at(session: Session, device: str) -> str:
    """Return the code of the link to the book that a device opened last; empty where none of its matches is over."""
    link = next(iter(links.book_links_of_device(session, device_digest(device))), None)
    return link.code if link and book_index.has_finished_match(session, link.place_id) else ""


_AT_ONCE = 200
"""Matches in one transaction: nobody who scores waits for long."""


def place_matches(session: Session) -> None:
    """Put the matches that are in no book into a book of the phone that owns them, and commit.

    It may be stopped at any time and goes on with what is left. A match that no phone owns stays in none.
    """
    _in_steps(session, book_index.owned_unplaced, lambda found: _place_held(session, found))


def collect_matches(session: Session, book_id: int | None = None) -> int:
    """Put every match that is in no book into one, a new one with `None`, and commit; return that book's number."""
    if book_id is None:
        now = datetime.now(UTC)
        book_id = books.add_book(session, new_code(), new_code(), now)
        BOOK_LINKS.add(session, book_id, new_code(), OWNER, now)
        session.commit()
    _in_steps(session, book_index.every_unplaced, lambda found: _put(session, book_id, found))
    return book_id


def unplaced_matches(session: Session, at_most: int) -> tuple[int, list[MatchSetup]]:
    """Return how many matches are in no book, without those kept out of all, and how the latest of them began."""
    return book_index.count_unplaced(session), book_index.latest_unplaced(session, at_most)


def _in_steps(
    session: Session,
    select: Callable[[Session, int, int], list[UnplacedMatch]],
    put: Callable[[list[UnplacedMatch]], None],
) -> None:
    last = tries = 0
    while found := select(session, last, _AT_ONCE):
        # The reading ends before the writing begins: SQLite would refuse it where a phone wrote in between.
        session.rollback()
        try:
            put(found)
            session.commit()
        except IntegrityError:  # somebody else put one of them somewhere: look again
            session.rollback()
            tries += 1
            if tries > MOST_TRIES:
                raise
            continue
        last = found[-1].id


def _place_held(session: Session, found: Sequence[UnplacedMatch]) -> None:
    by_device: dict[str, list[UnplacedMatch]] = {}
    for match in found:
        by_device.setdefault(match.device or "", []).append(match)
    for device, mine in by_device.items():
        usable = (link for link in links.book_links_of_device(session, device) if link.may_score)
        link = next(usable, None) or begin_book(session, device, f"begun-{mine[0].uid}", datetime.now(UTC))
        _put(session, link.place_id, mine)


def _put(session: Session, book_id: int, found: Sequence[UnplacedMatch]) -> None:
    now = datetime.now(UTC)
    version, _ = books.end_of_book(session, book_id)
    events = (
        Event(seq, f"placed-{match.uid}", now, "", MatchAdded(match=match.uid))
        for seq, match in enumerate(found, version + 1)
    )
    books.add_book_events(session, book_id, events)
    books.put_matches(session, [match.id for match in found], book_id)
