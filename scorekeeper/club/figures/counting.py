"""The figures of a book's matches: computed when a match ends, and again after each change.

Stored figures can be deleted at any time, as the events give the same ones again. The CSV files of a book are written
here as well.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from time import monotonic
from typing import IO, TypeVar, cast

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access.roles import Link
from scorekeeper.book import store as books
from scorekeeper.book.fold import Book
from scorekeeper.club.figures import store as figures
from scorekeeper.club.figures.match_figures import MatchFigures, compute_match_figures
from scorekeeper.club.figures.people import Ratio, SeatedMatch, compute_standings, identify_players, present_names
from scorekeeper.club.figures.store import FinishedMatch, VersionedFigures
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches import store as matches
from scorekeeper.matches.deleted_names import numbered_player_name
from scorekeeper.matches.files.spreadsheet import HAND_COLUMNS, Cell, csv_lines, hand_rows, match_header, match_row
from scorekeeper.matches.fold import Match, UnscorableMatch
from scorekeeper.matches.log import MatchLog
from scorekeeper.matches.service import derive_stored_match, load_logs, ruleset_of, try_to_derive
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.scoring.search_budget import BudgetExceeded

T = TypeVar("T")
_MATCHES_COMPUTED_AT_ONCE = 10
"""How many matches have their figures computed and committed at a time."""
COMPUTING_TIMEOUT_S = 2.0
"""How long a page computes missing figures before it shows only those that are ready."""


@dataclass(frozen=True)
class BookPeople:
    """The people of a book and its finished matches, with figures that are computed when needed.

    Finished matches that have no figures yet are only counted.
    """

    book: Book
    matches: tuple[SeatedMatch, ...]
    """The matches that have figures, the earliest first."""
    figures_by_version: dict[tuple[int, int], MatchFigures | None]
    """The figures by match id and version.

    `None` stands for a match that was deleted, has no outcome or cannot be scored.
    """
    match_count_without_figures: int
    """The number of finished matches that are left out because their figures are not computed yet."""
    _memo: dict[object, object] = field(default_factory=dict, repr=False, compare=False)

    def compute_once(self, compute: Callable[..., T], *arguments: object) -> T:
        """Return `compute(*arguments, matches)`; only the first of equal calls computes it."""
        if (compute, arguments) not in self._memo:
            self._memo[compute, arguments] = compute(*arguments, self.matches)
        return cast(T, self._memo[compute, arguments])

    @cached_property
    def names(self) -> dict[str, str]:
        """The present name of each person by uid, no two alike; without deleted names."""
        return present_names(self.book, self.matches)

    @cached_property
    def standings(self) -> dict[str, Ratio]:
        """The matches won out of those played, by person; 0 of 0 if no match counts."""
        return compute_standings(self.matches)

    def name_in(self, match: SeatedMatch, person: str) -> str:
        """Return the name of a player of a match: the present one, "Player 3" for a deleted one, or else "Seat 3"."""
        if person in self.names:
            return self.names[person]
        player = match.figures.seated[match.people.index(person)]
        seats = [other.seat for other in match.figures.seated]  # those of the beginning come first, in their order
        return numbered_player_name(seats.index(player.seat)) if player.typed else player.name


_cached_people = Cache[tuple[Engine, int], BookPeople](8)
"""The last `BookPeople` that were loaded, by database and book id."""


def store_figures_of_ended_match(session: Session, _before: Match | None, after: Match) -> None:
    """Compute and store the figures of a match if it has an outcome; for `on_end_or_reopen`, without a commit."""
    if after.state.outcome:
        figures.store_figures(session, [(after.id, after.version, compute_match_figures(after))])


def compute_stale_figures(session: Session) -> None:
    """Compute and commit the figures of every finished match where they are missing or out of date.

    Stops early, without an error, if the session's search budget is used up.
    """
    _compute_in_batches(session, figures.stale_matches(session), inf)


def load_book_people(session: Session, book_id: int, book: Book) -> BookPeople:
    """Return the people of a book with its finished matches, from the cache if nothing has changed.

    Figures that are missing or out of date are computed and committed first. A match whose figures are not ready within
    `COMPUTING_TIMEOUT_S` is left out.
    """
    key = session.get_bind().engine, book_id
    finished = figures.finished_matches_in_book(session, book_id)
    if stale := [item for item in finished if item.is_stale]:
        _compute_in_batches(session, stale, COMPUTING_TIMEOUT_S)
        finished = figures.finished_matches_in_book(session, book_id)
    cached = _cached_people.get(key)
    cached_figures = cached.figures_by_version if cached else {}
    uids = {(item.match_id, item.version): item.uid for item in finished if not item.is_stale}
    without_figures = len(finished) - len(uids)
    if (
        cached
        and cached_figures.keys() == uids.keys()
        and cached.book == book
        and cached.match_count_without_figures == without_figures
    ):
        return cached
    stored = figures.figures_of_matches(session, [match_id for match_id, _ in uids.keys() - cached_figures.keys()])
    figures_by_version = {match: cached_figures.get(match) or stored.get(match[0]) for match in uids}
    seated = [
        identify_players(book, *match, uids[match], match_figures)
        for match, match_figures in figures_by_version.items()
        if match_figures
    ]
    matches = tuple(sorted(seated, key=lambda match: (match.figures.day, match.figures.last_hand_at, match.uid)))
    return _cached_people.put(key, BookPeople(book, matches, figures_by_version, without_figures))


def _compute_in_batches(session: Session, stale: Sequence[FinishedMatch], timeout_s: float) -> None:
    """Compute and commit figures in batches, until all are done or time is up.

    Ends early when the session's budget is used up. A batch that has begun is finished even after `timeout_s`.
    """
    end_time, done_count = monotonic() + timeout_s, 0
    while done_count < len(stale) and monotonic() < end_time:
        computed: list[VersionedFigures] = []
        batch = stale[done_count : done_count + _MATCHES_COMPUTED_AT_ONCE]
        with suppress(BudgetExceeded):
            computed.extend(_compute_figures_of(session, item) for item in batch)
        # The reading ends before the writing begins: SQLite would refuse it where a phone wrote in between.
        session.rollback()
        try:
            figures.store_figures(session, computed)
            session.commit()
        except IntegrityError:  # another page has computed them at the same moment
            session.rollback()
        done_count += len(computed)
        if len(computed) < len(batch):
            break


def _compute_figures_of(session: Session, finished: FinishedMatch) -> VersionedFigures:
    """Score a match, and return its id, version and figures; raises `BudgetExceeded`.

    The figures are `None` for a match that was deleted, has no outcome, or cannot be read or scored.
    """
    match, _ = try_to_derive(session, matches.setup_by_id(session, finished.match_id))
    version = match.version if match else finished.version
    return finished.match_id, version, compute_match_figures(match) if match else None


def write_matches_csv(session: Session, book_id: int, file: IO[bytes]) -> list[MatchSetup]:
    """Write a CSV file with a row for each match of a book; return the matches left out.

    Left out are those that cannot be read or scored; deleted ones just have no row. Raises `BudgetExceeded`.
    """
    setups = matches.setups_by_ids(session, books.match_ids_of(session, book_id))
    endings = matches.stored_endings(session, [setup.id for setup in setups])

    def rows_of(number: int, setup: MatchSetup, log: MatchLog) -> list[list[Cell]]:
        ending = endings.get(setup.id) or _derive(session, setup, log).standing
        return [match_row(number, setup, log, ending, ruleset_of(session, setup).name)]

    header = match_header(max((len(setup.sides) for setup in setups), default=2))
    return _write_csv(session, setups, file, header, rows_of)


def write_hands_csv(session: Session, book_id: int, file: IO[bytes]) -> list[MatchSetup]:
    """Write a CSV file with a row for each side in each hand; return the matches left out.

    Left out are those that cannot be read or scored; deleted ones just have no rows. A match has the same number as in
    the file of `write_matches_csv`. Raises `BudgetExceeded`.
    """

    def rows_of(number: int, setup: MatchSetup, log: MatchLog) -> Iterator[list[Cell]]:
        return hand_rows(number, _derive(session, setup, log))

    setups = matches.setups_by_ids(session, books.match_ids_of(session, book_id))
    return _write_csv(session, setups, file, [*HAND_COLUMNS], rows_of)


def _write_csv(
    session: Session,
    setups: list[MatchSetup],
    file: IO[bytes],
    header: list[Cell],
    rows_of: Callable[[int, MatchSetup, MatchLog], Iterable[list[Cell]]],
) -> list[MatchSetup]:
    """Write a header and the rows of each match; return the matches that cannot be read or scored.

    `rows_of` gets a match's number, setup and log, and may raise `UnscorableMatch`. Deleted matches have no rows and no
    number.
    """
    left_out = list[MatchSetup]()

    def rows() -> Iterator[list[Cell]]:
        yield header
        for number, (setup, log) in enumerate(load_logs(session, setups, left_out), 1):
            try:
                yield from rows_of(number, setup, log)
            except UnscorableMatch:
                left_out.append(setup)

    file.writelines(csv_lines(rows()))
    return left_out


def _derive(session: Session, setup: MatchSetup, log: MatchLog) -> Match:
    """Return a match derived from its log; raises `UnscorableMatch` and `BudgetExceeded`."""
    return derive_stored_match(session, setup, Link(0, "", WATCHER, setup.id), log, is_whole_book=True)
