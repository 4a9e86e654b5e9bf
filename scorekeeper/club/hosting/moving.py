"""A whole database copied into another one, and the proof that nothing was lost on the way."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.orm import Session

from scorekeeper.club.hosting import copying
from scorekeeper.club.hosting.copying import TABLES, Contents, contents_of, copy_table
from scorekeeper.matches.endings import Replayed, replay_all


class NotMoved(Exception):
    """The database was not copied, and nothing is in the other one; the message has the reason."""


@dataclass(frozen=True, slots=True)
class CopiedRows:
    """What is in both databases now."""

    matches: int
    rows: int


def move(source: Engine, target: Engine) -> CopiedRows:
    """Copy every row into an empty database, all or none, and score every match in both; raises `NotMoved`."""
    with source.connect() as reading:
        _read_one_moment(reading)
        with target.begin() as writing:
            if copying.has_rows(writing):
                raise NotMoved("The database to move to is not empty. Name an empty one.")
            copied = [_copied(reading, writing, table) for table in TABLES]
    try:
        matches = sum(1 for _ in _scored_in_both(source, target))
    except NotMoved:
        with target.begin() as emptied:
            copying.delete_everything(emptied)
        raise
    return CopiedRows(matches, sum(rows.rows for rows in copied))


def _read_one_moment(connection: Connection) -> None:
    """See the database as it is now, whatever is written meanwhile."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _copied(reading: Connection, writing: Connection, table: Table) -> Contents:
    copy_table(reading, writing, table)
    here, there = contents_of(reading, table), contents_of(writing, table)
    if here != there:
        raise NotMoved(
            f"{table.name}: {there.rows} rows of {here.rows} came over as they are. Stop whatever writes to them first."
        )
    return there


def _scored_in_both(source: Engine, target: Engine) -> Iterator[object]:
    with Session(source) as here, Session(target) as there:
        for one, other in zip_longest(replay_all(here), replay_all(there)):
            scored = _scored(one)
            if scored != _scored(other):
                raise NotMoved(
                    f"Match {(one or other).setup.id} has another score in the copy. If a server still writes to the "
                    "database, stop it first."
                )
            yield scored


def _scored(item: Replayed | None) -> object:
    if item is None:
        return None
    match = item.match
    score = match and (match.version, match.status, match.state.scores, match.ending)
    return item.setup, item.link, item.then, item.fault, score
