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
_names_by_book_uid = Cache[str, tuple[tuple[int, str], tuple[str, ...]]](64)
"""A cache of the names in each book's matches, keyed by the uid of the book.

Each value begins with the `seq` and the idempotency key of the last event of the book, from which its names were read.
"""


@dataclass(frozen=True, slots=True)
class Search:
    """What a search for matches looks for. An empty text fits every match."""

    person: str = ""
    """A part of the name of a player."""
    variant: str = ""
    """The id of a variant: "partnership-pitch"."""
    year: str = ""
    """A year in four digits: "2026"."""

    @property
    def is_empty(self) -> bool:
        """Whether the search fits every match."""
        return not (self.person or self.variant or self.year)


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """A match in a list, with the links by which the phone opens it and its book."""

    uid: str
    book_code: str
    """The code of the phone's link to the book of the match; empty if it has none."""
    listed_match: ListedMatch
    """The match with the link by which the phone opens it.

    The code of that link is empty if the phone opens the match by its link to the book.
    """


@dataclass(frozen=True, slots=True)
class FoundMatches:
    """One page of the matches that fit a search, and what else can be searched for."""

    matches: tuple[FoundMatch, ...]
    """The matches on the page, the latest first."""
    fit_count: int
    """The number of matches on all pages that fit the search."""
    page: int
    """The number of the page, from 1."""
    page_count: int
    total_count: int
    """The number of matches that an empty search finds."""
    people: tuple[str, ...]
    """The present names of the players of all matches, whether these fit or not; those who played most are first."""
    match_count_by_variant: Mapping[str, int]
    """How many of all matches are of each variant, keyed by the id of the variant; the highest number first."""
    years: tuple[str, ...]
    """The years in which any match was played, the latest first: ("2026", "2025")."""


