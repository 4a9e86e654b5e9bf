"""The events of a book. Each kind has the role that may write it, its refusals and its effect.

Events name matches and people by their uids. A typed name means a person without any event: `fold.person_uid`.
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
    """The book was given a name, or another one. An empty name leaves it without a name."""

    name: Title

    def changes_anything(self, book: Book) -> bool:
        refuse_any(title_faults("name", self.name))
        return True

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.name = self.name


class _MatchMoved(Event):
    """The base of the events that put a match into the book or take it out.

    They cannot be undone: to move the match back, another event is written.
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
    """A match was taken out of the book, and is in another book or in none now."""

    match: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.matches.pop(self.match, None)


@event_kind("person", OWNER)
class PersonRenamed(Event):
    """A person got another name, in all matches or in those that were played from the day `since` on."""

    person: Uid
    name: Title
    since: Day | None = None
    """The first day of the name, in ISO 8601; `None` for all days."""

    def apply(self, book: Book, event: StoredEvent) -> None:
        names_by_person, since = book.people.dated_names_by_person, self.since
        names_of_other_days = [
            dated_name for dated_name in names_by_person.get(self.person, ()) if since and dated_name[0] != since
        ]
        names_by_person[self.person] = tuple(sorted([*names_of_other_days, (since or "", self.name)]))
        book.people.person_by_name.setdefault(name_key(self.name), self.person)


@event_kind("join", OWNER)
class PeopleJoined(Event):
    """A person was joined to another one: all that `person` played counts for `into`."""

    person: Uid
    into: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        people = book.people
        if self.person not in people.into_by_person and people.root(self.into) != self.person:
            people.into_by_person[self.person] = self.into


@event_kind("part", OWNER)
class PersonSeparated(Event):
    """A person who was joined to another one is a person apart again."""

    person: Uid

    def changes_anything(self, book: Book) -> bool:
        if self.person not in book.people.into_by_person:
            raise refusal("joined", "This name stands for itself already.")
        return True

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.into_by_person.pop(self.person, None)


@event_kind("player", OWNER)
class PlayerAssigned(Event):
    """A player of a match was assigned to a person, whatever the name: as when a second Ann played."""

    match: Uid
    seat: SeatId
    sittings: Seq
    """The number of the substitution that seated the player, from 1; 0 for a player from the start.

    It tells the players of one seat apart.
    """
    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.person_by_player[self.match, self.seat, self.sittings] = self.person


@event_kind("name_deletion", OWNER)
class NameDeleted(DeletedNameEvent):
    """A person's name was deleted. The matches keep it, but show "Player 3" or the like in its place."""

    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.deleted_at_by_person[self.person] = event.at


@event_kind("name_return", OWNER)
class NameRestored(DeletedNameEvent):
    """A person's name was restored."""

    person: Uid

    def apply(self, book: Book, event: StoredEvent) -> None:
        book.people.deleted_at_by_person.pop(self.person, None)


UNREADABLE = Undone(target=0)
"""What stands in for an event of a book that cannot be read: an undo with nothing to undo."""
BOOK_EVENT_KINDS: Mapping[str, type[Event]] = {
    kind.kind: kind
    for kind in (
        *(BookRenamed, MatchAdded, MatchRemoved, PersonRenamed, PeopleJoined, PersonSeparated, PlayerAssigned),
        *(NameDeleted, NameRestored, Undone, Redone),
    )
}
"""The classes of the events of books, keyed by the name of the kind in the database."""
