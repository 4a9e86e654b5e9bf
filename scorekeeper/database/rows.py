"""Rows of any table: how to insert and update them, and how to read their times."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

T = TypeVar("T")
Row = sa.Row[*tuple[Any, ...]]
"""A selected row. Its columns are attributes."""
Select = sa.Select[*tuple[Any, ...]]
"""A query for any number of columns."""


def split_into_chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield a sequence in chunks of `size` items. The last chunk may be shorter."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def insert_row(session: Session, table: sa.Table, values: Mapping[str, object]) -> int:
    """Insert a row into a table that has ids, and return the id of the row."""
    insert_result: Any = session.execute(sa.insert(table), values)
    return int(insert_result.inserted_primary_key[0])


def upsert_row(
    session: Session,
    table: sa.Table,
    key_values: Mapping[str, object],
    values: Mapping[str, object],
    **on_insert: object,
) -> None:
    """Set `values` in the row whose columns have `key_values`, or insert such a row if there is none.

    Only a new row gets the columns `on_insert` as well. Raises `IntegrityError` if another phone inserts the row at the
    same moment.
    """
    conditions = (table.c[name] == value for name, value in key_values.items())
    update_result: Any = session.execute(sa.update(table).where(*conditions).values(values))
    if update_result.rowcount == 0:
        session.execute(sa.insert(table), {**key_values, **values, **on_insert})


def utc(moment: datetime) -> datetime:
    """Return a stored time in UTC. SQLite returns times without a zone, which are in UTC already."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