def find_matches(
    session: Session, accesses: Sequence[BookAccess], search: Search, page: int = 1, *, device: str = ""
) -> FoundMatches:
    """Return one page of the matches that fit a search, of those in these books or opened by a device.

    Deleted matches are left out. A `page` beyond the last one means the last. `device` is the code of the device, empty
    for none.
    """
    all_matches = _find_matches_with_books(session, accesses, device)
    empty_book = fold_book("", ())
    players_by_match = {
        match.uid: _players_of_match(access.book if access else empty_book, match) for match, access in all_matches
    }
    text_by_person = _searchable_text_by_person(players_by_match.values()) if search.person else {}
    fitting_matches = [
        (match, access)
        for match, access in all_matches
        if _fits_search(
            match, search, [text_by_person.get(player.person, "") for player in players_by_match[match.uid]]
        )
    ]
    page_count = max(-(-len(fitting_matches) // PAGE_SIZE), 1)
    page = min(max(page, 1), page_count)
    return FoundMatches(
        matches=_load_found_matches(session, fitting_matches[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]),
        fit_count=len(fitting_matches),
        page=page,
        page_count=page_count,
        total_count=len(all_matches),
        people=_present_names(players_by_match.values()),
        match_count_by_variant=dict(Counter(match.variant for match, _ in all_matches).most_common()),
        years=tuple(sorted({match.day[:4] for match, _ in all_matches}, reverse=True)),
    )


def newest_matches(
    session: Session, accesses: Sequence[BookAccess], device: str, at_most: int
) -> tuple[FoundMatch, ...]:
    """Return the latest matches in these books or opened by a device, with the links by which it opens them.

    Only the latest `at_most` are read. Deleted ones among them are left out.
    """
    return _load_found_matches(session, _find_matches_with_books(session, accesses, device, at_most))


_MatchAndBook = tuple[IndexedMatch, BookAccess | None]


def _find_matches_with_books(
    session: Session, accesses: Sequence[BookAccess], device: str, at_most: int | None = None
) -> list[_MatchAndBook]:
    """Return the matches in these books or opened by a device, each with its book, the latest first.

    With `at_most`, only that many of the latest are read. Deleted ones among them are left out. The book is `None` if
    it is not one of `accesses`.
    """
    access_by_id = {access.id: access for access in accesses}
    indexed_matches = books.indexed_matches(
        session, list(access_by_id), device_digest(device) if device else "", at_most
    )
    return [(match, access_by_id.get(match.book_id or 0)) for match in indexed_matches if not match.is_deleted]


def _load_found_matches(session: Session, matches_with_books: Sequence[_MatchAndBook]) -> tuple[FoundMatch, ...]:
    """Load matches, and return each with the link by which the phone opens it. Nothing is stored."""
    setups = matches.setups_by_ids(session, [match.id for match, _ in matches_with_books])
    listed_matches = list_matches(
        session, [(setup, _link_to_open(*entry)) for setup, entry in zip(setups, matches_with_books, strict=True)]
    )
    return tuple(
        FoundMatch(match.uid, access.code if access else "", listed_match)
        for (match, access), listed_match in zip(matches_with_books, listed_matches, strict=True)
    )


def _link_to_open(match: IndexedMatch, access: BookAccess | None) -> Link:
    """Return the link by which a device opens a match.

    If the book gives the device a higher role than the device's own link, return a link that is not stored, without a
    code.
    """
    if match.link and (access is None or allows(match.link.role, access.link.role)):
        return match.link
    assert access is not None
    return Link(0, "", access.link.role, match.id)


class _Player(NamedTuple):
    """A player of a match, and the person of the book that the player is."""

    person: str
    """The uid of the person; an id from `nobody_id` for a player who is no person of the book."""
    name: str
    """The player's name, as the match shows it."""
    present_name: str
    """The name that the book gives the person now or, if it gives none, `name`.

    It is empty if the name was deleted, and for a player who is no person of the book.
    """


def _players_of_match(book: Book, match: IndexedMatch) -> list[_Player]:
    """Return all players of a match who have a name in it."""
    people, nameless_people = book.people_in(match.uid, match.players), book.people.deleted_at_by_person
    return [
        _Player(person, name, "" if person in nameless_people or is_nobody(person) else book.name_of(person) or name)
        for person, (*_, name) in zip(people, match.players, strict=True)
    ]


def _searchable_text_by_person(players_of_matches: Iterable[Sequence[_Player]]) -> dict[str, str]:
    """Return the text in which a search looks for each person, keyed by uid.

    It has all names of the person as `_search_key` writes them, one on each line: "ann" and "anna". People without a
    present name are left out.
    """
    names_by_person: dict[str, set[str]] = {}
    for person, name, present_name in chain.from_iterable(players_of_matches):
        if present_name:
            names_by_person.setdefault(person, set()).update((present_name, name))
    return {person: "\n".join(map(_search_key, names)) for person, names in names_by_person.items()}


def _search_key(name: str) -> str:
    """Return `name_key` without accents and apostrophes, which few people type in a search."""
    letters = unicodedata.normalize("NFD", name_key(name))
    return "".join(letter for letter in letters if not (unicodedata.combining(letter) or letter in "'’"))


def _fits_search(match: IndexedMatch, search: Search, searchable_texts: Sequence[str]) -> bool:
    """Return whether a match fits a search, with everybody whom it names: "Ann & Cal".

    `searchable_texts` has the text from `_searchable_text_by_person` of each player.
    """
    searched_names = filter(None, map(str.strip, _BETWEEN_NAMES.split(_search_key(search.person))))
    return (
        all(any(name in text for text in searchable_texts) for name in searched_names)
        and (not search.variant or match.variant == search.variant)
        and (not search.year or match.day.startswith(f"{search.year}-"))
    )


def _present_names(players_of_matches: Iterable[Sequence[_Player]]) -> tuple[str, ...]:
    """Return the present names of the players of these matches, those who played most first.

    Deleted names are left out.
    """
    count_by_player = Counter(chain.from_iterable(map(dict.fromkeys, players_of_matches)))
    count_by_person, name_by_person = Counter[str](), dict[str, str]()
    for (person, _, present_name), match_count in count_by_player.most_common():
        if present_name:
            count_by_person[person] += match_count
            name_by_person.setdefault(person, present_name)
    return unique_names(name_by_person[person] for person, _ in count_by_person.most_common())


def names_in_book(session: Session, book_id: int) -> tuple[str, ...]:
    """Return the present names of the players in a book's matches, those who played most first.

    Deleted names and matches are left out. A name that was corrected in a match is noticed only when the book has a new
    event.
    """
    book = book_of_id(session, book_id)
    cached_names = _names_by_book_uid.get(book.uid)
    if cached_names is None or cached_names[0] != book.end:
        players_by_match = [
            _players_of_match(book, match)
            for match in books.indexed_matches(session, [book_id])
            if not match.is_deleted
        ]
        cached_names = _names_by_book_uid.put(book.uid, (book.end, _present_names(players_by_match)))
    return cached_names[1]


@dataclass(frozen=True, slots=True)
class ListedBook:
    """A book in the list of all books."""

    name: str
    code: str
    """The code of the oldest link in force that has the role of an owner."""
    match_count: int
    """The number of matches in the book. Deleted ones do not count."""
    phone_count: int
    last_seen: datetime | None
    """When a phone that has access last opened the book; `None` if none has opened it."""


def latest_books(session: Session, at_most: int, before: int) -> tuple[list[ListedBook], int | None]:
    """Return a page of the books whose ids are below `before`, the latest first, and the `before` of the next page.

    On the last page, the second value is `None`.
    """
    book_ids, next_before = BOOK_LINKS.latest_stream_ids(session, at_most, before)
    match_count_by_book = Counter(
        match.book_id for match in books.indexed_matches(session, book_ids) if not match.is_deleted
    )
    phones_by_book = BOOK_LINKS.phones_by_stream(session, book_ids)
    phones_with_access = {
        book_id: [phone for phone in phones_by_book[book_id] if phone.has_access] for book_id in book_ids
    }
    listed_books = [
        ListedBook(
            name=book_of_id(session, book_id).name,
            code=next(phone.link.code for phone in phones_with_access[book_id] if phone.link.is_owner),
            match_count=match_count_by_book[book_id],
            phone_count=len(phones_with_access[book_id]),
            last_seen=max(filter(None, (phone.last_seen for phone in phones_with_access[book_id])), default=None),
        )
        for book_id in book_ids
    ]
    return listed_books, next_before


def owner_code(session: Session, book_id: int) -> str:
    """Return the code of a book's oldest link in force that has the role of an owner."""
    return BOOK_LINKS.oldest_owner_links(session, [book_id])[book_id].code
