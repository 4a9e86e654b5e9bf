"""Put matches into books, move them from book to book, and open them by the links of their books.

The first match of a phone begins a book. Its next matches go into the book that it began, joined or chose last.
Unplaced matches go into a book of the device that owns them, or else of the host.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from scorekeeper.access import links
from scorekeeper.access.links import BOOK_LINKS, LINK_TABLES, MATCH_LINKS, Phone, device_digest
from scorekeeper.access.roles import Kind, Link, is_same_phone
from scorekeeper.book import store as books
from scorekeeper.book.books import BookAccess, append_to_book, book_of_id, books_of_device
from scorekeeper.book.events import MatchAdded, MatchRemoved
from scorekeeper.book.store import BOOK_EVENTS, UnplacedMatch
from scorekeeper.eventlog.store import Writer, retry_on_conflict
from scorekeeper.eventlog.stream import OWNER, Refused, StoredEvent, allows, refusal
from scorekeeper.matches import store as matches
from scorekeeper.matches.fold import Match
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.text.phrases import group_by_key
from scorekeeper.random_codes import new_code


class NotInBook(Exception):
    """The book has no match with this uid."""


def open_match(session: Session, access: BookAccess, device: str, match_uid: str) -> str:
    """Return the code of the link by which a phone opens a match of a book.

    A phone without a link gets one, and it is committed. A removed phone gets the code of its ended link, unless it
    owns the book. Raises `NotInBook`, and `LinkEnded` if the link to the book ends meanwhile.
    """
    setup_and_book = matches.setup_and_book_by_uid(session, match_uid)
    if setup_and_book is None or setup_and_book[1] != access.id:
        raise NotInBook(match_uid)
    match_id, digest = setup_and_book[0].id, device_digest(device)

    def find_link(role: str) -> Link | None:
        visited_link, own_link = (
            MATCH_LINKS.link_of_last_visit(session, digest, match_id),
            MATCH_LINKS.own_link(session, digest, match_id),
        )
        if visited_link and allows(visited_link.role, role):
            return visited_link
        if own_link and own_link.ended_at and not access.link.is_owner:
            return own_link
        return links.link_from_book(session, access.link.id, match_id)

    def add_link(role: str) -> Link:
        now = datetime.now(UTC)
        link = MATCH_LINKS.add(session, match_id, new_code(), role, now, book_link_id=access.link.id)
        MATCH_LINKS.note_visit(session, digest, link, now)
        return link

    return find_or_add_link(session, access, "match", match_id, find_link, add_link)


def find_or_add_link(
    session: Session,
    access: BookAccess,
    kind: Kind,
    stream_id: int,
    find_link: Callable[[str], Link | None],
    add_link: Callable[[str], Link],
) -> str:
    """Return the code of a phone's link to a match or a night of a book, and commit.

    `find_link` gets the role that the phone has in the book, and returns a link or `None`. For `None`, the links are
    locked, and `add_link` adds one. Raises `LinkEnded` if the link to the book ends meanwhile.
    """

    def open_by_book() -> str:
        if link := find_link(access.link.role):
            return link.code
        BOOK_LINKS.lock(session, access.id)
        LINK_TABLES[kind].lock(session, stream_id)
        role = BOOK_LINKS.head_in_force(session, access.code).link.role
        link = find_link(role) or add_link(role)
        session.commit()
        return link.code

    return retry_on_conflict(session, open_by_book)


@dataclass(frozen=True, slots=True)
class MatchMove:
    """A move of a match to another book, or out of every book."""

    from_uid: str
    """The uid of the book that the match was in before; empty for none."""
    idempotency_key: str
    """The idempotency key of the form that moved the match. It is needed to move the match back."""


def book_uid_of_match(session: Session, match: Match) -> str:
    """Return the uid of the book that a match is in; empty if it is in none."""
    book_id = books.book_id_of_match(session, match.id)
    return books.uid_and_start(session, book_id)[0] if book_id is not None else ""


def move_match(
    session: Session, match: Match, device: str, book_code: str, writer: Writer, *, shown_book_uid: str | None = None
) -> MatchMove | None:
    """Move a match to another book, or out of every book, commit, and return the move; `None` if it is there already.

    `book_code` is the code of a link to the other book, or `NO_BOOK`. `shown_book_uid` is the uid of the book that the
    form showed, empty for none: with it, a form that is posted twice gets the same result. Raises `Refused` if the
    phone may not put matches into the other book.
    """

    def find_earlier_move() -> MatchMove | None:
        shown_book_id = books.book_id_of_uid(session, shown_book_uid or "")
        if shown_book_id is not None and _was_taken_from(
            session, match, shown_book_id, writer.idempotency_key, writer.actor
        ):
            return MatchMove(shown_book_uid or "", writer.idempotency_key)
        return None

    def move() -> MatchMove | None:
        old_book_id = books.book_id_of_match(session, match.id)
        if earlier_move := find_earlier_move():
            return earlier_move
        new_link = _link_to_posted_book(session, device, book_code)
        new_book_id = new_link.stream_id if new_link else None
        if _has_event_of_form(session, writer, old_book_id, new_book_id):
            # Where the form is posted twice at once, the other one may have written after the first look.
            return MatchMove("", writer.idempotency_key) if shown_book_uid == "" else find_earlier_move()
        if old_book_id == new_book_id:
            return None
        old_book_uid = book_uid_of_match(session, match)
        _move_match_uncommitted(session, match, old_book_id, new_book_id, writer)
        session.commit()
        return MatchMove(old_book_uid, writer.idempotency_key)

    return retry_on_conflict(session, move)


def move_match_back(session: Session, match: Match, device: str, match_move: MatchMove, writer: Writer) -> None:
    """Move a match back to the book from which a form of this phone took it, and commit.

    A match that was in no book is taken out of its present one. Raises `Refused` if there was no such form, or if the
    phone was removed from the former book.
    """
    old_book_id = books.book_id_of_uid(session, match_move.from_uid)
    if match_move.from_uid and (
        old_book_id is None
        or not _was_taken_from(session, match, old_book_id, match_move.idempotency_key, writer.actor)
        or links.was_removed_from_book(session, device_digest(device), old_book_id)
    ):
        raise _book_gone_refusal()

    def move() -> None:
        present_book_id = books.book_id_of_match(session, match.id)
        if present_book_id != old_book_id and not _has_event_of_form(session, writer, present_book_id, old_book_id):
            _move_match_uncommitted(session, match, present_book_id, old_book_id, writer)
            session.commit()

    retry_on_conflict(session, move)


def _has_event_of_form(session: Session, writer: Writer, *book_ids: int | None) -> bool:
    """Return whether one of these books has an event with the writer's idempotency key. `None` stands for no book."""
    return BOOK_EVENTS.has_key(session, list(filter(None, book_ids)), writer.idempotency_key)


