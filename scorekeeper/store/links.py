"""The links of a match, one for each phone: who has them, what they allow, and which device came by which.

Nothing here commits.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.ledger.roles import OWNER, Link
from scorekeeper.store.codec import link_of, utc
from scorekeeper.store.matches import LINK
from scorekeeper.store.tables import DeviceMatchRow, LinkRow


@dataclass(frozen=True, slots=True)
class HeldLink:
    """A link, since when there is one, and when a phone came by it last."""

    link: Link
    created_at: datetime
    revoked_at: datetime | None
    last_seen: datetime | None
    device: str | None
    """The device that joined by an invitation, and so has this link."""
    phones: int
    """How many phones came by it: more than one where an address was passed on."""
    is_by_book: bool
    """Whether the phone has it by a book that the match is or was in, and loses it with the book."""


_LINKS, _VISITS = LinkRow.__table__, DeviceMatchRow.__table__
_OF_MATCH: Any = (
    sa.select(
        *LINK,
        col(LinkRow.match_id),
        col(LinkRow.created_at),
        col(LinkRow.revoked_at),
        col(LinkRow.device).label("owned_by"),
        col(LinkRow.book_link_id),
        sa.func.max(col(DeviceMatchRow.last_seen)).label("last_seen"),
        sa.func.count(col(DeviceMatchRow.device)).label("phones"),
    )
    .select_from(LinkRow)
    .outerjoin(DeviceMatchRow, col(DeviceMatchRow.link_id) == col(LinkRow.id))
    .where(col(LinkRow.match_id) == sa.bindparam("match_id"))
    .group_by(col(LinkRow.id))
    .order_by(col(LinkRow.id))
)
_OF_DEVICE: Any = (
    sa.select(*LINK, col(LinkRow.match_id), col(LinkRow.revoked_at), col(LinkRow.book_link_id))
    .select_from(DeviceMatchRow)
    .join(LinkRow, col(LinkRow.id) == col(DeviceMatchRow.link_id))
    .where(
        col(DeviceMatchRow.device) == sa.bindparam("device"), col(DeviceMatchRow.match_id) == sa.bindparam("match_id")
    )
)
_REMOVED: Any = sa.select(*LINK, col(LinkRow.match_id)).where(
    col(LinkRow.match_id) == sa.bindparam("match_id"),
    col(LinkRow.device) == sa.bindparam("device"),
    col(LinkRow.revoked_at).is_not(None),
)
_FROM_BOOK: Any = sa.select(*LINK, col(LinkRow.match_id)).where(
    col(LinkRow.book_link_id) == sa.bindparam("book_link_id"), col(LinkRow.match_id) == sa.bindparam("match_id")
)
_ENDED_BY = sa.select(col(LinkRow.match_id), col(LinkRow.revoked_by)).where(col(LinkRow.code) == sa.bindparam("code"))
_IS_VISIT = sa.and_(
    col(DeviceMatchRow.device) == sa.bindparam("the_device"), col(DeviceMatchRow.match_id) == sa.bindparam("the_match")
)
_VISIT = sa.select(col(DeviceMatchRow.last_seen), col(DeviceMatchRow.link_id)).where(_IS_VISIT)
_HOLDERS = (
    sa.select(col(LinkRow.seat))
    .where(
        col(LinkRow.match_id) == sa.bindparam("match_id"),
        col(LinkRow.revoked_at).is_(None),
        col(LinkRow.seat).is_not(None),
    )
    .distinct()
)


def links_of(session: Session, match_id: int) -> tuple[HeldLink, ...]:
    """Return every link of a match, the first one first, those that were ended as well."""
    return tuple(_held(row) for row in session.execute(_OF_MATCH, {"match_id": match_id}))


def _held(row: sa.Row[Any]) -> HeldLink:
    return HeldLink(
        link_of(row),
        utc(row.created_at),
        utc(row.revoked_at) if row.revoked_at else None,
        utc(row.last_seen) if row.last_seen else None,
        row.owned_by,
        row.phones,
        row.book_link_id is not None,
    )


def link_of_device(
    session: Session, device: str, match_id: int, *, holding: bool = False, own: bool = False
) -> Link | None:
    """Return the link by which a device came to a match.

    With `holding` only if nobody has ended it, and with `own` only if it did not come by a book.
    """
    row = session.execute(_OF_DEVICE, {"device": device, "match_id": match_id}).first()
    if row is None or (holding and row.revoked_at) or (own and row.book_link_id is not None):
        return None
    return link_of(row)


def removed_link(session: Session, device: str, match_id: int) -> Link | None:
    """Return the link that a device was given in a match, if it was ended."""
    row = session.execute(_REMOVED, {"device": device, "match_id": match_id}).first()
    return link_of(row) if row else None


def ended_by(session: Session, code: str) -> tuple[int, str] | None:
    """Return the match of a link, and the signature of whoever ended it."""
    row = session.execute(_ENDED_BY, {"code": code}).first()
    return (row.match_id, row.revoked_by or "") if row else None


def change_link(session: Session, link_id: int, **values: Any) -> None:
    """Change columns of a link: who holds the phone, what it allows, whether it was ended."""
    session.execute(sa.update(_LINKS).where(_LINKS.c.id == link_id).values(**values))


def owner_ids(session: Session, match_id: int) -> list[int]:
    """Return the ids of the links that own a match, by themselves and by no book.

    Until the transaction ends nobody else changes them.
    """
    is_owner = col(LinkRow.role) == OWNER, col(LinkRow.book_link_id).is_(None)
    mine = col(LinkRow.match_id) == match_id, *is_owner, col(LinkRow.revoked_at).is_(None)
    return list(session.execute(sa.select(col(LinkRow.id)).where(*mine).with_for_update()).scalars())  # type: ignore[arg-type]


def phone_holders(session: Session, match_id: int) -> frozenset[str]:
    """Return the seats and sides that hold a phone of a match."""
    return frozenset(seat for seat in session.execute(_HOLDERS, {"match_id": match_id}).scalars() if seat)


def last_visit(session: Session, device: str, match_id: int) -> tuple[datetime, int] | None:
    """Return when a device last opened a match, and by which link."""
    row = session.connection().execute(_VISIT, {"the_device": device, "the_match": match_id}).first()
    return (utc(row.last_seen), row.link_id) if row else None


def note_visit(session: Session, device: str, match_id: int, link_id: int, now: datetime) -> None:
    """Store that a device opens a match."""
    values = {"link_id": link_id, "last_seen": now}
    key = {"the_device": device, "the_match": match_id}
    updated = session.execute(sa.update(_VISITS).where(_IS_VISIT).values(values), key)
    if updated.rowcount == 0:  # type: ignore[attr-defined]
        session.execute(sa.insert(_VISITS), {"device": device, "match_id": match_id, **values})


def note_seen(session: Session, device: str, match_id: int, now: datetime, *, before: datetime) -> None:
    """Store that a device which has opened a match still has it open, unless that was stored since `before`."""
    is_stale = sa.and_(_IS_VISIT, col(DeviceMatchRow.last_seen) < before)
    key = {"the_device": device, "the_match": match_id}
    session.execute(sa.update(_VISITS).where(is_stale).values(last_seen=now), key)


def forget_match(session: Session, device: str, match_id: int) -> None:
    """Delete a match from a device's list."""
    session.execute(sa.delete(_VISITS).where(_IS_VISIT), {"the_device": device, "the_match": match_id})


