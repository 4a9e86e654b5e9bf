"""The matches of a book in a list, searched by person, game and year, a page at a time; and the names in them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from scorekeeper.services.books import BookAccess
from scorekeeper.services.match_list import ListedMatch, list_matches
from scorekeeper.store import book_index
from scorekeeper.store.book_index import IndexedMatch

PAGE = 25


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for; what is empty does not matter."""

    person: str = ""
    """A part of a name."""
    game: str = ""
    """A variant."""
    year: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether every match fits."""
        return not (self.person or self.game or self.year)


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
    fits = [it for it in every if _fits(it, search)]
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
        people=_people(every),
        games=dict(Counter(it.variant for it in every).most_common()),
        years=tuple(sorted({it.day[:4] for it in every}, reverse=True)),
    )


def _fits(match: IndexedMatch, search: Search) -> bool:
    person = search.person.casefold()
    return (
        (not person or any(person in name.casefold() for name in match.people))
        and (not search.game or match.variant == search.game)
        and (not search.year or match.day.startswith(f"{search.year}-"))
    )


def _people(matches: list[IndexedMatch]) -> tuple[str, ...]:
    names = Counter(name for match in matches for name in match.people if name)
    return tuple(name for name, _ in names.most_common())


def names_in_book(session: Session, book_id: int) -> tuple[str, ...]:
    """Return the names of those who played in the matches of a book, who plays most first."""
    return _people([it for it in book_index.indexed_matches(session, book_id) if not it.is_deleted])
