"""Writing a book as one file, and importing it: whole or not at all, and only ever adding.

What is here stays as it is, and what differs in the file is named, so a second import changes nothing. A preview says
what a file would change, and writes nothing.
"""

import gzip
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import IO, Literal, NamedTuple

from sqlalchemy.orm import Session

from scorekeeper.access.links import device_digest
from scorekeeper.access.roles import Link
from scorekeeper.book import store as books
from scorekeeper.book.book_matches import begin_book
from scorekeeper.book.books import BookAccess, book_of_id, books_of_device
from scorekeeper.book.events import UNREADABLE, MatchAdded, Redone, Undone
from scorekeeper.book.fold import Book, fold_book, is_nobody
from scorekeeper.book.store import BOOK_EVENTS
from scorekeeper.club.book_files.file import (
    FORMAT_1,
    FORMAT_2,
    FORMAT_3,
    BookFileRefused,
    FileHead,
    FileMatch,
    FileNight,
    event_line,
    file_line,
    match_name,
    night_payload_for_file,
    setup_line,
)
from scorekeeper.club.book_files.parse import DOWNLOAD_AGAIN_SENTENCE, MAX_LINE_BYTES, BookParser
from scorekeeper.club.figures import store as figures
from scorekeeper.club.figures.match_figures import MatchFigures, compute_match_figures, seated_players
from scorekeeper.club.figures.names import write_names_into_matches
from scorekeeper.club.money import store as money_nights
from scorekeeper.club.nights import store as nights
from scorekeeper.club.nights.deleted_names import blank_deleted_names
from scorekeeper.club.nights.store import NIGHT_EVENTS, NIGHT_LINKS, NO_DEVICE
from scorekeeper.database.rows import split_into_chunks
from scorekeeper.eventlog.store import encode_payload, retry_on_conflict
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches import store as matches
from scorekeeper.matches.deleted_names import deleted_name_replacements, is_renaming_by_book, replace_deleted_names
from scorekeeper.matches.events import StoredEvent
from scorekeeper.matches.files.import_export import TOO_MANY_BY_POINTS
from scorekeeper.matches.files.import_run import (
    EncodedMatch,
    Importer,
    PickledObjects,
    add_encoded_match,
    add_owner_links,
    encode_match,
    import_run,
)
from scorekeeper.matches.fold import UnscorableMatch, derive_match
from scorekeeper.matches.log import fold, occasion_of
from scorekeeper.matches.match_list import LeftOut
from scorekeeper.matches.service import readable_ruleset_of
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.scoring.search_budget import Budget, BudgetExceeded
from scorekeeper.random_codes import new_code

_MATCHES_READ_AT_ONCE = 50
"""How many matches are in memory at a time while a book's file is written."""
_GZIP_SIGNATURE = b"\x1f\x8b"
_DAMAGED_SENTENCE = f"This file is damaged. {DOWNLOAD_AGAIN_SENTENCE}"


def write_book_file(session: Session, book_id: int, file: IO[bytes]) -> Sequence[LeftOut]:
    """Write a book with its matches and nights as a gzip file, and return what is left out because it cannot be read.

    Matches, nights and events of the book may be left out; a match also if its rules cannot be read.
    """
    left_out = list[LeftOut]()
    # Without a name and a time, so that the file of an unchanged book has the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as gzip_file:
        gzip_file.writelines(map(str.encode, _book_lines(session, book_id, left_out)))
    return left_out


