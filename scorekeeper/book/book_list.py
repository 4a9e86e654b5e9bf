"""The list of the matches in books and on a phone, and the list of all books.

Matches can be searched by person, game and year.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from sqlalchemy.orm import Session

from scorekeeper.access.links import BOOK_LINKS, device_digest
from scorekeeper.access.roles import Link
from scorekeeper.book import store as books
from scorekeeper.book.books import BookAccess, book_of_id
from scorekeeper.book.fold import Book, fold_book, is_nobody
from scorekeeper.book.store import IndexedMatch
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.stream import allows
from scorekeeper.matches import store as matches
from scorekeeper.matches.match_list import ListedMatch, list_matches
from scorekeeper.pitch.scoring.seats import name_key, unique_names

_BETWEEN_NAMES = re.compile(r"[&,]|\band\b")
PAGE_SIZE = 15
"""The most matches on one page of a list."""
_names_cache = Cache[str, tuple[tuple[int, str], tuple[str, ...]]](64)
"""The names in each book's matches as of its last event, by the book's uid.

The `seq` and key of that event come first.
"""


@dataclass(frozen=True, slots=True)
class Search:
    """The criteria of a search for matches; an empty criterion fits every match."""

    person: str = ""
    """A part of a player's name."""
    variant: str = ""
    """The id of a variant."""
    year: str = ""
    """The year in four digits."""

    @property
    def is_empty(self) -> bool:
        """Whether the search has no criteria, so that every match fits."""
        return not (self.person or self.variant or self.year)


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """A match found for a list, with the phone's access links to it and to its book."""

    uid: str
    book_code: str
    """The code of the phone's access link to the match's book; empty where it has none."""
    listed: ListedMatch
    """The match with the phone's link to it.

    The link's code is empty if the match is opened by the link to its book.
    """


@dataclass(frozen=True, slots=True)
class FoundMatches:
    """One page of the matches that fit a search, and what else can be searched for."""

    matches: tuple[FoundMatch, ...]
    """The matches on the page, the latest first."""
    fit_count: int
    """The number of matches that fit the search, on all pages together."""
    page: int
    """The number of the page, from 1."""
    page_count: int
    total_count: int
    """The number of matches that a search without criteria finds."""
    people: tuple[str, ...]
    """The players of all matches, fitting or not, by their present names; those who played most first."""
    games: Mapping[str, int]
    """The number of all matches of each variant, by the variant's id, the largest number first."""
    years: tuple[str, ...]
    """The years in which any of the matches was played, the latest first."""


