"""Matches that are in no book, because they are older than books, or no phone began them. Nothing here commits."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.ledger.roles import OWNER
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.store.codec import setup_of
from scorekeeper.store.matches import MATCH
from scorekeeper.store.tables import BookMatchRow, DeviceMatchRow, LinkRow, MatchRow

_MATCHES, _LINKS, _VISITS = MatchRow.__table__, LinkRow.__table__, DeviceMatchRow.__table__
_OWNERS, _PLACES = _LINKS.alias("owners"), BookMatchRow.__table__


@dataclass(frozen=True, slots=True)
class UnplacedMatch:
    """A match that was not put into a book yet, nor kept out of all."""

    id: int
    uid: str
    device: str | None
    """The device that holds the oldest link of an owner."""


_IS_UNPLACED = sa.and_(
    ~sa.exists().where(_PLACES.c.match_id == _MATCHES.c.id),
    # One that is still being imported has no link yet, and is put where its file says.
    sa.select(_LINKS.c.id).where(_LINKS.c.match_id == _MATCHES.c.id).correlate(_MATCHES).exists(),
)
_OLDEST_OWNER = (
    sa.select(sa.func.min(_OWNERS.c.id))
    .where(
        _OWNERS.c.match_id == _MATCHES.c.id,
        _OWNERS.c.role == OWNER,
        _OWNERS.c.revoked_at.is_(None),
        _OWNERS.c.book_link_id.is_(None),
    )
    .correlate(_MATCHES)
    .scalar_subquery()
)
_OPENED_BY = (
    # Of several phones that opened one address, the one that still does.
    sa.select(_VISITS.c.device)
    .where(_VISITS.c.link_id == _LINKS.c.id)
    .order_by(_VISITS.c.last_seen.desc(), _VISITS.c.device)
    .limit(1)
    .correlate(_LINKS)
    .scalar_subquery()
)
_HOLDER = sa.func.coalesce(_LINKS.c.device, _OPENED_BY)
_NEXT: Any = (
    sa.select(_MATCHES.c.id, _MATCHES.c.uid, _HOLDER.label("device"))
    .select_from(_MATCHES)
    .join(_LINKS, _LINKS.c.id == _OLDEST_OWNER)
    .where(_IS_UNPLACED, _HOLDER.is_not(None), _MATCHES.c.id > sa.bindparam("after"))
    .order_by(_MATCHES.c.id)
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)
_ALL: Any = (
    sa.select(_MATCHES.c.id, _MATCHES.c.uid, sa.null().label("device"))
    .where(_IS_UNPLACED, _MATCHES.c.id > sa.bindparam("after"))
    .order_by(_MATCHES.c.id)
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)
_COUNT = sa.select(sa.func.count()).select_from(_MATCHES).where(_IS_UNPLACED)
_LATEST: Any = (
    sa.select(*MATCH)
    .where(_IS_UNPLACED)
    .order_by(_MATCHES.c.id.desc())
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)


def held_after(session: Session, after: int, at_most: int) -> list[UnplacedMatch]:
    """Return the next matches, by id, that are in no book, and that a device owns."""
    return [UnplacedMatch(*row) for row in session.execute(_NEXT, {"after": after, "at_most": at_most})]


def all_after(session: Session, after: int, at_most: int) -> list[UnplacedMatch]:
    """Return the next matches, by id, that are in no book, whoever owns them."""
    return [UnplacedMatch(*row) for row in session.execute(_ALL, {"after": after, "at_most": at_most})]


def count(session: Session) -> int:
    """Return how many matches are in no book, without those kept out of all."""
    return session.execute(_COUNT).scalar_one()


def latest(session: Session, at_most: int) -> list[MatchSetup]:
    """Return how the latest matches began that are in no book."""
    return [setup_of(row) for row in session.execute(_LATEST, {"at_most": at_most})]
