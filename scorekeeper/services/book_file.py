"""A book taken along as one file, and what a file would change here: looked at first, and nothing written."""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO

from sqlalchemy.orm import Session

from scorekeeper.book.facts import MatchAdded, MatchRemoved
from scorekeeper.book.file import (
    BookFileRefused,
    FileHead,
    FileMatch,
    MostInBook,
    match_name,
    write_end,
    write_fact,
    write_head,
)
from scorekeeper.book.file import write_match as match_line
from scorekeeper.book.file import write_rules as rules_line
from scorekeeper.book.fold import Book, fold_book
from scorekeeper.book.merge import FileStanding, copy_uid, differing_hand, merged, standing
from scorekeeper.book.read_file import LONGEST_LINE, read_book, read_book_uid
from scorekeeper.ledger.facts import Event
from scorekeeper.services.books import BookAccess, books_of_device
from scorekeeper.services.import_run import ImportRun
from scorekeeper.services.load import readable_ruleset_of
from scorekeeper.store import books, matches
from scorekeeper.store.codec import utc

MOST_IN_BOOK = MostInBook()
"""More than twice what a table plays in twenty years."""
_PAGE = 50
"""Matches that are read at once."""
_PACKED = b"\x1f\x8b"
_DAMAGED = "This file is damaged. Download it again."


def write_file(session: Session, book_id: int, file: IO[bytes]) -> None:
    """Write a book with all its matches into a file; as long as nobody writes in it, every byte is the same.

    A match whose rules cannot be read is left out: nobody could import a file that has it.
    """
    match_ids = books.match_ids_of(session, book_id)
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
        for line in _lines(session, book_id, match_ids):
            packed.write(line.encode())


def _lines(session: Session, book_id: int, match_ids: Sequence[int]) -> Iterator[str]:
    uid, created_at = books.began(session, book_id)
    yield write_head(uid, created_at)
    for row in books.raw_events(session, book_id):
        yield write_fact(row.kind, row.client_key, utc(row.at), row.actor, row.payload)
    written = set[str]()
    number = 0
    for first in range(0, len(match_ids), _PAGE):
        some = match_ids[first : first + _PAGE]
        facts = matches.raw_events(session, some)
        for setup in matches.setups(session, some):
            if readable_ruleset_of(session, setup) is None:
                continue
            number += 1
            if setup.digest not in written:
                written.add(setup.digest)
                yield rules_line(setup.digest, matches.ruleset_text(session, setup.id))
            yield match_line(setup, len(facts[setup.id]))
            for row in facts[setup.id]:
                yield write_fact(row.kind, row.client_key, utc(row.at), row.actor, row.payload)
    yield write_end(number)


