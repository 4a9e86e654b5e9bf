"""How matches ended, as it was stored then. Nothing here commits."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.ledger.derive_match import Ending
from scorekeeper.store.tables import EndingRow

_ENDINGS = EndingRow.__table__
_IS_OPEN = _ENDINGS.c.status.is_(None)
_OF_MATCHES = sa.select(*_ENDINGS.c).where(col(EndingRow.match_id).in_(sa.bindparam("match_ids", expanding=True)))
_OPEN = (
    sa.select(_ENDINGS.c.match_id)
    .where(_IS_OPEN, _ENDINGS.c.match_id > sa.bindparam("after"))
    .order_by(_ENDINGS.c.match_id)
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)


def endings_of(session: Session, match_ids: Sequence[int]) -> dict[int, Ending]:
    """Return how some matches had ended, by match; one that is still to be looked up is left out."""
    rows = session.execute(_OF_MATCHES, {"match_ids": list(match_ids)})
    return {row.match_id: Ending(row.status, tuple(row.winners), row.scores) for row in rows if row.status}


def set_ending(session: Session, match_id: int, ending: Ending | None) -> None:
    """Store how a match ended, in place of what was stored; `None` is for one that goes on."""
    session.execute(sa.delete(_ENDINGS).where(_ENDINGS.c.match_id == match_id))
    if ending is not None:
        session.execute(sa.insert(_ENDINGS), {"match_id": match_id, **_values(ending)})


def open_endings(session: Session, after: int, at_most: int) -> list[int]:
    """Return the next matches, by id, whose ending is still to be looked up."""
    return list(session.execute(_OPEN, {"after": after, "at_most": at_most}).scalars())


def close_ending(session: Session, match_id: int, ending: Ending | None) -> None:
    """Store what was looked up, unless the match itself has said meanwhile how it ended."""
    is_it = _ENDINGS.c.match_id == match_id, _IS_OPEN
    if ending is None:
        session.execute(sa.delete(_ENDINGS).where(*is_it))
    else:
        session.execute(sa.update(_ENDINGS).where(*is_it).values(_values(ending)))


def _values(ending: Ending) -> dict[str, object]:
    return {"status": ending.status, "winners": list(ending.winners), "scores": dict(ending.scores)}
