"""A book as one file, written and imported: whole or not at all, only ever adding, and unseen until it is whole.

What a file would change can be looked at first, and nothing is written. New matches are stored in short transactions
without a link, so that scoring goes on; the last transaction puts them into the book. A match that only goes on in the
file is continued after that, each in one piece: where that is broken off, the next import of the same file continues
the rest. Of a match that was changed in both places the table chooses which counts; the other one is kept as a match of
its own, out of the book.
"""

import gzip
import uuid
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import IO, NamedTuple

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access import links
from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import BookLink, Link
from scorekeeper.book import store as books
from scorekeeper.book.book_matches import begin_book
from scorekeeper.book.books import BookAccess, book_of_id, books_of_device
from scorekeeper.book.events import MatchAdded, MatchRemoved
from scorekeeper.book.fold import Book, fold_book
from scorekeeper.book.people import nobody
from scorekeeper.book.store import BOOK_EVENTS
from scorekeeper.club.book_files import night_line
from scorekeeper.club.book_files.file import (
    BookFileRefused,
    FileHead,
    FileMatch,
    FileNight,
    match_name,
    write_end,
    write_fact,
    write_head,
    write_line,
)
from scorekeeper.club.book_files.file import write_match as match_line
from scorekeeper.club.book_files.file import write_rules as rules_line
from scorekeeper.club.book_files.merge import (
    FileStanding,
    continuation,
    copy_uid,
    differing_hand,
    merged,
    standing,
    titled,
)
from scorekeeper.club.book_files.parse import AGAIN, LONGEST_LINE, read_book, read_book_uid
from scorekeeper.club.figures import store as figures
from scorekeeper.club.figures.match_figures import EDITION, MatchFigures, figures_of, sitters_of
from scorekeeper.club.figures.names import write_names
from scorekeeper.club.nights import store as nights
from scorekeeper.club.nights.deleted_names import without_names
from scorekeeper.club.nights.links import NIGHT_LINKS, NO_DEVICE
from scorekeeper.club.nights.store import NIGHT_EVENTS
from scorekeeper.codes import device_digest, new_code
from scorekeeper.database.rows import in_parts, utc
from scorekeeper.eventlog.append import tried_again
from scorekeeper.eventlog.codec import event_of, write_payload
from scorekeeper.eventlog.roles import OWNER
from scorekeeper.matches import store as matches
from scorekeeper.matches.deleted_names import numbers_of_deleted, with_numbers
from scorekeeper.matches.events import FACTS, Event, Renamed
from scorekeeper.matches.files import import_store
from scorekeeper.matches.files.import_export import TOO_MANY_BY_POINTS
from scorekeeper.matches.files.import_run import Importer, ImportRun, import_run
from scorekeeper.matches.fold import Ending, UnscorableMatch, derive_match
from scorekeeper.matches.load import readable_ruleset_of
from scorekeeper.matches.log_fold import fold
from scorekeeper.matches.occasion import occasion_of
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.records.setup import MatchSetup
from scorekeeper.pitch.scoring.budget import Budget, TooManyWays

NIGHT_COLUMNS = ("uid", "created_at", "title", "rounds", "size", "variant", "house")
_PAGE = 50
"""Matches that are read at once."""
_PACKED = b"\x1f\x8b"
_DAMAGED = f"This file is damaged. {AGAIN}"


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
    book = book_of_id(session, book_id)
    its_nights = nights.setups_in_book(session, book_id)
    yield write_head(uid, created_at, has_nights=bool(its_nights))
    for row in BOOK_EVENTS.rows(session, [book_id])[book_id]:
        yield write_fact(row.kind, row.client_key, utc(row.at), row.actor, row.payload)
    for night in its_nights:
        said = without_names(NIGHT_EVENTS.of(session, night.id), book.has_deleted)
        yield write_line(night_line.write_setup(night, len(said)))
        for event in said:
            payload = night_line.write_payload(event.fact.kind, write_payload(event.fact))
            yield write_fact(event.fact.kind, event.client_key, event.at, event.actor, payload)
    written = set[str]()
    number = 0
    for some in in_parts(match_ids, _PAGE):
        facts = MATCH_EVENTS.rows(session, some)
        for setup in matches.setups(session, some):
            if readable_ruleset_of(session, setup) is None:
                continue
            number += 1
            if setup.digest not in written:
                written.add(setup.digest)
                yield rules_line(setup.digest, matches.ruleset_text(session, setup.id))
            rows = facts[setup.id]
            if any(row.payload.get("by_book") for row in rows):
                yield from _told_lines(book, setup, [event_of(row, FACTS) for row in rows])
                continue
            yield match_line(setup, len(rows))
            for row in rows:
                yield write_fact(row.kind, row.client_key, utc(row.at), row.actor, row.payload)
    yield write_end(number)


