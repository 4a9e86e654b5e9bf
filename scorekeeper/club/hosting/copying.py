"""Every row of one database in another, whichever kind each of them is. Nothing here commits."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

import sqlalchemy as sa

from scorekeeper.database.rows import utc
from scorekeeper.database.tables import metadata

TABLES = metadata.sorted_tables
"""What a row refers to stands before it."""
_CHUNK = 2000
"""Rows that are held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a table: how many rows, and a number that all of their values make, in whatever order."""

    rows: int
    digest: int


def has_rows(connection: sa.Connection) -> bool:
    """Return whether anything is stored in a database."""
    return any(connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() for table in TABLES)


def contents_of(connection: sa.Connection, table: sa.Table) -> Contents:
    """Return what is in a table."""
    rows = digest = 0
    for row in _rows(connection, table):
        rows += 1
        digest += int.from_bytes(hashlib.blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=16).digest())
    return Contents(rows, digest)


def copy_table(source: sa.Connection, target: sa.Connection, table: sa.Table) -> None:
    """Insert every row of a table into the same table of another database, and let new ids come after theirs."""
    names, rows, insert = table.c.keys(), _rows(source, table), sa.insert(table)
    while chunk := list(islice(rows, _CHUNK)):
        target.execute(insert, [dict(zip(names, row, strict=True)) for row in chunk])
    if target.dialect.name == "postgresql" and table.autoincrement_column is not None:
        _set_sequence(target, table.autoincrement_column)


def delete_everything(connection: sa.Connection) -> None:
    """Delete every row."""
    for table in reversed(TABLES):
        connection.execute(sa.delete(table))


def _rows(connection: sa.Connection, table: sa.Table) -> Iterator[tuple[object, ...]]:
    # A server sends the rows as they are wanted, and not all of them at once.
    found = connection.execute(sa.select(*table.c).execution_options(yield_per=_CHUNK))
    return (tuple(utc(value) if isinstance(value, datetime) else value for value in row) for row in found)


def _set_sequence(connection: sa.Connection, column: "sa.Column[Any]") -> None:
    sequence = sa.func.pg_get_serial_sequence(sa.func.quote_ident(column.table.name), column.name)
    last = sa.select(sa.func.coalesce(sa.func.max(column), 0) + 1).scalar_subquery()
    connection.execute(sa.select(sa.func.setval(sequence, last, False)))
