"""The figures of a book's matches, which are computed when a match ends and after each later change of the match.

Stored figures can be deleted at any time, since the same figures are computed from the events again. This module also
writes the CSV files of a book.
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
from scorekeeper.club.figures.people import Ratio, SeatedMatch, compute_win_ratios, identify_players, present_names
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
_MATCHES_PER_COMMIT = 10
"""How many matches have their figures computed and committed at a time."""
COMPUTING_TIMEOUT_S = 2.0
"""How long a page computes missing figures before it shows only those that are ready."""


@dataclass(frozen=True)
class BookPeople:
    """The people of a book and its finished matches, with the figures of these matches."""

    book: Book
    matches: tuple[SeatedMatch, ...]
    """The matches that have figures, the earliest first."""
    figures_by_version: dict[tuple[int, int], MatchFigures | None]
    """The figures of each match, keyed by match id and version.

    `None` stands for a match that was deleted, has no outcome or cannot be scored.
    """
    match_count_without_figures: int
    """The number of finished matches that `matches` leaves out, because their figures are not computed yet."""
    _results_by_call: dict[object, object] = field(default_factory=dict, repr=False, compare=False)

    def compute_once(self, compute: Callable[..., T], *arguments: object) -> T:
        """Return `compute(*arguments, matches)`, which is called once only for the same arguments."""
        if (compute, arguments) not in self._results_by_call:
            self._results_by_call[compute, arguments] = compute(*arguments, self.matches)
        return cast(T, self._results_by_call[compute, arguments])

    @cached_property
    def names_by_person(self) -> dict[str, str]:
        """The present name of each person, no two alike, keyed by uid; a person with a deleted name is left out."""
        return present_names(self.book, self.matches)

    @cached_property
    def win_ratios(self) -> dict[str, Ratio]:
        """The number of matches that each person won, out of those that count for the person; keyed by uid."""
        return compute_win_ratios(self.matches)

    def name_in(self, match: SeatedMatch, person: str) -> str:
        """Return the present name of a player of a match.

        For a player whose name was deleted, return "Player 3" or the like; for a player without a name, "Seat 3" or the
        like.
        """
        if person in self.names_by_person:
            return self.names_by_person[person]
        player = match.figures.players[match.people.index(person)]
        seats = [other.seat for other in match.figures.players]  # those of the beginning come first, in their order
        return numbered_player_name(seats.index(player.seat)) if player.typed_name else player.name


_cached_people = Cache[tuple[Engine, int], BookPeople](8)
"""The last `BookPeople` that were loaded, keyed by database and book id."""


def store_figures_of_ended_match(session: Session, _before: Match | None, after: Match) -> None:
    """Compute and store the figures of a match without a commit, if the match has an outcome.

    The hook `on_end_or_reopen` calls this.
    """
    if after.state.outcome:
        figures.store_figures(session, [(after.id, after.version, compute_match_figures(after))])


def compute_stale_figures(session: Session) -> None:
    """Compute and commit the figures of every finished match whose figures are missing or out of date.

    Stops early, without an error, if the session's search budget is used up.
    """
    _compute_in_batches(session, figures.stale_matches(session), inf)


def load_book_people(session: Session, book_id: int, book: Book) -> BookPeople:
    """Return the people of a book with its finished matches, from the cache if nothing has changed.

    Figures that are missing or out of date are computed and committed first. A match whose figures are not ready within
    `COMPUTING_TIMEOUT_S` is left out.
    """
    cache_key = session.get_bind().engine, book_id
    finished_matches = figures.finished_matches_in_book(session, book_id)
    if stale_matches := [match for match in finished_matches if match.is_stale]:
        _compute_in_batches(session, stale_matches, COMPUTING_TIMEOUT_S)
        finished_matches = figures.finished_matches_in_book(session, book_id)
    cached_people = _cached_people.get(cache_key)
    cached_figures = cached_people.figures_by_version if cached_people else {}
    uids_by_version = {(match.match_id, match.version): match.uid for match in finished_matches if not match.is_stale}
    count_without_figures = len(finished_matches) - len(uids_by_version)
    if (
        cached_people
        and cached_figures.keys() == uids_by_version.keys()
        and cached_people.book == book
        and cached_people.match_count_without_figures == count_without_figures
    ):
        return cached_people
    missing_ids = [match_id for match_id, _ in uids_by_version.keys() - cached_figures.keys()]
    stored_figures = figures.figures_of_matches(session, missing_ids)
    figures_by_version = {
        id_and_version: cached_figures.get(id_and_version) or stored_figures.get(id_and_version[0])
        for id_and_version in uids_by_version
    }
    seated_matches = [
        identify_players(book, *id_and_version, uids_by_version[id_and_version], match_figures)
        for id_and_version, match_figures in figures_by_version.items()
        if match_figures
    ]
    seated_matches.sort(key=lambda match: (match.figures.day, match.figures.last_hand_at, match.uid))
    people = BookPeople(book, tuple(seated_matches), figures_by_version, count_without_figures)
    return _cached_people.put(cache_key, people)


def _compute_in_batches(session: Session, stale_matches: Sequence[FinishedMatch], timeout_s: float) -> None:
    """Compute and commit the figures of matches in batches, until all are done or `timeout_s` is over.

    Ends early when the session's search budget is used up. A batch that has begun is finished even after the time.
    """
    end_time, done_count = monotonic() + timeout_s, 0
    while done_count < len(stale_matches) and monotonic() < end_time:
        computed_figures: list[VersionedFigures] = []
        batch = stale_matches[done_count : done_count + _MATCHES_PER_COMMIT]
        with suppress(BudgetExceeded):
            computed_figures.extend(_compute_figures_of(session, stale_match) for stale_match in batch)
        # The reading ends before the writing begins: SQLite would refuse it where a phone wrote in between.
        session.rollback()
        try:
            figures.store_figures(session, computed_figures)
            session.commit()
        except IntegrityError:  # another page has computed them at the same moment
            session.rollback()
        done_count += len(computed_figures)
        if len(computed_figures) < len(batch):
            break


def _compute_figures_of(session: Session, finished_match: FinishedMatch) -> VersionedFigures:
    """Score a match, and return its id, version and figures; raises `BudgetExceeded`.

    The figures are `None` for a match that was deleted, has no outcome, or cannot be read or scored.
    """
    match, _ = try_to_derive(session, matches.setup_by_id(session, finished_match.match_id))
    version = match.version if match else finished_match.version
    return finished_match.match_id, version, compute_match_figures(match) if match else None


def write_matches_csv(session: Session, book_id: int, file: IO[bytes]) -> list[MatchSetup]:
    """Write a CSV file with a row for each match of a book; return the matches that cannot be read or scored.

    These matches and deleted matches have no row. Raises `BudgetExceeded`.
    """
    setups = matches.setups_by_ids(session, books.match_ids_of(session, book_id))
    endings = matches.stored_endings(session, [setup.id for setup in setups])

    def rows_of(match_number: int, setup: MatchSetup, log: MatchLog) -> list[list[Cell]]:
        ending = endings.get(setup.id) or _derive(session, setup, log).standing
        return [match_row(match_number, setup, log, ending, ruleset_of(session, setup).name)]

    header = match_header(max((len(setup.sides) for setup in setups), default=2))
    return _write_csv(session, setups, file, header, rows_of)


def write_hands_csv(session: Session, book_id: int, file: IO[bytes]) -> list[MatchSetup]:
    """Write a CSV file with a row for each side in each hand; return the matches that cannot be read or scored.

    These matches and deleted matches have no rows. A match has the same number as in the file of `write_matches_csv`.
    Raises `BudgetExceeded`.
    """

    def rows_of(match_number: int, setup: MatchSetup, log: MatchLog) -> Iterator[list[Cell]]:
        return hand_rows(match_number, _derive(session, setup, log))

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

    `rows_of` is called with a match's number, setup and log, and may raise `UnscorableMatch`. A deleted match has
    neither rows nor a number.
    """
    unusable_matches = list[MatchSetup]()

    def all_rows() -> Iterator[list[Cell]]:
        yield header
        for match_number, (setup, log) in enumerate(load_logs(session, setups, unusable_matches), 1):
            try:
                yield from rows_of(match_number, setup, log)
            except UnscorableMatch:
                unusable_matches.append(setup)

    file.writelines(csv_lines(all_rows()))
    return unusable_matches


def _derive(session: Session, setup: MatchSetup, log: MatchLog) -> Match:
    """Return a match as scored from its log, with a watcher's rights; raises `UnscorableMatch` and `BudgetExceeded`."""
    return derive_stored_match(session, setup, Link(0, "", WATCHER, setup.id), log, is_whole_book=True)