def _book_lines(session: Session, book_id: int, left_out: list[LeftOut]) -> Iterator[str]:
    """Yield the lines of a book's file, and add to `left_out` what is not in it."""
    uid, created_at = books.uid_and_start(session, book_id)
    book = book_of_id(session, book_id)
    setups = nights.setups_in_book(session, book_id)
    earlier_uids = money_nights.earlier_uids_in_book(session, book_id)
    file_format = FORMAT_3 if earlier_uids else FORMAT_2 if setups else FORMAT_1
    yield file_line({"format": file_format, "book": uid, "created_at": created_at.isoformat()})
    left_out += ["An entry about names and people" for event in book.events if event.data is UNREADABLE]
    for event in book.events:
        yield event_line(event, encode_payload(event.data))
    for night in setups:
        stored_events = nights.readable_events(session, night.id)
        if stored_events is None:
            left_out.append(f"The ladder night “{night.title or 'without a title'}”")
            continue
        night_events = blank_deleted_names(stored_events, book.has_deleted_name)
        yield setup_line(night, len(night_events))
        for event in night_events:
            payload = night_payload_for_file(event.data.kind, encode_payload(event.data))
            yield event_line(event, payload)
    written_digests = set[str]()
    match_count = 0
    for match_ids in split_into_chunks(books.match_ids_of(session, book_id), _MATCHES_READ_AT_ONCE):
        events = MATCH_EVENTS.load_all(session, match_ids)
        for setup in matches.setups_by_ids(session, match_ids):
            if setup.id not in events or readable_ruleset_of(session, setup) is None:
                left_out.append(setup)
                continue
            match_count += 1
            if setup.digest not in written_digests:
                written_digests.add(setup.digest)
                yield file_line({"rules": setup.digest, "text": matches.ruleset_text(session, setup.id)})
            yield from _match_lines(book, setup, events[setup.id], earlier_uids.get(setup.id))
    yield file_line({"end": match_count})


def _match_lines(
    book: Book, setup: MatchSetup, events: Sequence[StoredEvent], earlier_uid: str | None
) -> Iterator[str]:
    """Yield the lines of a match in the file of `book`: its setup with `earlier_uid`, then each event.

    A name that another book has deleted is replaced by "Player 3" or the like.
    """
    if numbered_names := deleted_name_replacements(setup, events):
        strangers = {
            player.name
            for player in seated_players(setup, fold(events))
            if is_nobody(book.person_of_player(setup.uid, *player.person_arguments))
        }
        numbered_names = {
            name: numbered_name for name, numbered_name in numbered_names.items() if numbered_name in strangers
        }
    setup, events = replace_deleted_names(setup, events, numbered_names)
    yield setup_line(setup, len(events), earlier_uid)
    for event in events:
        yield event_line(event, encode_payload(event.data))


def unpack_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file, gzipped or not; where a gzipped file breaks off, the lines just end.

    A line that is too long comes in pieces, the first of them longer than `MAX_LINE_BYTES`. Raises `BookFileRefused`
    for a damaged file.
    """
    file.seek(0)
    is_gzipped = file.read(len(_GZIP_SIGNATURE)) == _GZIP_SIGNATURE
    file.seek(0)
    source = gzip.GzipFile(fileobj=file) if is_gzipped else file
    try:
        while line := source.readline(MAX_LINE_BYTES + 1):
            yield line
    except EOFError:
        return  # the parser reports where the file stops
    except (gzip.BadGzipFile, zlib.error):
        raise BookFileRefused(_DAMAGED_SENTENCE) from None


ImportStatus = Literal["new", "same", "differs", "elsewhere"]
"""How a file's match compares with the database; only new matches are imported.

