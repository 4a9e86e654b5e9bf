"""A book's file imported: whole or not at all, only ever adding, and unseen until it is whole.

New matches are stored in short transactions without a link, so that scoring goes on; the last transaction puts them
into the book. A match that only goes on in the file is continued after that, each in one piece: where that is broken
off, the next import of the same file continues the rest. Of a match that was changed in both places the table chooses
which counts; the other one is kept as a match of its own, out of the book.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import IO

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.book.facts import MatchAdded, MatchRemoved
from scorekeeper.book.file import FileHead, FileMatch
from scorekeeper.book.fold import Book, fold_book
from scorekeeper.book.merge import FileStanding, copy_uid, merged, titled
from scorekeeper.book.read_file import read_book
from scorekeeper.ledger.derive_match import Ending, UnscorableMatch, derive_match
from scorekeeper.ledger.facts import Event, Renamed
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.roles import OWNER, BookLink, Link
from scorekeeper.services.book_file import MOST_IN_BOOK, BookTaken, Compared, compare, look_up, read_head, unpacked
from scorekeeper.services.books import book_of_id
from scorekeeper.services.codes import device_digest, new_code
from scorekeeper.services.import_run import Importer, ImportRun, import_run
from scorekeeper.services.once import tried_again
from scorekeeper.statistics.match_figures import EDITION, MatchFigures, figures_of
from scorekeeper.store import books, figures, imports, links, matches
from scorekeeper.store.links import BOOK_LINKS, MATCH_LINKS

MOST_STORED = 600
"""Facts in one transaction, which whoever scores waits for."""
HERE, FILE = "here", "file"
"""Which one counts where both were changed."""
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
    kept: list[str] = field(default_factory=list)
    """What to call the matches that were kept out of the book, for the other one counts."""


@dataclass(frozen=True, slots=True)
class _Copied:
    """A file's match that was changed in both places, stored as one of its own."""

    uid: str
    copy_uid: str
    copy_id: int
    match_id: int
    """Of the one here."""
    counts: str
    title: str


@dataclass(slots=True)
class _Stored:
    """What is stored already, and not seen yet."""

    new: dict[str, int] = field(default_factory=dict)
    """The numbers of new matches by their uids."""
    copied: list[_Copied] = field(default_factory=list)
    more_there: bool = False


@dataclass(frozen=True, slots=True)
class _Ready:
    """A match that was checked, to be stored."""

    match: FileMatch
    ending: Ending | None
    figures: MatchFigures | None
    copied: _Copied | None = None


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
        lines = read_book(unpacked(file), MOST_IN_BOOK)
        head = read_head(lines)
        if book_id is None and books.id_of_uid(session, head.uid) is not None:
            raise BookTaken
        book = book_of_id(session, book_id) if book_id is not None else None
        stored = _store(run, compare(session, book_id, book, lines), choices or {}, otherwise)
        done = tried_again(session, lambda: _show(run, head, stored, link, book_id, digest, actor))
    if stored.more_there:
        done.continued = _continue(session, file, done.book_id, importer)
    return done


def _store(run: ImportRun, found: Iterator[Compared], choices: Mapping[str, str], otherwise: str) -> _Stored:
    """Store every match that is not here yet, some at a time, so that nobody sees it."""
    stored, key = _Stored(), str(uuid.uuid4())
    ready: list[_Ready] = []
    undecided = []
    for compared in found:
        match, counts = compared.match, choices.get(compared.match.uid, otherwise)
        match compared.standing:
            case FileStanding.NEW:
                ready.append(_Ready(match, *_judged(match)))
            case FileStanding.CHANGED_IN_BOTH if counts in (HERE, FILE):
                ready.append(_copy(compared, counts))
            case FileStanding.CHANGED_IN_BOTH:
                undecided.append(match.uid)
            case FileStanding.MORE_THERE:
                stored.more_there = True
        if sum(len(it.match.events) + 1 for it in ready) >= MOST_STORED:
            _store_some(run, ready, stored, key)
            ready = []
        look_up(run)
    if undecided:
        raise ChoiceNeeded(undecided)
    _store_some(run, ready, stored, key)
    return stored


def _copy(compared: Compared, counts: str) -> _Ready:
    """Return what the file has of a match that was changed here as well; whichever counts keeps its title."""
    match, uid = compared.match, copy_uid(compared.match)
    title = fold(match.events).title
    title = match.setup.title if title is None else title
    events = match.events
    if counts == HERE:
        said = Renamed(title=titled(title, FROM_THE_FILE))
        events = (*events, Event(len(events) + 1, f"copy-{uid}", datetime.now(UTC), "", said))
    copy = replace(match, setup=replace(match.setup, uid=uid), events=events)
    return _Ready(copy, *_judged(copy), _Copied(match.uid, uid, 0, compared.match_id, counts, title))


def _store_some(run: ImportRun, ready: Sequence[_Ready], stored: _Stored, key: str) -> None:
    """Store some matches in one transaction, in which nothing is read: whoever scores waits for it."""
    run.session.rollback()
    run.let_others_write()
    counted = []
    for match in ready:
        match_id = _add(run.session, match, f"{key}/{len(stored.new) + len(stored.copied) + 1}")
        counted.append((match_id, len(match.match.events), match.figures))
        if match.copied:
            stored.copied.append(replace(match.copied, copy_id=match_id))
        else:
            stored.new[match.match.uid] = match_id
    figures.set_figures(run.session, EDITION, counted)
    run.store()


