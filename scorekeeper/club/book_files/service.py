"""Write a book as one file, and import such a file: all of it or nothing.

An import only adds to the database. Whatever differs in the file is named and not imported, so that a second import of
the same file changes nothing. A preview says what a file would change, and writes nothing.
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

_MATCHES_IN_MEMORY = 50
"""How many matches are in memory at a time while a book's file is written."""
_GZIP_SIGNATURE = b"\x1f\x8b"
_DAMAGED_SENTENCE = f"This file is damaged. {DOWNLOAD_AGAIN_SENTENCE}"


def write_book_file(session: Session, book_id: int, file: IO[bytes]) -> Sequence[LeftOut]:
    """Write a book with its matches and nights as a gzip file, and return what is left out because it cannot be read.

    Matches, nights and events of the book may be left out. A match is left out also if its rules cannot be read.
    """
    left_out = list[LeftOut]()
    # Without a name and a time, so that the file of an unchanged book has the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as gzip_file:
        gzip_file.writelines(map(str.encode, _book_lines(session, book_id, left_out)))
    return left_out


def _book_lines(session: Session, book_id: int, left_out: list[LeftOut]) -> Iterator[str]:
    """Yield the lines of a book's file, and add what cannot be read to `left_out`."""
    uid, created_at = books.uid_and_start(session, book_id)
    book = book_of_id(session, book_id)
    night_setups = nights.setups_in_book(session, book_id)
    earlier_uids = money_nights.earlier_uids_in_book(session, book_id)
    file_format = FORMAT_3 if earlier_uids else FORMAT_2 if night_setups else FORMAT_1
    yield file_line({"format": file_format, "book": uid, "created_at": created_at.isoformat()})
    left_out += ["An entry about names and people" for event in book.events if event.data is UNREADABLE]
    for event in book.events:
        yield event_line(event, encode_payload(event.data))
    for night_setup in night_setups:
        stored_events = nights.readable_events(session, night_setup.id)
        if stored_events is None:
            left_out.append(f"The ladder night “{night_setup.title or 'without a title'}”")
            continue
        night_events = blank_deleted_names(stored_events, book.has_deleted_name)
        yield setup_line(night_setup, len(night_events))
        for event in night_events:
            payload = night_payload_for_file(event.data.kind, encode_payload(event.data))
            yield event_line(event, payload)
    written_digests = set[str]()
    match_count = 0
    for match_ids in split_into_chunks(books.match_ids_of(session, book_id), _MATCHES_IN_MEMORY):
        events_by_match = MATCH_EVENTS.load_all(session, match_ids)
        for setup in matches.setups_by_ids(session, match_ids):
            if setup.id not in events_by_match or readable_ruleset_of(session, setup) is None:
                left_out.append(setup)
                continue
            match_count += 1
            if setup.digest not in written_digests:
                written_digests.add(setup.digest)
                yield file_line({"rules": setup.digest, "text": matches.ruleset_text(session, setup.id)})
            yield from _match_lines(book, setup, events_by_match[setup.id], earlier_uids.get(setup.id))
    yield file_line({"end": match_count})


def _match_lines(
    book: Book, setup: MatchSetup, events: Sequence[StoredEvent], earlier_uid: str | None
) -> Iterator[str]:
    """Yield the lines of a match in the file of `book`: its setup, then each event.

    `earlier_uid` is the uid of the match that this match continues in a money night, if any. A name that another book
    has deleted is replaced by "Player 3" or the like.
    """
    if replacements := deleted_name_replacements(setup, events):
        stranger_names = {
            player.name
            for player in seated_players(setup, fold(events))
            if is_nobody(book.person_of_player(setup.uid, *player.person_arguments))
        }
        replacements = {
            name: numbered_name for name, numbered_name in replacements.items() if numbered_name in stranger_names
        }
    setup, events = replace_deleted_names(setup, events, replacements)
    yield setup_line(setup, len(events), earlier_uid)
    for event in events:
        yield event_line(event, encode_payload(event.data))


def unpack_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file, which may be gzipped.

    The lines end where a gzipped file is cut off. A line that is too long is yielded in pieces, of which the first is
    longer than `MAX_LINE_BYTES`. Raises `BookFileRefused` for a damaged file.
    """
    file.seek(0)
    is_gzipped = file.read(len(_GZIP_SIGNATURE)) == _GZIP_SIGNATURE
    file.seek(0)
    unpacked_file = gzip.GzipFile(fileobj=file) if is_gzipped else file
    try:
        while line := unpacked_file.readline(MAX_LINE_BYTES + 1):
            yield line
    except EOFError:
        return  # the parser reports where the file stops
    except (gzip.BadGzipFile, zlib.error):
        raise BookFileRefused(_DAMAGED_SENTENCE) from None


ImportStatus = Literal["new", "same", "differs", "elsewhere"]
"""How a match in a file compares with the database; only a new match is imported.

