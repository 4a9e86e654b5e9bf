"""The people of a book: what they are called, and renaming, joining and deleting names."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy.orm import Session

from scorekeeper.book.facts import (
    NameDeleted,
    NameRestored,
    PeopleJoined,
    PersonRenamed,
    PlayerAssigned,
    Redone,
    Undone,
)
from scorekeeper.book.fold import Book
from scorekeeper.book.people import name_key, person_uid
from scorekeeper.ledger.fact_log import Fact
from scorekeeper.ledger.facts import Event, Renamed
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.limits import cut_actor, name_faults
from scorekeeper.ledger.refusals import refusal, refuse_any
from scorekeeper.services.books import BookAccess, load_book, write_book
from scorekeeper.services.codes import new_code
from scorekeeper.services.figures import BookMatches, book_matches
from scorekeeper.services.once import Writer, tried_again
from scorekeeper.statistics.match_figures import EDITION, MatchFigures, Sitter, columns, sitters_of
from scorekeeper.statistics.people import Count, SeatedMatch, fold_standings
from scorekeeper.store import books, figures, matches
from scorekeeper.store.codec import UnreadableEvent
from scorekeeper.store.events import MATCH_EVENTS


@dataclass(frozen=True)
class BookPeople:
    """The matches of a book with the names of its people."""

    access: BookAccess
    found: BookMatches
    standings: Mapping[str, Count]
    """Everybody's matches: won of played."""
    names: Mapping[str, str]
    """What everybody is called now, no two alike; whoever's name was deleted is left out."""

    @property
    def matches(self) -> tuple[SeatedMatch, ...]:
        """The matches that came to an end, the earliest first."""
        return self.found.matches

    @property
    def book(self) -> Book:
        """The book."""
        return self.access.book

    def name_in(self, match: SeatedMatch, person: str) -> str:
        """Return what a person is called in a match: "Player 3" where the name was deleted."""
        if person in self.names:
            return self.names[person]
        seats = [seat for side in match.figures.sides for seat in side.seats]
        place = match.people.index(person) if person in match.people else 0
        seat = match.figures.sitters[place].seat
        return player_number(sorted(seats, key=_seat_number).index(seat) if seat in seats else 0)


def player_number(place: int) -> str:
    """Return what a player without a name is called: "Player 3"."""
    return f"Player {place + 1}"


def _seat_number(seat: str) -> tuple[int, str]:
    return len(seat), seat


def people_of(session: Session, access: BookAccess) -> BookPeople:
    """Return a book's people."""
    found = book_matches(session, access.id, access.book)
    memo = found.memo
    if "people" not in memo:
        memo["people"] = fold_standings(found.matches), _names(access.book, found.matches)
    standings, names = memo["people"]
    return BookPeople(access, found, standings, names)


def _names(book: Book, seated: tuple[SeatedMatch, ...]) -> dict[str, str]:
    typed: dict[str, str] = {}
    joined: dict[str, str] = {}
    for match in seated:
        for name, person in zip(match.figures.typed_names, match.people, strict=True):
            names = typed if person_uid(book.uid, name) == person else joined
            names[person] = name
    called: dict[str, str] = {}
    taken: dict[str, int] = {}
    # Of two with one name the one who is known by it comes first.
    for person, name in (typed | {one: name for one, name in joined.items() if one not in typed}).items():
        if person in book.people.nameless:
            continue
        name = book.name_of(person) or name
        key = name_key(name)
        taken[key] = taken.get(key, 0) + 1
        called[person] = name if taken[key] == 1 else f"{name} ({taken[key]})"
    return called


def rename_person(
    session: Session, access: BookAccess, person: str, name: str, since: str | None, writer: Writer
) -> BookAccess:
    """Rename a person everywhere, or since a day; raises `Refused`. Their matches say the new name as well."""
    refuse_any(name_faults("name", name))
    everybody = people_of(session, access)
    for other, called in everybody.names.items():
        if other != person and name_key(called) == name_key(name):
            raise refusal("name", f"{called} is in these matches too. If they are one person, join them.")
    other = access.book.people.root(access.book.person_named(name))
    if other != person and other in everybody.standings:
        raise refusal("name", f"{name} is somebody else here. If they are one person, join them.")
    return write_of_people(session, access, PersonRenamed(person=person, name=name, since=since), writer)


def join_people(session: Session, access: BookAccess, person: str, into: str, writer: Writer) -> BookAccess:
    """Make two people one; raises `Refused`."""
    known = people_of(session, access).standings
    if person == into or person not in known or into not in known:
        raise refusal("into", "Choose somebody else.")
    return write_of_people(session, access, PeopleJoined(person=person, into=into), writer)