A match that is the same or differs is in this book; one that is elsewhere is in another book or in none.
"""


class MatchCopy(NamedTuple):
    """The size of a match, in the database or in a file, and when it was last changed."""

    size_words: str
    """The number of its hands, and whether it is deleted: "12 hands", "deleted, 1 hand"."""
    written_at: datetime | None
    """When its last event was written; `None` for a match without events."""


@dataclass(frozen=True, slots=True)
class SkippedMatch:
    """A match that is not imported, because it is in this book already and differs there."""

    name: str
    """The name of the match in the file: its title, as “Sunday”, or else its sides."""
    day: str
    """The day of the match in the file, in ISO 8601."""
    here: MatchCopy
    in_file: MatchCopy


@dataclass(slots=True)
class ImportPreview:
    """What the import of a file would change, or has changed."""

    book_id: int | None
    """The id of the book that the import changes; `None` if it creates one."""
    name: str
    """The name of the book in the file."""
    is_same_book: bool
    """Whether the import changes or creates the very book that the file was written from, and no other."""
    counts: Counter[ImportStatus] = field(default_factory=Counter)
    """The number of the file's matches with each status."""
    ids_of_same: dict[str, int] = field(default_factory=dict)
    """The ids of the matches that are the same here in this book, by uid."""
    days: set[str] = field(default_factory=set)
    """The days of the new matches, in ISO 8601."""
    skipped: list[SkippedMatch] = field(default_factory=list)
    """The matches that are in this book too, but differ in the file; they are not imported."""
    nights: list[FileNight] = field(default_factory=list)
    """The nights of the file that would be added."""
    skipped_nights: int = 0
    """The number of nights that are not imported, because they are here already and differ."""
    skipped_changes: int = 0
    """How many of the book's events only the file has, not counting added matches.

    0 if the file is of another book, or if its book is new here.
    """

    @property
    def changes_anything(self) -> bool:
        """Whether an import would add a book, a match or a night."""
        return self.book_id is None or bool(self.counts["new"] or self.nights)

    @property
    def skips_anything(self) -> bool:
        """Whether matches or nights that differ, or changes of the book itself, are left out.

        Matches that are here outside this book do not count.
        """
        return bool(self.skipped or self.skipped_nights or self.skipped_changes)

    def count_match(self, match: FileMatch, status: ImportStatus, events_here: Sequence[StoredEvent] = ()) -> None:
        """Count a match of the file under its status.

        The day of a new match is noted, and one that differs is listed as skipped. `events_here` are the match's events
        in this book, if it is there.
        """
        self.counts[status] += 1
        day = occasion_of(match.setup, fold(match.events)).day
        if status == "new":
            self.days.add(day)
        if status == "differs":
            name = match_name(match.setup, match.events)
            self.skipped.append(SkippedMatch(name, day, _match_copy(events_here), _match_copy(match.events)))


def _match_copy(events: Sequence[StoredEvent]) -> MatchCopy:
    """Return the size and the last change of the match with these events."""
    log = fold(events)
    words = f"{'deleted, ' if log.is_deleted else ''}{digits(len(log.hands), 'hand')}"
    return MatchCopy(words, events[-1].at if events else None)


def _find_new_matches(
    session: Session, preview: ImportPreview, file_matches: Iterable[FileMatch]
) -> Iterator[FileMatch]:
    """Yield the file's matches that are not in the database, and count every match in `preview`.

    Rolls the session back after each match.
    """
    for match in file_matches:
        setup, book_id = matches.setup_and_book_by_uid(session, match.setup.uid) or (None, None)
        if setup is None:
            preview.count_match(match, "new")
        elif book_id is None or book_id != preview.book_id:
            preview.count_match(match, "elsewhere")
        else:
            # One that cannot be read has no events here, and stays as it is.
            events = MATCH_EVENTS.load_all(session, [setup.id]).get(setup.id, ())
            is_same = _have_same_events(events, match.events)
            preview.count_match(match, "same" if is_same else "differs", events)
            if is_same:
                preview.ids_of_same[setup.uid] = setup.id
        session.rollback()  # no transaction stays open while a long file is read
        if setup is None:
            yield match


def _have_same_events(one: Iterable[StoredEvent], other: Iterable[StoredEvent]) -> bool:
    """Return whether two streams have events with the same idempotency keys in the same order.

    Events with which a book renamed players are ignored.
    """
    keys, other_keys = (
        [event.idempotency_key for event in events if not is_renaming_by_book(event.data)] for events in (one, other)
    )
    return keys == other_keys


class BookTaken(BookFileRefused):
    """A file is refused: its book is here already, but was to be new or belongs to another phone."""

    def __init__(self) -> None:
        super().__init__(
            "These matches are here already, and this phone does not own them. Ask whoever does to add this phone."
        )


def is_book_file(content: bytes) -> bool:
    """Return whether a file seems to be a book's file: gzipped, or with the name of its format near its beginning."""
    return content.startswith(_GZIP_SIGNATURE) or b'"pitch-book/' in content[:200]


def own_book_of_file(session: Session, device: str, file: IO[bytes]) -> BookAccess | None:
    """Return the book here that a file was written from; `None` if it is not here.

    Reads only the first line. Raises `BookFileRefused`, and `BookTaken` if the device does not own the book.
    """
    # Whatever is slow belongs into an import, as only one import runs at a time.
    book_id = book_id_of_file(session, file)
    mine = (access for access in books_of_device(session, device) if access.id == book_id and access.link.is_owner)
    access = next(mine, None)
    if access is None and book_id is not None:
        raise BookTaken
    return access