def _was_taken_from(session: Session, match: Match, book_id: int, idempotency_key: str, actor: str) -> bool:
    """Return whether this phone took the match out of the book by the form with this key.

    `actor` is the signature of the phone.
    """
    events = book_of_id(session, book_id).events
    event = next((event for event in events if event.idempotency_key == idempotency_key), None)
    if event is None or event.data != MatchRemoved(match=match.setup.uid):
        return False
    return is_same_phone(event.actor, actor)  # the key alone is no proof of that: it is in the book's file


def _link_to_posted_book(session: Session, device: str, book_code: str) -> Link | None:
    """Return the device's link in force to the book that a form posted; `None` for `NO_BOOK`.

    `book_code` is the code of the link. Raises `Refused` if the device has no such link, or one that may only watch.
    """
    if book_code == NO_BOOK:
        return None
    book_links = links.book_links_of_device(session, device_digest(device))
    link = next((link for link in book_links if link.code == book_code and link.may_score), None)
    if link is None:
        raise _book_gone_refusal()
    return link


def _book_gone_refusal() -> Refused:
    """Return a `Refused`, to be raised: this phone can no longer put matches into the book."""
    return refusal("book", "This phone can’t save matches there any more. Choose again.")


def _move_match_uncommitted(
    session: Session, match: Match, old_book_id: int | None, new_book_id: int | None, writer: Writer
) -> None:
    """Move a match from one book to another; does not commit. `None` stands for no book."""
    uid = match.setup.uid
    if old_book_id is not None:
        append_to_book(session, old_book_id, MatchRemoved(match=uid), writer)
    if new_book_id is not None:
        append_to_book(session, new_book_id, MatchAdded(match=uid), writer)
    books.put_match(session, match.id, new_book_id, old_book_id=old_book_id)


