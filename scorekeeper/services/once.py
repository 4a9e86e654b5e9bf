"""What a form adds, it adds once, even if it comes twice at the same moment."""

from collections.abc import Callable

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session


def add_once(session: Session, find: Callable[[], str | None], add: Callable[[], str]) -> str:
    """Add what a form asks for, commit, and return its code; or only return it where `find` has it already."""
    if (known := find()) is not None:
        return known
    try:
        code = add()
        session.commit()
    except IntegrityError:  # the same form, twice at the same moment
        session.rollback()
        if (known := find()) is None:
            raise
        return known
    return code