def book_id_of_file(session: Session, file: IO[bytes]) -> int | None:
    """Return the id of the book that a file was written from; `None` if it is not in the database.

    Reads only the first line. Raises `BookFileRefused`.
    """
    uid, _ = BookParser(unpack_lines(file)).read_first_line()
    return books.book_id_of_uid(session, uid)


def preview_import(
    session: Session, book_id: int | None, file: IO[bytes], *, is_from_phone: bool = False
) -> ImportPreview:
    """Return what importing a file would change, without writing anything.

    `book_id` is the book to import into; `None` for a new one. Raises `BookFileRefused` for any fault in the file, and
    for a phone's file with more than `MAX_EVENTS_FROM_PHONE` events in new matches.
    """
    head, file_matches = BookParser(unpack_lines(file)).read()
    preview = _preview_of_head(session, book_id, head)
    events = 0
    for match in _find_new_matches(session, preview, file_matches):
        events += len(match.events)
        if is_from_phone and events > MAX_EVENTS_FROM_PHONE:
            raise BookFileRefused(TOO_LARGE_SENTENCE)
    return preview


def _preview_of_head(session: Session, book_id: int | None, head: FileHead) -> ImportPreview:
    """Return the preview of importing the book's events and nights; no match is counted yet.

    `book_id` is the book to import into; `None` for a new one.
    """
    book = book_of_id(session, book_id) if book_id is not None else None
    preview = ImportPreview(book_id, fold_book(head.uid, head.events).name, book is None or book.uid == head.uid)
    for night in head.nights:
        here = nights.setup_by_uid(session, night.setup.uid)
        if here is None:
            preview.nights.append(night)
        elif not _have_same_events(nights.readable_events(session, here.id) or (), night.events):
            preview.skipped_nights += 1
    if book is not None and preview.is_same_book:
        keys_here = {event.idempotency_key for event in book.events}
        new_events = (event for event in head.events if event.idempotency_key not in keys_here)
        preview.skipped_changes = sum(not isinstance(event.data, MatchAdded) for event in new_events)
    return preview


SMALLER_FILE_SENTENCE = "Import a smaller file."
MAX_EVENTS_FROM_PHONE = 100_000
"""The most events of new matches in a phone's file.

Importing so many takes a minute, and blocks scoring for seconds.
"""
TOO_LARGE_SENTENCE = (
    f"This file has more than {MAX_EVENTS_FROM_PHONE:,} hands and corrections that are new here. "
    "Import it on the computer that keeps score: scorekeeper books import FILE."
)


class ImportResult(NamedTuple):
    """The result of an import: the book, what has changed in it, and a link to it."""

    link: Link | None
    """The importing phone's link to the book, or a new book's first link.

    `None` for a command that imports into a book that was here before.
    """
    book_id: int
    """The id of the book that the import changed or created."""
    preview: ImportPreview
    """What the import has changed."""


