"""The events of a book: each kind with the role that may write it, its refusals and its effect.

Matches and people are known by their uids; `fold.person_uid` makes that of a person from the book and the name. So a
typed name finds its person without an event; these events add what names alone do not show.
"""

from collections.abc import Mapping
from typing import ClassVar

from scorekeeper.book.fold import Book, DeletedNameEvent
from scorekeeper.eventlog.fields import Day, SeatId, Seq, Title, Uid
from scorekeeper.eventlog.stream import OWNER, Event, StoredEvent, event_kind, refusal, refuse_any
from scorekeeper.eventlog.stream import Redone as Redone
from scorekeeper.eventlog.stream import Undone as Undone
from scorekeeper.pitch.rules.entered_text import title_faults
from scorekeeper.pitch.scoring.seats import name_key


@event_kind("rename", OWNER)
class BookRenamed(Event):
    """The book got a name, or another one; an empty name removes it."""

    name: Title

    def changes_anything(self, book: Book) -> bool:
        refuse_any(title_faults("name", self.name))
        return True

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.name = self.name


class _MatchMoved(Event):
    """A match was put in or taken out, as the owners of the match decide: it can be moved back, but not undone."""

    __slots__ = ()
    is_undoable: ClassVar[bool] = False


@event_kind("match", None)
class MatchAdded(_MatchMoved):
    """A match was put into the book."""

    match: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.matches[self.match] = None


@event_kind("match_removal", None)
class MatchRemoved(_MatchMoved):
    """A match was taken out of the book: it is in another one now, or in none."""

    match: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.matches.pop(self.match, None)


@event_kind("person", OWNER)
class PersonRenamed(Event):
    """A person got another name: in all matches, or in those from some day on."""

    person: Uid
    name: Title
    since: Day | None = None
    """The first day of the name; `None` for all days."""

    def apply(self, book: Book, event: StoredEvent) -> None:
        given, since = book.people.given, self.since
        kept = [item for item in given.get(self.person, ()) if since and item[0] != since]
        given[self.person] = tuple(sorted([*kept, (since or "", self.name)]))
        book.people.known_as.setdefault(name_key(self.name), self.person)


@event_kind("join", OWNER)
class PeopleJoined(Event):
    """Two names are one person: the hands of the first count for the other."""

    person: Uid
    into: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        people = book.people
        if self.person not in people.joined and people.root(self.into) != self.person:
            people.joined[self.person] = self.into


@event_kind("part", OWNER)
class PersonSeparated(Event):
    """A person who was joined to another one is a person apart again."""

    person: Uid

    def changes_anything(self, book: Book) -> bool:
        if self.person not in book.people.joined:
            raise refusal("joined", "This name stands for itself already.")
        return True

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.joined.pop(self.person, None)


@event_kind("player", OWNER)
class PlayerAssigned(Event):
    """A player of a match is assigned to another person of the same name: to the other one of two Anns."""

    match: Uid
    seat: SeatId
    sittings: Seq
    """The number of substitutions when the player sat down, 0 from the start: it tells the players of a seat apart."""
    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.assigned[self.match, self.seat, self.sittings] = self.person


@event_kind("name_deletion", OWNER)
class NameDeleted(DeletedNameEvent):
    """A person's name was deleted; the matches stay as they are, and call the person “Player 3”."""

    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.nameless[self.person] = event.at


@event_kind("name_return", OWNER)
class NameRestored(DeletedNameEvent):
    """A person's name was restored."""

    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.nameless.pop(self.person, None)


BOOK_EVENT_KINDS: Mapping[str, type[Event]] = {
    kind.kind: kind
    for kind in (
        *(BookRenamed, MatchAdded, MatchRemoved, PersonRenamed, PeopleJoined, PersonSeparated, PlayerAssigned),
        *(NameDeleted, NameRestored, Undone, Redone),
    )
}
"""The class of every kind of event of a book, by the name of the kind in the database."""
