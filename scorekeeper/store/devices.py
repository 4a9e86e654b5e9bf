"""The list of matches that a device has opened: the one table whose rows change."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.store.codec import utc
from scorekeeper.store.tables import DeviceMatchRow

_IS_IT = sa.and_(
    col(DeviceMatchRow.device) == sa.bindparam("the_device"), col(DeviceMatchRow.match_id) == sa.bindparam("the_match")
)
_SEEN = sa.select(col(DeviceMatchRow.last_seen), col(DeviceMatchRow.link_id)).where(_IS_IT)


def last_visit(session: Session, device: str, match_id: int) -> tuple[datetime, int] | None:
    """Say when a device last opened a match, and by which link."""
    row = session.connection().execute(_SEEN, {"the_device": device, "the_match": match_id}).first()
    return (utc(row.last_seen), row.link_id) if row else None


def note_visit(session: Session, device: str, match_id: int, link_id: int, now: datetime) -> None:
    """Note that a device opens a match. Does not commit."""
    table = DeviceMatchRow.metadata.tables[DeviceMatchRow.__tablename__]
    values = {"link_id": link_id, "last_seen": now}
    key = {"the_device": device, "the_match": match_id}
    updated = session.execute(sa.update(table).where(_IS_IT).values(values), key)
    if updated.rowcount == 0:  # type: ignore[attr-defined]
        session.execute(sa.insert(table), {"device": device, "match_id": match_id, **values})


def change_link(
    session: Session, device: str, match_id: int, link_id: int, now: datetime, *, before: int | None
) -> bool:
    """Note by which link a device comes from now on, unless it is not as it was `before`. Does not commit.

    A device that had none may be given one by two requests at once: the database then refuses the second.
    """
    table = DeviceMatchRow.metadata.tables[DeviceMatchRow.__tablename__]
    values = {"link_id": link_id, "last_seen": now}
    if before is None:
        session.execute(sa.insert(table), {"device": device, "match_id": match_id, **values})
        return True
    key = {"the_device": device, "the_match": match_id}
    changed = session.execute(sa.update(table).where(_IS_IT, table.c.link_id == before).values(values), key)
    return bool(changed.rowcount)  # type: ignore[attr-defined]


def forget(session: Session, device: str, match_id: int) -> None:
    """Take a match off a device's list. Does not commit."""
    table = DeviceMatchRow.metadata.tables[DeviceMatchRow.__tablename__]
    session.execute(sa.delete(table).where(_IS_IT), {"the_device": device, "the_match": match_id})