def import_book(
    session: Session,
    file: IO[bytes],
    *,
    link: Link | None = None,
    book_id: int | None = None,
    importer: Importer | None = None,
    actor: str = "",
) -> ImportResult:
    """Import a file into a book, or as a new one, all or nothing, and commit.

    The book is that of `link` or `book_id`; without both, a new one. `importer` is the phone that gets links to all
    that is new, `None` for a command. Raises `BookFileRefused`, `ImportNotNow`, and `BookTaken` if a book that was to
    be new is here already.
    """
    target_book_id = link.stream_id if link else book_id
    digest = device_digest(importer.device) if importer else None
    with import_run(session, importer):
        head, file_matches = BookParser(unpack_lines(file)).read()
        if target_book_id is None and books.book_id_of_uid(session, head.uid) is not None:
            raise BookTaken
        preview, budget = _preview_of_head(session, target_book_id, head), Budget()
        scored_matches = PickledObjects(
            _score_match(match, budget) for match in _find_new_matches(session, preview, file_matches)
        )

        def store() -> ImportResult:
            """Store what is not here yet, and commit: one transaction, during which a phone that scores waits."""
            session.rollback()  # a transaction that begins with a write is not refused after a read
            now, id_by_uid, new_figures = datetime.now(UTC), dict[str, int](), []
            for uid, earlier_uid, match, match_figures in scored_matches:
                match_id = add_encoded_match(session, match, new_code())
                earlier_id = id_by_uid.get(earlier_uid, preview.ids_of_same.get(earlier_uid))
                if earlier_id is not None:
                    money_nights.store_earlier_match(session, match_id, earlier_id)
                id_by_uid[uid] = match_id
                new_figures.append((match_id, len(match.events), match_figures))
            figures.store_figures(session, new_figures)
            book_link, book_id = link, target_book_id
            if book_id is None:
                book_link = begin_book(session, digest, uid=head.uid, created_at=head.created_at)
                book_id = book_link.stream_id
                BOOK_EVENTS.add(session, book_id, importable_events(head.events, id_by_uid.keys()))
            # The links of a phone that imports come from its link to the book, and end with it.
            source = book_link.id if book_link and digest else None
            holder = {"device": digest or NO_DEVICE, "book_link_id": source}
            for night in preview.nights:
                night_id = nights.add_night(session, replace(night.setup, book_id=book_id), new_code())
                NIGHT_LINKS.add(session, night_id, new_code(), OWNER, now, **holder)
                NIGHT_EVENTS.add(session, night_id, night.events)
            BOOK_EVENTS.add(session, book_id, _match_added_events(book_of_id(session, book_id), id_by_uid, actor, now))
            books.put_matches(session, id_by_uid.values(), book_id)
            add_owner_links(session, {match_id: new_code() for match_id in id_by_uid.values()}, now, source)
            session.commit()
            return ImportResult(book_link, book_id, preview)

        result = (
            retry_on_conflict(session, store)
            if preview.changes_anything
            else ImportResult(link, target_book_id or 0, preview)
        )
    # Also where nothing is new: an earlier import of the file may have been broken off before this step.
    write_names_into_matches(session, result.book_id, actor)
    return result


_ScoredMatch = tuple[str, str, EncodedMatch, MatchFigures | None]
"""A match to import: its uid, that of the match that it continues, the values to store, and its figures.

The figures are `None` if the match is not over or cannot be scored.
"""


def _score_match(match: FileMatch, budget: Budget) -> _ScoredMatch:
    """Return a match from a file, ready to store, with its figures if it is over and can be scored.

    Scoring steps beyond the usual are spent from `budget`, that of the whole file. Raises `BookFileRefused` if that
    budget runs out, or if this match alone takes too many steps.
    """
    log, match_budget = fold(match.events), Budget()
    try:
        scored = derive_match(match.setup, Link(0, "", OWNER, 0), log, match.ruleset, budget=match_budget)
        budget.spend(match_budget.steps_beyond(len(log.hands)))
    except UnscorableMatch:
        scored = None
    except BudgetExceeded:
        raise BookFileRefused(f"{TOO_MANY_BY_POINTS} {SMALLER_FILE_SENTENCE}") from None
    stored = encode_match(match.setup, match.rules, match.events, scored.ending if scored else None)
    return match.setup.uid, match.earlier_uid, stored, compute_match_figures(scored) if scored else None


def importable_events(events: Sequence[StoredEvent], imported_uids: Collection[str]) -> tuple[StoredEvent, ...]:
    """Return a file's events for its new book, renumbered, without those about matches not imported."""
    # With events about other matches, the owner of the book would also own matches that somebody may have removed from
    # it on purpose.
    known = {None, *imported_uids}
    kept = [event for event in events if getattr(event.data, "match", None) in known]
    seqs = {event.seq: seq for seq, event in enumerate(kept, 1)}
    return tuple(
        replace(
            event,
            seq=seqs[event.seq],
            # The undo of an event that was not imported is kept, and undoes nothing.
            data=replace(event.data, target=seqs.get(event.data.target, 0))
            if isinstance(event.data, Undone | Redone)
            else event.data,
        )
        for event in kept
    )


def _match_added_events(book: Book, match_uids: Iterable[str], actor: str, now: datetime) -> tuple[StoredEvent, ...]:
    """Return the events that add these matches to a book, without those that it has already."""
    new = [uid for uid in match_uids if uid not in book.matches]
    return tuple(
        StoredEvent(seq, new_code(), now, actor, MatchAdded(match=uid)) for seq, uid in enumerate(new, book.version + 1)
    )
