"""What can be written into a book: each kind of fact with its role, its refusals, its effect and what it is about.

A match is known by its uid, and so is a person: by the uid that `people.person_uid` makes of a book and of a name. A
name that was typed in a match is matched to a person by itself; what is written here is what that would not tell.
"""

from collections.abc import Mapping

from scorekeeper.book.fold import DELETED, Book
from scorekeeper.eventlog.refusals import refusal, refuse_any
from scorekeeper.eventlog.roles import OWNER
from scorekeeper.eventlog.stream import Event, Fact, fact
from scorekeeper.eventlog.stream import Redone as Redone
from scorekeeper.eventlog.stream import Undone as Undone
from scorekeeper.pitch.records.fields import Day, Place, SeatId, Title, Uid
from scorekeeper.pitch.records.limits import title_faults
from scorekeeper.pitch.scoring.seats import name_key


@fact("rename", OWNER)
class BookRenamed(Fact):
    """The book got a name, or another one; an empty one takes it away."""

    name: Title

    def is_new(self, book: Book) -> bool:
        refuse_any(title_faults("name", self.name))
        return True

    def apply(self, book: Book, event: Event) -> None:
        book.name = self.name


class _Moved(Fact):
    """A match came or went, as those who own the match decide: it is moved back, and not undone."""

    __slots__ = ()
    match: Uid

    @property
    def is_undoable(self) -> bool:
        return False

    @property
    def subject(self) -> tuple[object, ...]:
        return "match", self.match


@fact("match", None)
class MatchAdded(_Moved):
    """A match was put into the book."""

    match: Uid

    def apply(self, book: Book, event: Event) -> None:
        book.matches[self.match] = None


@fact("match_removal", None)
class MatchRemoved(_Moved):
    """A match was taken out of the book: it is in another one now, or in none."""

    match: Uid

    def apply(self, book: Book, event: Event) -> None:
        book.matches.pop(self.match, None)


@fact("person", OWNER)
class PersonRenamed(Fact):
    """A person is called otherwise: everywhere, or from some day on."""

    person: Uid
    name: Title
    since: Day | None = None
    """`None` is everywhere."""

    @property
    def subject(self) -> tuple[object, ...]:
        return "person", self.person, self.since

    def apply(self, book: Book, event: Event) -> None:
        given, since = book.people.given, self.since
        kept = [item for item in given.get(self.person, ()) if since and item[0] != since]
        given[self.person] = tuple(sorted([*kept, (since or "", self.name)]))
        book.people.known_as.setdefault(name_key(self.name), self.person)


@fact("join", OWNER)
class PeopleJoined(Fact):
    """Two names are one person: what the first played counts for the other."""

    person: Uid
    into: Uid

    @property
    def subject(self) -> tuple[object, ...]:
        return "joined", self.person

    def apply(self, book: Book, event: Event) -> None:
        people = book.people
        if self.person not in people.joined and people.root(self.into) != self.person:
            people.joined[self.person] = self.into


@fact("part", OWNER)
class PersonParted(Fact):
    """A name that was joined to a person is a person of its own again."""

    person: Uid

    def is_new(self, book: Book) -> bool:
        if self.person not in book.people.joined:
            raise refusal("joined", "This name stands for itself already.")
        return True

    @property
    def subject(self) -> tuple[object, ...]:
        return "joined", self.person

    def apply(self, book: Book, event: Event) -> None:
        book.people.joined.pop(self.person, None)


@fact("player", OWNER)
class PlayerAssigned(Fact):
    """A player of a match is a certain person, whatever the name says: of two Anns the other one."""

    match: Uid
    seat: SeatId
    sittings: Place
    """How many had sat in at that table since the match began: each of them may be somebody else."""
    person: Uid

    @property
    def subject(self) -> tuple[object, ...]:
        return "player", self.match, self.seat, self.sittings

    def apply(self, book: Book, event: Event) -> None:
        book.people.assigned[self.match, self.seat, self.sittings] = self.person


@fact("name_deletion", OWNER)
class NameDeleted(Fact):
    """A person's name was deleted; the matches stay true, and call them “Player 3”."""

    person: Uid

    @property
    def subject(self) -> tuple[object, ...]:
        return DELETED, self.person

    def apply(self, book: Book, event: Event) -> None:
        book.people.nameless[self.person] = event.at


@fact("name_return", OWNER)
class NameRestored(Fact):
    """A person's name was restored."""

    person: Uid

    @property
    def subject(self) -> tuple[object, ...]:
        return DELETED, self.person

    def apply(self, book: Book, event: Event) -> None:
        book.people.nameless.pop(self.person, None)


BOOK_FACTS: Mapping[str, type[Fact]] = {
    it.kind: it
    for it in (
        *(BookRenamed, MatchAdded, MatchRemoved, PersonRenamed, PeopleJoined, PersonParted, PlayerAssigned),
        *(NameDeleted, NameRestored, Undone, Redone),
    )
}
"""Every kind of fact, by what it is stored as."""
