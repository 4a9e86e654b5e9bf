"""What a part beside the kitchen table adds to it: registered here by its `init`, and called by the app.

A part adds its pages, error pages and template names to Flask itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from scorekeeper.matches.fold import Match

T = TypeVar("T")


class Hook(list[T]):
    """What is registered for one purpose, in order."""

    def add(self, registered: T) -> None:
        """Register something once, however many apps a process makes."""
        if registered not in self:
            self.append(registered)


on_append: Hook[Callable[[Session, Match | None, Match], None]] = Hook()
"""Called in the transaction that appends an event to a match, with the match before and after; commits nothing.

It may raise `IntegrityError` where another phone wrote at the same moment.
"""
