"""The events of a book: each kind with the role that may write it, its refusals and its effect.

Events name matches and people by their uids. A typed name finds its person without any event: `fold.person_uid`.
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
    """The book was named or renamed; an empty name removes its name."""

    name: Title

    def changes_anything(self, book: Book) -> bool:
        refuse_any(title_faults("name", self.name))
        return True

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.name = self.name


class _MatchMoved(Event):
    """The base of the events that put a match into the book or take it out.

    They cannot be undone: a move back is a new event.
    """

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
    """A match was taken out of the book, to be in another book or in none."""

    match: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.matches.pop(self.match, None)


@event_kind("person", OWNER)
class PersonRenamed(Event):
    """A person got another name, in all matches or in those played from `since` on."""

    person: Uid
    name: Title
    since: Day | None = None
    """The first day of the name; `None` for all days."""

    def apply(self, book: Book, event: StoredEvent) -> None:
        renames, since = book.people.renames, self.since
        other_names = [item for item in renames.get(self.person, ()) if since and item[0] != since]
        renames[self.person] = tuple(sorted([*other_names, (since or "", self.name)]))
        book.people.person_by_name.setdefault(name_key(self.name), self.person)


@event_kind("join", OWNER)
class PeopleJoined(Event):
    """One person was joined to another: the hands of `person` count for `into`."""

    person: Uid
    into: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        people = book.people
        if self.person not in people.joined and people.root(self.into) != self.person:
            people.joined[self.person] = self.into


@event_kind("part", OWNER)
class PersonSeparated(Event):
    """A person who was joined to another counts as a separate person again."""

    person: Uid

    def changes_anything(self, book: Book) -> bool:
        if self.person not in book.people.joined:
            raise refusal("joined", "This name stands for itself already.")
        return True

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.joined.pop(self.person, None)


@event_kind("player", OWNER)
class PlayerAssigned(Event):
    """A player of a match was assigned to another person of the same name, such as a second Ann."""

    match: Uid
    seat: SeatId
    sittings: Seq
    """Which substitution of the match seated the player, from 1, or 0 for none: it tells players of one seat apart."""
    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.assigned[self.match, self.seat, self.sittings] = self.person


@event_kind("name_deletion", OWNER)
class NameDeleted(DeletedNameEvent):
    """A person's name was deleted: the matches stay unchanged, but show “Player 3” or the like for it."""

    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.nameless[self.person] = event.at


@event_kind("name_return", OWNER)
class NameRestored(DeletedNameEvent):
    """A person's name was restored."""

    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.nameless.pop(self.person, None)


UNREADABLE = Undone(target=0)
"""What stands for each event of a book that cannot be read: an undo that undoes nothing."""
BOOK_EVENT_KINDS: Mapping[str, type[Event]] = {
    kind.kind: kind
    for kind in (
        *(BookRenamed, MatchAdded, MatchRemoved, PersonRenamed, PeopleJoined, PersonSeparated, PlayerAssigned),
        *(NameDeleted, NameRestored, Undone, Redone),
    )
}
"""The class of each kind of book event, by the kind's name in the database."""