def book_of_match_on_phone(session: Session, device: str, match: Match) -> BookAccess | None:
    """Return the book that a match is in; `None` if there is none, or if the device may not open it."""
    book_id = books.book_id_of_match(session, match.id)
    book_links = links.book_links_of_device(session, device_digest(device)) if book_id is not None else {}
    link = next((link for link in book_links if link.stream_id == book_id), None)
    return BookAccess(link, book_of_id(session, link.stream_id), is_chosen=book_links[link]) if link else None


def book_link_of_removed_phone(session: Session, match: Match, phone: Phone) -> Link | None:
    """Return the link to a book by which a removed phone could still open the match; `None` if there is none."""
    book_id = books.book_id_of_match(session, match.id)
    # `open_match` refuses a removed phone only by its cookie, which can be cleared. A phone that had opened the match
    # by the book cannot open it again: its link stays ended.
    if book_id is None or phone.has_access or phone.is_by_book or phone.link.is_shared:
        return None
    return next(iter(links.book_links_of_match_link(session, phone.link.id, book_id)), None)


def usable_books(session: Session, device: str) -> list[BookAccess]:
    """Return the books into which a device may put matches, the one that it chose last first."""
    return [access for access in books_of_device(session, device) if access.link.may_score]


NO_BOOK = "none"
"""What a form posts in place of the code of a link to a book, to have a match in no book."""


def put_started_match(session: Session, device: str, match_id: int, book_code: str, writer: Writer) -> None:
    """Put a new match into the book that its phone chose, or into a new book; does not commit.

    `book_code` is the code of a link to a book, or `NO_BOOK`; empty means the book that was chosen last. Raises
    `Refused`, and `IntegrityError` if another phone writes first.
    """
    if book_code == NO_BOOK:
        books.put_match(session, match_id, None)
        return
    digest = device_digest(device)
    chosen_link = link_to_chosen_book(session, digest)
    link = _link_to_posted_book(session, device, book_code) if book_code else chosen_link
    if link is None:
        link = begin_book(session, digest)
    elif link != chosen_link:
        BOOK_LINKS.note_visit(session, digest, link, datetime.now(UTC), is_chosen=True)
    uid = matches.setup_by_id(session, match_id).uid
    # A book's file has the keys of its events, so the key that leads to the match's link is not used here.
    append_to_book(session, link.stream_id, MatchAdded(match=uid), replace(writer, idempotency_key=f"in-{uid}"))
    books.put_match(session, match_id, link.stream_id)


def link_to_chosen_book(session: Session, device_digest: str) -> Link | None:
    """Return a device's link to the book into which its next match goes; `None` without one.

    Of the books into which the device may put matches, it is the one that it chose last.
    """
    book_links = links.book_links_of_device(session, device_digest)
    return next((link for link, is_chosen in book_links.items() if is_chosen and link.may_score), None)


