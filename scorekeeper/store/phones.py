"""Whose phones are in a match."""

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.store.tables import LinkRow

_SEATS = (
    sa.select(col(LinkRow.seat))
    .where(
        col(LinkRow.match_id) == sa.bindparam("match_id"),
        col(LinkRow.revoked_at).is_(None),
        col(LinkRow.seat).is_not(None),
    )
    .distinct()
)


def seats_in(session: Session, match_id: int) -> frozenset[str]:
    """Give the seats and sides that hold a link."""
    return frozenset(seat for seat in session.execute(_SEATS, {"match_id": match_id}).scalars() if seat)
