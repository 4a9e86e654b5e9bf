"""Rows of any table: inserted, asked for in parts, and their times."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

T = TypeVar("T")


def in_parts(ids: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    """Yield so many of some things at a time."""
    for first in range(0, len(ids), most):
        yield ids[first : first + most]


def insert_row(session: Session, table: sa.Table, values: Mapping[str, Any]) -> int:
    """Insert a row and return its number."""
    added: Any = session.execute(sa.insert(table), values)
    return int(added.inserted_primary_key[0])


def utc(moment: datetime) -> datetime:
    """Attach the time zone that SQLite does not give back."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