def _add(session: Session, ready: _Ready, key: str) -> int:
    """Add a match with its facts, and how it ended, but no link."""
    match_id = matches.add_match(session, ready.match.setup, ready.match.rules.text, key)
    matches.add_events(session, match_id, ready.match.events)
    if ready.ending is not None:
        matches.set_ending(session, match_id, ready.ending)
    return match_id


def _judged(match: FileMatch) -> tuple[Ending | None, MatchFigures | None]:
    """Return how a match ended and what it counts for; one that cannot be scored was no better where it comes from."""
    try:
        scored = derive_match(match.setup, Link(0, "", OWNER, 0), fold(match.events), match.rules.ruleset)
    except UnscorableMatch:
        return None, None
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
        book_id = books.add_book(session, head.uid, str(uuid.uuid4()), head.created_at)
        link = BOOK_LINKS.add(session, book_id, new_code(), OWNER, now, device=digest)
        if digest:
            BOOK_LINKS.note_visit(session, digest, link, now)
    book = book_of_id(session, book_id)
    added = _told(book, head, stored, actor)
    after = fold_book(book.uid, (*book.events, *added))
    books.add_book_events(session, book_id, added)
    own = {it.copy_uid: it.copy_id for it in stored.copied} | stored.new
    contained = [own[uid] for uid in after.matches if uid in own]
    books.put_matches(session, contained, book_id)
    _take_out(session, book, after, book_id)
    _add_links(session, contained, link, digest, now)
    for copied in stored.copied:
        _keep_other(session, copied, link, digest, now)
    session.commit()
    kept = [it.title for it in stored.copied]
    return Imported(link, book_id, new=len(stored.new), kept=kept)


def _told(book: Book, head: FileHead, stored: _Stored, actor: str) -> tuple[Event, ...]:
    """Return the facts that the book gains: the file's, and that every new match is in it."""
    # No others: whoever owns the book would own the match, which somebody may have kept out of it.
    known = {*book.matches, *stored.new, *(it.copy_uid for it in stored.copied)}
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


def _take_out(session: Session, before: Book, after: Book, book_id: int) -> None:
    """Store which matches that were in the book are in it no more; one in another book stays there."""
    for uid in {*before.matches} - {*after.matches}:
        found = matches.by_uid(session, uid)
        if found is not None and found[1] == book_id:
            books.put_match(session, found[0].id, None)


def _add_links(
    session: Session, match_ids: Sequence[int], link: BookLink | None, digest: str | None, now: datetime
) -> None:
    """Add a link of the phone that imports to each match: it comes from its link to the book, and ends with it."""
    source = link.id if link and digest else None
    if rows := [
        {"match_id": it, "code": new_code(), "role": OWNER, "created_at": now, "book_link_id": source}
        for it in match_ids
    ]:
        imports.add_links(session, rows)


def _keep_other(session: Session, copied: _Copied, link: BookLink | None, digest: str | None, now: datetime) -> None:
    """Keep the one that does not count: out of every book, with its title, and on the phone's list.

    What comes from the file is the phone's own; the match that was here it still has by the book, and loses with it.
    """
    loser = copied.copy_id if copied.counts == HERE else copied.match_id
    if copied.counts == HERE:
        books.put_match(session, loser, None)
    else:
        seq = matches.heads_of(session, [loser])[loser][0] + 1
        said = Renamed(title=titled(copied.title, AS_IT_WAS_HERE))
        matches.add_events(session, loser, [Event(seq, f"copy-{copied.copy_uid}", now, "", said)])
    if digest is not None and MATCH_LINKS.opened_by(session, digest, loser):
        return
    source = link.id if link and digest and copied.counts == FILE else None
    listed = links.link_from_book(session, source, loser) if source else None
    if listed is None:
        listed = MATCH_LINKS.add(session, loser, new_code(), OWNER, now, book_link_id=source)
    if digest is not None:
        MATCH_LINKS.note_visit(session, digest, listed, now)


def _continue(session: Session, file: IO[bytes], book_id: int, importer: Importer | None) -> int:
    """Continue every match that goes on in the file, and return how many."""
    with import_run(session, None) as run:
        book, count, batch = book_of_id(session, book_id), 0, []
        lines = read_book(unpacked(file), MOST_IN_BOOK)
        read_head(lines)
        for compared in compare(session, book_id, book, lines):
            if compared.standing is FileStanding.MORE_THERE:
                batch.append(compared)
            if sum(len(it.match.events) for it in batch) >= MOST_STORED:
                count += _continue_some(run, batch)
                batch = []
            look_up(run)
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
    match, (version, _) = compared.match, matches.heads_of(session, [compared.match_id])[compared.match_id]
    matches.add_events(session, compared.match_id, match.events[version:])
    ending, counted = _judged(match)
    matches.set_ending(session, compared.match_id, ending)
    figures.set_figures(session, EDITION, [(compared.match_id, len(match.events), counted)])