def unpacked(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file, packed or not, with no more of it in memory than a line; raises `BookFileRefused`."""
    file.seek(0)
    is_packed = file.read(len(_PACKED)) == _PACKED
    file.seek(0)
    source = gzip.GzipFile(fileobj=file) if is_packed else file
    try:
        while line := source.readline(LONGEST_LINE + 1):
            yield line
    except EOFError:
        return  # the reader says where it stops
    except (gzip.BadGzipFile, zlib.error):
        raise BookFileRefused(_DAMAGED) from None


@dataclass(frozen=True, slots=True)
class Compared:
    """A match in a file, and what is here under its uid."""

    match: FileMatch
    standing: FileStanding
    match_id: int = 0
    """Of the one here; 0 where there is none."""
    here: tuple[Event, ...] = ()


def read_head(lines: Iterator[FileHead | FileMatch]) -> FileHead:
    """Return what a file says of its book; raises `BookFileRefused`."""
    head = next(lines)
    assert isinstance(head, FileHead)
    return head


def compare(
    session: Session, book_id: int | None, book: Book | None, lines: Iterator[FileHead | FileMatch]
) -> Iterator[Compared]:
    """Yield each match of a file with how it stands to the one here; raises `BookFileRefused`."""
    told = _matches_told(book) if book else frozenset()
    for match in lines:
        assert isinstance(match, FileMatch)
        found = matches.by_uid(session, match.uid)
        if found is None:
            yield Compared(match, FileStanding.NEW)
            continue
        setup, its_book = found
        if copy_uid(match) in told:  # it was asked before which one counts
            yield Compared(match, FileStanding.SAME, setup.id)
        elif its_book is None or its_book != book_id:
            yield Compared(match, FileStanding.ELSEWHERE, setup.id)
        else:
            here = matches.events_of(session, setup.id)
            stands = standing(setup, here, match)
            if stands is FileStanding.ANOTHER_START:
                name = match_name(match.setup, match.events)
                raise BookFileRefused(f"{name} started differently here. This file was changed by hand.")
            yield Compared(match, stands, setup.id, here if stands is FileStanding.CHANGED_IN_BOTH else ())


def _matches_told(book: Book) -> frozenset[str]:
    """Return every match that a book has ever said something about."""
    return frozenset(event.fact.match for event in book.events if isinstance(event.fact, MatchAdded | MatchRemoved))


@dataclass(frozen=True, slots=True)
class Conflict:
    """A match that was changed here and in the file."""

    uid: str
    name: str
    """“Sunday”, or its sides where it has no title."""
    hand: int | None
    """The first hand that differs; `None` where something else does."""
    day: str | None


@dataclass(slots=True)
class Look:
    """What a file would change."""

    uid: str
    name: str
    """What the book is called in the file."""
    is_same_book: bool
    """Whether it is this very book, or one that is not here yet; what another book says of its people stays there."""
    new: int = 0
    first_day: str = ""
    last_day: str = ""
    """Of the new matches, where they have one."""
    same: int = 0
    more_there: int = 0
    more_here: int = 0
    elsewhere: int = 0
    """Matches that are here, but not in this book."""
    conflicts: list[Conflict] = field(default_factory=list)
    told: int = 0
    """How many facts about the book and its people are new."""

    @property
    def changes_anything(self) -> bool:
        """Return whether an import would write anything."""
        return bool(self.new or self.more_there or self.conflicts or self.told)

    def add(self, compared: Compared) -> None:
        """Count one match."""
        match compared.standing:
            case FileStanding.NEW:
                self.new += 1
                if day := compared.match.setup.played_on:
                    self.first_day, self.last_day = min(self.first_day or day, day), max(self.last_day, day)
            case FileStanding.SAME:
                self.same += 1
            case FileStanding.MORE_THERE:
                self.more_there += 1
            case FileStanding.MORE_HERE:
                self.more_here += 1
            case FileStanding.ELSEWHERE:
                self.elsewhere += 1
            case FileStanding.CHANGED_IN_BOTH:
                setup, events = compared.match.setup, compared.match.events
                hand = differing_hand(compared.here, events)
                self.conflicts.append(Conflict(setup.uid, match_name(setup, events), hand, setup.played_on))


class BookTaken(Exception):
    """The book of a file is here already, and this phone does not own it."""


def is_book_file(content: bytes) -> bool:
    """Return whether a file is meant to be a book's: packed, or with a first line that says so."""
    return content.startswith(_PACKED) or b'"pitch-book/' in content[:200]


def own_book_of(session: Session, device: str, file: IO[bytes]) -> BookAccess | None:
    """Return a phone's own book that a file is of; `None` where the book is not here yet.

    Only the first line is read: whatever takes long belongs into an import, of which one runs at a time.
    Raises `BookFileRefused`, and `BookTaken` where it is somebody else's.
    """
    uid = read_book_uid(unpacked(file))
    mine = (access for access in books_of_device(session, device) if access.uid == uid and access.link.is_owner)
    access = next(mine, None)
    if access is None and books.id_of_uid(session, uid) is not None:
        raise BookTaken
    return access


def book_id_in(session: Session, file: IO[bytes]) -> int | None:
    """Return the number of the book that a file is of; `None` where it is not here. Raises `BookFileRefused`."""
    return books.id_of_uid(session, read_book_uid(unpacked(file)))


def look_up(run: ImportRun) -> None:
    """Let a run that reads say that it goes on: reading ends before writing begins, or SQLite would refuse it."""
    run.session.rollback()
    run.go_on()


def look(run: ImportRun, book_id: int | None, book: Book | None, file: IO[bytes]) -> Look:
    """Return what a file would change in a book, or as a book that is not here yet; raises `BookFileRefused`.

    The file is read to its end: what is wrong with it is known before anything is written.
    """
    lines = read_book(unpacked(file), MOST_IN_BOOK)
    head = read_head(lines)
    is_same = book is None or book.uid == head.uid
    found = Look(head.uid, fold_book(head.uid, head.events).name, is_same)
    known = set(book.matches) if book else set()
    for compared in compare(run.session, book_id, book, lines):
        found.add(compared)
        if compared.standing is FileStanding.NEW:
            known.add(compared.match.uid)
        look_up(run)
    if is_same:
        new = merged(book.events if book else (), head.events, known.__contains__)
        found.told = sum(not isinstance(event.fact, MatchAdded) for event in new)
    return found