def _told_lines(book: Book, setup: MatchSetup, events: Sequence[Event]) -> Iterator[str]:
    """Yield the lines of a match in which books have changed names, without those that another book has deleted."""
    sitters = sitters_of(setup, fold(events))
    strangers = {
        it.name
        for it in sitters
        if book.person(setup.uid, it.seat, it.sittings, it.typed, it.name) == nobody(it.seat, it.sittings)
    }
    numbers = numbers_of_deleted(setup, events)
    setup, events = with_numbers(setup, events, {name: it for name, it in numbers.items() if it in strangers})
    yield match_line(setup, len(events))
    for event in events:
        yield write_fact(event.fact.kind, event.client_key, event.at, event.actor, write_payload(event.fact))


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


def compare(session: Session, book_id: int | None, book: Book | None, there: Iterator[FileMatch]) -> Iterator[Compared]:
    """Yield each match of a file with how it stands to the one here; raises `BookFileRefused`."""
    told = _matches_told(book) if book else frozenset()
    for match in there:
        found = matches.by_uid(session, match.uid)
        if found is None:
            yield Compared(match, "new")
            continue
        setup, its_book = found
        if copy_uid(match) in told:  # it was asked before which one counts
            yield Compared(match, "same", setup.id)
        elif its_book is None or its_book != book_id:
            yield Compared(match, "elsewhere", setup.id)
        else:
            here = MATCH_EVENTS.of(session, setup.id)
            stands = standing(setup, here, match)
            if stands == "another_start":
                name = match_name(match.setup, match.events)
                raise BookFileRefused(f"{name} started differently here, so this file was changed by hand. {AGAIN}")
            if stands != "changed_in_both":
                here = ()
            elif fold(here).is_deleted and fold(match.events).is_deleted:
                stands = "same"  # there is nothing to choose
            yield Compared(match, stands, setup.id, here)


def _matches_told(book: Book) -> frozenset[str]:
    """Return every match that a book has ever said something about."""
    return frozenset(event.fact.match for event in book.events if isinstance(event.fact, MatchAdded | MatchRemoved))


HERE, FILE = "here", "file"
"""Which one counts where both were changed."""


class Copy(NamedTuple):
    """What a match comes to here, or in the file."""

    hands: int
    is_deleted: bool
    written_at: datetime
    """When something was last written into it."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A match that was changed here and in the file."""

    uid: str
    name: str
    """“Sunday”, or its sides where it has no title."""
    hand: int | None
    """The first hand that differs; `None` where something else does."""
    day: str | None
    here: Copy
    there: Copy

    @property
    def likely(self) -> str:
        """Which one likely counts: the one here, unless it alone was deleted."""
        return FILE if self.here.is_deleted and not self.there.is_deleted else HERE


