"""What a part beside the kitchen table adds to it: registered here by its `init`, and called by the app.

A part adds its pages, error pages and template names to Flask itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from flask import Flask, Response

    from scorekeeper.access.roles import AnyLink, Kind
    from scorekeeper.book.books import BookAccess
    from scorekeeper.matches.fold import Match
    from scorekeeper.pages.prints.views import PrintSource
    from scorekeeper.printing.kinds import Kind as PrintKind
    from scorekeeper.server.watch import Watch
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

It may raise `IntegrityError` where another phone wrote at the same moment, and `MatchClosed` where the event may not be
written beside something else.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkKind:
    """What the pages that one kind of link leads to have in common."""

    pages: str
    """How the rule of each begins: "/books/<code>"."""
    join: str
    """The endpoint that an invitation leads to."""
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


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list that leads to a page."""

    url: str
    label: str
    note: str = ""
    icon: str = ""
    leads: bool = field(default=False, kw_only=True)
    """Whether it stands before the lines of the kitchen table."""


def first_entry(registered: Iterable[Callable[[Match], Entry | None]], match: Match) -> Entry | None:
    """Return the first line that there is for a match."""
    return next((entry for entry_of in registered if (entry := entry_of(match))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeSection:
    """What the home page shows of something besides matches."""

    more: Entry
    """What begins one, under More."""
    heading: str
    entries: tuple[Entry, ...]
    """Those of this phone, the last one first."""
    deleted: tuple[str, str] | None
    """What was deleted just now, and where it is restored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFlags:
    """What the match page shows of something besides its match: part of what a cached page is known by."""

    notice: tuple[str, str] | None = None
    """A lead, and the sentence after it."""
    can_take_back: bool = False
    """Whether the phone may undo what began the match."""
    is_own: bool = False
    """Whether they are this phone’s alone, so that the page is not kept for others."""


home_tiles: Hook[Callable[[], Entry]] = Hook()
home_sections: Hook[Callable[[], HomeSection]] = Hook()
book_menu: Hook[Callable[[BookAccess], Iterable[Entry]]] = Hook()
match_menu: Hook[Callable[[Match], Iterable[Entry]]] = Hook()
continued_at: Hook[Callable[[Match], Entry | None]] = Hook()
"""Where a match that was stopped may have gone on, and is resumed."""
player_changes: Hook[Callable[[Match], Entry | None]] = Hook()
"""Where the players of a match change, where nobody may sit in."""
match_flags: Hook[Callable[[Session, Match], MatchFlags]] = Hook()
has_borrowed_title: Hook[Callable[[Session, Match], bool]] = Hook()
"""Whether a match is called after something that the next one of the same people has nothing to do with."""

while_serving: Hook[Callable[[Flask], AbstractContextManager[None]]] = Hook()
"""What runs for as long as a server has the database."""
request_watches: Hook[Callable[[Flask, int], AbstractContextManager[Watch | None]]] = Hook()
"""What counts or logs every request that is answered, by the process; yields `None` where the settings want none."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A kind of file that is uploaded where matches are restored."""

    recognizes: Callable[[bytes], bool]
    show: Callable[[bytes], Response]
    """Answers with what importing the file would do; raises `FileRefused` and `ImportNotNow`."""


uploads: Hook[Upload] = Hook()
