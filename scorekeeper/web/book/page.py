"""What the pages of a book show: its matches, searched and paged, and its name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.ledger.limits import TITLE_LENGTH
from scorekeeper.narration.dates import DateStyle
from scorekeeper.rules.library import Library
from scorekeeper.services.book_list import FoundMatches, Search
from scorekeeper.services.books import BookAccess
from scorekeeper.web.match.page import how_it_stands, listed_title
from scorekeeper.web.shared.places import book_label
from scorekeeper.web.shared.reader import plain_day


@dataclass(frozen=True, slots=True, kw_only=True)
class BookMatchLine:
    """A match of the book."""

    uid: str
    title: str
    small: str
    """"Nov 20: Ann & Cal 21, Bea & Dan 17; Ann & Cal won"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOption:
    """A game or a year to look for."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPage:
    """Template book/show.html. Blocks: matches."""

    code: str
    label: str
    """"Your book", or its name."""
    count: str
    """"46 matches", "3 of 46 matches"."""
    person: str
    """As it was typed."""
    people: tuple[str, ...]
    games: tuple[SearchOption, ...]
    years: tuple[SearchOption, ...]
    is_searched: bool
    matches: tuple[BookMatchLine, ...]
    is_empty: bool
    """Whether no match is in the book."""
    newer: Mapping[str, str]
    """What the address of the page before says; empty on the first."""
    older: Mapping[str, str]
    place: str
    """"Page 2 of 5"; empty where there is one."""
    is_owner: bool


def book_page(access: BookAccess, found: FoundMatches, search: Search, variants: Library, dates: DateStyle) -> BookPage:
    """Return the home page of a book."""
    every = f"{found.every} match{'' if found.every == 1 else 'es'}"
    said = {"person": search.person, "variant": search.variant, "year": search.year}
    fields = {name: text for name, text in said.items() if text}
    return BookPage(
        code=access.code,
        label=book_label(access),
        count=every if search.is_empty else f"{found.found} of {every}",
        person=search.person,
        people=found.people,
        games=_options(
            {game: variants[game].name if game in variants else game for game in found.games}, search.variant
        ),
        years=_options({year: year for year in found.years}, search.year),
        is_searched=not search.is_empty,
        matches=tuple(
            BookMatchLine(uid=uid, title=listed_title(item), small=f"{plain_day(day, dates)}: {how_it_stands(item)}")
            for uid, day, item in found.matches
        ),
        is_empty=not found.every,
        newer={**fields, "page": str(found.page - 1)} if found.page > 1 else {},
        older={**fields, "page": str(found.page + 1)} if found.page < found.pages else {},
        place=f"Page {found.page} of {found.pages}" if found.pages > 1 else "",
        is_owner=access.link.is_owner,
    )


def _options(labels: Mapping[str, str], chosen: str) -> tuple[SearchOption, ...]:
    every = {**labels, chosen: labels.get(chosen, chosen)} if chosen else labels
    return tuple(SearchOption(value=value, label=label, is_chosen=value == chosen) for value, label in every.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class BookSettingsPage:
    """Template book/settings.html."""

    code: str
    label: str
    name: str
    """As it was typed."""
    name_length: ClassVar = TITLE_LENGTH
    fault: str
    done: str
    """What was done just now: saved, undone or redone; empty where nothing was."""
    undo: int
    """What can be undone; 0 where nothing was done just now."""
    redo: int


def book_settings_page(
    access: BookAccess, *, done: str = "", typed: str | None = None, fault: str = ""
) -> BookSettingsPage:
    """Return the page of a book's name; `typed` was refused for `fault`."""
    book = access.book
    return BookSettingsPage(
        code=access.code,
        label=book_label(access),
        name=book.name if typed is None else typed,
        fault=fault,
        done=done if done in ("saved", "undone", "redone") else "",
        undo=book.undo_next.seq if book.undo_next and done in ("saved", "redone") else 0,
        redo=book.redo_target or 0 if done == "undone" else 0,
    )