@dataclass(slots=True)
class Look:
    """What a file would change."""

    uid: str
    name: str
    """What the book is called in the file."""
    is_same_book: bool
    """Whether it is this very book, or one that is not here yet; what another book says of its people stays there."""
    counts: Counter[FileStanding] = field(default_factory=Counter)
    """How many matches of the file stand how to those here."""
    first_day: str = ""
    last_day: str = ""
    """Of the new matches, where they have one."""
    conflicts: list[Conflict] = field(default_factory=list)
    nights: int = 0
    """How many nights are new, or have more in the file."""
    told: int = 0
    """How many facts about the book and its people are new."""

    @property
    def changes_anything(self) -> bool:
        """Return whether an import would write anything."""
        return bool(self.counts["new"] or self.counts["more_there"] or self.conflicts or self.told or self.nights)

    def add(self, compared: Compared) -> None:
        """Count one match."""
        self.counts[compared.standing] += 1
        setup, events = compared.match.setup, compared.match.events
        day = occasion_of(setup, fold(events)).day
        if compared.standing == "new":
            self.first_day, self.last_day = min(self.first_day or day, day), max(self.last_day, day)
        if compared.standing == "changed_in_both":
            hand = differing_hand(compared.here, events)
            name, copies = match_name(setup, events), (_copy_of(compared.here), _copy_of(events))
            self.conflicts.append(Conflict(setup.uid, name, hand, day, *copies))


def _copy_of(events: Sequence[Event]) -> Copy:
    log = fold(events)
    return Copy(len(log.hands), log.is_deleted, events[-1].at)


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


def look(run: ImportRun, book_id: int | None, book: Book | None, file: IO[bytes]) -> Look:
    """Return what a file would change in a book, or as a book that is not here yet; raises `BookFileRefused`.

    The file is read to its end: what is wrong with it is known before anything is written.
    """
    head, there = read_book(unpacked(file))
    is_same = book is None or book.uid == head.uid
    found = Look(head.uid, fold_book(head.uid, head.events).name, is_same)
    found.nights = sum(1 for night in head.nights if _night_to_add(run.session, book_id, night))
    known = set(book.matches) if book else set()
    for compared in compare(run.session, book_id, book, there):
        found.add(compared)
        if compared.standing == "new":
            known.add(compared.match.uid)
        run.session.rollback()  # no transaction stays open while a long file is read
    if is_same:
        new = merged(book.events if book else (), head.events, known.__contains__)
        found.told = sum(not isinstance(event.fact, MatchAdded) for event in new)
    return found


def _night_to_add(session: Session, book_id: int | None, night: FileNight) -> tuple[int, tuple[Event, ...]] | None:
    """Return the number of a file's night here, 0 for a new one, and what it has not got yet; `None` for nothing.

    A night that was changed in both places stays as it is here, and so does one that is not in this book.
    """
    setup = nights.by_uid(session, night.setup.uid)
    if setup is None:
        return 0, night.events
    here = [event.client_key for event in NIGHT_EVENTS.of(session, setup.id)]
    goes_on = here == [event.client_key for event in night.events[: len(here)]]
    rest = night.events[len(here) :]
    return (setup.id, rest) if setup.book_id == book_id and goes_on and rest else None


def _add_nights(
    session: Session, book_id: int, found: Sequence[FileNight], source: int | None, digest: str | None
) -> None:
    """Add the nights of a file to a book, the new ones with an owner's link: of the phone that imports, if one does."""
    for night in found:
        if (more := _night_to_add(session, book_id, night)) is None:
            continue
        night_id, events = more
        if not night_id:
            began = {name: getattr(night.setup, name) for name in NIGHT_COLUMNS}
            night_id = nights.add_night(session, **began, client_key=new_code(), book_id=book_id)
            holder = {"device": digest or NO_DEVICE, "book_link_id": source}
            NIGHT_LINKS.add(session, night_id, new_code(), OWNER, datetime.now(UTC), **holder)
        NIGHT_EVENTS.add(session, night_id, events)


SMALLER_BOOK = "Import a smaller file."
MOST_STORED = 600
"""Facts in one transaction, which whoever scores waits for."""
FROM_THE_FILE, AS_IT_WAS_HERE = "from the file", "as it was here"


