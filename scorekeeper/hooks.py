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
    """The functions or values registered for one purpose, in order."""

    def add(self, registered: T) -> None:
        """Add a function or value, unless it is registered already by another app of this process."""
        if registered not in self:
            self.append(registered)


on_append: Hook[Callable[[Session, Match | None, Match], None]] = Hook()
"""Called in the transaction that appends an event to a match, with the match before and after; must not commit.

Not called if the match is in progress before and after. May raise `IntegrityError` if another phone wrote at the same
moment, and `MatchClosed` if other data does not allow the event.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkKind:
    """The properties that all pages of one kind of link share."""

    route_prefix: str
    """The prefix of their routes: "/books/<code>"."""
    join_endpoint: str
    """The endpoint that an invitation leads to."""
    load_link: Callable[[str], AnyLink]
    """Returns the link with a code; raises `UnknownCode`."""
    owners_only: ErrorText
    """The error for an action that is allowed only to owners."""
    scorers_only: ErrorText
    """The error for an action that is allowed only to scorers and owners."""
    removed: ErrorText
    """The error for an ended link."""


link_kinds: dict[Kind, LinkKind] = {}

print_kinds: dict[str, PrintKind] = {}
"""The kinds of sheets that parts add, by their id in an address."""
print_sources: dict[str, Callable[[str], PrintSource]] = {}
"""Functions that load the source of a print from the value of an address field, by the field's name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a list that leads to a page."""

    url: str
    label: str
    note: str = ""
    icon: str = ""
    comes_first: bool = field(default=False, kw_only=True)
    """Whether the entry comes before the app's own."""


def first_entry(registered: Iterable[Callable[[Match], Entry | None]], match: Match) -> Entry | None:
    """Return the first entry that a function gives for a match; `None` without any."""
    return next((entry for entry_of in registered if (entry := entry_of(match))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeSection:
    """A section of the home page besides matches, such as nights."""

    more: Entry
    """The entry in the menu More that starts a new item."""
    heading: str
    entries: tuple[Entry, ...]
    """The items on this phone, latest first."""
    deleted: tuple[str, str] | None
    """Name of the item deleted just now, and the address that restores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFlags:
    """What the match page shows of other data, such as a night; part of the key of a cached page."""

    notice: tuple[str, str] | None = None
    """The lead and the text of a notice."""
    can_take_back: bool = False
    """Whether the phone may undo the action that began the match."""


home_tiles: Hook[Callable[[], Entry]] = Hook()
home_sections: Hook[Callable[[], HomeSection]] = Hook()
book_menu: Hook[Callable[[BookAccess], Iterable[Entry]]] = Hook()
match_menu: Hook[Callable[[Match], Iterable[Entry]]] = Hook()
continued_at: Hook[Callable[[Match], Entry | None]] = Hook()
"""Return the page where a stopped match may have gone on and can be resumed."""
player_changes: Hook[Callable[[Match], Entry | None]] = Hook()
"""Return the page that changes the players of a match, if the match allows no substitute."""
match_flags: Hook[Callable[[Session, Match], MatchFlags]] = Hook()
has_borrowed_title: Hook[Callable[[Session, Match], bool]] = Hook()
"""Return whether a match's title comes from other data, such as a night, so that a rematch does not inherit it."""

while_serving: Hook[Callable[[Flask], AbstractContextManager[None]]] = Hook()
"""Context managers held open while a server holds the database."""
request_watches: Hook[Callable[[Flask, int], AbstractContextManager[Watch | None]]] = Hook()
"""Yield a function that counts or logs every answered request, given the process number; `None` if not enabled."""


@dataclass(frozen=True, slots=True)
class UploadKind:
    """A kind of file that the page for restoring matches accepts."""

    recognizes: Callable[[bytes], bool]
    show: Callable[[bytes], Response]
    """Return a page that shows what an import of the file would do; raises `FileRefused` and `ImportNotNow`."""


uploads: Hook[UploadKind] = Hook()