def link_from_book(session: Session, book_link_id: int, match_id: int) -> Link | None:
    """Return the link to a match that a phone got by its link to a book, ended or not."""
    row = session.execute(_FROM_BOOK, {"book_link_id": book_link_id, "match_id": match_id}).first()
    return link_of(row) if row else None


def change_links_from(session: Session, book_link_id: int, **values: Any) -> None:
    """Change columns of the links to matches that a phone got by its link to a book."""
    session.execute(sa.update(_LINKS).where(_LINKS.c.book_link_id == book_link_id).values(**values))


def end_links_from(session: Session, book_link_id: int, now: datetime, actor: str) -> None:
    """End the links to matches that a phone got by its link to a book."""
    mine = _LINKS.c.book_link_id == book_link_id, _LINKS.c.revoked_at.is_(None)
    session.execute(sa.update(_LINKS).where(*mine).values(revoked_at=now, revoked_by=actor))


def reopen_links_from(session: Session, book_link_id: int, ended_at: datetime) -> None:
    """Restore the links to matches that ended with a link to a book, and no others."""
    mine = _LINKS.c.book_link_id == book_link_id, _LINKS.c.revoked_at == ended_at
    session.execute(sa.update(_LINKS).where(*mine).values(revoked_at=None, revoked_by=None))


def list_own_instead(session: Session, device: str, book_link_id: int) -> None:
    """Put a device's own links on its list in the place of those that it got by its link to a book."""
    own, by_book = _LINKS.alias(), _LINKS.alias()
    mine = (
        sa.select(own.c.id)
        .where(own.c.match_id == _VISITS.c.match_id, own.c.device == device, own.c.revoked_at.is_(None))
        .scalar_subquery()
    )
    replaced = sa.select(by_book.c.id).where(by_book.c.book_link_id == book_link_id)
    found = _VISITS.c.device == device, _VISITS.c.link_id.in_(replaced), mine.is_not(None)
    session.execute(sa.update(_VISITS).where(*found).values(link_id=mine))
