"""The next hand of a match as far as a phone has entered it. Nothing here commits."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import Link
from scorekeeper.database.rows import utc
from scorekeeper.database.tables import HandDraftRow, LinkRow
from scorekeeper.matches.hand_draft import HandDraft

_DRAFTS, _LINKS = HandDraftRow.__table__, LinkRow.__table__
_OF_MATCH: Any = (
    sa.select(*MATCH_LINKS.columns, _DRAFTS.c.version, _DRAFTS.c.at, _DRAFTS.c.fields)
    .join(_DRAFTS, _DRAFTS.c.link_id == _LINKS.c.id)
    .where(_DRAFTS.c.match_id == sa.bindparam("match"), _LINKS.c.revoked_at.is_(None))
)


def read_draft(session: Session, match_id: int) -> HandDraft | None:
    """Return the draft of a match, unless the phone that entered it was removed."""
    row = session.execute(_OF_MATCH, {"match": match_id}).first()
    return HandDraft(MATCH_LINKS.read(row), row.version, utc(row.at), tuple(row.fields.items())) if row else None


def write_draft(session: Session, link: Link, version: int, at: datetime, fields: Mapping[str, str]) -> None:
    """Store what a phone has entered, in place of the last draft; raises `IntegrityError` where another is first."""
    values = {"link_id": link.id, "version": version, "at": at, "fields": dict(fields)}
    counted = sa.update(_DRAFTS).where(_DRAFTS.c.match_id == link.stream_id)
    updated: Any = session.execute(counted.values(counter=_DRAFTS.c.counter + 1, **values))
    if updated.rowcount == 0:
        session.execute(sa.insert(_DRAFTS), {"match_id": link.stream_id, "counter": 1, **values})
