"""The events of a book folded: its name, its matches and its people.

A typed name finds its person without an event; differences in capitals and spaces do not count.
"""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import ClassVar

from scorekeeper.eventlog.stream import Event, EventLog, StoredEvent, refusal
from scorekeeper.matches.deleted_names import is_deleted_name
from scorekeeper.pitch.scoring.seats import name_key

_UID_BYTES = 16
_NOBODY_SEPARATOR = "/"
"""The separator in an id from `nobody_id`: a character that no uid has."""
PlayerKey = tuple[str, str, int]
"""The key of a player: a match's uid, a seat's id, and which substitution seated the player, from 1, or 0 for none."""


@lru_cache(maxsize=4096)  # few names of a book are looked up, thousands of times
def person_uid(book_uid: str, name: str) -> str:
    """Return the uid of the person with this name in a book, unless an event gives the name to another."""
    digest = hashlib.sha256(f"{book_uid}\n{name_key(name)}".encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest[:_UID_BYTES]).decode().rstrip("=")


def numbered_name(name: str, number: int = 2) -> str:
    """Return a name with a number, for another person of the same name: "Ann (2)"."""
    return f"{name} ({number})"


def nobody_id(seat: str, substitution_number: int) -> str:
    """Return an id such as "p1/0" for a player who is no person of the book.

    The number is the one in the `PlayerKey`.
    """
    return f"{seat}{_NOBODY_SEPARATOR}{substitution_number}"


def is_nobody(person: str) -> bool:
    """Return whether an id is one from `nobody_id`, of a player who is no person of the book."""
    return _NOBODY_SEPARATOR in person


@dataclass(slots=True, kw_only=True)
class People:
    """What a book's events have changed about its people.

    All else about people follows from the names in the matches.
    """

    joined: dict[str, str] = field(default_factory=dict)
    """The person to whom each joined person was joined, who may have been joined in turn."""
    renames: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The names given to each person, by uid, in order of their first days.

    A first day is in ISO 8601, or empty for all days.
    """
    person_by_name: dict[str, str] = field(default_factory=dict)
    """The first person to get a name, by the name's `name_key`: the name means this person wherever it is typed."""
    assigned: dict[PlayerKey, str] = field(default_factory=dict)
    """The person to whom a player of a match was assigned, whatever the player's name is."""
    nameless: dict[str, datetime] = field(default_factory=dict)
    """When the deleted names were deleted, by the person's uid; without restored names."""

    def root(self, person: str) -> str:
        """Return the uid of the person whom a person counts as after all joins."""
        while person in self.joined:
            person = self.joined[person]
        return person

    def people_joined_to(self, person: str) -> tuple[str, ...]:
        """Return the uids of the people who were joined directly to this one."""
        return tuple(one for one, into in self.joined.items() if into == person)


class DeletedNameEvent(Event):
    """The base of the events that delete a person's name, or restore it."""

    __slots__ = ()
    person: str


