"""The stored figures of matches, and which of them are missing or out of date. No function commits."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.club.figures.match_figures import FIGURES_EDITION, MatchFigures, figures_as_json, read_figures
from scorekeeper.database.rows import split_into_chunks
from scorekeeper.database.tables import BookMatchRow, EndingRow, EventRow, MatchFiguresRow, MatchRow

_FIGURES = MatchFiguresRow.__table__
_MATCH_VERSION = (
    sa.select(sa.func.coalesce(sa.func.max(col(EventRow.seq)), 0))
    .where(col(EventRow.match_id) == col(MatchRow.id))
    .correlate(MatchRow)
    .scalar_subquery()
)
_IS_STALE = sa.or_(sa.func.coalesce(_FIGURES.c.version, -1) != _MATCH_VERSION, _FIGURES.c.edition != FIGURES_EDITION)
_FINISHED_MATCHES: Any = (
    sa.select(col(MatchRow.id), col(MatchRow.uid), _MATCH_VERSION, _IS_STALE)
    .join(EndingRow, sa.and_(col(EndingRow.match_id) == col(MatchRow.id), col(EndingRow.status) == "over"))
    .outerjoin(_FIGURES, _FIGURES.c.match_id == col(MatchRow.id))
)
_FINISHED_MATCHES_IN_BOOK = _FINISHED_MATCHES.join(BookMatchRow, col(BookMatchRow.match_id) == col(MatchRow.id)).where(
    col(BookMatchRow.book_id) == sa.bindparam("book_id")
)
# As text: one parser reads them all, in a fraction of the time that a column of JSON takes row by row.
_FIGURES_AS_TEXT = sa.cast(_FIGURES.c.figures, sa.Text)
_STORED_FIGURES = sa.select(_FIGURES.c.match_id, _FIGURES_AS_TEXT, _FIGURES.c.details)
_MAX_ROWS_PER_STATEMENT = 100
"""The most rows that one SQL statement reads or writes, to limit what is in memory at a time."""


VersionedFigures = tuple[int, int, MatchFigures | None]
"""The id, version and figures of a match.

The figures are `None` if the match was deleted, has no outcome or cannot be scored.
"""


class FinishedMatch(NamedTuple):
    """A match that is over, and whether its figures have to be computed."""

    match_id: int
    uid: str
    version: int
    is_stale: bool
    """Whether the figures are missing, or are of another version of the match or another `FIGURES_EDITION`."""


def finished_matches_in_book(session: Session, book_id: int) -> list[FinishedMatch]:
    """Return the matches of a book that are over, even deleted ones, in any order."""
    return [FinishedMatch(*row) for row in session.execute(_FINISHED_MATCHES_IN_BOOK, {"book_id": book_id})]


def stale_matches(session: Session) -> list[FinishedMatch]:
    """Return all finished matches whose figures are missing or out of date, ordered by id."""
    return [
        FinishedMatch(*row) for row in session.execute(_FINISHED_MATCHES.where(_IS_STALE).order_by(col(MatchRow.id)))
    ]


def figures_of_matches(session: Session, match_ids: Sequence[int]) -> dict[int, MatchFigures | None]:
    """Return the stored figures of matches, even if they are out of date, keyed by match id.

    `None` stands for a match that was deleted, had no outcome or could not be scored. A match without stored figures is
    left out.
    """
    figures_by_match: dict[int, MatchFigures | None] = {}
    for chunk in split_into_chunks(match_ids, _MAX_ROWS_PER_STATEMENT):
        rows = list(session.execute(_STORED_FIGURES.where(_FIGURES.c.match_id.in_(chunk))))
        stored_figures = json.loads(f"[{','.join([figures_json for _, figures_json, _ in rows])}]")
        for (match_id, _, details_json), figures in zip(rows, stored_figures, strict=True):
            figures_by_match[match_id] = read_figures(figures, details_json) if figures else None
    return figures_by_match


def store_figures(session: Session, replacements: Iterable[VersionedFigures]) -> None:
    """Store figures of matches in place of their earlier figures, without a commit.

    Raises `IntegrityError` if another session stores figures of the same matches meanwhile.
    """
    for chunk in split_into_chunks([*replacements], _MAX_ROWS_PER_STATEMENT):
        delete_figures(session, [match_id for match_id, *_ in chunk])
        rows = [
            {
                "match_id": match_id,
                "version": version,
                "edition": FIGURES_EDITION,
                "figures": figures_as_json(figures) if figures else [],
                "details": figures.details_json if figures else "",
            }
            for match_id, version, figures in chunk
        ]
        session.execute(sa.insert(_FIGURES), rows)


def delete_figures(session: Session, match_ids: Sequence[int]) -> None:
    """Delete the stored figures of matches, without a commit."""
    session.execute(sa.delete(_FIGURES).where(_FIGURES.c.match_id.in_(match_ids)))
