"""What a book's events come to: its name, its matches and people, and what an undo would undo."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from scorekeeper.book import facts
from scorekeeper.book.facts import BookEvent, BookFact
from scorekeeper.book.people import People, fold_people, name_key, person_uid
from scorekeeper.ledger.fact_log import UndoHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What a book's events come to."""

    uid: str
    events: tuple[BookEvent, ...]
    name: str
    """Empty where it has none."""
    matches: tuple[str, ...]
    """The uids of the matches in it, the first one first."""
    people: People
    undo_next: BookEvent | None
    """What an undo would undo. A match comes and goes by itself: it is moved back, and not undone."""
    redo_target: int | None
    """The undo that a redo would undo."""

    @property
    def version(self) -> int:
        """The last event's place; 0 where nothing has happened."""
        return self.events[-1].seq if self.events else 0

    def has_key(self, client_key: str) -> bool:
        """Return whether a form has been received already."""
        return any(event.client_key == client_key for event in self.events)

    def fact(self, seq: int) -> BookFact | None:
        """Return what an event wrote; `None` where there is no such event."""
        return next((event.fact for event in self.events if event.seq == seq), None)

    def person(self, match: str, seat: str, sittings: int, name: str) -> str:
        """Return the uid of whoever sat in a seat of a match when so many had sat in, under the name that was typed."""
        assigned = self.people.assigned.get((match, seat, sittings))
        return self.people.root(assigned or self.person_named(name))

    def person_named(self, name: str) -> str:
        """Return the uid of the person that a name stands for, before joining."""
        known_as = self.people.known_as
        return (known_as and known_as.get(name_key(name))) or person_uid(self.uid, name)

    def name_of(self, person: str, on: date | None = None) -> str | None:
        """Return the name that a person was given, as of a day or now; `None` where the typed one holds."""
        return self.people.name_of(person, on)


def is_move(event: BookEvent) -> bool:
    """Return whether an event put a match into the book or took it out: that is moved back, and never undone."""
    return isinstance(event.fact, facts.MatchAdded | facts.MatchRemoved)


def history_of(events: Iterable[BookEvent]) -> UndoHistory:
    """Return what is in force of what can be undone."""
    return UndoHistory(event for event in events if not is_move(event))


def fold_book(uid: str, events: Iterable[BookEvent]) -> Book:
    """Return what a book's events, in order, come to."""
    events = tuple(events)
    name, matches = "", dict[str, None]()
    for event in events:
        match event.fact:
            case facts.MatchAdded(match=match):
                matches[match] = None
            case facts.MatchRemoved(match=match):
                matches.pop(match, None)
    history = history_of(events)
    in_force = history.in_force
    for event in in_force:
        match event.fact:
            case facts.BookRenamed(name=given):
                name = given
    return Book(
        uid=uid,
        events=events,
        name=name,
        matches=tuple(matches),
        people=fold_people(event.fact for event in in_force),
        undo_next=in_force[-1] if in_force else None,
        redo_target=history.redoable[-1][0] if history.redoable else None,
    )
