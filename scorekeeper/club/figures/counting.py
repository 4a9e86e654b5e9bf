"""The figures of a book's matches: counted when a match ends, and again whenever it has changed since.

The stored figures can be deleted at any time: counting again from the events gives the same result. Tables of the
matches and the hands for a spreadsheet are written from them, with a few matches in memory at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import IO, TypeVar, cast

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access.roles import Link
from scorekeeper.book import store as books
from scorekeeper.book.fold import Book
from scorekeeper.club.figures import store as figures
from scorekeeper.club.figures.match_figures import EDITION, MatchFigures, figures_of
from scorekeeper.club.figures.people import SeatedMatch, seat_match
from scorekeeper.club.figures.store import CountedMatch
from scorekeeper.database.rows import in_parts
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.store import UnreadableEvent
from scorekeeper.eventlog.stream import OWNER, WATCHER
from scorekeeper.matches import store as matches
from scorekeeper.matches.files.spreadsheet import HAND_COLUMNS, Cell, csv_lines, hand_rows, match_header, match_row
from scorekeeper.matches.fold import Ending, Match, UnscorableMatch
from scorekeeper.matches.log import MatchLog, fold
from scorekeeper.matches.service import derived, readable_ruleset_of
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.scoring.search_budget import BudgetExceeded

T = TypeVar("T")
_AT_ONCE = 50
COUNTING_TIMEOUT_S = 2.0
"""Seconds that a page counts matches that were not counted yet; it shows those that it has."""


@dataclass(frozen=True)
class BookMatches:
    """The finished matches of a book, with their people."""

    book: Book
    matches: tuple[SeatedMatch, ...]
    """The earliest first."""
    ids: dict[str, int]
    """The id of each match in this database, by its uid."""
    uncounted: int
    """How many have still to be counted."""
    _memo: dict[object, object] = field(default_factory=dict, repr=False, compare=False)

    def counted_once(self, key: tuple[object, ...], count: Callable[[], T]) -> T:
        """Return the result of `count`, called once for each key while the book stays as it is."""
        if key not in self._memo:
            self._memo[key] = count()
        return cast(T, self._memo[key])


@dataclass(frozen=True)
class _Cached:
    versions: dict[int, int]
    seated: dict[int, SeatedMatch | None]
    """By match id; `None` for a match that counts nowhere."""
    result: BookMatches


_cache = Cache[tuple[Engine, int], _Cached](8)
"""By database and book."""


def keep_figures(session: Session, before: Match | None, after: Match) -> None:
    """Store the figures of a match that an event has just ended, or changed after its end; does not commit."""
    if after.state.outcome:
        figures.set_figures(session, [(after.id, after.version, figures_of(after))])
    elif before is None or before.state.outcome:
        figures.drop_figures(session, [after.id])


def count_all(session: Session) -> None:
    """Count every match that was not counted since it changed, and commit."""
    last = 0
    while found := figures.uncounted_after(session, last, _AT_ONCE):
        _count(session, found)
        last = found[-1].match_id


def book_matches(session: Session, book_id: int, book: Book) -> BookMatches:
    """Return the finished matches of a book; first count those that were not counted since they changed.

    It commits where it counted.
    """
    key = session.get_bind().engine, book_id
    found, uncounted = figures.counted_in_book(session, book_id), 0
    if stale := [item for item in found if _is_stale(item)]:
        uncounted = len(stale) - _count_for_a_while(session, stale)
        found = [item for item in figures.counted_in_book(session, book_id) if not _is_stale(item)]
    versions = {item.match_id: item.present for item in found}
    cached = _cache.get(key)
    if cached and cached.versions == versions and cached.result.book == book and not uncounted:
        return cached.result
    seated = _seated(session, book, found, cached)
    known = {item.uid: item.match_id for item in found}
    in_order = sorted(filter(None, seated.values()), key=lambda match: match.order)
    result = BookMatches(book, tuple(in_order), known, uncounted)
    _cache.put(key, _Cached(versions, seated, result))
    return result


def _seated(
    session: Session, book: Book, found: Sequence[CountedMatch], cached: _Cached | None
) -> dict[int, SeatedMatch | None]:
    """Return each match with its people; a match without new events is not read again."""
    known: dict[int, SeatedMatch | None] = {}
    is_same = False
    if cached:
        before = cached.result.book
        is_same = (before.uid, before.people) == (book.uid, book.people)
        unchanged = (item.match_id for item in found if cached.versions.get(item.match_id) == item.present)
        known = {match_id: cached.seated[match_id] for match_id in unchanged}
    read = figures.figures_of_matches(session, [counted.match_id for counted in found if counted.match_id not in known])
    seated: dict[int, SeatedMatch | None] = {}
    for item in found:
        match = known.get(item.match_id)
        counted = match.figures if match else read.get(item.match_id)
        seated[item.match_id] = match if is_same and match else counted and _seat(book, item.uid, counted)
    return seated


def _seat(book: Book, uid: str, counted: MatchFigures) -> SeatedMatch:
    seats, sittings, called, typed = counted.seated_columns[:4]
    return seat_match(uid, counted, book.people_in(uid, [*zip(seats, sittings, typed, called, strict=True)]))


def _is_stale(item: CountedMatch) -> bool:
    return item.version != item.present or item.edition != EDITION


def _count_for_a_while(session: Session, stale: Sequence[CountedMatch]) -> int:
    """Count matches until it takes too long; return how many."""
    ends, done = monotonic() + COUNTING_TIMEOUT_S, 0
    while done < len(stale) and monotonic() < ends:
        part = stale[done : done + _AT_ONCE // 5]
        counted = _count(session, part)
        done += counted
        if counted < len(part):
            break
    return done


def _count(session: Session, stale: Sequence[CountedMatch]) -> int:
    """Count some matches and commit; return how many, which are fewer once the budget is spent."""
    counted: list[tuple[int, int, MatchFigures | None]] = []
    with suppress(BudgetExceeded):
        counted.extend((item.match_id, *_counted(session, item.match_id)) for item in stale)
    # The reading ends before the writing begins: SQLite would refuse it where a phone wrote in between.
    session.rollback()
    try:
        figures.set_figures(session, counted)
        session.commit()
    except IntegrityError:  # another page has counted them at the same moment
        session.rollback()
    return len(counted)


def _counted(session: Session, match_id: int) -> tuple[int, MatchFigures | None]:
    """Return the version of a match, and its figures; `None` where it cannot be scored any more."""
    setup = matches.setup_by_id(session, match_id)
    version = MATCH_EVENTS.end(session, match_id)[0]
    try:
        log = fold(MATCH_EVENTS.of(session, match_id))
        return log.version, figures_of(derived(session, setup, Link(0, "", OWNER, match_id), log))
    except (UnscorableMatch, UnreadableEvent):
        return version, None


def write_matches(session: Session, book_id: int, file: IO[bytes]) -> None:
    """Write a row for each match of a book; those deleted, and those that cannot be scored, are left out.

    A match that was counted since it changed last is not scored again.
    """
    match_ids = books.match_ids_of(session, book_id)
    setups = (setup for part in in_parts(match_ids, _AT_ONCE) for setup in matches.setups(session, part))
    sides = max((len(setup.sides) for setup in setups), default=2)
    versions = {
        counted.match_id: counted.version
        for counted in figures.counted_in_book(session, book_id)
        if counted.edition == EDITION
    }
    counted = figures.figures_of_matches(session, [*versions])

    def standing(setup: MatchSetup, log: MatchLog) -> Ending | None:
        if (found := counted.get(setup.id)) and versions[setup.id] == log.version:
            return found.ending
        match = _derived(session, setup, log)
        return match.standing if match else None

    def rows() -> Iterator[list[Cell]]:
        yield match_header(sides)
        for number, setup, log in _logs(session, match_ids):
            rules = readable_ruleset_of(session, setup)
            stands = rules and standing(setup, log)
            if rules and stands:
                yield match_row(number, setup, log, stands, rules.name)

    file.writelines(line.encode() for line in csv_lines(rows()))


def write_hands(session: Session, book_id: int, file: IO[bytes]) -> None:
    """Write a row for each side in each hand of a book; the numbers of its matches are those of `write_matches`."""

    def rows() -> Iterator[list[Cell]]:
        yield [*HAND_COLUMNS]
        for number, setup, log in _logs(session, books.match_ids_of(session, book_id)):
            if match := _derived(session, setup, log):
                yield from hand_rows(number, match, match.rules.name)

    file.writelines(line.encode() for line in csv_lines(rows()))


def _logs(session: Session, match_ids: list[int]) -> Iterator[tuple[int, MatchSetup, MatchLog]]:
    """Yield the setup and the log of each match that was not deleted, with its number, from 1."""
    number = 0
    for part in in_parts(match_ids, _AT_ONCE):
        events = MATCH_EVENTS.of_all(session, part)
        for setup in matches.setups(session, part):
            log = fold(events.pop(setup.id))
            if not log.is_deleted:
                number += 1
                yield number, setup, log


def _derived(session: Session, setup: MatchSetup, log: MatchLog) -> Match | None:
    """Return a match as it stands; `None` where it cannot be scored. Raises `BudgetExceeded`."""
    try:
        return derived(session, setup, Link(0, "", WATCHER, setup.id), log, is_whole_book=True)
    except UnscorableMatch:
        return None
