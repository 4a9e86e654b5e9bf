"""Hooks for optional parts of the app, such as the club.

A part's function `init` adds functions and values to the hooks, and the app calls and shows them. The part adds
blueprints, error handlers, template globals and filters to Flask itself.
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
        """Register a function or value, once.

        Each app of a process registers the same ones again, so one that is already here is skipped.
        """
        if function_or_value not in self:
            self.append(function_or_value)


on_end_or_reopen: Hook[Callable[[Session, Match | None, Match], None]] = Hook()
"""Functions called when an event ends, deletes or reopens a match, or changes a match that has ended.

They get the session, the match before the event (`None` if that could not be scored) and the match after the event.
They run in the transaction of the event, and must not commit. They may raise `MatchClosed` to refuse the event, and
`IntegrityError` for a conflict with another phone.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkKind:
    """The pages that one kind of access link opens: the start of their URLs, the page to join, and the error pages."""

    route_prefix: str
    """The start of the URL rules of all pages that such a link opens: "/books/<code>"."""
    join_endpoint: str
    """The endpoint of the page where a phone joins with a QR code or a PIN."""
    owners_only: ErrorText
    """The error page for an action that is allowed only to owners."""
    scorers_only: ErrorText
    """The error page for an action that is allowed only to scorers and owners."""
    removed: ErrorText
    """The error page for a phone whose link has been ended."""


link_kinds: dict[Kind, LinkKind] = {}
"""The routes and error pages of access links, keyed by the kind of link."""

print_kinds: dict[str, SheetKind] = {}
"""The kinds of printed sheets that optional parts add, keyed by the value of the query parameter `kind`."""
print_sources: dict[str, Callable[[str], PrintSource]] = {}
"""Functions that load what a sheet shows, keyed by the query parameter that names it.

Each function is called with the value of its parameter.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a menu or a list, or a tile of the home page; it leads to a page."""

    url: str
    label: str
    note: str = ""
    """The small text below the label; empty without one."""
    icon: str = ""
    """The name of the entry's icon; empty without one."""
    comes_first: bool = field(default=False, kw_only=True)
    """Whether the entry stands before those of the app itself."""


def first_entry(entry_functions: Iterable[Callable[[Match], Entry | None]], match: Match) -> Entry | None:
    """Return the first entry that one of `entry_functions` has for a match; `None` if none of them has any."""
    return next((entry for find_entry in entry_functions if (entry := find_entry(match))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeSection:
    """A section of the home page below the matches, such as the nights."""

    new_item: Entry
    """The entry in the menu "More" that begins another item of the section, such as a new night."""
    heading: str
    entries: tuple[Entry, ...]
    """The entries that lead to the section's items on this phone, the latest first."""
    just_deleted: tuple[str, str] | None
    """The name of the item that this phone has just deleted, and the URL that restores it; otherwise `None`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFlags:
    """What an optional part adds to the page of a match: a notice, and whether the match's beginning can be taken back.

    The cache of pages has it in its keys.
    """

    notice: tuple[str, str] | None = None
    """The first words of the notice, and the rest of its text; `None` without a notice."""
    can_take_back: bool = False
    """Whether this phone may take back the action that began the match, such as a change of players."""


home_tiles: Hook[Callable[[], Entry]] = Hook()
"""Functions that each return a tile of the home page."""
home_sections: Hook[Callable[[], HomeSection]] = Hook()
"""Functions that each return a section of the home page."""
book_menu_entries: Hook[Callable[[BookAccess], Iterable[Entry]]] = Hook()
"""Functions that each return entries for the menu of a book."""
match_menu_entries: Hook[Callable[[Match], Iterable[Entry]]] = Hook()
"""Functions that each return entries for the menu of a match."""
continuation_entries: Hook[Callable[[Match], Entry | None]] = Hook()
"""Functions that each return an entry, or `None`; it leads to the page on which a stopped match is continued."""
gone_on_checks: Hook[Callable[[Session, Match], bool]] = Hook()
"""Functions that each return whether a stopped or deleted match was continued as another match."""


def has_gone_on(session: Session, match: Match) -> bool:
    """Return whether a stopped or deleted match was continued as another match."""
    return any(check(session, match) for check in gone_on_checks)


player_change_entries: Hook[Callable[[Match], Entry | None]] = Hook()
"""Functions that each return an entry, or `None`; it leads to the page for changing a match's players.

Such a change begins another match, where a substitution would keep this one.
"""
match_flags: Hook[Callable[[Session, Match], MatchFlags]] = Hook()
"""Functions that each return what an optional part adds to the page of a match."""
borrowed_title_checks: Hook[Callable[[Session, Match], bool]] = Hook()
"""Functions that each return whether a match has its title from something else, such as from a night.

A rematch does not get such a title.
"""

serving_contexts: Hook[Callable[[Flask], AbstractContextManager[None]]] = Hook()
"""Functions that each return a context manager; the server enters it at its start and leaves it at its end."""
request_watches: Hook[Callable[[Flask, int], AbstractContextManager[RequestWatch | None]]] = Hook()
"""Functions that each return a context manager, which a server process enters while it runs.

They get the app and the number of the process, from 0. The context manager yields a function to call after each
answered request, or `None`.
"""


@dataclass(frozen=True, slots=True)
class UploadKind:
    """A kind of file, besides files of matches, that the page for restoring matches takes."""

    recognizes: Callable[[bytes], bool]
    """Returns whether a file with this content is of this kind."""
    show: Callable[[bytes], Response]
    """Returns the page that shows what an import of this content would do; raises `FileRefused` and `ImportNotNow`."""


upload_kinds: Hook[UploadKind] = Hook()