"same" and "differs": the book to import into has the match. "elsewhere": another book has the match, or none.
"""


class MatchCopy(NamedTuple):
    """The size of a match, in the database or in a file, and when the match was last changed."""

    size_words: str
    """The number of hands, and whether the match is deleted: "12 hands", "deleted, 1 hand"."""
    written_at: datetime | None
    """When the last event of the match was written; `None` for a match without events."""


@dataclass(frozen=True, slots=True)
class SkippedMatch:
    """A match in a file that is not imported, because the book has the match already and it differs there."""

    name: str
    """The name of the match in the file, as `match_name` returns it: "“Sunday”"."""
    day: str
    """The day of the match in the file, in ISO 8601."""
    copy_here: MatchCopy
    copy_in_file: MatchCopy


@dataclass(slots=True)
class ImportPreview:
    """What the import of a file would change, or has changed."""

    book_id: int | None
    """The id of the book that the import changes; `None` if the import creates one."""
    book_name: str
    """The name of the book in the file."""
    is_same_book: bool
    """Whether the import changes or creates the book that the file was written from, rather than another book."""
    counts_by_status: Counter[ImportStatus] = field(default_factory=Counter)
    """The number of matches in the file with each status."""
    same_ids_by_uid: dict[str, int] = field(default_factory=dict)
    """The ids of the matches with the status "same", keyed by uid."""
    days: set[str] = field(default_factory=set)
    """The days of the new matches, in ISO 8601."""
    skipped_matches: list[SkippedMatch] = field(default_factory=list)
    """The matches with the status "differs", which are not imported."""
    new_nights: list[FileNight] = field(default_factory=list)
    """The nights of the file that would be added."""
    skipped_night_count: int = 0
    """The number of nights that are not imported, because they are here already and differ."""
    skipped_change_count: int = 0
    """The number of events of the book itself that only the file has, without those that add a match.

    0 if the file is of another book, or if its book is new here.
    """

    @property
    def changes_anything(self) -> bool:
        """Whether an import would add a book, a match or a night."""
        return self.book_id is None or bool(self.counts_by_status["new"] or self.new_nights)

    @property
    def skips_anything(self) -> bool:
        """Whether an import would leave out matches or nights that differ, or changes of the book itself."""
        return bool(self.skipped_matches or self.skipped_night_count or self.skipped_change_count)

    def count_match(self, match: FileMatch, status: ImportStatus, events_here: Sequence[StoredEvent] = ()) -> None:
        """Count a match of the file under its status.

        The day of a new match is added to `days`, and a match that differs to `skipped_matches`. `events_here` are the
        events of the match in the book to import into, if the match is there.
        """
        self.counts_by_status[status] += 1
        day = occasion_of(match.setup, fold(match.events)).day
        if status == "new":
            self.days.add(day)
        if status == "differs":
            name = match_name(match.setup, match.events)
            self.skipped_matches.append(SkippedMatch(name, day, _match_copy(events_here), _match_copy(match.events)))


def _match_copy(events: Sequence[StoredEvent]) -> MatchCopy:
    """Return the size and the last change of the match with these events."""
    log = fold(events)
    size_words = f"{'deleted, ' if log.is_deleted else ''}{digits(len(log.hands), 'hand')}"
    return MatchCopy(size_words, events[-1].at if events else None)


def _find_new_matches(
    session: Session, preview: ImportPreview, file_matches: Iterable[FileMatch]
) -> Iterator[FileMatch]:
    """Yield the file's matches that are not in the database, and count every match of the file in `preview`.

    The session is rolled back after each match.
    """
    for match in file_matches:
        setup, book_id = matches.setup_and_book_by_uid(session, match.setup.uid) or (None, None)
        if setup is None:
            preview.count_match(match, "new")
        elif book_id is None or book_id != preview.book_id:
            preview.count_match(match, "elsewhere")
        else:
            # A match that cannot be read has no events here, and stays as it is.
            events_here = MATCH_EVENTS.load_all(session, [setup.id]).get(setup.id, ())
            is_same = _have_same_events(events_here, match.events)
            preview.count_match(match, "same" if is_same else "differs", events_here)
            if is_same:
                preview.same_ids_by_uid[setup.uid] = setup.id
        session.rollback()  # no transaction stays open while a long file is read
        if setup is None:
            yield match


def _have_same_events(first_stream: Iterable[StoredEvent], second_stream: Iterable[StoredEvent]) -> bool:
    """Return whether two streams have events with the same idempotency keys in the same order.

    Events with which a book renamed players are ignored.
    """
    first_keys, second_keys = (
        [event.idempotency_key for event in stream if not is_renaming_by_book(event.data)]
        for stream in (first_stream, second_stream)
    )
    return first_keys == second_keys


class BookTaken(BookFileRefused):
    """A file is refused, since its book is here already: it was to be new here, or this phone does not own it."""

    def __init__(self) -> None:
        super().__init__(
            "These matches are here already, and this phone does not own them. Ask whoever does to add this phone."
        )


def is_book_file(content: bytes) -> bool:
    """Return whether a file seems to be a book's file: gzipped, or with "pitch-book/" near its beginning."""
    return content.startswith(_GZIP_SIGNATURE) or b'"pitch-book/' in content[:200]


