"""Invitations to a link of one's own. Nothing here commits."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.ledger.roles import Invitation
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
_OPEN = _ALL.where(_table.c.match_id == sa.bindparam("match_id"), col(InvitationRow.ended_at).is_(None)).order_by(
    _table.c.id
)


def by_code(session: Session, code: str) -> Invitation | None:
    """Return the invitation that has a code, open or not."""
    return _first(session.execute(_BY_CODE, {"code": code}))


def by_pin(session: Session, pin: str) -> Invitation | None:
    """Return the invitation that has a PIN."""
    return _first(session.execute(_BY_PIN, {"pin": pin}))


def open_of(session: Session, match_id: int) -> list[Invitation]:
    """Return the invitations of a match that nobody has ended, the first one first."""
    return [_invitation(row) for row in session.execute(_OPEN, {"match_id": match_id})]


def open_pins(session: Session) -> dict[int, int]:
    """Return how many PINs of each length are taken."""
    return {letters: pins for letters, pins in session.execute(_OPEN_PINS)}


def add(session: Session, **values: Any) -> None:
    """Insert an invitation."""
    session.execute(sa.insert(_table), values)


def renew(session: Session, invitation_id: int, until: datetime) -> None:
    """Move the end of an invitation."""
    session.execute(sa.update(_table).where(_table.c.id == invitation_id).values(expires_at=until))


def end(session: Session, match_id: int, now: datetime, role: str | None = None) -> None:
    """End the invitations of a match, all of them or those to one role; their PINs are free again."""
    ended = _table.c.match_id == match_id
    if role is not None:
        ended &= _table.c.role == role
    session.execute(
        sa.update(_table).where(ended, _table.c.ended_at.is_(None)).values(ended_at=now, pin=None),
    )


def free_pins(session: Session, now: datetime) -> None:
    """Free the PINs of invitations that have expired."""
    session.execute(sa.update(_table).where(_HAS_PIN, _table.c.expires_at <= now).values(pin=None))


def _first(found: sa.Result[Any]) -> Invitation | None:
    row = found.first()
    return _invitation(row) if row else None


def _invitation(row: sa.Row[Any]) -> Invitation:
    ended = utc(row.ended_at) if row.ended_at else None
    return Invitation(row.id, row.code, row.pin, row.match_id, row.role, utc(row.expires_at), ended)
