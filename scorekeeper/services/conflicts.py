"""What is tried again where another one took its place at the same moment."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

Answer = TypeVar("Answer")

_MOST_TRIES = 50


def tried_again(session: Session, write: Callable[[], Answer]) -> Answer:
    """Return what a writing returns, which looks and writes anew after each conflict."""
    for _ in range(_MOST_TRIES):
        try:
            return write()
        except IntegrityError:
            session.rollback()
    return write()