def own_book_of_file(session: Session, device: str, file: IO[bytes]) -> BookAccess | None:
    """Return the book in the database that a file was written from; `None` if the database does not have the book.

    Reads only the first line. Raises `BookFileRefused`, and `BookTaken` if the device does not own the book.
    """
    # Whatever is slow belongs into an import, as only one import runs at a time.
    book_id = book_id_of_file(session, file)
    accesses = books_of_device(session, device)
    access = next((access for access in accesses if access.id == book_id and access.link.is_owner), None)
    if access is None and book_id is not None:
        raise BookTaken
    return access


def book_id_of_file(session: Session, file: IO[bytes]) -> int | None:
    """Return the id of the book that a file was written from; `None` if the database does not have the book.

    Reads only the first line. Raises `BookFileRefused`.
    """
    uid, _ = BookParser(unpack_lines(file)).read_first_line()
    return books.book_id_of_uid(session, uid)


def preview_import(
    session: Session, book_id: int | None, file: IO[bytes], *, is_from_phone: bool = False
) -> ImportPreview:
    """Return what importing a file would change, without writing anything.

    `book_id` is the id of the book to import into; `None` for a new book. Raises `BookFileRefused` for any fault in the
    file, and for a phone's file with more than `MAX_EVENTS_FROM_PHONE` events in new matches.
    """
    head, file_matches = BookParser(unpack_lines(file)).read()
    preview = _preview_of_head(session, book_id, head)
    event_count = 0
    for match in _find_new_matches(session, preview, file_matches):
        event_count += len(match.events)
        if is_from_phone and event_count > MAX_EVENTS_FROM_PHONE:
            raise BookFileRefused(TOO_LARGE_SENTENCE)
    return preview


def _preview_of_head(session: Session, book_id: int | None, head: FileHead) -> ImportPreview:
    """Return the preview of importing the events and nights of a book; its matches are not counted yet.

    `book_id` is the id of the book to import into; `None` for a new book.
    """
    book = book_of_id(session, book_id) if book_id is not None else None
    preview = ImportPreview(book_id, fold_book(head.uid, head.events).name, book is None or book.uid == head.uid)
    for night in head.nights:
        setup_here = nights.setup_by_uid(session, night.setup.uid)
        if setup_here is None:
            preview.new_nights.append(night)
        elif not _have_same_events(nights.readable_events(session, setup_here.id) or (), night.events):
            preview.skipped_night_count += 1
    if book is not None and preview.is_same_book:
        keys_here = {event.idempotency_key for event in book.events}
        new_events = (event for event in head.events if event.idempotency_key not in keys_here)
        preview.skipped_change_count = sum(not isinstance(event.data, MatchAdded) for event in new_events)
    return preview


SMALLER_FILE_SENTENCE = "Import a smaller file."
MAX_EVENTS_FROM_PHONE = 100_000
"""The most events of new matches in a file that a phone imports.

The import of so many events takes a minute, and blocks scoring for seconds.
"""
TOO_LARGE_SENTENCE = (
    f"This file has more than {MAX_EVENTS_FROM_PHONE:,} hands and corrections that are new here. "
    "Import it on the computer that keeps score: scorekeeper books import FILE."
)


