"""What a part beside the kitchen table adds to it: registered here by its `init`, and called by the app.

A part adds its pages, error pages and template names to Flask itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from scorekeeper.access.roles import AnyLink, Kind
    from scorekeeper.matches.fold import Match
    from scorekeeper.pages.prints.views import PrintSource
    from scorekeeper.printing.kinds import Kind as PrintKind
    from scorekeeper.web.errors import ErrorText

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


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkKind:
    """What the pages have in common that one kind of link leads to."""

    pages: str
    """How the rule of each begins: "/books/<code>"."""
    load: Callable[[str], AnyLink]
    """Returns the link with a code; raises `UnknownCode`."""
    not_the_owner: ErrorText
    """Where only an owner may do something."""
    watches: ErrorText
    """Where only those may do something who may score."""
    removed: ErrorText
    """Where the link was ended."""


link_kinds: dict[Kind, LinkKind] = {}

print_kinds: dict[str, PrintKind] = {}
"""By the id that an address has."""
print_sources: dict[str, Callable[[str], PrintSource]] = {}
"""What finds what is printed from, by the name under which an address has it, given its value."""
