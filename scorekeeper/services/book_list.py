"""The matches of a book in a list, searched by person, game and year; the names in them; and a list of all books."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from sqlalchemy.orm import Session

from scorekeeper.book.facts import MatchAdded, MatchRemoved
from scorekeeper.book.fold import Book, fold_book
from scorekeeper.engine.seats import name_key, unique_names
from scorekeeper.services.books import BookAccess, book_of_id
from scorekeeper.services.match_list import HIGHEST_ID, ListedMatch, list_matches
from scorekeeper.serving.cache import Cache
from scorekeeper.store import books
from scorekeeper.store.books import IndexedMatch
from scorekeeper.store.events import BOOK_EVENTS
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

    matches: tuple[tuple[str, ListedMatch], ...]
    """Each with its uid, the last one first."""
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
    every = [it for it in books.indexed_matches(session, access.id) if not it.is_deleted]
    players = {it.uid: _players(access.book, it) for it in every}
    names = _names(access.book, players.values()) if search.person else {}
    fits = [it for it in every if _fits(it, search, [names[person] for person, _ in players[it.uid] if names])]
    pages = max(-(-len(fits) // PAGE), 1)
    page = min(max(page, 1), pages)
    shown = fits[(page - 1) * PAGE : page * PAGE]
    listed = list_matches(session, books.setups_of(session, [it.id for it in shown], access.link.role))
    return FoundMatches(
        matches=tuple((it.uid, match) for it, match in zip(shown, listed, strict=True)),
        found=len(fits),
        page=page,
        pages=pages,
        every=len(every),
        people=_people(access.book, players.values()),
        games=dict(Counter(it.variant for it in every).most_common()),
        years=tuple(sorted({it.day[:4] for it in every}, reverse=True)),
    )


def _players(book: Book, match: IndexedMatch) -> list[tuple[str, str]]:
    """Return everybody who played in a match, each with the name there."""
    people = book.people_in(match.uid, [(*it, "") for it in match.players])
    return [(person, name) for person, (_, _, name) in zip(people, match.players, strict=True)]


def _names(book: Book, players: Iterable[Sequence[tuple[str, str]]]) -> dict[str, str]:
    """Return every name by which a person is found, in one text."""
    known: dict[str, set[str]] = {}
    for person, name in chain.from_iterable(players):
        known.setdefault(person, {book.name_of(person) or name}).add(name)
    return {person: "\n".join(map(name_key, names)) for person, names in known.items()}


def _fits(match: IndexedMatch, search: Search, called: Sequence[str]) -> bool:
    person = name_key(search.person)
    return (
        (not person or any(person in text for text in called))
        and (not search.variant or match.variant == search.variant)
        and (not search.year or match.day.startswith(f"{search.year}-"))
    )


def _people(book: Book, players: Iterable[Sequence[tuple[str, str]]]) -> tuple[str, ...]:
    """Return the people of some matches by their present names, who plays most first."""
    typed = Counter(chain.from_iterable(map(dict.fromkeys, players)))
    persons, called = Counter[str](), dict[str, str]()
    for (person, name), times in typed.most_common():
        if name and person not in book.people.nameless:
            persons[person] += times
            called.setdefault(person, book.name_of(person) or name)
    return unique_names(called[person] for person, _ in persons.most_common())


def names_in_book(session: Session, book_id: int) -> tuple[str, ...]:
    """Return the names of those who played in the matches of a book, who plays most first.

    They are found once for each match that comes: of a name that was corrected since, the next match tells.
    """
    book = book_of_id(session, book_id)
    found = _names_of.get(book.uid)
    if found is None or found[0] != book.version:
        players = [_players(book, it) for it in books.indexed_matches(session, book_id) if not it.is_deleted]
        found = _names_of.put(book.uid, (book.version, _people(book, players)))
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
    said = BOOK_EVENTS.of_all(session, ids, without=(MatchAdded.kind, MatchRemoved.kind))
    counts = books.match_counts(session, ids)
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