def find_matches(
    session: Session, accesses: Sequence[BookAccess], search: Search, page: int = 1, *, device: str = ""
) -> FoundMatches:
    """Return a page of the matches in these books, or opened by the device, that fit a search.

    Deleted matches are left out. A `page` beyond the last stands for the last. `device` is a device's code, empty for
    none.
    """
    all_matches = _find_matches_with_books(session, accesses, device)
    no_book = fold_book("", ())
    players = {match.uid: _find_players(access.book if access else no_book, match) for match, access in all_matches}
    names = _searchable_names(players.values()) if search.person else {}
    fitting = [
        (match, access)
        for match, access in all_matches
        if _fits_search(match, search, [names.get(player.person, "") for player in players[match.uid]])
    ]
    page_count = max(-(-len(fitting) // PAGE_SIZE), 1)
    page = min(max(page, 1), page_count)
    return FoundMatches(
        matches=_load_found_matches(session, fitting[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]),
        fit_count=len(fitting),
        page=page,
        page_count=page_count,
        total_count=len(all_matches),
        people=_present_names(players.values()),
        games=dict(Counter(match.variant for match, _ in all_matches).most_common()),
        years=tuple(sorted({match.day[:4] for match, _ in all_matches}, reverse=True)),
    )


def newest_matches(
    session: Session, accesses: Sequence[BookAccess], device: str, at_most: int
) -> tuple[FoundMatch, ...]:
    """Return the latest matches in these books or opened by the device, with their links.

    Deleted matches are left out, but count among the latest `at_most`.
    """
    return _load_found_matches(session, _find_matches_with_books(session, accesses, device, at_most))


_MatchWithBook = tuple[IndexedMatch, BookAccess | None]


def _find_matches_with_books(
    session: Session, accesses: Sequence[BookAccess], device: str, at_most: int | None = None
) -> list[_MatchWithBook]:
    """Return the matches in these books or opened by a device, each with its book, latest first.

    Deleted matches are left out, but count among `at_most`. The book is `None` if it is not one of `accesses`.
    """
    by_id = {access.id: access for access in accesses}
    indexed = books.indexed_matches(session, list(by_id), device_digest(device) if device else "", at_most)
    return [(match, by_id.get(match.book_id or 0)) for match in indexed if not match.is_deleted]


def _load_found_matches(session: Session, matches_with_books: Sequence[_MatchWithBook]) -> tuple[FoundMatch, ...]:
    """Load matches, and return each with the link by which the phone opens it; stores no link."""
    setups = matches.setups_by_ids(session, [match.id for match, _ in matches_with_books])
    listed_matches = list_matches(
        session, [(setup, _link_to_open(*pair)) for setup, pair in zip(setups, matches_with_books, strict=True)]
    )
    return tuple(
        FoundMatch(match.uid, access.code if access else "", listed)
        for (match, access), listed in zip(matches_with_books, listed_matches, strict=True)
    )


def _link_to_open(match: IndexedMatch, access: BookAccess | None) -> Link:
    """Return the link by which a device opens a match.

    If the match's book gives a higher role than the device's own link, it is an unstored link without a code.
    """
    if match.link and (access is None or allows(match.link.role, access.link.role)):
        return match.link
    assert access is not None
    return Link(0, "", access.link.role, match.id)


class _Player(NamedTuple):
    """A player of a match, as a person of its book."""

    person: str
    """The uid of the person; for a player who is no person of the book, an id from `nobody_id`."""
    name: str
    """The name that the match shows."""
    present_name: str
    """The name that the book gives the person now, or else `name`.

    Empty if the name is deleted, or if the player is no person of the book.
    """


def _find_players(book: Book, match: IndexedMatch) -> list[_Player]:
    """Return everybody with a name who played in a match."""
    people, nameless = book.people_in(match.uid, match.players), book.people.nameless
    return [
        _Player(person, name, "" if person in nameless or is_nobody(person) else book.name_of(person) or name)
        for person, (*_, name) in zip(people, match.players, strict=True)
    ]


def _searchable_names(players: Iterable[Sequence[_Player]]) -> dict[str, str]:
    """Return the text in which a search looks for each person, by uid.

    It has all names as written by `_search_key`, each on its own line. People without a present name are left out.
    """
    names_by_person: dict[str, set[str]] = {}
    for person, name, present_name in chain.from_iterable(players):
        if present_name:
            names_by_person.setdefault(person, set()).update((present_name, name))
    return {person: "\n".join(map(_search_key, names)) for person, names in names_by_person.items()}


def _search_key(name: str) -> str:
    """Return `name_key` without accents and apostrophes, which few people type in a search."""
    letters = unicodedata.normalize("NFD", name_key(name))
    return "".join(letter for letter in letters if not (unicodedata.combining(letter) or letter in "'’"))


def _fits_search(match: IndexedMatch, search: Search, searchable_names: Sequence[str]) -> bool:
    """Return whether a match fits a search, with everybody whom it names: "Ann & Cal".

    `searchable_names` has each player's text from `_searchable_names`.
    """
    names = filter(None, map(str.strip, _BETWEEN_NAMES.split(_search_key(search.person))))
    return (
        all(any(name in text for text in searchable_names) for name in names)
        and (not search.variant or match.variant == search.variant)
        and (not search.year or match.day.startswith(f"{search.year}-"))
    )


def _present_names(players: Iterable[Sequence[_Player]]) -> tuple[str, ...]:
    """Return the present names of the players of some matches, those who played most first, without deleted names."""
    match_counts = Counter(chain.from_iterable(map(dict.fromkeys, players)))
    counts_by_person, names = Counter[str](), dict[str, str]()
    for (person, _, present_name), times in match_counts.most_common():
        if present_name:
            counts_by_person[person] += times
            names.setdefault(person, present_name)
    return unique_names(names[person] for person, _ in counts_by_person.most_common())


def names_in_book(session: Session, book_id: int) -> tuple[str, ...]:
    """Return the present names of the players in a book's matches, those who played most first.

    Deleted names and matches are left out. A name that a match corrects appears only when the book has a new event.
    """
    book = book_of_id(session, book_id)
    cached = _names_cache.get(book.uid)
    if cached is None or cached[0] != book.end:
        players = [
            _find_players(book, match) for match in books.indexed_matches(session, [book_id]) if not match.is_deleted
        ]
        cached = _names_cache.put(book.uid, (book.end, _present_names(players)))
    return cached[1]


@dataclass(frozen=True, slots=True)
class ListedBook:
    """A book in the list of all books."""

    name: str
    code: str
    """The code of the oldest link in force with the owner's role."""
    match_count: int
    """The number of its matches without deleted ones."""
    phone_count: int
    last_seen: datetime | None
    """When a phone that has access last opened the book; `None` if none did."""


def latest_books(session: Session, at_most: int, before: int) -> tuple[list[ListedBook], int | None]:
    """Return a page of books, the latest first, and the `before` for the next page; `None` on the last page."""
    ids, older = BOOK_LINKS.latest_stream_ids(session, at_most, before)
    match_counts = Counter(match.book_id for match in books.indexed_matches(session, ids) if not match.is_deleted)
    phones_by_book = BOOK_LINKS.phones_by_stream(session, ids)
    phones = {book_id: [phone for phone in phones_by_book[book_id] if phone.has_access] for book_id in ids}
    listed = [
        ListedBook(
            name=book_of_id(session, book_id).name,
            code=next(phone.link.code for phone in phones[book_id] if phone.link.is_owner),
            match_count=match_counts[book_id],
            phone_count=len(phones[book_id]),
            last_seen=max(filter(None, (phone.last_seen for phone in phones[book_id])), default=None),
        )
        for book_id in ids
    ]
    return listed, older


def owner_code(session: Session, book_id: int) -> str:
    """Return the code of a book's oldest link in force with the owner's role."""
    return BOOK_LINKS.owner_links(session, [book_id])[book_id].code
