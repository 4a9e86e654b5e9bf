"""Copy a whole database into another, each SQLite or PostgreSQL, and check the copy."""

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
_MAX_ROWS_IN_MEMORY = 2000
"""The most rows that are in memory at a time."""


def count_and_checksum(connection: Connection, table: Table) -> tuple[int, int]:
    """Return the number of rows in a table and a checksum of their values, for which the order does not count."""
    row_count = checksum = 0
    for row in _read_rows(connection, table):
        row_count += 1
        checksum += int.from_bytes(hashlib.blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=16).digest())
    return row_count, checksum


def _read_rows(connection: Connection, table: Table) -> Iterator[tuple[object, ...]]:
    """Return an iterator over the rows of a table, with all times in UTC."""
    # A server sends the rows as they are wanted, and not all of them at once.
    rows = connection.execute(sa.select(*table.c).execution_options(yield_per=_MAX_ROWS_IN_MEMORY))
    return (tuple(utc(value) if isinstance(value, datetime) else value for value in row) for row in rows)


class NotMoved(Exception):
    """A database was not copied, and the target is as before; the message says why, and what to do."""


def copy_database(source: Engine, target: Engine) -> tuple[int, int]:
    """Copy all rows into an empty database, commit, and return the number of matches and the number of rows.

    Raises `NotMoved` if the target is not empty or the copy differs, and `DataError` or `IntegrityError` for a row that
    the target refuses. If anything is raised, the target is as before.
    """
    with source.connect() as source_connection:
        if source_connection.dialect.name == "postgresql":  # whatever is written meanwhile
            source_connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with target.begin() as connection:
            if any(
                connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() for table in TABLES
            ):
                raise NotMoved("The database to move to is not empty. Name an empty one.")
            row_count = sum(_copy_table(source_connection, connection, table) for table in TABLES)
    try:
        match_count = sum(1 for _ in _compare_matches(source, target))
    except NotMoved:
        with target.begin() as connection:
            for table in reversed(TABLES):
                connection.execute(sa.delete(table))
        raise
    return match_count, row_count


def _copy_table(source: Connection, target: Connection, table: Table) -> int:
    """Copy all rows of a table without a commit, and return their number.

    Raises `NotMoved` if the copy differs.
    """
    column_names, rows, insert = table.c.keys(), _read_rows(source, table), sa.insert(table)
    while chunk := list(islice(rows, _MAX_ROWS_IN_MEMORY)):
        target.execute(insert, [dict(zip(column_names, row, strict=True)) for row in chunk])
    id_column = table.autoincrement_column
    if target.dialect.name == "postgresql" and id_column is not None:  # new ids come after those
        sequence = sa.func.pg_get_serial_sequence(sa.func.quote_ident(table.name), id_column.name)
        next_id = sa.select(sa.func.coalesce(sa.func.max(id_column), 0) + 1).scalar_subquery()
        target.execute(sa.select(sa.func.setval(sequence, next_id, False)))
    source_sums, target_sums = count_and_checksum(source, table), count_and_checksum(target, table)
    if source_sums != target_sums:
        raise NotMoved(
            f"{table.name}: {target_sums[0]} rows of {source_sums[0]} came over as they are."
            " Stop whatever writes to them first."
        )
    return target_sums[0]


def _compare_matches(source: Engine, target: Engine) -> Iterator[object]:
    """Yield the compared values of each match, which are equal in both databases; raises `NotMoved` at a difference."""
    with Session(source) as source_session, Session(target) as target_session:
        for source_match, target_match in zip_longest(replay_all(source_session), replay_all(target_session)):
            values = _values_to_compare(source_match)
            if values != _values_to_compare(target_match):
                raise NotMoved(
                    f"Match {(source_match or target_match).setup.id} has another score in the copy. If a server still"
                    " writes to the database, stop it first."
                )
            yield values


def _values_to_compare(replayed_match: ReplayedMatch | None) -> object:
    """Return the values of a match that a copy has to keep; `None` for a missing match."""
    if replayed_match is None:
        return None
    match = replayed_match.match
    score = match and (match.version, match.status, match.state.scores, match.ending)
    return replayed_match.setup, replayed_match.link, replayed_match.stored_ending, replayed_match.fault, score
