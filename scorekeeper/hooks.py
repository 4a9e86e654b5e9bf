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

    from scorekeeper.access.roles import Kind
    from scorekeeper.book.books import BookAccess
    from scorekeeper.matches.fold import Match
    from scorekeeper.pages.prints.views import PrintSource
    from scorekeeper.printing.kinds import SheetKind
    from scorekeeper.server.watch import RequestWatch
    from scorekeeper.web.errors import ErrorText

T = TypeVar("T")


class Hook(list[T]):
    """The functions or values registered for one purpose, in the order in which they were added."""

    def add(self, function_or_value: T) -> None:
        """Add a function or value, unless it is there already because another app of this process added it."""
        if function_or_value not in self:
            self.append(function_or_value)


on_end_or_reopen: Hook[Callable[[Session, Match | None, Match], None]] = Hook()
"""Functions called when an event ends, deletes or reopens a match, or changes one that has ended.

They get the match before (`None` if it could not be scored) and after the event, in its transaction, and must not
commit. They may raise `MatchClosed` to refuse the event, and `IntegrityError` for a conflict with another phone.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkKind:
    """The routes and error pages for one kind of access link."""

    route_prefix: str
    """The prefix of the URL rules of these pages: "/books/<code>"."""
    join_endpoint: str
    """The endpoint of the page where a phone joins with a QR code or a PIN."""
    owners_only: ErrorText
    """The error page for an action that is allowed only to owners."""
    scorers_only: ErrorText
    """The error page for an action that is allowed only to scorers and owners."""
    removed: ErrorText
    """The error page for a phone whose link was ended."""


link_kinds: dict[Kind, LinkKind] = {}
"""The routes and error pages of each kind of access link."""

print_kinds: dict[str, SheetKind] = {}
"""The kinds of printed sheets that parts add, by the value of the query parameter `kind`."""
print_sources: dict[str, Callable[[str], PrintSource]] = {}
"""Functions that load the data to print, by query parameter; each is called with its parameter's value."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a menu or a list, or a tile of the home page; it leads to a page."""

    url: str
    label: str
    note: str = ""
    """The small text below the label; empty without one."""
    icon: str = ""
    """The name of the entry's icon; empty without one."""
    comes_first: bool = field(default=False, kw_only=True)
    """Whether the entry comes before the app's own entries."""


def first_entry(functions: Iterable[Callable[[Match], Entry | None]], match: Match) -> Entry | None:
    """Return the first entry that any of these functions returns for a match; `None` if none does."""
    return next((entry for entry_of in functions if (entry := entry_of(match))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeSection:
    """A section of the home page besides the matches, such as nights."""

    new_item: Entry
    """The entry in the menu "More" that starts a new item of the section."""
    heading: str
    entries: tuple[Entry, ...]
    """The entries of the items on this phone, the latest item first."""
    just_deleted: tuple[str, str] | None
    """The name of the last deleted item, and the URL that restores it; `None` unless just deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFlags:
    """What an optional part adds to the match page: a notice, and whether the phone may take back how it began.

    It is part of the key under which the page is cached.
    """

    notice: tuple[str, str] | None = None
    """The first words of a notice, and the rest of its text; `None` without one."""
    can_take_back: bool = False
    """Whether the phone may take back the action that began the match, such as a change of players."""


home_tiles: Hook[Callable[[], Entry]] = Hook()
"""Functions that each return a tile of the home page."""
home_sections: Hook[Callable[[], HomeSection]] = Hook()
"""Functions that each return a section of the home page."""
book_menu_entries: Hook[Callable[[BookAccess], Iterable[Entry]]] = Hook()
"""Functions that each return entries for the menu of a book."""
match_menu_entries: Hook[Callable[[Match], Iterable[Entry]]] = Hook()
"""Functions that each return entries for the menu of a match."""
continuation_entries: Hook[Callable[[Match], Entry | None]] = Hook()
"""Functions that each return the entry to continue a stopped match on another page, or `None`."""
gone_on_checks: Hook[Callable[[Session, Match], bool]] = Hook()
"""Functions that each return whether a stopped or deleted match has gone on in another one."""


def has_gone_on(session: Session, match: Match) -> bool:
    """Return whether a stopped or deleted match has gone on in another one."""
    return any(check(session, match) for check in gone_on_checks)


player_change_entries: Hook[Callable[[Match], Entry | None]] = Hook()
"""Functions that each return the entry to change a match's players without a substitution, or `None`."""
match_flags: Hook[Callable[[Session, Match], MatchFlags]] = Hook()
"""Functions that each return what a part adds to the match page."""
borrowed_title_checks: Hook[Callable[[Session, Match], bool]] = Hook()
"""Functions that each return whether a match's title comes from elsewhere, such as from a night.

A rematch does not inherit a borrowed title.
"""

serving_contexts: Hook[Callable[[Flask], AbstractContextManager[None]]] = Hook()
"""Functions that each return a context manager, which is entered while the server runs."""
request_watches: Hook[Callable[[Flask, int], AbstractContextManager[RequestWatch | None]]] = Hook()
"""Functions that each return a context manager for a server process, given the app and its number, from 0.

The context manager yields a function to call after each answered request, or `None`.
"""


@dataclass(frozen=True, slots=True)
class UploadKind:
    """A kind of file that the page for restoring matches accepts besides matches."""

    recognizes: Callable[[bytes], bool]
    """Returns whether a file with this content is of this kind."""
    show: Callable[[bytes], Response]
    """Returns the page that previews the import of this content; raises `FileRefused` and `ImportNotNow`."""


upload_kinds: Hook[UploadKind] = Hook()
