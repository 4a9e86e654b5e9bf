"""What the matches of a book count for: counted when a match ends, and again whenever it has changed since.

What is stored can be deleted at any time: it is counted again from the facts, and comes to the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.book.fold import Book
from scorekeeper.book.people import People
from scorekeeper.ledger.derive_match import Match, UnscorableMatch, derive_match
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.roles import OWNER, Link
from scorekeeper.services.load import ruleset_of
from scorekeeper.statistics.match_figures import EDITION, MatchFigures, figures_of
from scorekeeper.statistics.seated import SeatedMatch, seat_match
from scorekeeper.store import figures, matches
from scorekeeper.store.codec import UnreadableEvent
from scorekeeper.store.figures import CountedMatch

_AT_ONCE = 50
LONGEST_COUNTING = 2.0
"""Seconds that a page counts matches that were not counted yet; it shows those that it has."""
_MOST_CACHED = 8
_lock = Lock()


@dataclass(frozen=True)
class BookMatches:
    """The matches of a book that came to an end, with their people."""

    book: Book
    matches: tuple[SeatedMatch, ...]
    """The earliest first."""
    ids: dict[str, int]
    """The number of each match in this database, by its uid."""
    uncounted: int
    """How many have still to be counted."""
    memo: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What pages have memoized of them."""


@dataclass(frozen=True)
class _Cached:
    people: People
    versions: dict[int, int]
    figures: dict[int, MatchFigures | None]
    seated: dict[int, SeatedMatch]
    result: BookMatches


_cache: dict[tuple[Engine, int], _Cached] = {}
"""By database and book."""


def keep_figures(session: Session, before: Match | None, after: Match) -> None:
    """Store what a match counts for that a fact has just ended, or changed after its end; does not commit."""
    if after.counted.outcome:
        figures.set_figures(session, EDITION, [(after.id, after.version, figures_of(after))])
    elif before is None or before.counted.outcome:
        figures.drop_figures(session, [after.id])


def count_all(session: Session, *, again: bool = False) -> None:
    """Count every match that was not counted since it changed, and commit; every match with `again`."""
    if again:
        figures.drop_figures(session)
        session.commit()
    last = 0
    while found := figures.uncounted_after(session, last, _AT_ONCE, EDITION):
        _count(session, found)
        last = found[-1].match_id


def book_matches(session: Session, book_id: int, book: Book) -> BookMatches:
    """Return the matches of a book that came to an end, and count first what was not counted since it changed.

    It commits where it counted.
    """
    place = session.get_bind().engine, book_id
    found, uncounted = figures.counted_in_book(session, book_id), 0
    if stale := [item for item in found if _is_stale(item)]:
        uncounted = len(stale) - _count_for_a_while(session, stale)
        found = [item for item in figures.counted_in_book(session, book_id) if not _is_stale(item)]
    versions = {item.match_id: item.present for item in found}
    with _lock:
        cached = _cache.get(place)
    if cached and cached.versions == versions and cached.result.book == book and not uncounted:
        return cached.result
    counted, seated = _seated(session, book, found, versions, cached)
    known = {item.uid: item.match_id for item in found}
    in_order = sorted(seated.values(), key=lambda match: match.order)
    result = BookMatches(book, tuple(in_order), known, uncounted)
    with _lock:
        _cache.pop(place, None)
        _cache[place] = _Cached(book.people, versions, counted, seated, result)
        if len(_cache) > _MOST_CACHED:
            del _cache[next(iter(_cache))]
    return result


def _seated(
    session: Session, book: Book, found: Sequence[CountedMatch], versions: dict[int, int], cached: _Cached | None
) -> tuple[dict[int, MatchFigures | None], dict[int, SeatedMatch]]:
    known = {
        match_id: cached.figures[match_id]
        for match_id, version in versions.items()
        if cached and cached.versions.get(match_id) == version
    }
    counted = known | figures.figures_of_matches(session, [it for it in versions if it not in known])
    same_people = cached is not None and cached.people == book.people and cached.result.book.uid == book.uid
    seated: dict[int, SeatedMatch] = {}
    for item in found:
        it = counted.get(item.match_id)
        if it is None:
            continue
        if cached and same_people and item.match_id in known and item.match_id in cached.seated:
            seated[item.match_id] = cached.seated[item.match_id]
        else:
            seated[item.match_id] = _seat(book, item.uid, it)
    return counted, seated


def _seat(book: Book, uid: str, counted: MatchFigures) -> SeatedMatch:
    def person_of(seat: str, sittings: int, typed: str) -> str:
        return book.person(uid, seat, sittings, typed)

    return seat_match(uid, counted, person_of)


def _is_stale(item: CountedMatch) -> bool:
    return item.version != item.present or item.edition != EDITION


def _count_for_a_while(session: Session, stale: Sequence[CountedMatch]) -> int:
    """Count matches until it takes too long; return how many."""
    ends, done = monotonic() + LONGEST_COUNTING, 0
    while done < len(stale) and monotonic() < ends:
        part = stale[done : done + _AT_ONCE // 5]
        _count(session, part)
        done += len(part)
    return done


def _count(session: Session, stale: Sequence[CountedMatch]) -> None:
    """Count some matches and commit."""
    counted = [(item.match_id, *_counted(session, item.match_id)) for item in stale]
    # The reading ends before the writing begins: SQLite would refuse it where a phone wrote in between.
    session.rollback()
    try:
        figures.set_figures(session, EDITION, counted)
        session.commit()
    except IntegrityError:  # another page has counted them at the same moment
        session.rollback()


def _counted(session: Session, match_id: int) -> tuple[int, MatchFigures | None]:
    """Return the last event of a match, and what it counts for; nothing where it cannot be scored any more."""
    setup = matches.setup_by_id(session, match_id)
    version = matches.heads_of(session, [match_id])[match_id][0]
    try:
        log = fold(matches.events_of(session, match_id))
        return log.version, figures_of(
            derive_match(setup, Link(0, "", OWNER, match_id), log, ruleset_of(session, setup))
        )
    except (UnscorableMatch, UnreadableEvent):
        return version, None
