"""The phones of a book: how one joins, what it may do there, and how its link ends, with those that came by it.

What changes a link commits.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from scorekeeper.database.faults import is_unavailable
from scorekeeper.ledger.limits import cut_actor, name_faults
from scorekeeper.ledger.refusals import refusal, refuse_any
from scorekeeper.ledger.roles import RANKS, BookInvitation, BookLink, allows, higher
from scorekeeper.services.books import BookAccess
from scorekeeper.services.codes import new_code
from scorekeeper.services.match_list import SEEN_AGAIN, device_digest
from scorekeeper.services.once import tried_again
from scorekeeper.services.phones import AnyPhone, last_seen
from scorekeeper.store import book_links, invitations, links
from scorekeeper.store.book_links import HeldBookLink


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPhone(AnyPhone):
    """A phone that was let in to a book."""

    link: BookLink
    holder: str
    """Whose phone it is; empty where nobody said."""


def phones_of_book(session: Session, access: BookAccess) -> tuple[BookPhone, ...]:
    """Return every phone that joined a book, the first one first, those whose link was ended as well."""
    return tuple(_phone(held) for held in book_links.links_of(session, access.id))


def _phone(held: HeldBookLink) -> BookPhone:
    seen, is_here = last_seen(held.link.code, held.last_seen)
    return BookPhone(
        link=held.link,
        holder=held.holder,
        since=held.created_at,
        ended_at=held.revoked_at,
        last_seen=seen,
        is_here=is_here,
    )


def remember_book(session: Session, device: str, access: BookAccess) -> None:
    """Record that a device has opened a book, which its next match goes into, and commit if that is news.

    Where nothing can be saved just now it is not recorded: looking needs no writing.
    """
    known, now = device_digest(device), datetime.now(UTC)
    visit, link = book_links.last_visit(session, known, access.id), access.link
    if visit and visit[1] != link.id:
        link = _stronger(session, known, link)
    if visit and visit[1] == link.id and now - visit[0] < SEEN_AGAIN and _is_first(session, known, link):
        return
    try:
        book_links.note_visit(session, known, link, now)
        session.commit()
    except IntegrityError:  # two pages of one device at the same moment: the other has done it
        session.rollback()
    except SQLAlchemyError as error:
        session.rollback()
        if not is_unavailable(error):
            raise


def _stronger(session: Session, digest: str, other: BookLink) -> BookLink:
    """Return the link to list: opening a book by somebody else's takes nothing from a phone that may do more."""
    mine = (link for link in book_links.links_of_device(session, digest) if link.book_id == other.book_id)
    known = next(mine, None)
    return known if known and not allows(other.role, known.role) else other


def _is_first(session: Session, digest: str, link: BookLink) -> bool:
    """Return whether a device opened no other book since."""
    return book_links.links_of_device(session, digest)[:1] == [link]


def holder_of_device(session: Session, device: str, book_id: int) -> str:
    """Return whose phone a device is in a book; empty where nobody said."""
    digest = device_digest(device)
    return next((held.holder for held in book_links.links_of(session, book_id) if held.device == digest), "")


def join_book(session: Session, invitation: BookInvitation, device: str, holder: str) -> BookLink:
    """Add a phone to a book, and return its own link, the only one that it gets: it allows no less than before.

    `holder` is whose phone it is, and may be empty. An open invitation was made after every end of a link, so it also
    lets a phone in whose link was ended. Raises `Refused`.
    """
    if holder:
        refuse_any(name_faults("holder", holder))
    digest = device_digest(device)

    def join() -> BookLink:
        link = _let_in(session, invitation, digest, holder)
        book_links.note_visit(session, digest, link, datetime.now(UTC))
        session.commit()
        return link

    return tried_again(session, join)


def _let_in(session: Session, invitation: BookInvitation, digest: str, holder: str) -> BookLink:
    now, role = datetime.now(UTC), invitation.role
    held = book_links.links_of(session, invitation.book_id)
    own = next((it for it in held if it.device == digest), None)
    if own is None:
        return book_links.add_link(
            session, invitation.book_id, new_code(), role, now, device=digest, holder=holder or None
        )
    if own.revoked_at:
        links.reopen_links_from(session, own.link.id, own.revoked_at)
    else:
        role = higher(own.link.role, role)
    values = {"role": role, "holder": holder or own.holder or None}
    book_links.change_link(session, own.link.id, **values, revoked_at=None, revoked_by=None)
    _carry_role(session, own.link.id, role)
    return BookLink(own.link.id, own.link.code, role, invitation.book_id)


def give_book_role(session: Session, access: BookAccess, link_id: int, role: str) -> None:
    """Change what a phone may do in a book, and in the matches that it opened by it; raises `Refused`."""
    if role not in RANKS:
        raise refusal("role", "unknown_role", "There is no such role.")
    _held_link(session, access, link_id)
    _change(session, access, link_id, role=role)
    _carry_role(session, link_id, role)
    session.commit()


def _carry_role(session: Session, link_id: int, role: str) -> None:
    links.change_links_from(session, link_id, role=role)


def end_book_link(session: Session, access: BookAccess, link_id: int, actor: str) -> None:
    """End a phone's link, those to matches that it got by it, and every invitation that it could come back by.

    Raises `Refused` for the last owner.
    """
    held, now = _held_link(session, access, link_id), datetime.now(UTC)
    invitations.end_of_book(session, access.id, now)
    _change(session, access, link_id, revoked_at=now, revoked_by=cut_actor(actor))
    links.end_links_from(session, link_id, now, cut_actor(actor))
    if held.device:
        links.list_own_instead(session, held.device, link_id)
    session.commit()


def reopen_book_link(session: Session, access: BookAccess, link_id: int) -> None:
    """Restore the link that a phone had, and those to matches that ended with it."""
    held = _held_link(session, access, link_id)
    if held.revoked_at:
        links.reopen_links_from(session, link_id, held.revoked_at)
    _change(session, access, link_id, revoked_at=None, revoked_by=None)
    session.commit()


def _held_link(session: Session, access: BookAccess, link_id: int) -> HeldBookLink:
    held = next((it for it in book_links.links_of(session, access.id) if it.link.id == link_id), None)
    if held is None:
        raise refusal("", "unknown_link", "No phone of this book has that link.")
    return held


def _change(session: Session, access: BookAccess, link_id: int, **values: object) -> None:
    book_links.owner_ids(session, access.id)
    book_links.change_link(session, link_id, **values)
    # Checked after the change, which two owners may be making to each other at the same moment.
    if not book_links.owner_ids(session, access.id):
        session.rollback()
        raise refusal("", "last_owner", "The book needs an owner. Make another phone co-owner first.")