class ChoiceNeeded(Exception):
    """A match was changed in both places, and nobody has said which one counts; nothing was written."""

    def __init__(self, uids: Sequence[str]) -> None:
        super().__init__("A match was changed in both places.")
        self.uids = tuple(uids)


@dataclass(slots=True)
class Imported:
    """What an import did."""

    link: BookLink | None = None
    """The link to the book; `None` where a command imports into a book that is here."""
    book_id: int = 0
    new: int = 0
    continued: int = 0
    """Matches that went on in the file."""
    told: int = 0
    """How many facts about the book and its people were new."""
    kept: list[str] = field(default_factory=list)
    """What to call the matches that were kept out of the book, for the other one counts."""


@dataclass(frozen=True, slots=True)
class _Copied:
    """A file's match that was changed in both places, stored as one of its own."""

    uid: str
    copy_uid: str
    match_id: int
    """Of the one here."""
    counts: str
    title: str


@dataclass(slots=True)
class _Stored:
    """What is stored already, and not seen yet."""

    ids: dict[str, int] = field(default_factory=dict)
    """The numbers of the new matches and of the copies, by their uids."""
    copied: list[_Copied] = field(default_factory=list)
    more_there: bool = False

    @property
    def new(self) -> list[str]:
        """The uids of the matches that are no copies."""
        copies = {it.copy_uid for it in self.copied}
        return [uid for uid in self.ids if uid not in copies]


def import_book(
    session: Session,
    file: IO[bytes],
    *,
    link: BookLink | None = None,
    book_id: int | None = None,
    choices: Mapping[str, str] | None = None,
    otherwise: str = "",
    importer: Importer | None = None,
    actor: str = "",
) -> Imported:
    """Import a file into a book: that of a `link`, that of a `book_id`, or one that is not here yet.

    `choices` say by a match's uid which one counts, `HERE` or `FILE`, and `otherwise` says so of all others. A file
    that is imported twice changes nothing. Raises `BookFileRefused`, `ChoiceNeeded`, `BookTaken` and `ImportNotNow`.
    """
    book_id = link.place_id if link else book_id
    digest = device_digest(importer.device) if importer else None
    with import_run(session, importer) as run:
        head, there = read_book(unpacked(file))
        if book_id is None and books.id_of_uid(session, head.uid) is not None:
            raise BookTaken
        book = book_of_id(session, book_id) if book_id is not None else None
        stored = _store(run, compare(session, book_id, book, there), choices or {}, otherwise)
        done = tried_again(session, lambda: _show(run, head, stored, link, book_id, digest, actor))
    if stored.more_there:
        done.continued = _continue(session, file, done.book_id, importer)
    # Also where nothing is new: an earlier import of the file may have been broken off before it came to this.
    write_names(session, done.book_id, actor)
    return done


def _store(run: ImportRun, found: Iterator[Compared], choices: Mapping[str, str], otherwise: str) -> _Stored:
    """Store every match that is not here yet, some at a time, so that nobody sees it."""
    stored, key, budget = _Stored(), str(uuid.uuid4()), Budget()
    ready: list[FileMatch] = []
    undecided = []
    for compared in found:
        match, counts = compared.match, choices.get(compared.match.uid, otherwise)
        match compared.standing:
            case "new":
                ready.append(match)
            case "changed_in_both" if counts in (HERE, FILE):
                copy, copied = _copy(compared, counts)
                ready.append(copy)
                stored.copied.append(copied)
            case "changed_in_both":
                undecided.append(match.uid)
            case "more_there":
                stored.more_there = True
                _judged(match, budget)  # refused before anything is seen, or not at all
        if sum(len(it.events) + 1 for it in ready) >= MOST_STORED:
            _store_some(run, ready, stored, key, budget)
            ready = []
        run.session.rollback()
    if undecided:
        raise ChoiceNeeded(undecided)
    _store_some(run, ready, stored, key, budget)
    return stored


