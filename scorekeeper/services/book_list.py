"""The matches of a book in a list, searched by person, game and year; the names in them; and a list of all books."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from scorekeeper.book.fold import Book, fold_book
from scorekeeper.services.books import BookAccess, book_of_id
from scorekeeper.services.match_list import HIGHEST_ID, ListedMatch, list_matches
from scorekeeper.serving.cache import Cache
from scorekeeper.store import book_index, books
from scorekeeper.store.book_index import IndexedMatch
from scorekeeper.store.links import BOOK_LINKS

PAGE = 15
_names_of = Cache[str, tuple[int, tuple[str, ...]]](64)
"""By the uid of a book: its version, and the names in it then."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for; what is empty does not matter."""

    person: str = ""
    """A part of a name."""
    variant: str = ""
    """A variant."""
    year: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether every match fits."""
        return not (self.person or self.variant or self.year)


@dataclass(frozen=True, slots=True)
class FoundMatches:
    """One page of what fits a search."""

    matches: tuple[tuple[str, str, ListedMatch], ...]
    """Each with its uid and the day it was played, the last one first."""
    found: int
    """On all pages together."""
    page: int
    """From 1."""
    pages: int
    every: int
    """How many matches are in the book."""
    people: tuple[str, ...]
    """The names in the book, who plays most first."""
    games: Mapping[str, int]
    """How many matches of each variant there are, the most first."""
    years: tuple[str, ...]
    """The last one first."""


def find_matches(session: Session, access: BookAccess, search: Search, page: int = 1) -> FoundMatches:
    """Return a page of the matches of a book that fit a search; the last page where there are not so many."""
    every = [it for it in book_index.indexed_matches(session, access.id) if not it.is_deleted]
    names = _names(access.book, every)
    assigned = _assigned_names(access.book, every, names)
    fits = [it for it in every if _fits(it, search, names, assigned.get(it.uid, {}))]
    pages = max(-(-len(fits) // PAGE), 1)
    page = min(max(page, 1), pages)
    shown = fits[(page - 1) * PAGE : page * PAGE]
    listed = list_matches(session, book_index.setups_of(session, [it.id for it in shown], access.link.role))
    return FoundMatches(
        matches=tuple((it.uid, it.day, match) for it, match in zip(shown, listed, strict=True)),
        found=len(fits),
        page=page,
        pages=pages,
        every=len(every),
        people=_people(access.book, every),
        games=dict(Counter(it.variant for it in every).most_common()),
        years=tuple(sorted({it.day[:4] for it in every}, reverse=True)),
    )


def _names(book: Book, matches: Sequence[IndexedMatch]) -> dict[str, str]:
    """Return by which names somebody is found who is called so in a match, in one text."""
    persons: dict[str, str] = {}
    known: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for match in matches for name in match.people):
        persons[name] = person = book.people.root(book.person_named(name))
        known.setdefault(person, [book.name_of(person) or name]).append(name)
    return {name: "\n".join(known[person]).casefold() for name, person in persons.items()}


def _assigned_names(
    book: Book, matches: Sequence[IndexedMatch], names: Mapping[str, str]
) -> Mapping[str, Mapping[tuple[str, int], str]]:
    """Return by which names players are found of whom the book says who they were: by match, seat and sittings."""
    people, found = book.people, dict[str, dict[tuple[str, int], str]]()
    if not people.assigned:
        return {}
    known = {people.root(book.person_named(name)): text for name, text in names.items()}
    uids = {match for match, _, _ in people.assigned}
    for match in (it for it in matches if it.uid in uids):
        for seat, sittings, name in match.players:
            if (match.uid, seat, sittings) in people.assigned:
                person = book.person(match.uid, seat, sittings, name)
                called = "\n".join((book.name_of(person) or "", name)).casefold()
                found.setdefault(match.uid, {})[seat, sittings] = f"{known.get(person, '')}\n{called}"
    return found


def _fits(
    match: IndexedMatch, search: Search, names: Mapping[str, str], assigned: Mapping[tuple[str, int], str]
) -> bool:
    person = search.person.casefold()
    if assigned:
        called = [assigned.get((seat, sittings)) or names[name] for seat, sittings, name in match.players]
    else:
        called = [names[name] for name in match.people] if person else []
    return (
        (not person or any(person in text for text in called))
        and (not search.variant or match.variant == search.variant)
        and (not search.year or match.day.startswith(f"{search.year}-"))
    )


def _people(book: Book, matches: Sequence[IndexedMatch]) -> tuple[str, ...]:
    """Return the people of some matches by their present names, who plays most first."""
    people, assigned = book.people, {match for match, _, _ in book.people.assigned}
    typed = Counter(name for match in matches if match.uid not in assigned for name in match.people)
    played = [(people.root(book.person_named(name)), name, times) for name, times in typed.most_common() if name]
    for match in (it for it in matches if it.uid in assigned):
        who = {book.person(match.uid, seat, sittings, name): name for seat, sittings, name in match.players if name}
        played += [(person, name, 1) for person, name in who.items()]
    persons, called = Counter[str](), dict[str, str]()
    for person, name, times in played:
        if person not in people.nameless:
            persons[person] += times
            called.setdefault(person, book.name_of(person) or name)
    return tuple(dict.fromkeys(called[person] for person, _ in persons.most_common()))


def names_in_book(session: Session, book_id: int) -> tuple[str, ...]:
    """Return the names of those who played in the matches of a book, who plays most first.

    They are found once for each match that comes: of a name that was corrected since, the next match tells.
    """
    book = book_of_id(session, book_id)
    found = _names_of.get(book.uid)
    if found is None or found[0] != book.version:
        matches = [it for it in book_index.indexed_matches(session, book_id) if not it.is_deleted]
        found = _names_of.put(book.uid, (book.version, _people(book, matches)))
    return found[1]


@dataclass(frozen=True, slots=True)
class ListedBook:
    """A book in the host's list."""

    uid: str
    name: str
    code: str
    """Of the owner's first link."""
    matches: int
    phones: int
    last_seen: datetime | None
    """When a phone opened it last."""


def latest_books(session: Session, at_most: int, before: int = HIGHEST_ID) -> tuple[list[ListedBook], int | None]:
    """Return the books that began last, or last before another; with a number there are more before it."""
    more = books.latest_books(session, before, at_most + 1)
    found = more[:at_most]
    ids = [book_id for book_id, _ in found]
    said, counts = books.said_of_books(session, ids), books.match_counts(session, ids)
    every = BOOK_LINKS.phones_of_all(session, ids)
    phones = {book_id: [phone for phone in every[book_id] if phone.is_connected] for book_id in ids}
    listed = [
        ListedBook(
            uid=uid,
            name=fold_book(uid, said[book_id]).name,
            code=next(phone.link.code for phone in phones[book_id] if phone.link.is_owner),
            matches=counts.get(book_id, 0),
            phones=len(phones[book_id]),
            last_seen=max(filter(None, (phone.last_seen for phone in phones[book_id])), default=None),
        )
        for book_id, uid in found
    ]
    return listed, found[-1][0] if len(more) > at_most else None


def owner_code(session: Session, book_id: int) -> str:
    """Return the code of the owner's first link to a book."""
    return next(it.link.code for it in BOOK_LINKS.phones(session, book_id) if it.link.is_owner and it.is_connected)
