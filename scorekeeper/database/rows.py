"""Rows of any table: inserting and updating them, splitting their ids into chunks, and their times."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

T = TypeVar("T")
Row = sa.Row[*tuple[Any, ...]]
"""A row, whose columns are attributes."""
Select = sa.Select[*tuple[Any, ...]]
"""A query for any number of columns."""


def split_into_chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield a sequence in chunks of `size` items; the last may be shorter."""
    for first in range(0, len(items), size):
        yield items[first : first + size]


def insert_row(session: Session, table: sa.Table, values: Mapping[str, object]) -> int:
    """Insert a row into a table with ids, and return its id."""
    added: Any = session.execute(sa.insert(table), values)
    return int(added.inserted_primary_key[0])


def upsert_row(
    session: Session, table: sa.Table, key: Mapping[str, object], values: Mapping[str, object], **on_insert: object
) -> None:
    """Update the row found by `key` with `values`, or insert it if there is none.

    `on_insert` has further values for a new row. Raises `IntegrityError` if another phone inserts the row at the same
    moment.
    """
    conditions = (table.c[name] == value for name, value in key.items())
    updated: Any = session.execute(sa.update(table).where(*conditions).values(values))
    if updated.rowcount == 0:
        session.execute(sa.insert(table), {**key, **values, **on_insert})


def utc(moment: datetime) -> datetime:
    """Return a stored time in UTC; one without a zone, as SQLite returns, is in UTC already."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
