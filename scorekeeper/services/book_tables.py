"""The matches and the hands of a book for a spreadsheet, a few matches in memory at a time."""

from collections.abc import Iterator
from typing import IO

from sqlalchemy.orm import Session

from scorekeeper.ledger.derive_match import Match, UnscorableMatch, derive_match
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.roles import WATCHER, Link
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.records.spreadsheet import HAND_COLUMNS, Cell, csv_lines, hand_rows, match_header, match_row
from scorekeeper.services.load import ruleset_of
from scorekeeper.store import books, matches

_PAGE = 50


def write_matches(session: Session, book_id: int, file: IO[bytes]) -> None:
    """Write a row for each match of a book; those deleted, and those that cannot be scored, are left out."""
    match_ids = books.match_ids_of(session, book_id)
    sides = max((len(setup.sides) for setup in _setups(session, match_ids)), default=2)

    def rows() -> Iterator[list[Cell]]:
        yield match_header(sides)
        for number, match in _matches(session, match_ids):
            yield match_row(number, match, match.rules.name)

    file.writelines(line.encode() for line in csv_lines(rows()))


def write_hands(session: Session, book_id: int, file: IO[bytes]) -> None:
    """Write a row for each side in each hand of a book; the numbers of its matches are those of `write_matches`."""

    def rows() -> Iterator[list[Cell]]:
        yield [*HAND_COLUMNS]
        for number, match in _matches(session, books.match_ids_of(session, book_id)):
            yield from hand_rows(number, match, match.rules.name)

    file.writelines(line.encode() for line in csv_lines(rows()))


def _setups(session: Session, match_ids: list[int]) -> Iterator[MatchSetup]:
    for first in range(0, len(match_ids), _PAGE):
        yield from matches.setups(session, match_ids[first : first + _PAGE])


def _matches(session: Session, match_ids: list[int]) -> Iterator[tuple[int, Match]]:
    """Yield the matches that count with their numbers, from 1."""
    number = 0
    for first in range(0, len(match_ids), _PAGE):
        some = match_ids[first : first + _PAGE]
        events = matches.events_of_all(session, some)
        for setup in matches.setups(session, some):
            log = fold(events[setup.id])
            if log.is_deleted:
                continue
            number += 1
            try:
                yield number, derive_match(setup, Link(0, "", WATCHER, setup.id), log, ruleset_of(session, setup))
            except UnscorableMatch:
                continue
