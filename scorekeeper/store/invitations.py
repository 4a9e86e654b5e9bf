"""Invitations to a link of one's own, to a match or to a book. Nothing here commits."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.ledger.roles import BookInvitation, Invitation
from scorekeeper.store.codec import utc
from scorekeeper.store.tables import InvitationRow

_table = InvitationRow.__table__
_ALL = sa.select(_table)
_BY_CODE = _ALL.where(_table.c.code == sa.bindparam("code"))
_BY_PIN = _ALL.where(_table.c.pin == sa.bindparam("pin"))
_HAS_PIN = _table.c.pin > ""
"""Said so that the index of the PINs is used, which has few rows that are not empty."""
_OPEN_PINS = (
    sa.select(sa.func.length(_table.c.pin), sa.func.count()).where(_HAS_PIN).group_by(sa.func.length(_table.c.pin))
)
_OPEN = _ALL.where(col(InvitationRow.ended_at).is_(None)).order_by(_table.c.id)
_OPEN_OF_MATCH = _OPEN.where(_table.c.match_id == sa.bindparam("place"))
_OPEN_OF_BOOK = _OPEN.where(_table.c.book_id == sa.bindparam("place"))


def by_code(session: Session, code: str) -> Invitation | BookInvitation | None:
    """Return the invitation that has a code, open or not."""
    return _first(session.execute(_BY_CODE, {"code": code}))


def by_pin(session: Session, pin: str) -> Invitation | BookInvitation | None:
    """Return the invitation that has a PIN."""
    return _first(session.execute(_BY_PIN, {"pin": pin}))


def open_of_match(session: Session, match_id: int) -> list[Invitation]:
    """Return the invitations to a match that nobody has ended, the first one first."""
    return [_to_match(row) for row in session.execute(_OPEN_OF_MATCH, {"place": match_id})]


def open_of_book(session: Session, book_id: int) -> list[BookInvitation]:
    """Return the invitations to a book that nobody has ended, the first one first."""
    return [_to_book(row) for row in session.execute(_OPEN_OF_BOOK, {"place": book_id})]


def open_pins(session: Session) -> dict[int, int]:
    """Return how many PINs of each length are taken."""
    return {letters: pins for letters, pins in session.execute(_OPEN_PINS)}


def add(session: Session, **values: Any) -> None:
    """Insert an invitation."""
    session.execute(sa.insert(_table), values)


def renew(session: Session, invitation_id: int, until: datetime) -> None:
    """Move the end of an invitation."""
    session.execute(sa.update(_table).where(_table.c.id == invitation_id).values(expires_at=until))


def end_of_match(session: Session, match_id: int, now: datetime, role: str | None = None) -> None:
    """End the invitations to a match, all of them or those in one role; their PINs are free again."""
    _end(session, _table.c.match_id == match_id, now, role)


def end_of_book(session: Session, book_id: int, now: datetime, role: str | None = None) -> None:
    """End the invitations to a book, all of them or those in one role; their PINs are free again."""
    _end(session, _table.c.book_id == book_id, now, role)


def _end(session: Session, ended: Any, now: datetime, role: str | None) -> None:
    if role is not None:
        ended &= _table.c.role == role
    session.execute(
        sa.update(_table).where(ended, _table.c.ended_at.is_(None)).values(ended_at=now, pin=None),
    )


def free_pins(session: Session, now: datetime) -> None:
    """Free the PINs of invitations that have expired."""
    session.execute(sa.update(_table).where(_HAS_PIN, _table.c.expires_at <= now).values(pin=None))


def _first(found: sa.Result[Any]) -> Invitation | BookInvitation | None:
    row = found.first()
    if row is None:
        return None
    return _to_match(row) if row.book_id is None else _to_book(row)


def _to_match(row: sa.Row[Any]) -> Invitation:
    return Invitation(row.id, row.code, row.pin, row.match_id, row.role, utc(row.expires_at), _ended(row))


def _to_book(row: sa.Row[Any]) -> BookInvitation:
    return BookInvitation(row.id, row.code, row.pin, row.book_id, row.role, utc(row.expires_at), _ended(row))


def _ended(row: sa.Row[Any]) -> datetime | None:
    return utc(row.ended_at) if row.ended_at else None
