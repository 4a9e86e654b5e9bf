"""Hooks for optional parts such as the club: a part's `init` registers functions here, and the app calls them.

A part adds its blueprints, error handlers, template globals and filters to Flask itself.
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
    from scorekeeper.printing.kinds import SheetKind
    from scorekeeper.server.watch import RequestWatch
    from scorekeeper.web.errors import ErrorText

T = TypeVar("T")


class Hook(list[T]):
    """The functions or values registered for one purpose, in the order in which they were added."""

    def add(self, registered: T) -> None:
        """Add a function or value, unless it is registered already by another app of this process."""
        if registered not in self:
            self.append(registered)


on_append: Hook[Callable[[Session, Match | None, Match], None]] = Hook()
"""Called in the transaction that appends an event to a match, with the match before and after; must not commit.

Not called if the match is in progress both before and after. May raise `IntegrityError` if another phone wrote at the
same moment, and `MatchClosed` if other data does not allow the event.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkKind:
    """What the app knows of the pages of one kind of access link."""

    route_prefix: str
    """The prefix of the routes of these pages: "/books/<code>"."""
    join_endpoint: str
    """The endpoint to which an invitation to such a link leads."""
    load_link: Callable[[str], AnyLink]
    """Returns the link with a code; raises `UnknownCode`."""
    owners_only: ErrorText
    """The error page for an action that is allowed only to owners."""
    scorers_only: ErrorText
    """The error page for an action that is allowed only to scorers and owners."""
    removed: ErrorText
    """The error page for an ended link."""


link_kinds: dict[Kind, LinkKind] = {}
"""What the app knows of each kind of access link."""

print_kinds: dict[str, SheetKind] = {}
"""The kinds of sheets that parts add, by their id in a query."""
print_sources: dict[str, Callable[[str], PrintSource]] = {}
"""Functions that load the source of a print from the value of a query parameter, by the parameter's name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a menu or a list, which leads to a page."""

    url: str
    label: str
    note: str = ""
    icon: str = ""
    """The name of the entry's icon; empty without one."""
    comes_first: bool = field(default=False, kw_only=True)
    """Whether the entry comes before the app's own entries."""


def first_entry(registered: Iterable[Callable[[Match], Entry | None]], match: Match) -> Entry | None:
    """Return the first entry that one of these functions returns for a match; `None` if none returns one."""
    return next((entry for entry_of in registered if (entry := entry_of(match))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeSection:
    """A section of the home page besides the matches, such as nights."""

    more: Entry
    """The entry in the menu "More" that starts a new item."""
    heading: str
    entries: tuple[Entry, ...]
    """The items on this phone, latest first."""
    deleted: tuple[str, str] | None
    """The name of the item deleted just now, and the URL that restores it; `None` without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFlags:
    """What the match page shows from data of other parts, such as a night; part of the key of a cached page."""

    notice: tuple[str, str] | None = None
    """The first words and the text of a notice; `None` without one."""
    can_take_back: bool = False
    """Whether the phone may undo the action that began the match."""


home_tiles: Hook[Callable[[], Entry]] = Hook()
"""Return a tile of the home page."""
home_sections: Hook[Callable[[], HomeSection]] = Hook()
"""Return a section of the home page."""
book_menu: Hook[Callable[[BookAccess], Iterable[Entry]]] = Hook()
"""Return entries for the menu of a book."""
match_menu: Hook[Callable[[Match], Iterable[Entry]]] = Hook()
"""Return entries for the menu of a match."""
continued_at: Hook[Callable[[Match], Entry | None]] = Hook()
"""Return the entry for the page where a stopped match may have gone on and can be resumed."""
player_changes: Hook[Callable[[Match], Entry | None]] = Hook()
"""Return the entry for the page that changes the players of a match, if the match allows no substitute."""
match_flags: Hook[Callable[[Session, Match], MatchFlags]] = Hook()
"""Return what the match page shows from data of this part."""
has_borrowed_title: Hook[Callable[[Session, Match], bool]] = Hook()
"""Return whether a match's title comes from other data, such as a night, so that a rematch does not inherit it."""

while_serving: Hook[Callable[[Flask], AbstractContextManager[None]]] = Hook()
"""Context managers held open while a server holds the database."""
request_watches: Hook[Callable[[Flask, int], AbstractContextManager[RequestWatch | None]]] = Hook()
"""Context managers that yield a function to call after each answered request, given the process number, or `None`."""


@dataclass(frozen=True, slots=True)
class UploadKind:
    """A kind of file that the page for restoring matches accepts besides matches."""

    recognizes: Callable[[bytes], bool]
    """Returns whether a file with this content is of this kind."""
    show: Callable[[bytes], Response]
    """Returns a page that shows what an import of the file would do; raises `FileRefused` and `ImportNotNow`."""


uploads: Hook[UploadKind] = Hook()
