"""The links to a book, one for each phone: who has them, what they allow, and which device opened it when.

Nothing here commits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.ledger.roles import OWNER, BookLink
from scorekeeper.store.codec import utc
from scorekeeper.store.tables import BookEventRow, BookLinkRow, BookRow, DeviceBookRow

_BOOKS, _EVENTS = BookRow.__table__, BookEventRow.__table__
_LINKS, _VISITS = BookLinkRow.__table__, DeviceBookRow.__table__
_LINK = (_LINKS.c.id.label("link_id"), _LINKS.c.code, _LINKS.c.role, _LINKS.c.book_id)


@dataclass(frozen=True, slots=True)
class BookHead:
    """The end of a book as one link sees it."""

    link: BookLink
    uid: str
    version: int
    key: str
    """The last event's client key; empty where nothing has happened."""
    is_ended: bool
    """Whether the link was ended."""


@dataclass(frozen=True, slots=True)
class HeldBookLink:
    """A link to a book, since when there is one, and when a phone came by it last."""

    link: BookLink
    holder: str
    """Whose phone it is; empty where nobody said."""
    created_at: datetime
    revoked_at: datetime | None
    last_seen: datetime | None
    device: str | None


_HEAD: Any = (
    sa.select(*_LINK, _LINKS.c.revoked_at, _BOOKS.c.uid, _EVENTS.c.seq, _EVENTS.c.client_key)
    .select_from(_LINKS)
    .join(_BOOKS, _BOOKS.c.id == _LINKS.c.book_id)
    .outerjoin(_EVENTS, _EVENTS.c.book_id == _LINKS.c.book_id)
    .where(_LINKS.c.code == sa.bindparam("code"))
    .order_by(_EVENTS.c.seq.desc())
    .limit(1)
)
_OF_DEVICE: Any = (
    sa.select(*_LINK)
    .select_from(_VISITS)
    .join(_LINKS, _LINKS.c.id == _VISITS.c.link_id)
    .where(_VISITS.c.device == sa.bindparam("device"), _LINKS.c.revoked_at.is_(None))
    .order_by(_VISITS.c.last_seen.desc(), _LINKS.c.book_id.desc())
)
_HELD: Any = (
    sa.select(
        *_LINK,
        _LINKS.c.created_at,
        _LINKS.c.revoked_at,
        _LINKS.c.device,
        _LINKS.c.holder,
        sa.func.max(_VISITS.c.last_seen).label("last_seen"),
    )
    .select_from(_LINKS)
    .outerjoin(_VISITS, _VISITS.c.link_id == _LINKS.c.id)
    .group_by(_LINKS.c.id)
    .order_by(_LINKS.c.id)
)
_OF_BOOK: Any = _HELD.where(_LINKS.c.book_id == sa.bindparam("book_id"))
_OF_BOOKS: Any = _HELD.where(
    _LINKS.c.book_id.in_(sa.bindparam("book_ids", expanding=True)), _LINKS.c.revoked_at.is_(None)
)
_IS_VISIT = sa.and_(_VISITS.c.device == sa.bindparam("the_device"), _VISITS.c.book_id == sa.bindparam("the_book"))
_VISIT = sa.select(_VISITS.c.last_seen, _VISITS.c.link_id).where(_IS_VISIT)


def head_of(session: Session, code: str) -> BookHead | None:
    """Return a link with the end of its book; `None` for one that there never was."""
    row = session.connection().execute(_HEAD, {"code": code}).first()
    if row is None:
        return None
    return BookHead(_link(row), row.uid, row.seq or 0, row.client_key or "", row.revoked_at is not None)


def links_of_device(session: Session, device: str) -> list[BookLink]:
    """Return the links in force by which a device opened its books, the last one first."""
    return [_link(row) for row in session.execute(_OF_DEVICE, {"device": device})]


def links_of(session: Session, book_id: int) -> tuple[HeldBookLink, ...]:
    """Return every link to a book, the first one first, those that were ended as well."""
    return tuple(_held(row) for row in session.execute(_OF_BOOK, {"book_id": book_id}))


def add_link(session: Session, book_id: int, code: str, role: str, created_at: datetime, **more: Any) -> BookLink:
    """Insert a link to a book; raises `IntegrityError` for the second one of a device."""
    values = {"book_id": book_id, "code": code, "role": role, "created_at": created_at, **more}
    added = session.execute(sa.insert(_LINKS), values)
    return BookLink(int(added.inserted_primary_key[0]), code, role, book_id)  # type: ignore[attr-defined]


def change_link(session: Session, link_id: int, **values: Any) -> None:
    """Change columns of a link: whose phone it is, what it allows, whether it was ended."""
    session.execute(sa.update(_LINKS).where(_LINKS.c.id == link_id).values(**values))


def owner_ids(session: Session, book_id: int) -> list[int]:
    """Return the ids of the links that own a book; until the transaction ends nobody else changes them."""
    mine = _LINKS.c.book_id == book_id, _LINKS.c.role == OWNER, _LINKS.c.revoked_at.is_(None)
    return list(session.execute(sa.select(_LINKS.c.id).where(*mine).with_for_update()).scalars())


def links_of_all(session: Session, book_ids: Sequence[int]) -> dict[int, list[HeldBookLink]]:
    """Return the links in force to several books, each book's first one first."""
    held: dict[int, list[HeldBookLink]] = {book_id: [] for book_id in book_ids}
    for row in session.execute(_OF_BOOKS, {"book_ids": list(book_ids)}):
        held[row.book_id].append(_held(row))
    return held


def last_visit(session: Session, device: str, book_id: int) -> tuple[datetime, int] | None:
    """Return when a device last opened a book, and by which link."""
    row = session.connection().execute(_VISIT, {"the_device": device, "the_book": book_id}).first()
    return (utc(row.last_seen), row.link_id) if row else None


def was_removed(session: Session, device: str, book_id: int) -> bool:
    """Return whether a device has opened a book, and no link by which it did is in force any more."""
    links = links_of_device(session, device)
    return last_visit(session, device, book_id) is not None and all(link.book_id != book_id for link in links)


def note_visit(session: Session, device: str, link: BookLink, now: datetime) -> None:
    """Store that a device opens a book."""
    values = {"link_id": link.id, "last_seen": now}
    key = {"the_device": device, "the_book": link.book_id}
    updated = session.execute(sa.update(_VISITS).where(_IS_VISIT).values(values), key)
    if updated.rowcount == 0:  # type: ignore[attr-defined]
        session.execute(sa.insert(_VISITS), {"device": device, "book_id": link.book_id, **values})


def _link(row: sa.Row[Any]) -> BookLink:
    return BookLink(row.link_id, row.code, row.role, row.book_id)


def _held(row: sa.Row[Any]) -> HeldBookLink:
    return HeldBookLink(
        _link(row),
        row.holder or "",
        utc(row.created_at),
        utc(row.revoked_at) if row.revoked_at else None,
        utc(row.last_seen) if row.last_seen else None,
        row.device,
    )
