"""Copies a whole database into another, SQLite or PostgreSQL, and checks the copy."""

import hashlib
from collections.abc import Iterator
from datetime import datetime
from itertools import islice, zip_longest

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, Table
from sqlalchemy.orm import Session

from scorekeeper.database.rows import utc
from scorekeeper.database.tables import metadata
from scorekeeper.matches.service import ReplayedMatch, replay_all

TABLES = metadata.sorted_tables
"""All tables, each after the tables to which its rows refer."""
_ROWS_AT_ONCE = 2000
"""The most rows that are in memory at a time."""


def count_and_checksum(connection: Connection, table: Table) -> tuple[int, int]:
    """Return the number of rows in a table and a checksum of their values, whatever their order."""
    rows = digest = 0
    for row in _rows(connection, table):
        rows += 1
        digest += int.from_bytes(hashlib.blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=16).digest())
    return rows, digest


def _rows(connection: Connection, table: Table) -> Iterator[tuple[object, ...]]:
    """Return an iterator over the rows of a table, with all times in UTC."""
    # A server sends the rows as they are wanted, and not all of them at once.
    found = connection.execute(sa.select(*table.c).execution_options(yield_per=_ROWS_AT_ONCE))
    return (tuple(utc(value) if isinstance(value, datetime) else value for value in row) for row in found)


class NotMoved(Exception):
    """A database was not copied, and the target is as before; the message says why, and what to do."""


def copy_database(source: Engine, target: Engine) -> tuple[int, int]:
    """Copy all rows into an empty database, commit, and return the numbers of matches and of rows.

    Raises `NotMoved` if the target is not empty or the copy differs, and `DataError` or `IntegrityError` for a row that
    the target refuses. Then nothing stays copied.
    """
    with source.connect() as reading:
        if reading.dialect.name == "postgresql":  # whatever is written meanwhile
            reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with target.begin() as writing:
            if any(writing.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() for table in TABLES):
                raise NotMoved("The database to move to is not empty. Name an empty one.")
            rows = sum(_copy_table(reading, writing, table) for table in TABLES)
    try:
        matches = sum(1 for _ in _compare_matches(source, target))
    except NotMoved:
        with target.begin() as emptied:
            for table in reversed(TABLES):
                emptied.execute(sa.delete(table))
        raise
    return matches, rows


def _copy_table(source: Connection, target: Connection, table: Table) -> int:
    """Copy every row of a table and return their number, without a commit.

    Raises `NotMoved` if the copy differs.
    """
    names, rows, insert = table.c.keys(), _rows(source, table), sa.insert(table)
    while chunk := list(islice(rows, _ROWS_AT_ONCE)):
        target.execute(insert, [dict(zip(names, row, strict=True)) for row in chunk])
    column = table.autoincrement_column
    if target.dialect.name == "postgresql" and column is not None:  # new ids come after those
        sequence = sa.func.pg_get_serial_sequence(sa.func.quote_ident(table.name), column.name)
        last = sa.select(sa.func.coalesce(sa.func.max(column), 0) + 1).scalar_subquery()
        target.execute(sa.select(sa.func.setval(sequence, last, False)))
    here, there = count_and_checksum(source, table), count_and_checksum(target, table)
    if here != there:
        raise NotMoved(
            f"{table.name}: {there[0]} rows of {here[0]} came over as they are. Stop whatever writes to them first."
        )
    return there[0]


def _compare_matches(source: Engine, target: Engine) -> Iterator[object]:
    """Yield the values of each match that both databases share; raises `NotMoved` at a difference."""
    with Session(source) as here, Session(target) as there:
        for one, other in zip_longest(replay_all(here), replay_all(there)):
            values = _values_to_compare(one)
            if values != _values_to_compare(other):
                raise NotMoved(
                    f"Match {(one or other).setup.id} has another score in the copy. If a server still writes to the "
                    "database, stop it first."
                )
            yield values


def _values_to_compare(replayed: ReplayedMatch | None) -> object:
    """Return the values of a match that a copy has to keep; `None` for a missing match."""
    if replayed is None:
        return None
    match = replayed.match
    score = match and (match.version, match.status, match.state.scores, match.ending)
    return replayed.setup, replayed.link, replayed.stored_ending, replayed.fault, score