def assign_other(session: Session, access: BookAccess, person: str, match: str, writer: Writer) -> BookAccess:
    """Make whoever played as a person in a match somebody else of that name; and back again. Raises `Refused`."""
    everybody = people_of(session, access)
    seated = next((it for it in everybody.matches if it.uid == match and person in it.people), None)
    if seated is None:
        raise refusal("match", "This match has changed. Look at it again.")
    sitter = seated.figures.sitters[seated.people.index(person)]
    book = access.book
    first = book.people.root(book.person_named(sitter.typed))
    if (match, sitter.seat, sitter.sittings) in book.people.assigned and first != person:
        other = first
    else:
        other = person_uid(book.uid, f"{sitter.typed} (2)")
    fact = PlayerAssigned(match=match, seat=sitter.seat, sittings=sitter.sittings, person=other)
    return write_of_people(session, access, fact, writer)


def write_of_people(session: Session, access: BookAccess, fact: Fact, writer: Writer) -> BookAccess:
    """Write what is said of people into their book, and a new name into the matches; raises `Refused`."""
    after = write_book(session, access.code, fact, writer)
    person = _renamed_by(after.book, fact)
    if person:
        # As it is called in the book now: another phone may have renamed the same person meanwhile.
        tried_again(session, lambda: _write_into_matches(session, load_book(session, after.code), person, writer.actor))
    return after


def _renamed_by(book: Book, fact: Fact | None) -> str | None:
    """Return the person whom a fact gives or takes a name."""
    match fact:
        case PersonRenamed(person=person) | NameDeleted(person=person) | NameRestored(person=person):
            return person
        case Undone(target=target) | Redone(target=target):
            return _renamed_by(book, book.fact(target))
        case _:
            return None


def _write_into_matches(session: Session, access: BookAccess, person: str, actor: str) -> None:
    """Write what a person is called now into the matches that say otherwise, and commit.

    A match is written in as it was counted: the newest of it is the count's, or another phone has been faster, and it
    is tried again.
    """
    book, now = access.book, datetime.now(UTC)
    found = book_matches(session, access.id, book)
    versions = {item.match_id: item.present for item in figures.counted_in_book(session, access.id)}
    counted: list[tuple[int, int, MatchFigures | None]] = []
    for seated in found.matches:
        match_id = found.ids[seated.uid]
        it = seated.figures
        sitters = _renamed(book, it.on, it.sitters, seated.people, {side.name for side in it.sides}, person)
        if renamed := _fact(it.sitters, sitters):
            version = versions[match_id] + 1
            MATCH_EVENTS.add(session, match_id, [Event(version, new_code(), now, cut_actor(actor), renamed)])
            counted.append((match_id, version, it._replace(sitting=columns(sitters))))
    figures.set_figures(session, EDITION, counted)
    for match_id in set(books.match_ids_of(session, access.id)) - set(found.ids.values()):
        _write_into_open_match(session, book, match_id, person, actor, now)
    session.commit()


def _renamed(
    book: Book, on: str, before: Sequence[Sitter], people: Sequence[str], sides: Set[str], person: str
) -> list[Sitter]:
    """Return the sitters of a match as they are called now; what a side or somebody in another seat is called, is not.

    `sides` are the names of the sides.
    """
    seats = sorted({it.seat for it in before}, key=_seat_number)
    sitters = []
    for it, who in zip(before, people, strict=True):
        wanted = _wanted(book, person, on, it.typed, seats.index(it.seat)) if who == person else it.name
        others = {other.name for other, one in zip(before, people, strict=True) if one != who and other.seat != it.seat}
        sitters.append(it if wanted in others | sides else it._replace(name=wanted))
    return sitters


def _fact(before: Sequence[Sitter], after: Sequence[Sitter]) -> Renamed | None:
    """Return what gives sitters other names; `None` where they have them."""
    changed = [it for it, was in zip(after, before, strict=True) if it.name != was.name]
    names = {it.seat: it.name for it in changed if not it.left_at}
    left = {f"{it.seat}/{it.left_at}": it.name for it in changed if it.left_at}
    return Renamed(names=names, by_book=True, left=left or None) if changed else None


def _wanted(book: Book, person: str, on: str, typed: str, number: int) -> str:
    if person in book.people.nameless:
        return player_number(number)
    return book.name_of(person, date.fromisoformat(on)) or typed


def _write_into_open_match(session: Session, book: Book, match_id: int, person: str, actor: str, now: datetime) -> None:
    """Do the same in a match that has not come to an end, which is not counted."""
    setup = matches.setup_by_id(session, match_id)
    try:
        log = fold(MATCH_EVENTS.of(session, match_id))
    except UnreadableEvent:
        return
    on = setup.played_on or setup.created_at.date().isoformat()
    before = sitters_of(setup, log)
    people = [book.person(setup.uid, it.seat, it.sittings, it.typed) for it in before]
    sides = {side.name or "" for side in setup.sides if side.id not in (it.seat for it in before)}
    if renamed := _fact(before, _renamed(book, on, before, people, sides, person)):
        event = Event(log.version + 1, new_code(), now, cut_actor(actor), renamed)
        MATCH_EVENTS.add(session, match_id, [event])