def _copy(compared: Compared, counts: str) -> tuple[FileMatch, _Copied]:
    """Return what the file has of a match that was changed here as well; whichever counts keeps its title."""
    match, uid = compared.match, copy_uid(compared.match)
    title = fold(match.events).title
    title = match.setup.title if title is None else title
    events = match.events
    if counts == HERE:
        said = Renamed(title=titled(title, FROM_THE_FILE))
        events = (*events, Event(len(events) + 1, f"copy-{uid}", datetime.now(UTC), "", said))
    copy = replace(match, setup=replace(match.setup, uid=uid), events=events)
    return copy, _Copied(match.uid, uid, compared.match_id, counts, title)


def _store_some(run: ImportRun, ready: Sequence[FileMatch], stored: _Stored, key: str, budget: Budget) -> None:
    """Store some matches without a link, in one transaction, in which nothing is read: whoever scores waits for it."""
    judged = [(match, *_judged(match, budget)) for match in ready]
    session, counted = run.session, []
    session.rollback()
    run.let_others_write()
    for match, ending, its_figures in judged:
        match_id = matches.add_match(session, match.setup, match.rules, f"{key}/{len(stored.ids) + 1}")
        MATCH_EVENTS.add(session, match_id, match.events)
        if ending is not None:
            matches.set_ending(session, match_id, ending)
        counted.append((match_id, len(match.events), its_figures))
        stored.ids[match.uid] = match_id
    figures.set_figures(session, EDITION, counted)
    run.store()


def _judged(match: FileMatch, budget: Budget | None = None) -> tuple[Ending | None, MatchFigures | None]:
    """Return how a match ended and what it counts for; one that cannot be scored was no better where it comes from.

    Raises `BookFileRefused` where it takes more than the budget of the file.
    """
    log, own = fold(match.events), Budget()
    try:
        scored = derive_match(match.setup, Link(0, "", OWNER, 0), log, match.ruleset, budget=own)
        if budget is not None:
            budget.spend(own.beyond(len(log.hands)))
    except UnscorableMatch:
        return None, None
    except TooManyWays:
        raise BookFileRefused(f"{TOO_MANY_BY_POINTS} {SMALLER_BOOK}") from None
    return scored.ending, figures_of(scored)


def _show(
    run: ImportRun,
    head: FileHead,
    stored: _Stored,
    link: BookLink | None,
    book_id: int | None,
    digest: str | None,
    actor: str,
) -> Imported:
    """Put into the book what is stored, tell the book what the file says of it, and commit."""
    session, now = run.session, datetime.now(UTC)
    run.let_others_write()
    run.keep_alive()  # a transaction that begins with writing is not refused after it has read
    if book_id is None:
        link = begin_book(session, digest, str(uuid.uuid4()), uid=head.uid, created_at=head.created_at)
        book_id = link.place_id
    book = book_of_id(session, book_id)
    added = _told(book, head, stored, actor)
    after = fold_book(book.uid, (*book.events, *added))
    BOOK_EVENTS.add(session, book_id, added)
    contained = [stored.ids[uid] for uid in after.matches if uid in stored.ids]
    books.put_matches(session, contained, book_id)
    for uid in {*book.matches} - {*after.matches}:
        found = matches.by_uid(session, uid)
        if found is not None and found[1] == book_id:  # one in another book stays there
            books.put_match(session, found[0].id, None, before=book_id)
    # The links of a phone that imports come from its link to the book, and end with it.
    source = link.id if link and digest else None
    import_store.add_links(session, {match_id: new_code() for match_id in contained}, now, source)
    _add_nights(session, book_id, head.nights, source, digest)
    for copied in stored.copied:
        _keep_other(session, copied, stored.ids[copied.copy_uid], source, digest, now)
    session.commit()
    kept = [it.title for it in stored.copied]
    return Imported(link, book_id, new=len(stored.new), told=len(added), kept=kept)


