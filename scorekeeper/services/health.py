"""Whether the database is there."""

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from sqlmodel import select

from scorekeeper.store.tables import MatchRow


def can_read(session: Session) -> bool:
    """Return whether matches can be read."""
    try:
        session.execute(select(MatchRow.id).limit(1)).first()
    except SQLAlchemyError:
        return False
    return True
