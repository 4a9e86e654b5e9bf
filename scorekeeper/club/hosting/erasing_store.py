"""Rows that are deleted for good, with all that refers to them. Nothing here commits."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import LINKS
from scorekeeper.access.roles import AnyLink, Kind
from scorekeeper.database.tables import BookRow, MatchRow, NightRow

_KNOWN_BY: Mapping[Kind, "sa.Column[str]"] = {
    "match": MatchRow.__table__.c.uid,
    "book": BookRow.__table__.c.uid,
    "night": NightRow.__table__.c.client_key,
}
"""The column that identifies a match, a book or a night, also in a copy of the database."""


def link_of_code(session: Session, code: str) -> AnyLink | None:
    """Return the link that has a code, in force or not, whatever it leads to."""
    heads = (table.head(session.connection(), code) for table in LINKS.values())
    return next((head.link for head in heads if head), None)


def known_by(session: Session, kind: Kind, ids: Sequence[int]) -> tuple[str, str, list[str]]:
    """Return the table of matches, books or nights, the column that identifies them, and its values for some."""
    column = _KNOWN_BY[kind]
    found = sa.select(column).where(column.table.c.id.in_(ids))
    return column.table.name, column.name, list(session.execute(found).scalars())


def erase(session: Session, kind: Kind, ids: Sequence[int]) -> None:
    """Delete matches, books or nights, and every row that refers to one."""
    table = _KNOWN_BY[kind].table
    session.execute(sa.delete(table).where(table.c.id.in_(ids)))
