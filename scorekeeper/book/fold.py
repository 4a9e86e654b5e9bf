"""The events of a book folded: its name, its matches and people, and what an undo would undo.

A typed name finds its person without an event, whatever its capitals and spaces.
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
"""A character that no uid has."""
PlayerKey = tuple[str, str, int]
"""A player: the uid of the match, the id of the seat, and the number of substitutions when the player sat down."""


@lru_cache(maxsize=4096)  # few names of a book are looked up, thousands of times
def person_uid(book_uid: str, name: str) -> str:
    """Return the uid that a name has in a book, unless an event gives the name to another person."""
    digest = hashlib.sha256(f"{book_uid}\n{name_key(name)}".encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest[:_UID_BYTES]).decode().rstrip("=")


def numbered_name(name: str, number: int = 2) -> str:
    """Return the name by which another person of the same name is kept apart: "Ann (2)"."""
    return f"{name} ({number})"


def nobody_id(seat: str, since: int) -> str:
    """Return the id of a player who is no person of the book, by the seat and the number of substitutions then."""
    return f"{seat}{_NOBODY_SEPARATOR}{since}"


def is_nobody(person: str) -> bool:
    """Return whether an id was made by `nobody_id`."""
    return _NOBODY_SEPARATOR in person


@dataclass(slots=True, kw_only=True)
class People:
    """What a book's events state about its people; the rest follows from the names in its matches."""

    joined: dict[str, str] = field(default_factory=dict)
    """The person that each joined person counts as, who may have been joined in turn."""
    given: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The names given to each person, each after the first day on which it holds; "" is every day."""
    known_as: dict[str, str] = field(default_factory=dict)
    """The person who was given a name, by the name's key: wherever the name is typed, it means that person."""
    assigned: dict[PlayerKey, str] = field(default_factory=dict)
    nameless: dict[str, datetime] = field(default_factory=dict)
    """The people whose name was deleted, and when."""

    def root(self, person: str) -> str:
        """Return the person that a person counts as, after all joins."""
        while person in self.joined:
            person = self.joined[person]
        return person

    def people_joined_to(self, person: str) -> tuple[str, ...]:
        """Return the people who were joined to a person directly."""
        return tuple(one for one, into in self.joined.items() if into == person)


class DeletedNameEvent(Event):
    """An event that deletes a person's name, or restores it."""

    __slots__ = ()
    person: str


@dataclass(slots=True, kw_only=True)
class Book(EventLog):
    """The folded events of a book."""

    noun: ClassVar[str] = "book"
    max_events: ClassVar[int] = 100_000
    """A match a day for a long life, and the events about its people."""
    uid: str
    name: str = ""
    """Empty where it has none."""
    matches: dict[str, None] = field(default_factory=dict)
    """The uids of the matches in it, the first one first."""
    people: People = field(default_factory=People)
    deleted: frozenset[str] = frozenset()
    """The people whose name was ever deleted here, even if restored: a deleted name of theirs is this book's doing."""
    _person_cache: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """A cache of the person for each name, after all joins: a book looks up few names, thousands of times."""

    def person(self, match: str, seat: str, since: int, name: str, called: str = "") -> str:
        """Return the uid of the player who typed `name` and sat down in a seat after `since` substitutions.

        It is that of `nobody_id` where there is no name, or where another book has deleted the name: in the match the
        player is then `called` by a number.
        """
        if not name:
            return nobody_id(seat, since)
        found = self._find_person(match, seat, since, name)
        if called and is_deleted_name(called, name) and found not in map(self.people.root, self.deleted):
            return nobody_id(seat, since)
        return found

    def people_in(self, match: str, players: Sequence[tuple[str, int, str, str]]) -> tuple[str, ...]:
        """Return the uid of the person of every player in a match, given the arguments of `person` for each.

        Players at the table at the same time are different people. In old matches they may have one name in two
        spellings: the later by the alphabet is then another person of that name, unless the book has assigned the
        player.
        """
        people = [self.person(match, *player) for player in players]
        if len(set(people)) == len(people):
            return tuple(people)
        known = [(match, seat, since) in self.people.assigned for seat, since, *_ in players]
        placed: list[int] = []
        for at in sorted(range(len(people)), key=lambda index: (not known[index], players[index][2])):
            number, beside = 1, {people[earlier] for earlier in placed if _played_together(players, earlier, at)}
            while people[at] in beside and not known[at]:
                number += 1
                people[at] = self.people.root(self.person_named(numbered_name(players[at][2], number)))
            placed.append(at)
        return tuple(people)

    def _find_person(self, match: str, seat: str, since: int, name: str) -> str:
        people, persons = self.people, self._person_cache
        if people.assigned and (assigned := people.assigned.get((match, seat, since))):
            return people.root(assigned)
        if name not in persons:
            persons[name] = people.root(self.person_named(name))
        return persons[name]

    def person_named(self, name: str) -> str:
        """Return the uid of the person that a name stands for, before any join."""
        known_as = self.people.known_as
        return (known_as and known_as.get(name_key(name))) or person_uid(self.uid, name)

    def name_of(self, person: str, on: date | None = None) -> str | None:
        """Return the name that a person was given, as of a day or now; `None` where the typed one holds."""
        names = self.people.given.get(person, ())
        if on is not None:
            names = tuple(item for item in names if item[0] <= on.isoformat())
        return names[-1][1] if names else None

    def has_name(self, name: str) -> bool:
        """Return whether there is a name, and it was not deleted."""
        return bool(name) and self.people.root(self.person_named(name)) not in self.people.nameless

    def has_deleted(self, name: str, at: datetime) -> bool:
        """Return whether a name that was typed at a moment was deleted after it."""
        nameless = self.people.nameless
        deleted_at = nameless.get(self.people.root(self.person_named(name))) if nameless else None
        return deleted_at is not None and at <= deleted_at

    def refuse_unless_last(self, target: int, last: int | None, action: str) -> None:
        """Raise `Refused` unless `target` is the `seq` that an undo or a redo has to name."""
        if target != last:
            raise refusal("", "Something else was changed since. Look at it again first.")


def fold_book(uid: str, events: Iterable[StoredEvent]) -> Book:
    """Fold events, in order, into a book."""
    events = tuple(events)
    deleted = frozenset(event.data.person for event in events if isinstance(event.data, DeletedNameEvent))
    return Book.fold(events, uid=uid, deleted=deleted)


def _played_together(players: Sequence[tuple[str, int, str, str]], one: int, other: int) -> bool:
    """Return whether two players sat at the same time, each until the next player took the same seat."""
    (seat, since, *_), (other_seat, other_since, *_) = players[one], players[other]
    later = max(since, other_since)
    return seat != other_seat and not any(
        before < sat_down <= later
        for of, before in ((seat, since), (other_seat, other_since))
        for in_seat, sat_down, *_ in players
        if in_seat == of
    )
