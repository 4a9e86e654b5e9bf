"""The inserts. They never commit."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.store import tables
from scorekeeper.store.codec import event_values
from scorekeeper.store.facts import Event

_tables = tables.MatchRow.metadata.tables
_MATCH = sa.insert(_tables[tables.MatchRow.__tablename__])
_LINK = sa.insert(_tables[tables.LinkRow.__tablename__])
_EVENT = sa.insert(_tables[tables.EventRow.__tablename__])


def add_match(session: Session, values: Mapping[str, Any]) -> int:
    """Add a match and give its id."""
    return _new_id(session.execute(_MATCH, dict(values)))


def add_link(
    session: Session, match_id: int, code: str, role: str, created_at: datetime, seat: str | None = None
) -> int:
    """Add a way to a match and give its id."""
    values = {"match_id": match_id, "code": code, "role": role, "created_at": created_at, "seat": seat}
    return _new_id(session.execute(_LINK, values))


def add_events(session: Session, match_id: int, events: Iterable[Event]) -> None:
    """Add events to a match."""
    if rows := [event_values(match_id, event) for event in events]:
        session.execute(_EVENT, rows)


def _new_id(result: Any) -> int:
    return int(result.inserted_primary_key[0])