def _told(book: Book, head: FileHead, stored: _Stored, actor: str) -> tuple[Event, ...]:
    """Return the facts that the book gains: the file's, and that every new match is in it."""
    # No others: whoever owns the book would own the match, which somebody may have kept out of it.
    known = {*book.matches, *stored.ids}
    added = list(merged(book.events, head.events, known.__contains__)) if book.uid == head.uid else []
    contained = set(fold_book(book.uid, (*book.events, *added)).matches)
    now = datetime.now(UTC)
    facts: list[tuple[str, MatchAdded | MatchRemoved]] = [
        (f"in-{uid}", MatchAdded(match=uid)) for uid in stored.new if uid not in contained
    ]
    for copied in stored.copied:
        # Both are told of the copy, so that the same file asks no more; the one that does not count is out of the book.
        facts.append((f"in-{copied.copy_uid}", MatchAdded(match=copied.copy_uid)))
        loser = copied.copy_uid if copied.counts == HERE else copied.uid
        facts.append((f"out-{copied.copy_uid}", MatchRemoved(match=loser)))
    keys = {event.client_key for event in (*book.events, *added)}
    first = book.version + len(added) + 1
    added += [
        Event(seq, new_code() if key in keys else key, now, actor, fact) for seq, (key, fact) in enumerate(facts, first)
    ]
    return tuple(added)


def _keep_other(
    session: Session, copied: _Copied, copy_id: int, source: int | None, digest: str | None, now: datetime
) -> None:
    """Keep the one that does not count: out of every book, with its title, and on the phone's list.

    What comes from the file is the phone's own; the match that was here it still has by the book, and loses with it.
    """
    loser = copy_id if copied.counts == HERE else copied.match_id
    if copied.counts == HERE:
        books.put_match(session, loser, None)
    else:
        seq = MATCH_EVENTS.end(session, loser)[0] + 1
        said = Renamed(title=titled(copied.title, AS_IT_WAS_HERE))
        MATCH_EVENTS.add(session, loser, [Event(seq, f"copy-{copied.copy_uid}", now, "", said)])
    if digest is not None and MATCH_LINKS.opened_by(session, digest, loser):
        return
    source = source if copied.counts == FILE else None
    listed = links.link_from_book(session, source, loser) if source else None
    if listed is None:
        listed = MATCH_LINKS.add(session, loser, new_code(), OWNER, now, book_link_id=source)
    if digest is not None:
        MATCH_LINKS.note_visit(session, digest, listed, now)


def _continue(session: Session, file: IO[bytes], book_id: int, importer: Importer | None) -> int:
    """Continue every match that goes on in the file, and return how many."""
    with import_run(session, None) as run:
        book, count, batch = book_of_id(session, book_id), 0, []
        _, there = read_book(unpacked(file))
        for compared in compare(session, book_id, book, there):
            if compared.standing == "more_there":
                batch.append(compared)
            if sum(len(it.match.events) for it in batch) >= MOST_STORED:
                count += _continue_some(run, batch)
                batch = []
            run.session.rollback()
        return count + _continue_some(run, batch)


def _continue_some(run: ImportRun, batch: Sequence[Compared]) -> int:
    """Continue some matches in one transaction; where a phone wrote into one meanwhile, each in its own."""
    run.session.rollback()
    run.let_others_write()
    try:
        run.keep_alive()
        for compared in batch:
            _go_on(run.session, compared)
        run.store()
    except IntegrityError:
        run.session.rollback()
        if len(batch) == 1:
            return 0  # it was changed in both places now: whoever looks again is asked
        return sum(_continue_some(run, [compared]) for compared in batch)
    return len(batch)


def _go_on(session: Session, compared: Compared) -> None:
    here = MATCH_EVENTS.of(session, compared.match_id)
    if more := continuation(here, compared.match.events):
        MATCH_EVENTS.add(session, compared.match_id, more)
        match = replace(compared.match, events=(*here, *more))
        ending, counted = _judged(match)
        matches.set_ending(session, compared.match_id, ending)
        figures.set_figures(session, EDITION, [(compared.match_id, len(match.events), counted)])
