"""The matches and the hands of a book for a spreadsheet, a few matches in memory at a time."""

from collections.abc import Iterator
from typing import IO

from sqlalchemy.orm import Session

from scorekeeper.ledger.derive_match import Ending, Match, UnscorableMatch, derive_match
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.log import MatchLog
from scorekeeper.ledger.roles import WATCHER, Link
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.records.spreadsheet import HAND_COLUMNS, Cell, csv_lines, hand_rows, match_header, match_row
from scorekeeper.services.load import readable_ruleset_of, ruleset_of
from scorekeeper.statistics.match_figures import EDITION, MatchFigures
from scorekeeper.store import books, figures, matches

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