@dataclass(slots=True, kw_only=True)
class Book(EventLog):
    """The folded events of a book."""

    noun: ClassVar[str] = "book"
    max_events: ClassVar[int] = 100_000
    """The most events in a book: enough for a match a day for a hundred years, and for the events about its people."""
    uid: str
    name: str = ""
    """Empty where the book has no name."""
    matches: dict[str, None] = field(default_factory=dict)
    """The uids of the matches in the book as keys, in the order in which they were added."""
    people: People = field(default_factory=People)
    ever_nameless: frozenset[str] = frozenset()
    """The uids of the people whose names this book ever deleted, even if a name was restored since."""
    _person_cache: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """A cache of the person's uid for each name, after all joins: a few names are looked up thousands of times."""

    def person(self, match: str, seat: str, substitution_number: int, name: str, shown_name: str = "") -> str:
        """Return the uid of the person that a player of a match is.

        For a player without a name, or whose name another book has deleted, it is an id from `nobody_id`. `name` is as
        typed, `shown_name` as the match shows it.
        """
        if not name:
            return nobody_id(seat, substitution_number)
        found = self._find_person(match, seat, substitution_number, name)
        if shown_name and is_deleted_name(shown_name, name) and found not in map(self.people.root, self.ever_nameless):
            return nobody_id(seat, substitution_number)
        return found

    def people_in(self, match: str, players: Sequence[tuple[str, int, str, str]]) -> tuple[str, ...]:
        """Return the uid of each player's person in a match, in the order of `players`.

        `players` has the arguments of `person` for each, without `match`. Two who played together are different people,
        even if they have the same name, as in old matches.
        """
        people = [self.person(match, *player) for player in players]
        if len(set(people)) == len(people):
            return tuple(people)
        is_assigned = [
            (match, seat, substitution_number) in self.people.assigned for seat, substitution_number, *_ in players
        ]
        # Of two with the same name, the second by alphabet is another person, unless the book has assigned that player.
        earlier_indexes: list[int] = []
        for index in sorted(range(len(people)), key=lambda index: (not is_assigned[index], players[index][2])):
            beside = {people[earlier] for earlier in earlier_indexes if _played_together(players, earlier, index)}
            number = 1
            while people[index] in beside and not is_assigned[index]:
                number += 1
                people[index] = self.people.root(self.person_named(numbered_name(players[index][2], number)))
            earlier_indexes.append(index)
        return tuple(people)

    def _find_person(self, match: str, seat: str, substitution_number: int, name: str) -> str:
        """Return the uid of the person that a player is, by assignment or else by name, after all joins."""
        people, uid_by_name = self.people, self._person_cache
        if people.assigned and (assigned := people.assigned.get((match, seat, substitution_number))):
            return people.root(assigned)
        if name not in uid_by_name:
            uid_by_name[name] = people.root(self.person_named(name))
        return uid_by_name[name]

    def person_named(self, name: str) -> str:
        """Return the uid of the person that a typed name means; joins are ignored."""
        person_by_name = self.people.person_by_name
        return (person_by_name and person_by_name.get(name_key(name))) or person_uid(self.uid, name)

    def name_of(self, person: str, on: date | None = None) -> str | None:
        """Return the name that the book gave a person, at present or on a day; `None` if it gave none."""
        names = self.people.renames.get(person, ())
        if on is not None:
            names = tuple(item for item in names if item[0] <= on.isoformat())
        return names[-1][1] if names else None

    def may_show_name(self, name: str) -> bool:
        """Return whether a typed name may be shown: it is not empty, and its person's name is not deleted."""
        return bool(name) and self.people.root(self.person_named(name)) not in self.people.nameless

    def has_deleted_name(self, name: str, at: datetime) -> bool:
        """Return whether a name that was typed at a time was deleted later, and is still deleted."""
        nameless = self.people.nameless
        deleted_at = nameless.get(self.people.root(self.person_named(name))) if nameless else None
        return deleted_at is not None and at <= deleted_at

    def refuse_unless_last(self, target_seq: int, last_seq: int | None, action: str) -> None:
        """Raise `Refused` unless `target_seq` is the last event that can be undone, or redone."""
        if target_seq != last_seq:
            raise refusal("", "Something else was changed since. Look at it again first.")


def fold_book(uid: str, events: Iterable[StoredEvent]) -> Book:
    """Fold events, in order, into a book."""
    events = tuple(events)
    ever_nameless = frozenset(event.data.person for event in events if isinstance(event.data, DeletedNameEvent))
    return Book.fold(events, uid=uid, ever_nameless=ever_nameless)


def _played_together(players: Sequence[tuple[str, int, str, str]], one: int, other: int) -> bool:
    """Return whether the players with two indexes were at the table at the same time."""
    (seat, substitution_number, *_), (other_seat, other_number, *_) = players[one], players[other]
    later = max(substitution_number, other_number)
    return seat != other_seat and not any(
        player_number < sat_down <= later
        for player_seat, player_number in ((seat, substitution_number), (other_seat, other_number))
        for taken_seat, sat_down, *_ in players
        if taken_seat == player_seat
    )