class ImportResult(NamedTuple):
    """The result of an import: the book, a link to the book, and what the import has changed."""

    link: Link | None
    """The importing phone's link to the book or, for a command, the first link to a new book.

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
    """Import all of a file into the book of `link` or the book `book_id`, or else as a new book, and commit.

    `importer` is the phone that gets links to all that is new; `None` for a command. If the file is refused, nothing is
    imported. Raises `BookFileRefused`, `ImportNotNow`, and `BookTaken` if a book that was to be new is here already.
    """
    target_book_id = link.stream_id if link else book_id
    importer_digest = device_digest(importer.device) if importer else None
    with import_run(session, importer):
        head, file_matches = BookParser(unpack_lines(file)).read()
        if target_book_id is None and books.book_id_of_uid(session, head.uid) is not None:
            raise BookTaken
        preview, budget = _preview_of_head(session, target_book_id, head), Budget()
        scored_matches = PickledObjects(
            _score_match(match, budget) for match in _find_new_matches(session, preview, file_matches)
        )

        def store() -> ImportResult:
            """Store what is not here yet, and commit. A phone that scores waits for the end of this transaction."""
            session.rollback()  # a transaction that begins with a write is not refused after a read
            now, new_ids_by_uid, new_figures = datetime.now(UTC), dict[str, int](), []
            for uid, earlier_uid, match, match_figures in scored_matches:
                match_id = add_encoded_match(session, match, new_code())
                earlier_id = new_ids_by_uid.get(earlier_uid, preview.same_ids_by_uid.get(earlier_uid))
                if earlier_id is not None:
                    money_nights.store_earlier_match(session, match_id, earlier_id)
                new_ids_by_uid[uid] = match_id
                new_figures.append((match_id, len(match.events), match_figures))
            figures.store_figures(session, new_figures)
            book_link, book_id = link, target_book_id
            if book_id is None:
                book_link = begin_book(session, importer_digest, uid=head.uid, created_at=head.created_at)
                book_id = book_link.stream_id
                BOOK_EVENTS.add(session, book_id, importable_events(head.events, new_ids_by_uid.keys()))
            # The links of a phone that imports come from its link to the book, and end with it.
            book_link_id = book_link.id if book_link and importer_digest else None
            link_columns = {"device": importer_digest or NO_DEVICE, "book_link_id": book_link_id}
            for night in preview.new_nights:
                night_id = nights.add_night(session, replace(night.setup, book_id=book_id), new_code())
                NIGHT_LINKS.add(session, night_id, new_code(), OWNER, now, **link_columns)
                NIGHT_EVENTS.add(session, night_id, night.events)
            BOOK_EVENTS.add(
                session, book_id, _match_added_events(book_of_id(session, book_id), new_ids_by_uid, actor, now)
            )
            books.put_matches(session, new_ids_by_uid.values(), book_id)
            add_owner_links(session, {match_id: new_code() for match_id in new_ids_by_uid.values()}, now, book_link_id)
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
"""A match to import: its uid, the uid of the match that it continues, the values to store, and its figures.

The second uid is empty if the match continues no other. The figures are `None` if the match is not over or
cannot be scored.
"""


def _score_match(match: FileMatch, budget: Budget) -> _ScoredMatch:
    """Return a match from a file, ready to be stored, with its figures if the match is over and can be scored.

    Search steps beyond the usual number are spent from `budget`, that of the whole file. Raises `BookFileRefused` if
    that budget runs out, or if this match alone takes too many steps.
    """
    log, match_budget = fold(match.events), Budget()
    try:
        scored_match = derive_match(match.setup, Link(0, "", OWNER, 0), log, match.ruleset, budget=match_budget)
        budget.spend(match_budget.steps_beyond(len(log.hands)))
    except UnscorableMatch:
        scored_match = None
    except BudgetExceeded:
        raise BookFileRefused(f"{TOO_MANY_BY_POINTS} {SMALLER_FILE_SENTENCE}") from None
    encoded_match = encode_match(
        match.setup, match.ruleset_json, match.events, scored_match.ending if scored_match else None
    )
    return (
        match.setup.uid,
        match.earlier_uid,
        encoded_match,
        compute_match_figures(scored_match) if scored_match else None,
    )


def importable_events(events: Sequence[StoredEvent], imported_uids: Collection[str]) -> tuple[StoredEvent, ...]:
    """Return the events of a book in a file for a new book here, renumbered from 1.

    Events about matches whose uids are not in `imported_uids` are left out.
    """
    # With events about other matches, the owner of the book would also own matches that somebody may have removed from
    # it on purpose.
    allowed_uids = {None, *imported_uids}
    imported_events = [event for event in events if getattr(event.data, "match", None) in allowed_uids]
    new_seqs = {event.seq: new_seq for new_seq, event in enumerate(imported_events, 1)}
    return tuple(
        replace(
            event,
            seq=new_seqs[event.seq],
            # The undo of an event that was not imported is kept, and undoes nothing.
            data=replace(event.data, target=new_seqs.get(event.data.target, 0))
            if isinstance(event.data, Undone | Redone)
            else event.data,
        )
        for event in imported_events
    )


def _match_added_events(book: Book, match_uids: Iterable[str], actor: str, now: datetime) -> tuple[StoredEvent, ...]:
    """Return the events that add those of the matches `match_uids` to a book that the book does not have yet."""
    new_uids = [uid for uid in match_uids if uid not in book.matches]
    return tuple(
        StoredEvent(seq, new_code(), now, actor, MatchAdded(match=uid))
        for seq, uid in enumerate(new_uids, book.version + 1)
    )
