"""The phones of a book: joining it, and a new code for a phone's own link."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.access.links import BOOK_LINKS, tables_from_books
from scorekeeper.access.phones import add_phone, end_invitations_of, has_own_link
from scorekeeper.access.roles import BookLink, Invitation
from scorekeeper.book.books import BookAccess
from scorekeeper.codes import device_digest, new_code
from scorekeeper.eventlog.stream import refusal, refuse_any
from scorekeeper.pitch.records.limits import name_faults


def holder_of_device(session: Session, device: str, book_id: int) -> str:
    """Return the name of a device's holder in a book; empty where none was entered."""
    given = BOOK_LINKS.given(session, device_digest(device), book_id)
    return given[0].holder if given else ""


def join_book(session: Session, invitation: Invitation, device: str, holder: str) -> BookLink:
    """Add a phone to a book, and return its own link, the only one that it gets: it allows no less than before.

    `holder` is whose phone it is, and may be empty. Raises `Refused`.
    """
    if holder:
        refuse_any(name_faults("holder", holder))

    def holding(own: BookLink | None) -> Mapping[str, Any]:
        return {"holder": holder or (own.holder if own else "") or None}

    return add_phone(session, BOOK_LINKS, invitation, device, holding)


def renew_link(session: Session, access: BookAccess, link_id: int, device: str) -> str:
    """Give a phone's own link to a book a new code, and return it: the old code no longer works for anybody.

    The links to matches that it opened by the book get new codes as well, and the codes to join the book are closed.
    Raises `Refused` for any other phone: somebody who only has the address could else take the book from its owner.
    """
    if link_id != access.link.id or not has_own_link(session, access, device):
        raise refusal("", "Only the phone that has this link can renew it. Remove the link from a co-owner’s phone.")
    digest, now, code = device_digest(device), datetime.now(UTC), new_code()
    end_invitations_of(session, access.link, now)
    BOOK_LINKS.renew(session, link_id, code, digest)
    for table in tables_from_books():
        table.renew_from(session, link_id, digest, now)
    session.commit()
    return code
