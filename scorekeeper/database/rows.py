"""Rows of any table: inserting them, querying them in parts, and their times."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

T = TypeVar("T")


def in_parts(ids: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    """Yield parts of a sequence, of `most` items each."""
    for first in range(0, len(ids), most):
        yield ids[first : first + most]


def insert_row(session: Session, table: sa.Table, values: Mapping[str, Any]) -> int:
    """Insert a row and return its id."""
    added: Any = session.execute(sa.insert(table), values)
    return int(added.inserted_primary_key[0])


def utc(moment: datetime) -> datetime:
    """Return a stored moment in UTC; SQLite returns it without a time zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
