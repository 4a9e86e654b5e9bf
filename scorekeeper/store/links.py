"""The links of a match, one for each phone: who has them, and what they allow. Nothing here commits."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.store.codec import link_of, utc
from scorekeeper.store.matches import OWNER, Link
from scorekeeper.store.queries import LINK
from scorekeeper.store.tables import DeviceMatchRow, LinkRow


@dataclass(frozen=True, slots=True)
class HeldLink:
    """A link, since when it is, and when a phone came by it last."""

    link: Link
    created_at: datetime
    revoked_at: datetime | None
    last_seen: datetime | None
    phones: int
    """How many phones came by it: more than one where an address was passed on."""


_OF_MATCH: Any = (
    sa.select(
        *LINK,
        col(LinkRow.match_id),
        col(LinkRow.created_at),
        col(LinkRow.revoked_at),
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
    sa.select(*LINK, col(LinkRow.match_id), col(LinkRow.revoked_at))
    .select_from(DeviceMatchRow)
    .join(LinkRow, col(LinkRow.id) == col(DeviceMatchRow.link_id))
    .where(
        col(DeviceMatchRow.device) == sa.bindparam("device"), col(DeviceMatchRow.match_id) == sa.bindparam("match_id")
    )
)
_ENDED_BY = sa.select(col(LinkRow.match_id), col(LinkRow.revoked_by)).where(col(LinkRow.code) == sa.bindparam("code"))


def links_of(session: Session, match_id: int) -> tuple[HeldLink, ...]:
    """Give every link of a match, the first one first, those that were ended as well."""
    return tuple(_held(row) for row in session.execute(_OF_MATCH, {"match_id": match_id}))


def _held(row: sa.Row[Any]) -> HeldLink:
    return HeldLink(
        link_of(row),
        utc(row.created_at),
        utc(row.revoked_at) if row.revoked_at else None,
        utc(row.last_seen) if row.last_seen else None,
        row.phones,
    )


def link_of_device(session: Session, device: str, match_id: int, *, holding: bool = False) -> Link | None:
    """Give the link by which a device came to a match; with `holding` only if nobody has ended it."""
    row = session.execute(_OF_DEVICE, {"device": device, "match_id": match_id}).first()
    return link_of(row) if row and not (holding and row.revoked_at) else None


def ended_by(session: Session, code: str) -> tuple[int, str] | None:
    """Give the match of a link, and the signature of whoever ended it."""
    row = session.execute(_ENDED_BY, {"code": code}).first()
    return (row.match_id, row.revoked_by or "") if row else None


def change_link(session: Session, link_id: int, **values: Any) -> None:
    """Let a link be somebody else's, or allow something else, or hold no longer."""
    table = LinkRow.metadata.tables[LinkRow.__tablename__]
    session.execute(sa.update(table).where(table.c.id == link_id).values(**values))


def owner_ids(session: Session, match_id: int) -> list[int]:
    """Give the links that own a match; until the end of the transaction nobody else changes them."""
    mine = col(LinkRow.match_id) == match_id, col(LinkRow.role) == OWNER, col(LinkRow.revoked_at).is_(None)
    return list(session.execute(sa.select(col(LinkRow.id)).where(*mine).with_for_update()).scalars())  # type: ignore[arg-type]
