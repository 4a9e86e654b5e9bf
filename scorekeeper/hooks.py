"""Hooks for optional parts such as the club: a part's `init` registers functions here, and the app calls them.

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
    """The functions or values that are registered for one purpose, in order."""

    def add(self, registered: T) -> None:
        """Register something once, even if a process makes several apps."""
        if registered not in self:
            self.append(registered)


on_append: Hook[Callable[[Session, Match | None, Match], None]] = Hook()
"""Called in the transaction that appends an event to a match, with the match before and after; commits nothing.

An event of a match that is in progress before and after calls none. It may raise `IntegrityError` where another phone
wrote at the same moment, and `MatchClosed` where other data does not allow the event.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkKind:
    """What the pages of one kind of link have in common."""

    pages: str
    """The prefix of their routes: "/books/<code>"."""
    join: str
    """The endpoint that an invitation leads to."""
    load: Callable[[str], AnyLink]
    """Returns the link with a code; raises `UnknownCode`."""
    owners_only: ErrorText
    """The error for an action that is allowed only to owners."""
    scorers_only: ErrorText
    """The error for an action that is allowed only to scorers and owners."""
    removed: ErrorText
    """The error for a link that was ended."""


link_kinds: dict[Kind, LinkKind] = {}

print_kinds: dict[str, PrintKind] = {}
"""The kinds of sheets that parts add, by the id in an address."""
print_sources: dict[str, Callable[[str], PrintSource]] = {}
"""Functions that return the source of a print, given a value of an address, by the name of that value."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list that leads to a page."""

    url: str
    label: str
    note: str = ""
    icon: str = ""
    leads: bool = field(default=False, kw_only=True)
    """Whether it is before the app's own lines."""


def first_entry(registered: Iterable[Callable[[Match], Entry | None]], match: Match) -> Entry | None:
    """Return the first entry for a match; `None` where no function returns one."""
    return next((entry for entry_of in registered if (entry := entry_of(match))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeSection:
    """A section of the home page for something besides matches."""

    more: Entry
    """The entry under More that begins one."""
    heading: str
    entries: tuple[Entry, ...]
    """The entries of this phone, the last one first."""
    deleted: tuple[str, str] | None
    """The name of one that was deleted just now, and the address that restores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFlags:
    """What the match page shows of something besides its match; part of the key of a cached page."""

    notice: tuple[str, str] | None = None
    """The lead, and the sentence after it."""
    can_take_back: bool = False
    """Whether the phone may undo the action that began the match."""
    is_own: bool = False
    """Whether they are for this phone alone, so that the page is not cached for others."""


home_tiles: Hook[Callable[[], Entry]] = Hook()
home_sections: Hook[Callable[[], HomeSection]] = Hook()
book_menu: Hook[Callable[[BookAccess], Iterable[Entry]]] = Hook()
match_menu: Hook[Callable[[Match], Iterable[Entry]]] = Hook()
continued_at: Hook[Callable[[Match], Entry | None]] = Hook()
"""Return the page where a stopped match may have gone on, and is resumed."""
player_changes: Hook[Callable[[Match], Entry | None]] = Hook()
"""Return the page where the players of a match change, for a match in which nobody may sit in."""
match_flags: Hook[Callable[[Session, Match], MatchFlags]] = Hook()
has_borrowed_title: Hook[Callable[[Session, Match], bool]] = Hook()
"""Return whether a match has its title from something that its rematch does not belong to."""

while_serving: Hook[Callable[[Flask], AbstractContextManager[None]]] = Hook()
"""Context managers that are open for as long as a server holds the database."""
request_watches: Hook[Callable[[Flask, int], AbstractContextManager[Watch | None]]] = Hook()
"""Yield a function that counts or logs every answered request, by the process; `None` where no setting enables it."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A kind of file that can be uploaded where matches are restored."""

    recognizes: Callable[[bytes], bool]
    show: Callable[[bytes], Response]
    """Returns a page with what an import of the file would do; raises `FileRefused` and `ImportNotNow`."""


uploads: Hook[Upload] = Hook()