def begin_book(
    session: Session, device_digest: str | None, *, uid: str = "", created_at: datetime | None = None
) -> Link:
    """Begin a book, and return an owner's link to it; does not commit.

    With a `device_digest`, the link is made for that device, and its next matches go into the book. An imported book
    keeps its `uid`. Raises `IntegrityError` if the device begins another book at the same moment.
    """
    now = datetime.now(UTC)
    # Two forms at once get the same key; once a book is there, its link makes the key of the next one differ.
    book_key = (
        f"{device_digest[:32]}-{links.latest_book_link_id(session, device_digest)}"
        if device_digest and not uid
        else new_code()
    )
    book_id = books.add_book(session, uid or new_code(), book_key, created_at or now)
    link = BOOK_LINKS.add(session, book_id, new_code(), OWNER, now, device=device_digest)
    if device_digest:
        BOOK_LINKS.note_visit(session, device_digest, link, now, is_chosen=True)
    return link


_MAX_BATCH_SIZE = 200
"""The most matches that one transaction puts into books, so that phones do not wait long for it."""


def put_matches_in_owners_books(session: Session) -> None:
    """Put each unplaced match into a book of the device that owns it, and commit.

    A match that no device owns stays unplaced. A run that was interrupted can be started again.
    """
    _put_matches_in_batches(
        session, books.owned_unplaced_matches, lambda batch: _put_batch_in_owners_books(session, batch)
    )


def put_matches_in_one_book(session: Session, book_id: int | None = None) -> int:
    """Put every unplaced match into one book, commit, and return the id of the book.

    Without a `book_id`, it is a new book.
    """
    if book_id is None:
        book_id = begin_book(session, None).stream_id
        session.commit()
    _put_matches_in_batches(
        session, books.all_unplaced_matches, lambda batch: _put_batch_in_book(session, book_id, batch)
    )
    return book_id


def count_and_list_unplaced(session: Session, at_most: int) -> tuple[int, list[MatchSetup]]:
    """Return the number of unplaced matches, and the setups of up to `at_most` of the latest."""
    return books.count_unplaced_matches(session), books.latest_unplaced_setups(session, at_most)


def _put_matches_in_batches(
    session: Session,
    select_batch: Callable[[Session, int, int], list[UnplacedMatch]],
    put_batch: Callable[[list[UnplacedMatch]], None],
) -> None:
    """Put matches into books, a batch at a time, and commit after each batch.

    `select_batch` gets the session, the id of the last match before the batch, at first 0, and the most matches in a
    batch. `put_batch` does not commit. After a conflict, the same batch is selected again.
    """
    last_id: int | None = 0

    def put_next_batch() -> int | None:
        batch = select_batch(session, last_id or 0, _MAX_BATCH_SIZE)
        # The reading ends before the writing begins: SQLite would refuse it where a phone wrote in between.
        session.rollback()
        if not batch:
            return None
        put_batch(batch)
        session.commit()
        return batch[-1].id

    while last_id is not None:
        last_id = retry_on_conflict(
            session, put_next_batch
        )  # where somebody else put one of them somewhere, it looks again


def _put_batch_in_owners_books(session: Session, batch: Sequence[UnplacedMatch]) -> None:
    """Put each match into a book of the device that owns it; does not commit.

    A device without a book gets a new one.
    """
    for owner_digest, owned_matches in group_by_key((match.device or "", match) for match in batch).items():
        link = link_to_chosen_book(session, owner_digest) or begin_book(session, owner_digest)
        _put_batch_in_book(session, link.stream_id, owned_matches)


def _put_batch_in_book(session: Session, book_id: int, batch: Sequence[UnplacedMatch]) -> None:
    """Put all matches of a batch into one book; does not commit."""
    now = datetime.now(UTC)
    version, _ = BOOK_EVENTS.end(session, book_id)
    events = (
        StoredEvent(seq, f"placed-{match.uid}", now, "", MatchAdded(match=match.uid))
        for seq, match in enumerate(batch, version + 1)
    )
    BOOK_EVENTS.add(session, book_id, events)
    books.put_matches(session, [match.id for match in batch], book_id)
