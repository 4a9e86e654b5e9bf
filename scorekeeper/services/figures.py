"""What the matches of a book count for: counted when a match ends, and again whenever it has changed since.

What is stored can be deleted at any time: it is counted again from the facts, and comes to the same. Tables of the
matches and the hands for a spreadsheet are written from it, with a few matches in memory at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import IO, Any

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.book.fold import Book
from scorekeeper.book.people import People
from scorekeeper.ledger.derive_match import Ending, Match, UnscorableMatch, derive_match
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.log import MatchLog
from scorekeeper.ledger.roles import OWNER, WATCHER, Link
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.records.spreadsheet import HAND_COLUMNS, Cell, csv_lines, hand_rows, match_header, match_row
from scorekeeper.services.load import readable_ruleset_of, ruleset_of
from scorekeeper.serving.cache import Cache
from scorekeeper.statistics.match_figures import EDITION, MatchFigures, figures_of
from scorekeeper.statistics.seated import SeatedMatch, seat_match
from scorekeeper.store import books, figures, matches
from scorekeeper.store.codec import UnreadableEvent
from scorekeeper.store.figures import CountedMatch

_AT_ONCE = 50
LONGEST_COUNTING = 2.0
"""Seconds that a page counts matches that were not counted yet; it shows those that it has."""


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


_cache = Cache[tuple[Engine, int], _Cached](8)
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
    cached = _cache.get(place)
    if cached and cached.versions == versions and cached.result.book == book and not uncounted:
        return cached.result
    counted, seated = _seated(session, book, found, versions, cached)
    known = {item.uid: item.match_id for item in found}
    in_order = sorted(seated.values(), key=lambda match: match.order)
    result = BookMatches(book, tuple(in_order), known, uncounted)
    _cache.put(place, _Cached(book.people, versions, counted, seated, result))
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


_PAGE = 50


def write_matches(session: Session, book_id: int, file: IO[bytes]) -> None:
    """Write a row for each match of a book; those deleted, and those that cannot be scored, are left out.

    A match that was counted since it changed last is not scored again.
    """
    match_ids = books.match_ids_of(session, book_id)
    sides = max((len(setup.sides) for setup in _setups(session, match_ids)), default=2)
    counted = _Counted(session, book_id)

    def rows() -> Iterator[list[Cell]]:
        yield match_header(sides)
        for number, setup, log in _logs(session, match_ids):
            rules = readable_ruleset_of(session, setup)
            standing = rules and (counted.standing(setup, log) or _standing(_derived(session, setup, log)))
            if rules and standing:
                yield match_row(number, setup, log, standing, rules.name)

    file.writelines(line.encode() for line in csv_lines(rows()))


def write_hands(session: Session, book_id: int, file: IO[bytes]) -> None:
    """Write a row for each side in each hand of a book; the numbers of its matches are those of `write_matches`."""

    def rows() -> Iterator[list[Cell]]:
        yield [*HAND_COLUMNS]
        for number, setup, log in _logs(session, books.match_ids_of(session, book_id)):
            if match := _derived(session, setup, log):
                yield from hand_rows(number, match, match.rules.name)

    file.writelines(line.encode() for line in csv_lines(rows()))


def _setups(session: Session, match_ids: list[int]) -> Iterator[MatchSetup]:
    for first in range(0, len(match_ids), _PAGE):
        yield from matches.setups(session, match_ids[first : first + _PAGE])


def _logs(session: Session, match_ids: list[int]) -> Iterator[tuple[int, MatchSetup, MatchLog]]:
    """Yield what was written of the matches that count, with their numbers, from 1."""
    number = 0
    for first in range(0, len(match_ids), _PAGE):
        some = match_ids[first : first + _PAGE]
        events = matches.events_of_all(session, some)
        for setup in matches.setups(session, some):
            log = fold(events.pop(setup.id))
            if not log.is_deleted:
                number += 1
                yield number, setup, log


def _derived(session: Session, setup: MatchSetup, log: MatchLog) -> Match | None:
    """Return a match as it stands; `None` where it cannot be scored."""
    try:
        return derive_match(setup, Link(0, "", WATCHER, setup.id), log, ruleset_of(session, setup))
    except UnscorableMatch:
        return None


def _standing(match: Match | None) -> Ending | None:
    if match is None:
        return None
    outcome = match.counted.outcome
    return Ending(match.status, outcome.winners if outcome else (), match.counted.scores)


class _Counted:
    """What was counted of the matches of a book that came to an end."""

    def __init__(self, session: Session, book_id: int) -> None:
        found = [it for it in figures.counted_in_book(session, book_id) if it.edition == EDITION]
        self.versions = {it.match_id: it.version for it in found}
        self.figures: dict[int, MatchFigures | None] = figures.figures_of_matches(session, [*self.versions])

    def standing(self, setup: MatchSetup, log: MatchLog) -> Ending | None:
        """Return how a match ended; `None` where it did not, or has changed since it was counted."""
        found = self.figures.get(setup.id)
        if found is None or self.versions[setup.id] != log.version:
            return None
        sides = found.sides
        return Ending("over", tuple(side.id for side in sides if side.won), {side.id: side.score for side in sides})
